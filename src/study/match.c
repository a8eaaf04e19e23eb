#include "src/study/match.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_of(const struct side *side, const struct figure *f)
{
	return !side->part || strcmp(side->part, f->part) == 0;
}

static size_t count(const struct side *side)
{
	size_t n = 0;
	for (size_t i = 0; i < side->source->n; i++)
		n += is_of(side, &side->source->figures[i]);
	return n;
}

static bool is_link(const struct figure *f)
{
	return strcmp(f->phase, PHASE_LINK) == 0;
}

static bool is_link_only(const struct side *side)
{
	for (size_t i = 0; i < side->source->n; i++)
		if (is_of(side, &side->source->figures[i]) &&
		    !is_link(&side->source->figures[i]))
			return false;
	return true;
}

static bool same_phase(const struct figure *x, const struct figure *y)
{
	if (strcmp(x->phase, y->phase) == 0)
		return x->unit == y->unit;
	return (is_link(x) || is_link(y)) && x->unit == y->unit &&
	       phase_group_of(x->phase, x->unit) == GROUP_DATA &&
	       phase_group_of(y->phase, y->unit) == GROUP_DATA;
}

/* 0: equal, 1: not told on a side, 2: different. */
static int distance(const char *x, const char *y)
{
	if (strcmp(x, y) == 0)
		return 0;
	return x[0] && y[0] ? 2 : 1;
}

/* How ill they fit; below 0: not at all. */
static double misfit(const struct figure *x, const struct figure *y)
{
	int cache = distance(x->cache, y->cache);
	if (!same_phase(x, y) || cache == 2)
		return -1;
	double size = 0.5;
	if (x->size && y->size)
		size = fmin(1, fabs(log2((double)x->size / (double)y->size)) / 16);
	return 100 * cache + 10 * distance(x->setting, y->setting) + size;
}

/* cache: of the figure looked for; NULL: any. */
static const struct figure *best(const struct side *side, const struct figure *f,
                                 const char *cache)
{
	const struct figure *found = NULL;
	double least = 0;
	for (size_t i = 0; i < side->source->n; i++) {
		const struct figure *g = &side->source->figures[i];
		bool asked = is_of(side, g) && (!cache || strcmp(cache, g->cache) == 0);
		double m = asked ? misfit(f, g) : -1;
		if (m < 0 || (found && m >= least))
			continue;
		found = g;
		least = m;
	}
	return found;
}

struct match *match_sides(const struct side *a, const struct side *b, size_t *n)
{
	static const char *const caches[] = {"", "cold", "warm"};
	bool by_b = count(b) < count(a);
	if (is_link_only(a) != is_link_only(b))
		by_b = is_link_only(a);
	const struct side *by = by_b ? b : a, *other = by_b ? a : b;
	struct match *pairs = calloc(3 * count(by) + 1, sizeof *pairs);
	*n = 0;
	for (size_t i = 0; pairs && i < by->source->n; i++) {
		const struct figure *f = &by->source->figures[i];
		for (size_t k = 0; is_of(by, f) && k < (f->cache[0] ? 1 : 3); k++) {
			const struct figure *g =
			        best(other, f, f->cache[0] ? NULL : caches[k]);
			if (g)
				pairs[(*n)++] = by_b ? (struct match){g, f}
				                     : (struct match){f, g};
		}
	}
	return pairs;
}

size_t match_left(const struct side *side, const struct match *pairs, size_t n,
                  const struct figure **out, size_t room)
{
	size_t left = 0;
	for (size_t i = 0; i < side->source->n; i++) {
		const struct figure *f = &side->source->figures[i];
		bool in = !is_of(side, f);
		for (size_t k = 0; k < n && !in; k++)
			in = pairs[k].a == f || pairs[k].b == f;
		if (in)
			continue;
		if (left < room)
			out[left] = f;
		left++;
	}
	return left;
}
