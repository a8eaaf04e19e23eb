#include "src/base/sizes.h"

#include "src/base/rank.h"

#include <stdlib.h>

#define FIRST_BITS 3

static uint32_t home_of(uint32_t size, uint32_t bits)
{
	return (size * UINT32_C(0x9e3779b1)) >> (32 - bits);
}

/* The slot of this size, or the free one where it belongs.  One slot is always
 * free, so this ends. */
static struct size_count *find_slot(struct size_count *slot, uint32_t bits,
                                    uint32_t size)
{
	uint32_t mask = (1u << bits) - 1;
	uint32_t i = home_of(size, bits);
	while (slot[i].n != 0 && slot[i].size != size)
		i = (i + 1) & mask;
	return &slot[i];
}

static void grow(struct sizes *s)
{
	uint32_t bits = s->slot ? s->bits + 1 : FIRST_BITS;
	struct size_count *slot = calloc((size_t)1 << bits, sizeof *slot);
	if (!slot)
		return;
	for (size_t i = 0; s->slot && i < (size_t)1 << s->bits; i++)
		if (s->slot[i].n != 0)
			*find_slot(slot, bits, s->slot[i].size) = s->slot[i];
	free(s->slot);
	s->slot = slot;
	s->bits = bits;
}

/* Counts a size that has no slot yet. */
static void add_fresh(struct sizes *s, uint32_t size, uint64_t n)
{
	if (!s->slot || s->used + 1 > (3u << s->bits) / 4)
		grow(s);
	if (!s->slot || s->used + 1 >= 1u << s->bits) {
		s->uncounted += n;
		return;
	}
	*find_slot(s->slot, s->bits, size) = (struct size_count){.n = n, .size = size};
	s->used++;
}

static void add_slot(struct sizes *s, uint32_t size, uint64_t n)
{
	if (s->slot) {
		struct size_count *c = find_slot(s->slot, s->bits, size);
		if (c->n != 0) {
			c->n += n;
			return;
		}
	}
	add_fresh(s, size, n);
}

static void widen(struct sizes *s, uint32_t min, uint32_t max)
{
	if (s->total == 0 || min < s->min)
		s->min = min;
	if (s->total == 0 || max > s->max)
		s->max = max;
}

void sizes_add(struct sizes *s, uint32_t size, uint64_t n)
{
	if (n == 0)
		return;
	widen(s, size, size);
	s->total += n;
	s->sum += n * size;
	add_slot(s, size < SIZES_OVER ? size : SIZES_OVER, n);
}

void sizes_merge(struct sizes *into, const struct sizes *from)
{
	if (from->total == 0)
		return;
	widen(into, from->min, from->max);
	into->total += from->total;
	into->sum += from->sum;
	into->uncounted += from->uncounted;
	for (size_t i = 0; from->slot && i < (size_t)1 << from->bits; i++)
		if (from->slot[i].n != 0)
			add_slot(into, from->slot[i].size, from->slot[i].n);
}

void sizes_free(struct sizes *s)
{
	free(s->slot);
	*s = (struct sizes){0};
}

uint64_t sizes_count(const struct sizes *s, uint32_t size)
{
	if (!s->slot)
		return 0;
	return find_slot(s->slot, s->bits, size < SIZES_OVER ? size : SIZES_OVER)->n;
}

static int by_size(const void *x, const void *y)
{
	const struct size_count *a = x, *b = y;
	return (a->size > b->size) - (a->size < b->size);
}

static int by_count(const void *x, const void *y)
{
	const struct size_count *a = x, *b = y;
	if (a->n != b->n)
		return a->n < b->n ? 1 : -1;
	return by_size(y, x);
}

struct size_count *sizes_sorted(const struct sizes *s, enum sizes_order order,
                                size_t *n)
{
	*n = 0;
	if (s->used == 0)
		return NULL;
	struct size_count *all = malloc(s->used * sizeof *all);
	if (!all)
		return NULL;
	for (size_t i = 0; i < (size_t)1 << s->bits; i++)
		if (s->slot[i].n != 0)
			all[(*n)++] = s->slot[i];
	qsort(all, *n, sizeof *all, order == SIZES_BY_SIZE ? by_size : by_count);
	return all;
}

size_t sizes_top(const struct sizes *s, struct size_count *out, size_t max)
{
	size_t n = 0;
	for (size_t i = 0; s->slot && i < (size_t)1 << s->bits; i++) {
		const struct size_count *c = &s->slot[i];
		if (c->n == 0)
			continue;
		size_t at = n;
		while (at > 0 && by_count(c, &out[at - 1]) < 0)
			at--;
		if (at == max)
			continue;
		n += n < max;
		for (size_t j = n - 1; j > at; j--)
			out[j] = out[j - 1];
		out[at] = *c;
	}
	return n;
}

static uint64_t count_upto(const struct sizes *s, uint32_t size)
{
	uint64_t n = 0;
	for (size_t i = 0; i < (size_t)1 << s->bits; i++)
		if (s->slot[i].size <= size)
			n += s->slot[i].n;
	return n;
}

uint32_t sizes_quantile(const struct sizes *s, double q)
{
	uint64_t counted = s->total - s->uncounted;
	if (counted == 0)
		return 0;
	uint64_t need = rank_of(q, counted);
	/* halves the range of sizes instead of sorting: needs no memory */
	uint32_t low = 0, high = SIZES_OVER;
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		if (count_upto(s, mid) >= need)
			high = mid;
		else
			low = mid + 1;
	}
	return low;
}
