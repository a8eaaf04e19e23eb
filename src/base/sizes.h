/* Exact tallies of sizes: how many packets, datagrams, pieces had which size.
 *
 * Sizes up to 65535 are counted one by one; all bigger ones share the entry
 * SIZES_OVER (their sum and the largest stay exact).  A zeroed struct is a valid
 * empty tally and owns no memory; it grows with the number of distinct sizes.
 * Where memory is out, what finds no slot goes to `uncounted` (and to total, sum,
 * min and max), and nothing else happens. */
#ifndef BASE_SIZES_H
#define BASE_SIZES_H

#include <stddef.h>
#include <stdint.h>

#define SIZES_OVER 65536u

struct size_count {
	uint64_t n;
	uint32_t size; /* SIZES_OVER stands for everything above 65535 */
};

struct sizes {
	struct size_count *slot; /* open addressing; n == 0 is a free slot */
	uint32_t bits;           /* 2^bits slots, once there are any */
	uint32_t used;           /* distinct sizes */
	uint64_t total;          /* items, the uncounted ones too */
	uint64_t sum;            /* of their sizes, in bytes */
	uint64_t uncounted;      /* items whose size found no room */
	uint32_t min, max;       /* true sizes; valid while total > 0 */
};

/* Counts n items of this size.  A few nanoseconds for a size known already. */
void sizes_add(struct sizes *s, uint32_t size, uint64_t n);

/* Adds what `from` holds to `into`. */
void sizes_merge(struct sizes *into, const struct sizes *from);

/* Frees the memory and empties the tally, which stays usable. */
void sizes_free(struct sizes *s);

/* Items of exactly this size; any size above 65535 asks for all of these. */
uint64_t sizes_count(const struct sizes *s, uint32_t size);

enum sizes_order {
	SIZES_BY_SIZE,  /* smallest first */
	SIZES_BY_COUNT, /* most frequent first, the larger size first among equals */
};

/* All entries in this order, *n of them; the caller frees the array.  NULL (and
 * *n = 0) for an empty tally or where memory is out. */
struct size_count *sizes_sorted(const struct sizes *s, enum sizes_order order,
                                size_t *n);

/* The `max` most frequent entries, as SIZES_BY_COUNT; returns how many there were
 * to give.  Allocates nothing; meant for a handful. */
size_t sizes_top(const struct sizes *s, struct size_count *out, size_t max);

/* The smallest counted size that at least a share q (0 to 1) of the counted items
 * do not exceed; exact.  q = 0 is the minimum.  0 for an empty tally. */
uint32_t sizes_quantile(const struct sizes *s, double q);

#endif
