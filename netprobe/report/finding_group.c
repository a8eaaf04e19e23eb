#include "netprobe/report/finding_group.h"

#include <stdlib.h>
#include <string.h>

enum common { COMMON_SOURCE, COMMON_DESTINATION };

/* Do they differ in the other end alone? */
static bool alike(const struct finding *x, const struct finding *y, enum common end)
{
	if (x->kind != y->kind || x->severity != y->severity || x->iface != y->iface ||
	    x->has_from != y->has_from || x->has_to != y->has_to || !x->has_from ||
	    strcmp(x->remedy, y->remedy) != 0 || strcmp(x->doubt, y->doubt) != 0)
		return false;
	if (!x->has_to)
		return end == COMMON_DESTINATION;
	return end == COMMON_SOURCE ? addr_compare(&x->from, &y->from) == 0
	                            : addr_compare(&x->to, &y->to) == 0;
}

static size_t count_alike(const struct findings *fs, const bool *taken, size_t first,
                          enum common end)
{
	size_t n = 0;
	for (size_t i = first + 1; i < fs->n; i++)
		n += !taken[i] && alike(&fs->list[first], &fs->list[i], end);
	return n;
}

/* Takes finding `first` and those like it; returns how many. */
static size_t take(const struct findings *fs, bool *taken, size_t first,
                   enum common end, const struct finding **to)
{
	size_t n = 0;
	to[n++] = &fs->list[first];
	for (size_t i = first + 1; i < fs->n; i++) {
		if (taken[i] || !alike(&fs->list[first], &fs->list[i], end))
			continue;
		taken[i] = true;
		to[n++] = &fs->list[i];
	}
	return n;
}

int finding_groups_make(struct finding_groups *g, const struct findings *fs)
{
	*g = (struct finding_groups){0};
	bool *taken = calloc(fs->n + 1, sizeof *taken);
	g->list = calloc(fs->n + 1, sizeof *g->list);
	g->members = calloc(fs->n + 1, sizeof *g->members);
	if (!taken || !g->list || !g->members) {
		free(taken);
		finding_groups_free(g);
		return -1;
	}
	size_t used = 0;
	for (size_t i = 0; i < fs->n; i++) {
		if (taken[i])
			continue;
		bool by_source = count_alike(fs, taken, i, COMMON_DESTINATION) >
		                 count_alike(fs, taken, i, COMMON_SOURCE);
		struct finding_group *one = &g->list[g->n++];
		one->by_source = by_source;
		one->member = g->members + used;
		one->n = take(fs, taken, i,
		              by_source ? COMMON_DESTINATION : COMMON_SOURCE,
		              g->members + used);
		used += one->n;
	}
	free(taken);
	return 0;
}

void finding_groups_free(struct finding_groups *g)
{
	free(g->list);
	free(g->members);
	*g = (struct finding_groups){0};
}
