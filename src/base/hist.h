/* A histogram of latencies in nanoseconds, log-linear: every power of two is cut
 * into 128 buckets, so a value read back is off by at most 1/256 (0.4 %); values
 * below 256 ns, the minimum, the maximum, the count and the sum are exact.
 *
 * A zeroed struct is a valid empty histogram and owns no memory; it grows by 1 KiB
 * for every power of two that lies between the values seen.  Where memory is out,
 * a value goes to `uncounted` (and to count, sum, min and max) only. */
#ifndef BASE_HIST_H
#define BASE_HIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hist {
	uint64_t *bucket;
	uint32_t first, octaves; /* the powers of two that bucket covers */
	uint64_t count;          /* values, the uncounted ones too */
	uint64_t uncounted;
	uint64_t sum_ns;
	int64_t min_ns, max_ns; /* valid while count > 0 */
};

/* Takes one value.  Negative ones (a clock that was set back) count as 0. */
void hist_record(struct hist *h, int64_t ns);

/* Takes a value that stands for so many. */
void hist_record_times(struct hist *h, int64_t ns, uint64_t times);

/* Adds what `from` holds to `into`. */
void hist_merge(struct hist *into, const struct hist *from);

/* Frees the memory and empties the histogram, which stays usable. */
void hist_free(struct hist *h);

/* The value that a share q (0 to 1) of the values do not exceed, by nearest rank:
 * 0.5 is the median, 0.99 the 99th percentile.  0 for an empty histogram. */
int64_t hist_percentile(const struct hist *h, double q);

/* The mean, exact; 0 for an empty histogram. */
double hist_mean(const struct hist *h);

/* The next bucket with anything in it, by rising values; *at is 0 for the first and
 * then kept.  It holds *count values from *lowest_ns on.  false: there is none.
 * hist_record_times of each gives the histogram back but for what follows. */
bool hist_next(const struct hist *h, size_t *at, int64_t *lowest_ns, uint64_t *count);

/* What buckets do not tell, of a histogram that was read back. */
void hist_set_exact(struct hist *h, int64_t min_ns, int64_t max_ns, double mean_ns);

#endif
