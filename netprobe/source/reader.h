/* One capture file being read: what pcap_file.c and pcapng_file.c share.
 * Private to netprobe/source. */
#ifndef SOURCE_READER_H
#define SOURCE_READER_H

#include "netprobe/source/stream.h"
#include "netprobe/source/tables.h"

/* The longest frame taken; longer lengths are garbage, and end the file.  An
 * offloaded super-packet has at most 512 KiB (BIG TCP). */
#define RECORD_BYTES_MAX (16u << 20)

#define IFACE_UNTOLD UINT32_MAX /* not among the source's interfaces yet */

/* Units of a time stamp to nanoseconds (if_tsresol, if_tsoffset). */
struct time_scale {
	enum { TIME_MULTIPLY, TIME_DIVIDE, TIME_BINARY } how;
	uint8_t bits;    /* TIME_BINARY: units of 2^-bits s */
	uint64_t factor; /* else */
	int64_t offset_s;
};

enum iface_counter {
	COUNT_RECEIVED,
	COUNT_DROPPED,
	COUNT_IFDROPPED,
	COUNT_ACCEPTED,
	COUNT_DELIVERED,
	COUNT_KERNEL_PACKETS,
	COUNT_KERNEL_BYTES,
	COUNT_LEFT_OUT_PACKETS,
	COUNT_LEFT_OUT_BYTES,
	IFACE_COUNTERS
};

/* An interface as this file numbers it: (section, id). */
struct reader_iface {
	struct source_iface *facts; /* owned until index is told, then by tables */
	uint32_t index;             /* in the source's interfaces, or IFACE_UNTOLD */
	uint32_t snaplen;
	uint16_t link_type;
	bool named; /* by if_name, not by us */
	struct time_scale scale;
	uint64_t last[IFACE_COUNTERS]; /* statistics are sums: only steps are added */
	/* of this section: lost before single packets (epb_dropcount), by whomever; by
	 * the interface; by the system; what passed the filter, and what reached the
	 * capturer; and what of it all is among the facts' dropped */
	uint64_t gap_dropped, if_dropped, os_dropped, accepted, delivered, dropped;
	bool has_os_dropped, has_accepted, has_delivered;
};

/* NOTHING: blocks of other kinds were read, and no more is at hand (yields). */
enum record { RECORD_FRAME, RECORD_MARK, RECORD_NOTHING, RECORD_END, RECORD_ERROR };

struct reader {
	struct stream stream;
	struct source_tables *tables;
	uint32_t file;              /* index of the path */
	bool big;                   /* byte order of the file or section */
	bool told;                  /* its interfaces are among the source's */
	bool yields;                /* returns instead of waiting for the next block */
	uint64_t frames;            /* packet records so far, those left out too */
	int64_t last_ns;            /* time of the last one */
	struct reader_iface *iface; /* of the section */
	size_t ifaces, told_ifaces;
	uint32_t section; /* its number over all files */
	uint32_t unnamed; /* interfaces of the file that have no name, so far */
	enum record (*next)(struct reader *, struct frame *, struct source_mark *,
	                    struct err *);
	/* pcap */
	uint32_t header;       /* bytes before each packet: 16, or 24 ("modified") */
	uint32_t fraction_max; /* first impossible fraction: 10^6 or 10^9 */
	bool swapped_lengths;  /* versions up to 2.3 had them in either order */
};

/* Takes the file header.  Fails with ERR_USAGE: no capture, or its header is
 * not whole. */
int reader_open(struct reader *r, const char *path, uint32_t file, bool ahead,
                struct source_tables *tables, struct err *err);
void reader_close(struct reader *r);

/* The next packet or mark of this file; frame->iface is the file's own number
 * (for reader_iface_index), frame->number counts in this file. */
static inline enum record reader_next(struct reader *r, struct frame *f,
                                      struct source_mark *m, struct err *err)
{
	return r->next(r, f, m, err);
}

/* Makes the interfaces of this file known to the source, those that appear
 * later too.  An interface of a file that has ended and of the same name and
 * link type is taken for the same one: ring files, pcapng sections. */
void reader_tell(struct reader *r);

/* ---- for the two formats ------------------------------------------------ */

int pcap_start(struct reader *r, struct err *err);
int pcapng_start(struct reader *r, struct err *err);

/* Adds an interface to the section; takes over facts.  False: no memory. */
bool reader_add_iface(struct reader *r, struct source_iface *facts,
                      const struct time_scale *scale);
/* A new section begins: its interfaces count from 0 again. */
void reader_forget_ifaces(struct reader *r);

/* What to return where the need bytes of a record are not there: the end of the
 * file if it ends just here, a cut record, or a failure to read. */
enum record reader_cut(struct reader *r, uint64_t need, struct err *err);

/* Ends the file at a record that cannot be followed, for the reason given. */
enum record reader_bad(struct reader *r, const char *fmt, ...) ERR_PRINTF(2, 3);

/* Sets bytes and lengths of the frame that was counted last.  A frame captured
 * longer than it was is as long as it was captured, and so is one of impossible
 * length. */
static inline void reader_set_lengths(struct reader *r, struct frame *f,
                                      const uint8_t *bytes, uint32_t caplen,
                                      uint32_t wirelen)
{
	f->bytes = bytes;
	f->caplen = caplen;
	f->wirelen = wirelen;
	if (wirelen > RECORD_BYTES_MAX) {
		f->wirelen = caplen;
		tables_note(r->tables, NOTE_WIRELEN, r->file, r->frames);
	} else if (caplen > wirelen) {
		f->wirelen = caplen;
		tables_note(r->tables, NOTE_CAPLEN, r->file, r->frames);
	}
}

/* pcapng_iface.c */
int64_t time_scale_apply(const struct time_scale *s, uint64_t units, bool *clamped);
/* epb_dropcount of a packet of this interface. */
void pcapng_take_dropcount(struct reader_iface *own, uint64_t n);
bool pcapng_read_iface(struct reader *r, const uint8_t *body, uint32_t n);
/* True where the block holds a mark, then in *mark. */
bool pcapng_read_statistics(struct reader *r, const uint8_t *body, uint32_t n,
                            struct source_mark *mark);

/* Walks pcapng options: *at and *left move on.  False at their end. */
struct option {
	uint16_t code, n;
	const uint8_t *bytes;
};
bool pcapng_next_option(struct reader *r, const uint8_t **at, uint32_t *left,
                        struct option *o);

#endif
