/* Which size to try next: a search for the largest that passes.  Pure. */
#ifndef PROBE_SEARCH_H
#define PROBE_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

struct search {
	uint32_t low;   /* the largest known to pass */
	uint32_t high;  /* the smallest known not to; limit + 1 at first */
	uint32_t limit; /* the link's */
	uint32_t hint;  /* what a router told; 0 = nothing, or tried */
	bool verify;    /* the hint passed: the next size must not */
	unsigned tries; /* sizes asked for */
};

/* `smallest` is known to pass already. */
void search_start(struct search *s, uint32_t smallest, uint32_t limit);

/* The size to try; 0 when low and high have met.  The limit first, then what a router
 * told (which is never believed unseen), then Ethernet's size, then halves. */
uint32_t search_next(struct search *s);

void search_passed(struct search *s, uint32_t size);

/* mtu: what a router told of it, 0 = nothing. */
void search_failed(struct search *s, uint32_t size, uint32_t mtu);

/* Probes of one size that must stay unanswered before the size is blamed, when this
 * share of probes is lost whatever their size: so many that chance explains it less
 * than once in a thousand times, 3 to 12. */
unsigned search_repeats(unsigned lost, unsigned sent);

#endif
