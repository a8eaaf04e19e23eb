/* Reassembly bookkeeping that needs no payload: which byte ranges of which
 * datagram were seen.  Keyed by family, addresses, protocol, id and interface;
 * bounded; expires by packet time. */
#ifndef DECODE_FRAGMENT_H
#define DECODE_FRAGMENT_H

#include "netprobe/decode/packet.h"

#define FRAGMENT_TIMEOUT_NS (INT64_C(30) * 1000000000) /* as Linux' ipfrag_time */

/* How long after a train was whole a piece of it seen again still counts as a
 * repeat (mirror ports, bridges, merged captures) and opens no new train. */
#define FRAGMENT_REPEAT_NS (INT64_C(1) * 1000000000)

/* No sender comes round to the same id within this time: 65536 datagrams that need
 * cutting fill a 100 Gb/s link for longer. */
#define FRAGMENT_SAME_NS (INT64_C(5) * 1000000)

/* Most memory for the pieces of trains that have more than a few; beyond it
 * the oldest trains are evicted. */
#define FRAGMENT_PIECE_BYTES (16u << 20)

/* Room in a train for what its first fragment told; the tracker's business. */
#define FRAGMENT_NOTE_BYTES 128

enum fragment_end {
	FRAGMENT_WHOLE,
	FRAGMENT_EXPIRED,    /* pieces missing when its time was up */
	FRAGMENT_REUSED,     /* pieces missing when the id came again */
	FRAGMENT_EVICTED,    /* table full */
	FRAGMENT_UNFINISHED, /* pieces missing at the end of the capture */
	FRAGMENT_ENDS
};

struct fragment_train {
	struct addr src, dst;
	uint32_t id, iface;
	uint32_t ifindex;        /* SLL2's interface; 0 = not told */
	uint8_t family, proto;   /* up to here it is the key */
	bool has_first;          /* offset 0 was seen */
	bool has_last;           /* the piece without "more" was seen */
	bool overlap;            /* bytes came twice, other than an exact repeat, or two
	                          * pieces tell different ends, or its id came again
	                          * too soon */
	bool oversize;           /* reaches beyond 65535 bytes */
	bool tiny;               /* a piece with "more" carries under 256 bytes */
	bool df;                 /* set on any piece */
	uint32_t pieces;         /* frames, exact repeats not counted */
	uint32_t repeats;        /* exact repeats: captured twice, or sent twice */
	uint32_t first_ip_len;   /* IP length of the offset-0 piece; 0 = not seen */
	uint32_t largest_ip_len; /* of any piece: what the cutting link carries */
	uint32_t bytes;          /* payload bytes covered so far */
	uint32_t total;    /* payload bytes of the datagram; 0 until the last piece */
	uint64_t ip_bytes; /* IP lengths of all pieces */
	int64_t first_ns, last_ns;
	uint64_t first_frame, last_frame;
	uint8_t note[FRAGMENT_NOTE_BYTES]; /* zeroed when the train begins */
};

struct fragments;

/* Called whenever a train ends, whole or not. */
typedef void fragment_end_fn(void *ctx, const struct fragment_train *t,
                             enum fragment_end how);

/* capacity: trains kept at once.  NULL where memory is out. */
struct fragments *fragments_new(size_t capacity, fragment_end_fn *end, void *ctx);
void fragments_free(struct fragments *fs); /* calls no end */

/* Takes one piece (p->fragment).  Calls end for trains that this piece
 * completes, closes or pushes out, and for those that expired by now.  Returns
 * the train, good until the next call, or NULL if it has just ended.  first is
 * called (NULL = not) with the train before end when p is its offset-0 piece,
 * so that the note can be filled; not for repeats of it.
 *
 * A piece is a repeat if place, length and the first bytes of its content are
 * those of a piece seen.  Another piece with offset 0 means that the id was
 * reused (within FRAGMENT_SAME_NS of the last piece the old train counts as
 * overlapping, too); other pieces in places seen are overlaps.  A repeat of a train
 * that was whole within FRAGMENT_REPEAT_NS is counted (fragments_counts) and belongs to
 * no train any more: NULL without a call of end.
 *
 * A train expires FRAGMENT_TIMEOUT_NS after its first piece, as Linux' timer
 * does; later pieces do not prolong it. */
struct fragment_train *fragments_add(struct fragments *fs, const struct packet *p,
                                     const struct frame *f,
                                     void (*first)(void *ctx, struct fragment_train *t,
                                                   const struct packet *p,
                                                   const struct frame *f));

struct fragment_counts {
	uint64_t late_repeats;      /* pieces of trains that were whole already */
	uint64_t late_repeat_bytes; /* their IP lengths */
};

const struct fragment_counts *fragments_counts(const struct fragments *fs);

/* Ends every train left, as FRAGMENT_UNFINISHED. */
void fragments_finish(struct fragments *fs);

const char *fragment_end_name(enum fragment_end how);

#endif
