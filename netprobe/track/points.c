#include "netprobe/track/points.h"

#include "netprobe/frame.h"

#include <stdlib.h>

#define DATAGRAMS (1u << 18) /* waited for at once */
#define ROUTES 4096u
#define WINDOW_NS INT64_C(1000000000) /* at first; doubled as time goes on */
#define LATEST_NS (INT64_MAX / 4)     /* so that sums of times fit; garbage is later */
#define SURE_NS INT64_C(2000000000)   /* evicted later than this: it did not come */

struct waiting {
	struct point_key key;
	struct addr src, dst; /* as first seen */
	uint32_t udp_len;
	uint8_t seen;
	struct sighting at[POINTS_SEEN];
};

struct points {
	bool started;
	points_span_fn *span;
	void *ctx;
	int64_t since_ns; /* 0 = from the beginning */
	int64_t now_ns;   /* of the datagram at hand */
	int64_t origin_ns, window_ns;
	struct table *waiting, *routes;
	struct {
		uint32_t a, b;
	} pair[POINTS_PAIRS];
	uint32_t pairs;
	struct points_limits limits;
};

static void settle(struct points *p, const struct waiting *w, bool whole_time);

static void waiting_leaves(void *ctx, void *entry)
{
	settle(ctx, entry, false);
}

static void route_leaves(void *ctx, void *entry)
{
	struct route *r = entry;
	(void)ctx;
	sizes_free(&r->size_both);
	sizes_free(&r->size_a);
	sizes_free(&r->size_b);
}

struct points *points_new(points_span_fn *span, void *ctx)
{
	struct points *p = calloc(1, sizeof *p);
	if (!p)
		return NULL;
	p->span = span;
	p->ctx = ctx;
	p->window_ns = WINDOW_NS;
	return p;
}

void points_free(struct points *p)
{
	if (!p)
		return;
	for (struct route *r = NULL; p->routes && (r = table_next(p->routes, r));)
		route_leaves(p, r);
	table_free(p->waiting);
	table_free(p->routes);
	free(p);
}

int points_start(struct points *p, int64_t now_ns)
{
	if (p->started)
		return 0;
	p->waiting = table_new(sizeof(struct point_key), sizeof(struct waiting),
	                       DATAGRAMS, waiting_leaves, p);
	p->routes = table_new(sizeof(struct route_key), sizeof(struct route), ROUTES,
	                      route_leaves, p);
	if (!p->waiting || !p->routes) {
		table_free(p->waiting);
		table_free(p->routes);
		p->waiting = p->routes = NULL;
		p->limits.starved = true;
		return -1;
	}
	p->since_ns = now_ns;
	p->started = true;
	return 0;
}

bool points_started(const struct points *p)
{
	return p->started;
}

static bool pair_known(struct points *p, uint32_t a, uint32_t b)
{
	for (uint32_t i = 0; i < p->pairs; i++)
		if (p->pair[i].a == a && p->pair[i].b == b)
			return true;
	if (p->pairs == POINTS_PAIRS)
		return false;
	p->pair[p->pairs].a = a;
	p->pair[p->pairs++].b = b;
	return true;
}

/* ---- differences of time ------------------------------------------------ */

static void window_add(struct point_window *to, const struct point_window *w)
{
	if (!w->n)
		return;
	if (!to->n || w->min_ns < to->min_ns)
		to->min_ns = w->min_ns;
	if (!to->n || w->max_ns > to->max_ns)
		to->max_ns = w->max_ns;
	to->n += w->n;
}

/* All routes' windows become twice as long. */
static void widen(struct points *p)
{
	p->window_ns *= 2;
	for (struct route *r = NULL; (r = table_next(p->routes, r));) {
		struct point_window wide[POINTS_WINDOWS] = {0};
		for (unsigned i = 0; i < POINTS_WINDOWS; i++)
			window_add(&wide[i / 2], &r->window[i]);
		memcpy(r->window, wide, sizeof wide);
	}
}

