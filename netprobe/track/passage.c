#include "netprobe/track/passage.h"

#include <math.h>
#include <stdlib.h>

/* ---- which point is first ----------------------------------------------- */

static double mean_difference(const struct route *r)
{
	if (!r->both)
		return 0;
	return (double)r->difference_ns + r->difference_sum / (double)r->both;
}

/* The mean difference of what goes the other way; false where nothing does. */
static bool difference_back(const struct points *points, const struct route *r,
                            double *mean)
{
	struct route_key k = r->key;
	double sum = 0;
	uint64_t n = 0;
	k.src = r->key.dst;
	k.dst = r->key.src;
	for (k.way = 0; k.way < WAYS; k.way++) {
		const struct route *back = points_route_find(points, &k);
		if (!back || !back->both)
			continue;
		sum += mean_difference(back) * (double)back->both;
		n += back->both;
	}
	if (n)
		*mean = sum / (double)n;
	return n > 0;
}

static void find_order(struct passage *p, const struct points *points);

/* Nothing came through: the opposite of the order of what comes back. */
static void order_by_return(struct passage *p, const struct points *points)
{
	struct route_key k = p->route->key;
	p->order = ORDER_CLOCK;
	p->first_is_a = p->route->only_a >= p->route->only_b;
	k.src = p->route->key.dst;
	k.dst = p->route->key.src;
	for (k.way = 0; k.way < WAYS; k.way++) {
		struct passage back = {.route = points_route_find(points, &k)};
		if (!back.route || !back.route->both)
			continue;
		find_order(&back, points);
		if (back.order == ORDER_CLOCK)
			continue;
		p->order = back.order;
		p->first_is_a = !back.first_is_a;
		return;
	}
}

static void find_order(struct passage *p, const struct points *points)
{
	const struct route *r = p->route;
	double back, here = mean_difference(r);
	if (r->ttl_min > 0 || r->ttl_max < 0) {
		p->order = ORDER_HOPS;
		p->first_is_a = r->ttl_min > 0;
	} else if (!r->both) {
		order_by_return(p, points);
	} else if (difference_back(points, r, &back) && fabs(here - back) > 0) {
		p->order = ORDER_BOTH;
		p->first_is_a = here > back;
	} else if (r->out_a_in_b != r->in_a_out_b) {
		p->order = ORDER_SIDES;
		p->first_is_a = r->out_a_in_b > r->in_a_out_b;
	} else {
		p->order = ORDER_CLOCK;
		p->first_is_a = here >= 0;
	}
}

/* ---- loss by size ------------------------------------------------------- */

#define FEW 3u              /* less than so many lost or arrived prove nothing */
#define SHARE_APART 0.5     /* loss above the threshold less loss below it */
#define SHARE_BELOW_MAX 0.2 /* more is lost anyway */

static double share(uint64_t lost, uint64_t both)
{
	return lost + both ? (double)lost / (double)(lost + both) : -1;
}

double passage_share_above(const struct passage *p)
{
	return share(p->lost_above, p->both_above);
}

double passage_share_below(const struct passage *p)
{
	return share(p->lost_below, p->both_below);
}

/* Looks for the size that parts loss best. */
static void find_threshold(struct passage *p)
{
	size_t n_lost, n_both, at = 0;
	struct size_count *lost = sizes_sorted(p->size_lost, SIZES_BY_SIZE, &n_lost);
	struct size_count *both = sizes_sorted(p->size_both, SIZES_BY_SIZE, &n_both);
	uint64_t lost_below = 0, both_below = 0;
	double best = SHARE_APART;
	for (size_t i = 0; i < n_lost; lost_below += lost[i++].n) {
		for (; at < n_both && both[at].size < lost[i].size; at++)
			both_below += both[at].n;
		uint64_t lost_above = p->lost - lost_below;
		uint64_t both_above = p->both - both_below;
		double below = share(lost_below, both_below);
		double apart = share(lost_above, both_above) - below;
		if (lost_above < FEW || both_below < FEW || below > SHARE_BELOW_MAX ||
		    apart <= best)
			continue;
		best = apart;
		p->threshold = lost[i].size;
		p->lost_above = lost_above;
		p->both_above = both_above;
		p->lost_below = lost_below;
		p->both_below = both_below;
	}
	free(lost);
	free(both);
}

/* A sender's offload shows one point long packets and the other one their parts, a
 * receiver's the other way round: in other packets the same bytes came.  Where the
 * link's MTU is not known, that is all that tells an offload. */
