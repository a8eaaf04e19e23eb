/* Where frames come from: capture files and pipes, several at once; live
 * interfaces.  One cursor of frames, whatever is behind it. */
#ifndef NETPROBE_SOURCE_H
#define NETPROBE_SOURCE_H

#include "netprobe/frame.h"
#include "src/base/err.h"

#include <stdbool.h>
#include <stddef.h>

/* What a capture tells of an interface.  Zero or empty means: not told. */
struct source_iface {
	char name[64]; /* if_name ("FILE:if_name" where several files have it),
	                * else "FILE#N" made by the source */
	char description[128];
	char filter[1024]; /* capture filter, as text */
	uint16_t link_type;
	uint32_t snaplen;    /* 0 = no limit told */
	uint32_t mtu;        /* IP MTU, from the comment that record writes */
	uint64_t speed_bps;  /* if_speed, or rate= of the comment */
	char link[24];       /* link= of the comment: "ethernet", "atm-llc", … */
	char addresses[256]; /* addr= of the comment: ADDR/BITS[,ADDR/BITS…] */
	uint32_t file;       /* index of the file it came from */
	/* when the capture ran, by its statistics (isb_starttime, isb_endtime); 0 = not
	 * told */
	int64_t from_ns, until_ns;
	/* sums over the statistics blocks, or of live counters */
	bool has_received, has_dropped, has_ifdropped;
	uint64_t received;  /* frames that passed the filter, by the capturer */
	uint64_t dropped;   /* lost for lack of buffer, by the capturer */
	uint64_t ifdropped; /* lost before the capturer, by the interface */
	/* kernel counters between start and end of the recording, and what the
	 * user-space filter of `record --account` left out */
	bool has_kernel;
	uint64_t kernel_packets, kernel_bytes; /* rx + tx of the interface */
	uint64_t left_out_packets, left_out_bytes;
};

/* Times of frames and marks lie within this of 1970 (from 1823 to 2116), so that the
 * difference of any two fits; others are clamped. */
#define TIME_MOST_NS (INT64_MAX / 2)

static inline int64_t time_within(int64_t ns)
{
	return ns > TIME_MOST_NS    ? TIME_MOST_NS
	       : ns < -TIME_MOST_NS ? -TIME_MOST_NS
	                            : ns;
}

/* A phase mark found in the capture (doc/design.md, control protocol). */
struct source_mark {
	bool begin;  /* else end */
	uint32_t id; /* from 1 */
	int64_t time_ns;
	char name[64]; /* of a begin */
};

/* Trouble that ended one of the files early.  Frames before it are good. */
struct source_cut {
	const char *file; /* borrowed from the source */
	uint64_t offset;  /* where the incomplete or bad record begins */
	uint64_t frames;  /* whole frames before it, of this file */
	char why[160];
};

enum source_event {
	SOURCE_END,
	SOURCE_FRAME,
	SOURCE_MARK,
	SOURCE_NOTHING, /* only after source_yield */
	SOURCE_ERROR, /* err is set; what was read stays good */
};

struct source;

/* Opens capture files (pcap, pcapng; any of them compressed), "-" is standard
 * input.  Frames of several files come merged by time.  Fails (ERR_USAGE) on a
 * file that cannot be read at all: missing, empty, no capture. */
struct source *source_open_files(const char *const *paths, size_t n, struct err *err);

/* Restricts frames to those that the libpcap filter expression matches; marks
 * still come.  Fails (ERR_USAGE) with libpcap's message and the place. */
int source_set_filter(struct source *s, const char *expression, struct err *err);

/* The next frame or mark.  *frame and *mark are filled as the return says. */
enum source_event source_next(struct source *s, struct frame *frame,
                              struct source_mark *mark, struct err *err);

/* For who has other things to do than wait for a pipe, the only input: source_next
 * answers SOURCE_NOTHING when what came held no frame for the caller. */
void source_yield(struct source *s);

/* Waits for that pipe, at most ms.  True where source_next has something at hand (or
 * the rest of a record to wait for), or would tell the end. */
bool source_wait(struct source *s, int ms);

/* Interfaces known so far; more may appear as a pcapng file goes on. */
size_t source_iface_count(const struct source *s);
const struct source_iface *source_iface(const struct source *s, size_t i);

/* Files that ended early; none after a clean end. */
size_t source_cut_count(const struct source *s);
const struct source_cut *source_cut(const struct source *s, size_t i);

/* Notes for the report, such as "fraction over 999999 in frame 12"; each once. */
size_t source_note_count(const struct source *s);
const char *source_note(const struct source *s, size_t i);

/* Notes that files are not read to their ends, which are behind the time asked for. */
void source_leave_rest(struct source *s);

/* Bytes read and, where known (else 0), to be read in all: for progress. */
void source_progress(const struct source *s, uint64_t *done, uint64_t *total);

/* Makes source_next answer SOURCE_END as soon as it comes to it, also out of a
 * wait for a pipe.  Async-signal-safe. */
void source_stop(struct source *s);

void source_close(struct source *s); /* NULL is harmless */

#endif
