#include "netprobe/track/series.h"

#include <stdlib.h>

#define SERIES_ROWS (1u << 20)

int series_init(struct series *s, int64_t interval_ns)
{
	*s = (struct series){.interval_ns = interval_ns};
	s->rows = table_new(sizeof(struct series_key), sizeof(struct series_row),
	                    SERIES_ROWS, NULL, NULL);
	return s->rows ? 0 : -1;
}

void series_free(struct series *s)
{
	table_free(s->rows);
	*s = (struct series){0};
}

/* Down to a multiple of the interval, before 1970 too. */
static int64_t floor_to(int64_t t, int64_t interval)
{
	int64_t rest = t % interval;
	return t - rest - (rest < 0 ? interval : 0);
}

struct series_row *series_at(struct series *s, uint32_t iface, enum way way,
                             int64_t time_ns)
{
	if (!s->rows)
		return NULL;
	struct series_row *r = s->latest;
	if (r && r->key.iface == iface && r->key.way == way &&
	    time_ns >= r->key.begin_ns && time_ns - r->key.begin_ns < s->interval_ns)
		return r;
	struct series_key k = {.begin_ns = floor_to(time_ns, s->interval_ns),
	                       .iface = iface,
	                       .way = way};
	bool made;
	s->latest = table_get(s->rows, &k, &made);
	return s->latest;
}

static int by_key(const void *a, const void *b)
{
	const struct series_key *x = &(*(const struct series_row *const *)a)->key;
	const struct series_key *y = &(*(const struct series_row *const *)b)->key;
	if (x->begin_ns != y->begin_ns)
		return x->begin_ns < y->begin_ns ? -1 : 1;
	if (x->iface != y->iface)
		return x->iface < y->iface ? -1 : 1;
	return x->way < y->way ? -1 : x->way > y->way;
}

const struct series_row **series_sorted(const struct series *s, size_t *n)
{
	*n = 0;
	if (!s->rows || !table_count(s->rows))
		return NULL;
	const struct series_row **list = malloc(table_count(s->rows) * sizeof *list);
	if (!list)
		return NULL;
	for (const struct series_row *r = NULL; (r = table_next(s->rows, r));)
		list[(*n)++] = r;
	qsort(list, *n, sizeof *list, by_key);
	return list;
}

uint64_t series_evicted(const struct series *s)
{
	return s->rows ? table_evicted(s->rows) : 0;
}