static bool was_regrouped(const struct route *r)
{
	uint64_t a = r->size_a.sum, b = r->size_b.sum;
	if (r->key.kind == POINT_RX)
		return false;
	return r->joined_a || r->joined_b || (a && b && a / 2 <= b && b / 2 <= a);
}

static void take_loss(struct passage *p, const struct route *r)
{
	static const struct sizes none;
	bool a = p->first_is_a;
	p->regrouped = was_regrouped(r);
	p->size_lost = &none;
	if (p->regrouped) {
		p->only_first = a ? r->only_a + r->joined_a : r->only_b + r->joined_b;
		p->only_second = a ? r->only_b + r->joined_b : r->only_a + r->joined_a;
		return;
	}
	p->lost = a ? r->only_a : r->only_b;
	p->extra = a ? r->only_b : r->only_a;
	p->in_part = a ? r->part_b : r->part_a;
	p->size_lost = a ? &r->size_a : &r->size_b;
	p->lost_frame = a ? r->first_only_a : r->first_only_b;
	p->extra_frame = a ? r->first_only_b : r->first_only_a;
	find_threshold(p);
}

void passage_make(struct passage *p, const struct points *points, const struct route *r)
{
	*p = (struct passage){.route = r, .both = r->both, .size_both = &r->size_both};
	find_order(p, points);
	bool a = p->first_is_a;
	const struct route_cuts *c = &r->cuts;
	p->first = a ? r->key.a : r->key.b;
	p->second = a ? r->key.b : r->key.a;
	p->hops_min = a ? r->ttl_min : -r->ttl_max;
	p->hops_max = a ? r->ttl_max : -r->ttl_min;
	p->cut_between = a ? c->only_b : c->only_a;
	p->joined = a ? c->only_a : c->only_b;
	p->cut_before = c->both;
	p->cut_again = c->both_differ;
	p->first_piece = a ? c->first_a : c->first_b;
	p->second_piece = a ? c->first_b : c->first_a;
	p->cut_frame = c->frame;
	take_loss(p, r);
}

/* ---- clocks ------------------------------------------------------------- */

struct bounds {
	bool has_low, has_high;
	int64_t low, high;
};

static void bound(struct bounds *to, bool low, int64_t ns)
{
	if (low && (!to->has_low || ns > to->low))
		to->low = ns;
	if (!low && (!to->has_high || ns < to->high))
		to->high = ns;
	to->has_low |= low;
	to->has_high |= !low;
}

static double middle(const struct bounds *b)
{
	return (double)b->low / 2 + (double)b->high / 2;
}

/* The bounds of each span of time; returns those of all of it. */
static struct bounds bounds_of(struct bounds span[static ROUTE_WINDOWS],
                               const struct points *points, uint32_t a, uint32_t b)
{
	struct bounds all = {0};
	for (const struct route *r = NULL; (r = points_route_next(points, r));) {
		struct passage p;
		if (r->key.a != a || r->key.b != b || !r->both)
			continue;
		passage_make(&p, points, r);
		/* an order taken from the clocks says nothing of the clocks */
		if (p.order == ORDER_CLOCK)
			continue;
		for (unsigned i = 0; i < ROUTE_WINDOWS; i++) {
			const struct route_window *w = &r->window[i];
			if (!w->n)
				continue;
			int64_t ns = p.first_is_a ? w->min_ns : w->max_ns;
			bound(&span[i], !p.first_is_a, ns);
			bound(&all, !p.first_is_a, ns);
		}
	}
	return all;
}

void clock_offset_make(struct clock_offset *c, const struct points *points, uint32_t a,
                       uint32_t b)
{
	struct bounds span[ROUTE_WINDOWS] = {0};
	struct bounds use = bounds_of(span, points, a, b);
	int first = -1, last = -1;
	*c = (struct clock_offset){0};
	for (int i = 0; i < (int)ROUTE_WINDOWS; i++) {
		if (!span[i].has_low || !span[i].has_high)
			continue;
		if (first < 0)
			first = i;
		last = i;
	}
	if (last > first && first >= 0) {
		const struct bounds *x = &span[first], *y = &span[last];
		c->drifts = x->high < y->low || y->high < x->low;
		double ns = (double)(last - first) * (double)points_window_ns(points);
		if (c->drifts) {
			c->drift_ppm = (middle(y) - middle(x)) / ns * 1e6;
			use = *x;
		}
	}
	c->has_low = use.has_low;
	c->has_high = use.has_high;
	c->low_ns = use.low;
	c->high_ns = use.high;
	if (!use.has_low || !use.has_high)
		return;
	c->offset_ns = use.low + (use.high - use.low) / 2;
	c->uncertainty_ns = use.high > use.low ? (use.high - use.low + 1) / 2 : 0;
}
