/* The nearest rank of a quantile. */
#ifndef BASE_RANK_H
#define BASE_RANK_H

#include <math.h>
#include <stdint.h>

/* How many of n >= 1 values a share q covers: from 1 to n, whatever q is.  The last
 * bit of q * n is given up, so that 0.07 of 100 is 7. */
static inline uint64_t rank_of(double q, uint64_t n)
{
	if (q >= 1)
		return n;
	double rank = ceil(q * (double)n * (1 - 1e-15));
	if (!(rank > 1)) /* also where q is no number */
		return 1;
	return rank < (double)n ? (uint64_t)rank : n;
}

#endif
