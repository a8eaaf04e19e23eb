#include "netprobe/report/result.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[RESULT_SORTS] = {
        [SORT_BYTES] = "bytes",         [SORT_PACKETS] = "packets",
        [SORT_DATA] = "data",           [SORT_RESENDS] = "resends",
        [SORT_FRAGMENTS] = "fragments", [SORT_RTT] = "rtt",
};

int result_sort_find(const char *name)
{
	for (int i = 0; i < RESULT_SORTS; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	return -1;
}

static uint64_t value_of(const struct result_flow *f, enum way w, enum result_sort by)
{
	const struct tally *y = &f->way[w].tally;
	switch (by) {
	case SORT_PACKETS:
		return y->ip_packets;
	case SORT_DATA:
		return y->data_bytes;
	case SORT_RESENDS:
		return y->resends + y->recovered;
	case SORT_FRAGMENTS:
		return y->fragments;
	case SORT_RTT:
		return (uint64_t)hist_percentile(&f->flow->side[w].rtt, 0.5);
	default:
		return y->ip_bytes;
	}
}

static uint64_t value(const struct result_flow *f, enum result_sort by)
{
	uint64_t a = value_of(f, TO_SERVER, by), b = value_of(f, TO_CLIENT, by);
	if (by == SORT_RTT)
		return a > b ? a : b;
	return a + b;
}

/* Equal flows come in the order of their keys, so that no run differs. */
static int compare(const void *a, const void *b, void *ctx)
{
	const struct result_flow *x = a, *y = b;
	const enum result_sort *by = ctx;
	uint32_t ix = x->flow->key.iface, iy = y->flow->key.iface;
	if (ix != iy)
		return ix < iy ? -1 : 1;
	uint64_t vx = value(x, *by), vy = value(y, *by);
	if (vx != vy)
		return vx > vy ? -1 : 1;
	return memcmp(&x->flow->key, &y->flow->key, sizeof x->flow->key);
}

void result_sort_flows(struct result *r, enum result_sort by)
{
	qsort_r(r->flows, r->n_flows, sizeof *r->flows, compare, &by);
}

void result_keep_flows(struct result *r, size_t n)
{
	const struct result_iface *iface = NULL;
	size_t kept = 0, of_iface = 0;
	for (size_t i = 0; n && i < r->n_flows; i++) {
		if (r->flows[i].iface != iface) {
			iface = r->flows[i].iface;
			of_iface = 0;
		}
		if (of_iface++ >= n)
			continue;
		/* those left out go behind the end: they still own their sums */
		struct result_flow f = r->flows[i];
		r->flows[i] = r->flows[kept];
		r->flows[kept++] = f;
	}
	if (n)
		r->n_flows = kept;
}
