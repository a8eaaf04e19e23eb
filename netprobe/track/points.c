#include "netprobe/track/points.h"

#include <stdlib.h>

#define DATAGRAMS (1u << 17) /* waited for at once: 42 MB */
#define ROUTES 4096u
#define WINDOW_NS INT64_C(1000000000) /* at first; doubled as time goes on */
#define LATEST_NS (INT64_MAX / 4)     /* so that sums of times fit; garbage is later */
#define SURE_NS INT64_C(500000000)    /* evicted later than this: it did not come */

#define COPY_NS INT64_C(1000000000) /* no id comes round again with the same print */

struct waiting {
	struct point_key key;
	struct addr src, dst; /* as first seen */
	uint32_t size;
	uint8_t seen;
	bool strong;
	bool alike;       /* another one looked the same */
	int64_t since_ns; /* waited for from here on */
	struct sighting at[POINTS_SEEN];
};

/* The stage of what is no Rx, in its key's `way`: what was seen at one point only is
 * waited for once more, by its print alone if that is strong. */
enum { STAGE_ENDS, STAGE_PRINT };

struct points {
	bool started;
	points_span_fn *span;
	void *ctx;
	int64_t since_ns; /* 0 = from the beginning */
	int64_t prints_since_ns;
	uint32_t print_bytes;
	int64_t now_ns; /* of the datagram at hand */
	int64_t origin_ns, window_ns;
	struct table *waiting, *routes, *alone;
	struct {
		uint32_t a, b;
	} pair[POINTS_PAIRS];
	uint32_t pairs;
	struct points_limits limits;
};

static bool settle(struct points *p, const struct waiting *w, bool whole_time);

static void waiting_leaves(void *ctx, void *entry)
{
	settle(ctx, entry, false);
}

static void route_leaves(void *ctx, void *entry)
{
	(void)ctx;
	route_clear(entry);
}

