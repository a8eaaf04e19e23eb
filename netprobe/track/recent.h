/* Which of the latest numbers of a sequence were seen: Rx serials, Rx seqs.
 * Serial arithmetic, so numbers may wrap. */
#ifndef TRACK_RECENT_H
#define TRACK_RECENT_H

#include <stdbool.h>
#include <stdint.h>

#define RECENT_BITS 64u

/* Bit i of seen set = (high - i) was seen.  Zeroed = nothing seen yet. */
struct recent {
	uint32_t high;
	bool any;
	uint64_t seen;
};

enum freshness {
	RECENT_NEW,     /* beyond all that was seen */
	RECENT_GAP,     /* below high, not (wholly) seen so far */
	RECENT_SEEN,    /* seen before */
	RECENT_TOO_OLD, /* further back than the memory */
};

/* Where the n numbers from first on stand. */
enum freshness recent_look(const struct recent *r, uint32_t first, uint32_t n);

/* Marks n numbers from first on as seen; returns by how much high moved (0 for
 * the first ever). */
uint32_t recent_mark(struct recent *r, uint32_t first, uint32_t n);

/* How many of the n numbers from first on were not seen, of those that the memory
 * reaches back to; beyond high none was. */
uint32_t recent_unseen(const struct recent *r, uint32_t first, uint32_t n);

/* bits moved up with high. */
static inline uint64_t recent_shift(uint64_t bits, uint32_t by)
{
	return by >= RECENT_BITS ? 0 : bits << by;
}

#endif
