#include "src/base/hist.h"

#include "src/base/rank.h"

#include <stdlib.h>
#include <string.h>

#define SUB_BITS 7
#define SUB (1u << SUB_BITS)

/* Octave 0 holds 0 to 127 one by one, octave k the values from 2^(k+6) up to
 * twice that, in 128 buckets. */
static uint32_t octave_of(uint64_t v)
{
	if (v < SUB)
		return 0;
	return 63u - (uint32_t)__builtin_clzll(v) - SUB_BITS + 1;
}

static uint32_t sub_of(uint64_t v, uint32_t octave)
{
	return (uint32_t)(octave ? (v >> (octave - 1)) - SUB : v);
}

static uint64_t lowest_of(uint32_t octave, uint32_t sub)
{
	return octave == 0 ? sub : (uint64_t)(SUB + sub) << (octave - 1);
}

/* The middle of a bucket. */
static uint64_t value_of(uint32_t octave, uint32_t sub)
{
	uint64_t width = octave == 0 ? 1 : (uint64_t)1 << (octave - 1);
	return lowest_of(octave, sub) + (width - 1) / 2;
}

/* Makes octave part of what bucket covers.  -1 where memory is out. */
static int cover(struct hist *h, uint32_t octave)
{
	uint32_t first = h->octaves == 0 || octave < h->first ? octave : h->first;
	uint32_t end = h->octaves == 0 ? octave + 1 : h->first + h->octaves;
	if (octave >= end)
		end = octave + 1;
	uint32_t octaves = end - first;
	if (octaves == h->octaves)
		return 0;
	uint64_t *bucket = calloc((size_t)octaves * SUB, sizeof *bucket);
	if (!bucket)
		return -1;
	if (h->octaves > 0)
		memcpy(bucket + (size_t)(h->first - first) * SUB, h->bucket,
		       (size_t)h->octaves * SUB * sizeof *bucket);
	free(h->bucket);
	h->bucket = bucket;
	h->first = first;
	h->octaves = octaves;
	return 0;
}

static void widen(struct hist *h, int64_t min, int64_t max)
{
	if (h->count == 0 || min < h->min_ns)
		h->min_ns = min;
	if (h->count == 0 || max > h->max_ns)
		h->max_ns = max;
}

void hist_record_times(struct hist *h, int64_t ns, uint64_t times)
{
	uint64_t v = ns > 0 ? (uint64_t)ns : 0;
	uint32_t octave = octave_of(v);
	if (times == 0)
		return;
	widen(h, (int64_t)v, (int64_t)v);
	h->count += times;
	h->sum_ns += v * times;
	if (octave - h->first >= h->octaves && cover(h, octave) < 0) {
		h->uncounted += times;
		return;
	}
	h->bucket[(size_t)(octave - h->first) * SUB + sub_of(v, octave)] += times;
}

void hist_record(struct hist *h, int64_t ns)
{
	hist_record_times(h, ns, 1);
}

void hist_merge(struct hist *into, const struct hist *from)
{
	if (from->count == 0)
		return;
	widen(into, from->min_ns, from->max_ns);
	into->count += from->count;
	into->sum_ns += from->sum_ns;
	into->uncounted += from->uncounted;
	if (from->octaves == 0)
		return;
	uint32_t last = from->first + from->octaves - 1;
	if (cover(into, from->first) < 0 || cover(into, last) < 0) {
		into->uncounted += from->count - from->uncounted;
		return;
	}
	uint64_t *to = into->bucket + (size_t)(from->first - into->first) * SUB;
	for (size_t i = 0; i < (size_t)from->octaves * SUB; i++)
		to[i] += from->bucket[i];
}

void hist_free(struct hist *h)
{
	free(h->bucket);
	*h = (struct hist){0};
}

int64_t hist_percentile(const struct hist *h, double q)
{
	uint64_t counted = h->count - h->uncounted;
	if (counted == 0)
		return 0;
	uint64_t need = rank_of(q, counted);
	if (need == counted && h->uncounted == 0)
		return h->max_ns;
	size_t i = 0;
	for (uint64_t seen = h->bucket[0]; seen < need; seen += h->bucket[i])
		i++;
	int64_t v = (int64_t)value_of(h->first + (uint32_t)(i / SUB), i % SUB);
	/* the middle of the first or last bucket may lie outside what was seen */
	return v < h->min_ns ? h->min_ns : v > h->max_ns ? h->max_ns : v;
}

double hist_mean(const struct hist *h)
{
	return h->count ? (double)h->sum_ns / (double)h->count : 0;
}

bool hist_next(const struct hist *h, size_t *at, int64_t *lowest_ns, uint64_t *count)
{
	size_t n = (size_t)h->octaves * SUB;
	while (*at < n && h->bucket[*at] == 0)
		++*at;
	if (*at == n)
		return false;
	*lowest_ns = (int64_t)lowest_of(h->first + (uint32_t)(*at / SUB), *at % SUB);
	*count = h->bucket[(*at)++];
	return true;
}

void hist_set_exact(struct hist *h, int64_t min_ns, int64_t max_ns, double mean_ns)
{
	if (h->count == 0 || min_ns < 0 || max_ns < min_ns || !(mean_ns >= 0))
		return;
	h->min_ns = min_ns;
	h->max_ns = max_ns;
	h->sum_ns = (uint64_t)(mean_ns * (double)h->count + 0.5);
}
