#include "netprobe/track/route.h"

#include "netprobe/frame.h"

#include <string.h>

static void window_add(struct route_window *to, const struct route_window *w)
{
	if (!w->n)
		return;
	if (!to->n || w->min_ns < to->min_ns)
		to->min_ns = w->min_ns;
	if (!to->n || w->max_ns > to->max_ns)
		to->max_ns = w->max_ns;
	to->n += w->n;
}

void route_widen(struct route *r)
{
	struct route_window wide[ROUTE_WINDOWS] = {0};
	for (unsigned i = 0; i < ROUTE_WINDOWS; i++)
		window_add(&wide[i / 2], &r->window[i]);
	memcpy(r->window, wide, sizeof wide);
}

struct route_window route_differences(const struct route *r)
{
	struct route_window all = {0};
	for (unsigned i = 0; i < ROUTE_WINDOWS; i++)
		window_add(&all, &r->window[i]);
	return all;
}

void route_take_time(struct route *r, int64_t at_a, int64_t at_b, unsigned window)
{
	int64_t d = at_b - at_a;
	const struct route_window one = {d, d, 1};
	window_add(&r->window[window], &one);
	if (r->both == 1)
		r->difference_ns = d;
	r->difference_sum += (double)(d - r->difference_ns);
}

static void take_cuts(struct route_cuts *c, const struct sighting *a,
                      const struct sighting *b)
{
	bool cut_a = a->pieces > 1, cut_b = b->pieces > 1;
	if (cut_a && a->first_ip_len > c->first_a)
		c->first_a = a->first_ip_len;
	if (cut_b && b->first_ip_len > c->first_b)
		c->first_b = b->first_ip_len;
	if (cut_a != cut_b && !c->frame)
		c->frame = cut_a ? a->frame : b->frame;
	c->only_a += cut_a && !cut_b;
	c->only_b += cut_b && !cut_a;
	c->both += cut_a && cut_b && a->first_ip_len == b->first_ip_len;
	c->both_differ += cut_a && cut_b && a->first_ip_len != b->first_ip_len;
}

void route_take_both(struct route *r, const struct sighting *a,
                     const struct sighting *b, uint32_t size)
{
	int32_t hops = (int32_t)a->ttl - (int32_t)b->ttl;
	if (r->both++ == 0)
		r->ttl_min = r->ttl_max = hops;
	if (hops < r->ttl_min)
		r->ttl_min = hops;
	if (hops > r->ttl_max)
		r->ttl_max = hops;
	if (a->super || b->super)
		r->super++;
	else
		sizes_add(&r->size_both, size, 1);
	r->out_a_in_b += a->direction == DIR_OUT && b->direction == DIR_IN;
	r->in_a_out_b += a->direction == DIR_IN && b->direction == DIR_OUT;
	take_cuts(&r->cuts, a, b);
}

void route_clear(struct route *r)
{
	sizes_free(&r->size_both);
	sizes_free(&r->size_a);
	sizes_free(&r->size_b);
}
