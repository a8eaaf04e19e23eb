#include "netprobe/track/recent.h"

static uint64_t low_bits(uint32_t n)
{
	return n >= RECENT_BITS ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

enum freshness recent_look(const struct recent *r, uint32_t first, uint32_t n)
{
	if (!r->any || (int32_t)(first - r->high) > 0)
		return RECENT_NEW;
	uint32_t back = r->high - first;
	if (back >= RECENT_BITS)
		return RECENT_TOO_OLD;
	uint32_t last_back = back >= n - 1 ? back - (n - 1) : 0;
	uint64_t mask = low_bits(back - last_back + 1) << last_back;
	return (r->seen & mask) == mask ? RECENT_SEEN : RECENT_GAP;
}

uint32_t recent_mark(struct recent *r, uint32_t first, uint32_t n)
{
	uint32_t last = first + n - 1;
	if (!r->any) {
		r->any = true;
		r->high = last;
		r->seen = low_bits(n);
		return 0;
	}
	uint32_t moved = 0;
	if ((int32_t)(last - r->high) > 0) {
		moved = last - r->high;
		r->seen = recent_shift(r->seen, moved);
		r->high = last;
	}
	uint32_t back = r->high - last;
	if (back < RECENT_BITS)
		r->seen |= low_bits(n) << back;
	return moved;
}

uint32_t recent_unseen(const struct recent *r, uint32_t first, uint32_t n)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t back = r->high - (first + i);
		if (!r->any || (int32_t)back < 0)
			count++;
		else if (back < RECENT_BITS)
			count += !(r->seen >> back & 1);
	}
	return count;
}