struct points *points_new(points_span_fn *span, void *ctx)
{
	struct points *p = calloc(1, sizeof *p);
	if (!p)
		return NULL;
	p->span = span;
	p->ctx = ctx;
	p->window_ns = WINDOW_NS;
	p->print_bytes = POINT_PRINT_BYTES;
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
	alone_table_free(p->alone);
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
	p->alone = alone_table_new();
	if (!p->waiting || !p->routes || !p->alone) {
		table_free(p->waiting);
		table_free(p->routes);
		alone_table_free(p->alone);
		p->waiting = p->routes = p->alone = NULL;
		p->limits.starved = true;
		return -1;
	}
	p->since_ns = p->prints_since_ns = now_ns;
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

static void take_difference(struct points *p, struct route *r, int64_t at_a,
                            int64_t at_b)
{
	if (!p->origin_ns)
		p->origin_ns = at_a;
	int64_t after = at_a > p->origin_ns ? at_a - p->origin_ns : 0;
	while (after / p->window_ns >= (int64_t)ROUTE_WINDOWS) {
		p->window_ns *= 2;
		for (struct route *i = NULL; (i = table_next(p->routes, i));)
			route_widen(i);
	}
	route_take_time(r, at_a, at_b, (unsigned)(after / p->window_ns));
}

int64_t points_window_ns(const struct points *p)
{
	return p->window_ns;
}

/* ---- seen at both ------------------------------------------------------- */

static void key_of(struct route_key *k, const struct waiting *w)
{
	memset(k, 0, sizeof *k);
	k->src = w->src;
	k->dst = w->dst;
	k->kind = (uint16_t)w->key.kind;
	k->way = w->key.kind == POINT_RX ? (uint16_t)w->key.way : 0;
}

/* One begins as the other does and is longer: an offload put packets together in front
 * of that point. */
static bool joined(struct route *r, const struct sighting *a, const struct sighting *b)
{
	bool differ = a->len != b->len;
	r->joined_a += differ;
	r->joined_b += differ;
	return differ;
}

/* The route that was taken; NULL = none. */
static struct route *match(struct points *p, const struct waiting *w,
                           const struct sighting *x, const struct sighting *y)
{
	const struct sighting *a = x->iface < y->iface ? x : y;
	const struct sighting *b = a == x ? y : x;
	struct route_key k;
	bool made;
	if (a->part || b->part)
		return NULL; /* settled as missing where it is not whole */
	if (!pair_known(p, a->iface, b->iface)) {
		p->limits.other_pairs++;
		return NULL;
	}
	key_of(&k, w);
	k.a = a->iface;
	k.b = b->iface;
	struct route *r = table_get(p->routes, &k, &made);
	if (!r) {
		p->limits.starved = true;
		return NULL;
	}
	if (joined(r, a, b))
		return NULL;
	route_take_both(r, a, b, w->size);
	take_difference(p, r, a->ns, b->ns);
	return r;
}

static void match_all(struct points *p, const struct waiting *w)
{
	for (unsigned y = 1; y < w->seen; y++)
		for (unsigned x = 0; x < y; x++)
			match(p, w, &w->at[x], &w->at[y]);
}

/* ---- seen at one only --------------------------------------------------- */

/* When what passed a at `ns` would have been at b, at the soonest and the latest, by
 * the clock of b. */
static void expect(const struct route *r, bool at_a, int64_t ns, int64_t *from,
                   int64_t *to)
{
	struct route_window all = route_differences(r);
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
	int64_t since = w->key.kind == POINT_RX ? p->since_ns : p->prints_since_ns;
	expect(timed, at_a, s->ns, &from, &to);
	if (!p->span(p->ctx, at_a ? r->key.b : r->key.a, &first, &last))
		return;
	if (since > first)
		first = since;
	if (from < first || to > last) {
		p->limits.edges++;
		return;
	}
	if (!whole_time && to > p->now_ns - SURE_NS) {
		p->limits.undecided++;
		return;
	}
	if (s->super) {
		*(at_a ? &r->joined_a : &r->joined_b) += 1;
		return;
	}
	uint64_t *frame = at_a ? &r->first_only_a : &r->first_only_b;
	if (!*frame || s->frame < *frame)
		*frame = s->frame;
	*(at_a ? &r->only_a : &r->only_b) += 1;
	*(at_a ? &r->part_b : &r->part_a) += other != NULL;
	sizes_add(at_a ? &r->size_a : &r->size_b, w->size, 1);
}

static const struct sighting *sighting_at(const struct waiting *w, uint32_t iface)
{
	for (unsigned i = 0; i < w->seen; i++)
		if (w->at[i].iface == iface)
			return &w->at[i];
	return NULL;
}

/* The route of these hosts in the other direction, if anything passed both points;
 * behind a translator the addresses would be others. */
static struct route *route_back(const struct points *p, const struct route_key *k)
{
	struct route_key back = *k;
	back.src = k->dst;
	back.dst = k->src;
	for (back.way = 0; back.way < WAYS; back.way++) {
		struct route *r = table_find(p->routes, &back);
		if (r && r->both && !r->translated)
			return r;
	}
	return NULL;
}

/* False where no pair of points is known to lie on its way. */
static bool settle_missing(struct points *p, const struct waiting *w, bool whole_time)
{
	struct route_key k;
	bool made, placed = false;
	key_of(&k, w);
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
		/* behind the translator it has yet to be looked for */
		if (r && r->translated && w->key.way == STAGE_ENDS) {
			p->limits.undecided += !whole_time;
			continue;
		}
		placed |= timed != NULL;
		if (timed && r)
			missing(p, w, r, timed, whole_a ? a : b, whole_a ? b : a,
			        whole_time);
	}
	return placed;
}

/* Rx is matched as it comes: no other datagram is like it.  Of the rest that is known
 * only when its time is up. */
static bool settle(struct points *p, const struct waiting *w, bool whole_time)
{
	if (w->alike) {
		p->limits.alike += w->seen;
		return true;
	}
	if (w->key.kind != POINT_RX)
		match_all(p, w);
	return settle_missing(p, w, whole_time);
}

/* ---- address translators ------------------------------------------------ */

/* One packet in front of a translator and behind it: one end has another address, and
 * a router was passed. */
static bool translates(const struct waiting *x, const struct waiting *y)
{
	const struct sighting *a = &x->at[0], *b = &y->at[0];
	bool src = addr_compare(&x->src, &y->src) == 0;
	bool dst = addr_compare(&x->dst, &y->dst) == 0;
	return src != dst && !a->part && !b->part && a->len == b->len &&
	       a->ttl != b->ttl && !x->alike;
}

/* The higher hop limit was in front. */
static void match_translated(struct points *p, const struct waiting *x,
                             const struct waiting *y)
{
	const struct waiting *front = x->at[0].ttl > y->at[0].ttl ? x : y;
	const struct waiting *behind = front == x ? y : x;
	struct route *r = match(p, front, &front->at[0], &behind->at[0]);
	if (!r)
		return;
	r->translated++;
	r->src_behind = behind->src;
	r->dst_behind = behind->dst;
}

/* What was seen at one point only and has no route: behind a translator it may have
 * been seen with other addresses; or its route is not known yet. */
