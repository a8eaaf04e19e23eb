#include "netprobe/probe/search.h"

#include <math.h>

#define ETHERNET_MTU 1500u
#define REPEATS_MIN 3u
#define REPEATS_MAX 12u
#define CHANCE 0.001

void search_start(struct search *s, uint32_t smallest, uint32_t limit)
{
	*s = (struct search){.low = smallest, .high = limit + 1, .limit = limit};
}

static bool open_size(const struct search *s, uint32_t size)
{
	return size > s->low && size < s->high;
}

uint32_t search_next(struct search *s)
{
	if (s->high <= s->low + 1)
		return 0;
	if (s->tries++ == 0)
		return s->limit;
	uint32_t hint = s->hint;
	if (open_size(s, hint))
		return hint;
	/* where the hint or Ethernet's size passes, it is mostly exact */
	bool verify = s->verify;
	s->verify = false;
	if (verify)
		return s->low + 1;
	if (s->tries <= 3 && open_size(s, ETHERNET_MTU))
		return ETHERNET_MTU;
	return s->low + (s->high - s->low) / 2;
}

void search_passed(struct search *s, uint32_t size)
{
	if (s->high <= size) /* it was blamed wrongly before */
		s->high = s->limit + 1;
	if (size <= s->low)
		return;
	s->low = size;
	s->verify = size == s->hint || size == ETHERNET_MTU;
}

void search_failed(struct search *s, uint32_t size, uint32_t mtu)
{
	if (size > s->low && size < s->high)
		s->high = size;
	if (mtu != 0 && open_size(s, mtu))
		s->hint = mtu;
}

unsigned search_repeats(unsigned lost, unsigned sent)
{
	double p = (lost + 0.5) / (sent + 4.0); /* little is known at first */
	double n = ceil(log(CHANCE) / log(p));
	if (n > REPEATS_MAX)
		return REPEATS_MAX;
	return n < REPEATS_MIN ? REPEATS_MIN : (unsigned)n;
}