static void take_difference(struct points *p, struct route *r, int64_t at_a,
                            int64_t at_b)
{
	int64_t d = at_b - at_a;
	if (!p->origin_ns)
		p->origin_ns = at_a;
	int64_t after = at_a > p->origin_ns ? at_a - p->origin_ns : 0;
	while (after / p->window_ns >= (int64_t)POINTS_WINDOWS)
		widen(p);
	struct point_window one = {d, d, 1};
	window_add(&r->window[after / p->window_ns], &one);
	if (r->both == 1)
		r->difference_ns = d;
	r->difference_sum += (double)(d - r->difference_ns);
	if (!r->first_ns || at_a < r->first_ns)
		r->first_ns = at_a;
	if (at_a > r->last_ns)
		r->last_ns = at_a;
}

int64_t points_window_ns(const struct points *p)
{
	return p->window_ns;
}

/* ---- seen at both ------------------------------------------------------- */

static void take_cuts(struct point_cuts *c, const struct sighting *a,
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

static void match(struct points *p, const struct waiting *w, const struct sighting *x,
                  const struct sighting *y)
{
	const struct sighting *a = x->iface < y->iface ? x : y;
	const struct sighting *b = a == x ? y : x;
	struct route_key k;
	bool made;
	if (a->part || b->part)
		return; /* settled as missing where it is not whole */
	if (!pair_known(p, a->iface, b->iface)) {
		p->limits.other_pairs++;
		return;
	}
	memset(&k, 0, sizeof k);
	k.src = w->src;
	k.dst = w->dst;
	k.a = a->iface;
	k.b = b->iface;
	k.way = w->key.way;
	struct route *r = table_get(p->routes, &k, &made);
	if (!r) {
		p->limits.starved = true;
		return;
	}
	int32_t hops = (int32_t)a->ttl - (int32_t)b->ttl;
	if (r->both++ == 0)
		r->ttl_min = r->ttl_max = hops;
	if (hops < r->ttl_min)
		r->ttl_min = hops;
	if (hops > r->ttl_max)
		r->ttl_max = hops;
	sizes_add(&r->size_both, w->udp_len, 1);
	r->out_a_in_b += a->direction == DIR_OUT && b->direction == DIR_IN;
	r->in_a_out_b += a->direction == DIR_IN && b->direction == DIR_OUT;
	take_cuts(&r->cuts, a, b);
	take_difference(p, r, a->ns, b->ns);
}

/* ---- seen at one only --------------------------------------------------- */

/* When what passed a at `ns` would have been at b, at the soonest and the latest, by
 * the clock of b. */
static void expect(const struct route *r, bool at_a, int64_t ns, int64_t *from,
                   int64_t *to)
{
	struct point_window all = {0};
	for (unsigned i = 0; i < POINTS_WINDOWS; i++)
		window_add(&all, &r->window[i]);
	*from = ns + (at_a ? all.min_ns : -all.max_ns);
	*to = ns + (at_a ? all.max_ns : -all.min_ns);
}

/* What passed one point and not the other while that one captured. */
static void missing(struct points *p, const struct waiting *w, struct route *r,
                    const struct route *timed, const struct sighting *s,
                    const struct sighting *other, bool whole_time)
{
	int64_t from, to, first, last;
	bool at_a = s->iface == r->key.a;
	expect(timed, at_a, s->ns, &from, &to);
	if (!p->span(p->ctx, at_a ? r->key.b : r->key.a, &first, &last))
		return;
	if (p->since_ns > first)
		first = p->since_ns;
	if (from < first || to > last) {
		p->limits.edges++;
		return;
	}
	if (!whole_time && to > p->now_ns - SURE_NS) {
		p->limits.undecided++;
		return;
	}
	uint64_t *frame = at_a ? &r->first_only_a : &r->first_only_b;
	if (!*frame || s->frame < *frame)
		*frame = s->frame;
	*(at_a ? &r->only_a : &r->only_b) += 1;
	*(at_a ? &r->part_b : &r->part_a) += other != NULL;
	sizes_add(at_a ? &r->size_a : &r->size_b, w->udp_len, 1);
}

static const struct sighting *sighting_at(const struct waiting *w, uint32_t iface)
{
	for (unsigned i = 0; i < w->seen; i++)
		if (w->at[i].iface == iface)
			return &w->at[i];
	return NULL;
}

/* The route of these hosts in the other direction, if anything passed both points. */
static struct route *route_back(const struct points *p, const struct route_key *k)
{
	struct route_key back = *k;
	back.src = k->dst;
	back.dst = k->src;
	for (back.way = 0; back.way < WAYS; back.way++) {
		struct route *r = table_find(p->routes, &back);
		if (r && r->both)
			return r;
	}
	return NULL;
}

static void settle(struct points *p, const struct waiting *w, bool whole_time)
{
	struct route_key k;
	bool made;
	memset(&k, 0, sizeof k);
	k.src = w->src;
	k.dst = w->dst;
	k.way = w->key.way;
	for (uint32_t i = 0; i < p->pairs; i++) {
		const struct sighting *a = sighting_at(w, p->pair[i].a);
		const struct sighting *b = sighting_at(w, p->pair[i].b);
		bool whole_a = a && !a->part, whole_b = b && !b->part;
		if (whole_a == whole_b)
			continue;
		k.a = p->pair[i].a;
		k.b = p->pair[i].b;
		struct route *r = table_find(p->routes, &k);
		/* where nothing at all comes through, what comes back shows that this
		 * pair of points lies on the way, and the clocks */
		struct route *timed = r && r->both ? r : route_back(p, &k);
		if (timed && !r) {
			table_touch(p->routes, timed); /* so that it stays */
			if (!(r = table_get(p->routes, &k, &made)))
				p->limits.starved = true;
		}
		if (timed && r)
			missing(p, w, r, timed, whole_a ? a : b, whole_a ? b : a,
			        whole_time);
	}
}

/* ---- the way in --------------------------------------------------------- */

static void expire(struct points *p, int64_t now_ns)
{
	struct waiting *w;
	p->now_ns = now_ns;
	while ((w = table_oldest(p->waiting)) != NULL &&
	       p->now_ns - w->at[0].ns > POINTS_WAIT_NS) {
		settle(p, w, true);
		table_remove(p->waiting, w);
	}
}

void points_see(struct points *p, const struct point_key *k, const struct addr *src,
                const struct addr *dst, uint32_t udp_len, const struct sighting *s)
{
	bool made;
	if (!p->started || (!k->serial && !k->id) || s->ns < 0 || s->ns > LATEST_NS)
		return;
	expire(p, s->ns);
	/* looked up without a touch: the oldest must stay the one that came first */
	struct waiting *w = table_find(p->waiting, k);
	if (!w && !(w = table_get(p->waiting, k, &made))) {
		p->limits.starved = true;
		return;
	}
	if (w->seen == 0) {
		w->src = *src;
		w->dst = *dst;
		w->udp_len = udp_len;
	}
	for (unsigned i = 0; i < w->seen; i++) {
		if (w->at[i].iface != s->iface)
			continue;
		/* what was there in part may come whole (sent on by another way) */
		p->limits.repeats++;
		return;
	}
	if (w->seen == POINTS_SEEN)
		return;
	w->at[w->seen++] = *s;
	for (unsigned i = 0; i + 1u < w->seen; i++)
		match(p, w, &w->at[i], s);
}

void points_finish(struct points *p)
{
	if (!p->started)
		return;
	for (struct waiting *w; (w = table_oldest(p->waiting)) != NULL;) {
		settle(p, w, true);
		table_remove(p->waiting, w);
	}
}

const struct route *points_route_next(const struct points *p, const struct route *r)
{
	return p->routes ? table_next(p->routes, r) : NULL;
}

const struct route *points_route_find(const struct points *p, const struct route_key *k)
{
	return p->routes ? table_find(p->routes, k) : NULL;
}

const struct points_limits *points_limits(const struct points *p)
{
	return &p->limits;
}
