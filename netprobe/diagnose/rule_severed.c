/* Two capture points between which nothing at all passes, in one direction or both. */
#include "netprobe/diagnose/rule.h"

#include "netprobe/track/passage.h"

#include <inttypes.h>
#include <stdio.h>

#define FEW 3u /* less that did not arrive proves nothing */

static const char *size_name(unsigned kind)
{
	return kind == POINT_TCP ? "IP length" : "UDP payload";
}

static void say_sizes(struct finding *n, unsigned kind, const struct sizes *s)
{
	if (s->min == s->max)
		finding_say(n, " (%s %" PRIu32 ")", size_name(kind), s->max);
	else
		finding_say(n, " (%s %" PRIu32 " to %" PRIu32 ")", size_name(kind),
		            s->min, s->max);
}

static void doubt_captures(struct finding *n, const struct fact_iface *first,
                           const struct fact_iface *second)
{
	double q = iface_quality(first, n->doubt, sizeof n->doubt);
	if (!n->doubt[0])
		q = iface_quality(second, n->doubt, sizeof n->doubt);
	n->confidence *= q;
}

static void mend(struct finding *n, const struct addr *src, const struct addr *dst)
{
	char a[ADDR_TEXT], b[ADDR_TEXT];
	finding_mend(n,
	             "look between the two points for what stops %s to %s whatever its "
	             "size: a firewall or its state, a route, a wrong VLAN",
	             addr_format(src, a), addr_format(dst, b));
}

/* ---- one direction: the other one passes both points ---------------------- */

/* Acks that came say that data did arrive, by a way that neither point shows. */
static bool arrived_elsewhere(const struct facts *f, const struct passage *p)
{
	const struct pair_key k = {p->route->key.src, p->route->key.dst, p->first};
	const struct path *path = facts_path(f, &k);
	for (size_t i = 0; path && i < path->fates; i++)
		if (path->fate[i].delivered)
			return true;
	return false;
}

static void one_way(const struct facts *f, struct findings *out,
                    const struct passage *p)
{
	const struct route_key *k = &p->route->key;
	char src[ADDR_TEXT], dst[ADDR_TEXT];
	const struct fact_iface *first = &f->ifaces[p->first],
	                        *second = &f->ifaces[p->second];
	if (p->lost < FEW || arrived_elsewhere(f, p))
		return;
	struct finding *n =
	        findings_add(out, FIND_LOSS_BETWEEN_POINTS, p->first, &k->src, &k->dst);
	if (!n)
		return;
	n->confidence = p->order == ORDER_CLOCK ? 0.6 : 0.9;
	doubt_captures(n, first, second);
	if (p->order == ORDER_CLOCK && !n->doubt[0])
		snprintf(n->doubt, sizeof n->doubt,
		         "only the clocks tell which point is first");
	finding_say(n,
	            "between %s and %s all %" PRIu64 " datagrams from %s to %s are "
	            "lost",
	            first->name, second->name, p->lost, addr_format(&k->src, src),
	            addr_format(&k->dst, dst));
	say_sizes(n, k->kind, p->size_lost);
	finding_say(n, ", and what %s sends arrives", dst);
	if (p->in_part)
		finding_say(n, "; of %" PRIu64 " some fragments came", p->in_part);
	finding_fact(n, "lost", p->lost);
	finding_fact(n, "arrived", 0);
	finding_fact(n, "lost_in_part", p->in_part);
	finding_frames(n, p->lost_frame, p->lost_frame);
	mend(n, &k->src, &k->dst);
}

/* ---- both directions: the captures' own addresses tell where the points are --- */

/* Did anything come by at this interface from one to the other? */
static bool came_by(const struct facts *f, uint32_t iface, const struct addr *src,
                    const struct addr *dst)
{
	const struct pair_key k = {*src, *dst, iface};
	const struct path *path = facts_path(f, &k);
	return (path && path->ip_packets) || track_pair_find(f->track, &k);
}

/* Whatever comes back, seen anywhere but where it leaves, shows that something got
 * there by another way. */
static bool comes_back(const struct facts *f, const struct alone_key *k,
                       const struct fact_iface *second)
{
	for (uint32_t i = 0; i < f->n_ifaces; i++)
		if (&f->ifaces[i] != second && came_by(f, i, &k->dst, &k->src))
			return true;
	return false;
}

/* The point that has the receiver's address, captured all the time, and saw nothing. */
static const struct fact_iface *deaf_point(const struct facts *f, const struct alone *a)
{
	for (uint32_t i = 0; i < f->n_ifaces; i++) {
		const struct fact_iface *x = &f->ifaces[i];
		if (i != a->key.iface && iface_owns(x, &a->key.dst) && x->from_ns &&
		    x->from_ns <= a->first_ns && a->last_ns <= x->until_ns &&
		    !came_by(f, i, &a->key.src, &a->key.dst))
			return x;
	}
	return NULL;
}

static void both_ways(const struct facts *f, struct findings *out,
                      const struct alone *a)
{
	const struct alone_key *k = &a->key;
	const struct fact_iface *first = &f->ifaces[k->iface];
	char src[ADDR_TEXT], dst[ADDR_TEXT];
	if (a->size.total < FEW || !iface_owns(first, &k->src))
		return;
	const struct fact_iface *second = deaf_point(f, a);
	if (!second || comes_back(f, k, second))
		return;
	struct finding *n =
	        findings_add(out, FIND_LOSS_BETWEEN_POINTS, k->iface, &k->src, &k->dst);
	if (!n)
		return;
	n->confidence = 0.8;
	doubt_captures(n, first, second);
	if (!n->doubt[0])
		snprintf(n->doubt, sizeof n->doubt,
		         "only the clocks tell that both points captured at that time");
	finding_say(n,
	            "between %s and %s nothing passes: all %" PRIu64
	            " datagrams from %s to %s are lost",
	            first->name, second->name, a->size.total, addr_format(&k->src, src),
	            addr_format(&k->dst, dst));
	say_sizes(n, k->kind, &a->size);
	finding_say(n, ", and nothing comes back");
	finding_fact(n, "lost", a->size.total);
	finding_fact(n, "arrived", 0);
	finding_frames(n, a->first_frame, a->first_frame);
	mend(n, &k->src, &k->dst);
}

/* Acks tell of Rx alone whether it arrived by another way. */
void rule_severed(const struct facts *f, struct findings *out)
{
	const struct points *points = track_points(f->track);
	for (const struct route *r = NULL; (r = points_route_next(points, r));) {
		struct passage p;
		if (r->both || r->key.b >= f->n_ifaces || r->key.kind != POINT_RX)
			continue;
		passage_make(&p, points, r);
		one_way(f, out, &p);
	}
	for (unsigned kind = 0; kind < POINT_KINDS; kind++)
		for (const struct alone *a = NULL; (a = points_alone_next(points, a));)
			if (a->key.kind == kind && a->key.iface < f->n_ifaces)
				both_ways(f, out, a);
}
