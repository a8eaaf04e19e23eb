/* What the readers of all files of one source gather: interfaces, notes on
 * odd input, and where files ended early. */
#ifndef SOURCE_TABLES_H
#define SOURCE_TABLES_H

#include "netprobe/source/source.h"

/* Interfaces beyond this number are left out, with a note. */
#define SOURCE_IFACES_MAX 16384u

/* Oddities of the input that do not stop the reading.  Each is told once a
 * file, with the first frame it concerns and how often it came. */
enum note {
	NOTE_FRACTION,      /* sub-second part out of range */
	NOTE_WIRELEN,       /* a frame length beyond RECORD_BYTES_MAX */
	NOTE_CAPLEN,        /* more captured than the frame was long */
	NOTE_UNKNOWN_IFACE, /* pcapng packet of an interface not described */
	NOTE_MANY_IFACES,   /* beyond SOURCE_IFACES_MAX */
	NOTE_NO_TIME,       /* simple packet blocks */
	NOTE_TRAILER,       /* pcapng block whose two lengths differ */
	NOTE_OPTION,        /* option that runs past its block */
	NOTE_VERSION,       /* pcap or pcapng version not known */
	NOTE_TIME_RANGE,    /* time stamp beyond the year 2262 */
	NOTE_REST,          /* the reading ended before the file */
	NOTES
};

struct note_entry {
	enum note kind;
	uint32_t file;
	uint64_t first; /* number of the frame in its file; 0 = none */
	uint64_t count;
	char text[320];
};

/* An interface and who may still add to it. */
struct iface_slot {
	struct source_iface *facts;
	uint32_t section; /* that uses it now */
	bool named;       /* by the capture; else the name is made up */
	char given[64];   /* that name, also where facts->name has the file before it */
};

struct source_tables {
	const char *const *paths; /* of the files, by index */
	bool *ended;              /* by file: nothing more comes from it */
	uint32_t sections;        /* begun so far, over all files (pcap: one each) */
	struct iface_slot *iface;
	size_t ifaces;
	struct note_entry **note;
	size_t notes;
	struct source_cut *cut;
	size_t cuts;
};

void tables_free(struct source_tables *t);

/* Takes over *facts (from malloc) and returns its index.  A named interface of
 * the same name and link type that an earlier section of the same file or a
 * file that has ended (ring files) brought is the same one: its counters grow,
 * *facts is freed.  Where another file has an interface of that name, both get their
 * file's name before it ("FILE:eth0").  UINT32_MAX, with *facts freed, where there is
 * no room. */
uint32_t tables_add_iface(struct source_tables *t, struct source_iface *facts,
                          bool named, uint32_t section);

/* Counts an oddity of frame (number in its file, 0 = none). */
void tables_note(struct source_tables *t, enum note kind, uint32_t file,
                 uint64_t frame);

const char *tables_note_text(const struct source_tables *t, size_t i);

void tables_cut(struct source_tables *t, uint32_t file, uint64_t offset,
                uint64_t frames, const char *fmt, ...) ERR_PRINTF(5, 6);

#endif