static void wait_by_print(struct points *p, struct waiting *w)
{
	struct waiting one = *w;
	bool made;
	table_remove(p->waiting, w);
	one.key.way = STAGE_PRINT;
	if (one.strong)
		one.key.other.ends = 0;
	struct waiting *x = table_get(p->waiting, &one.key, &made);
	if (!x) {
		p->limits.starved = true;
	} else if (made) {
		one.since_ns = p->now_ns;
		*x = one;
	} else if (translates(x, &one)) {
		match_translated(p, x, &one);
		table_remove(p->waiting, x);
	} else {
		p->limits.alike++;
		x->alike |= x->at[0].iface == one.at[0].iface;
	}
}

static void time_is_up(struct points *p, struct waiting *w)
{
	bool again =
	        w->key.kind != POINT_RX && w->key.way == STAGE_ENDS && w->seen == 1;
	bool placed = settle(p, w, true);
	if (!placed && again) {
		wait_by_print(p, w);
		return;
	}
	if (!placed && w->seen == 1 && !w->alike &&
	    !alone_take(p->alone, &w->src, &w->dst, w->key.kind, &w->at[0], w->size))
		p->limits.starved = true;
	table_remove(p->waiting, w);
}

/* ---- the way in --------------------------------------------------------- */

static void expire(struct points *p, int64_t now_ns)
{
	struct waiting *w;
	p->now_ns = now_ns;
	while ((w = table_oldest(p->waiting)) != NULL &&
	       p->now_ns - w->since_ns > POINTS_WAIT_NS)
		time_is_up(p, w);
}

/* Seen at this point before: captured twice, or another one like it. */
static void see_again(struct points *p, struct waiting *w, const struct sighting *first,
                      const struct sighting *s)
{
	bool copy =
	        w->key.kind == POINT_RX || (s->has_id && s->ns - first->ns < COPY_NS &&
	                                    first->ns - s->ns < COPY_NS);
	if (copy) {
		/* what was there in part may come whole (sent on by another way) */
		p->limits.repeats++;
		return;
	}
	p->limits.alike++;
	w->alike = true;
}

void points_see(struct points *p, const struct point_datagram *d,
                const struct sighting *s)
{
	bool made;
	if (!p->started || s->ns < 0 || s->ns > LATEST_NS)
		return;
	if (d->key.kind == POINT_RX && !d->key.rx.serial && !d->key.rx.id)
		return;
	expire(p, s->ns);
	/* looked up without a touch: the oldest must stay the one that came first */
	struct waiting *w = table_find(p->waiting, &d->key);
	if (!w && !(w = table_get(p->waiting, &d->key, &made))) {
		p->limits.starved = true;
		return;
	}
	if (w->seen == 0) {
		w->src = d->src;
		w->dst = d->dst;
		w->size = d->size;
		w->strong = d->strong;
		w->since_ns = s->ns;
	}
	for (unsigned i = 0; i < w->seen; i++) {
		if (w->at[i].iface != s->iface)
			continue;
		see_again(p, w, &w->at[i], s);
		return;
	}
	if (w->seen == POINTS_SEEN)
		return;
	w->at[w->seen++] = *s;
	for (unsigned i = 0; d->key.kind == POINT_RX && i + 1u < w->seen; i++)
		match(p, w, &w->at[i], s);
}

void points_skip(struct points *p)
{
	p->limits.unread += p->started;
}

uint32_t points_print_bytes(const struct points *p)
{
	return p->print_bytes;
}

void points_print_shorter(struct points *p, uint32_t bytes)
{
	struct waiting *w = NULL, *gone;
	if (bytes >= p->print_bytes)
		return;
	p->print_bytes = bytes;
	p->prints_since_ns = p->now_ns;
	for (w = table_next(p->waiting, NULL); (gone = w);) {
		w = table_next(p->waiting, w);
		if (gone->key.kind != POINT_RX)
			table_remove(p->waiting, gone);
	}
}

void points_finish(struct points *p)
{
	if (!p->started)
		return;
	for (struct waiting *w; (w = table_oldest(p->waiting)) != NULL;)
		time_is_up(p, w);
}

const struct route *points_route_next(const struct points *p, const struct route *r)
{
	return p->routes ? table_next(p->routes, r) : NULL;
}

const struct route *points_route_find(const struct points *p, const struct route_key *k)
{
	return p->routes ? table_find(p->routes, k) : NULL;
}

const struct alone *points_alone_next(const struct points *p, const struct alone *a)
{
	return p->alone ? table_next(p->alone, a) : NULL;
}

const struct points_limits *points_limits(const struct points *p)
{
	return &p->limits;
}
