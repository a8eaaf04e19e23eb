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
static bool arrived_elsewhere(const struct facts *f, const struct addr *src,
                              const struct addr *dst, uint32_t iface)
{
	const struct pair_key k = {*src, *dst, iface};
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
	if (p->lost < FEW || arrived_elsewhere(f, &k->src, &k->dst, p->first))
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

/* ---- nothing passed both points: the captures' addresses tell where they are -- */

/* One of the interfaces of this file's host has the address. */
static bool host_owns(const struct facts *f, uint32_t file, const struct addr *a)
{
	for (uint32_t i = 0; i < f->n_ifaces; i++)
		if (f->ifaces[i].file == file && iface_owns(&f->ifaces[i], a))
			return true;
	return false;
}

/* Did anything come by at this interface from one to the other? */
static bool came_by(const struct facts *f, uint32_t iface, const struct addr *src,
                    const struct addr *dst)
{
	const struct pair_key k = {*src, *dst, iface};
	const struct path *path = facts_path(f, &k);
	return (path && path->ip_packets) || track_pair_find(f->track, &k);
}

static bool captured_then(const struct fact_iface *i, const struct alone *a)
{
	return i->from_ns && i->from_ns <= a->first_ns && a->last_ns <= i->until_ns;
}

/* The receiver's host captured all the time, and saw nothing on any interface.  The
 * point is the one on the sender's subnet, for a request to a host's other address
 * comes in there too; else the one that has the address.  NULL = there is none such. */
static const struct fact_iface *deaf_point(const struct facts *f, const struct alone *a)
{
	const uint32_t here = f->ifaces[a->key.iface].file;
	const struct fact_iface *point = NULL;
	for (uint32_t i = 0; i < f->n_ifaces; i++) {
		const struct fact_iface *x = &f->ifaces[i];
		if (x->file == here || !host_owns(f, x->file, &a->key.dst))
			continue;
		if (!captured_then(x, a) || came_by(f, i, &a->key.src, &a->key.dst))
			return NULL;
		if (!point || iface_subnet(x, &a->key.src) > 0 ||
		    (iface_owns(x, &a->key.dst) &&
		     iface_subnet(point, &a->key.src) <= 0))
			point = x;
	}
	return point;
}

/* Something of the other host, from and to whatever addresses, came by here. */
static bool comes_back(const struct facts *f, uint32_t here, uint32_t far)
{
	for (size_t i = 0; i < f->n_paths; i++) {
		const struct path *p = &f->paths[i];
		if (p->ip_packets && f->ifaces[p->key.iface].file == here &&
		    host_owns(f, here, &p->key.dst) && host_owns(f, far, &p->key.src))
			return true;
	}
	for (const struct pair *p = NULL; (p = track_pair_next(f->track, p));)
		if (p->key.iface < f->n_ifaces &&
		    f->ifaces[p->key.iface].file == here &&
		    host_owns(f, here, &p->key.dst) && host_owns(f, far, &p->key.src))
			return true;
	return false;
}

static void say_alone(struct finding *n, const struct facts *f, const struct alone *a,
                      const struct fact_iface *second, bool answered)
{
	const struct fact_iface *first = &f->ifaces[a->key.iface];
	char src[ADDR_TEXT], dst[ADDR_TEXT];
	finding_say(n,
	            "between %s and %s %sall %" PRIu64
	            " datagrams from %s to %s are lost",
	            first->name, second->name,
	            answered ? "" : "nothing passes: ", a->size.total,
	            addr_format(&a->key.src, src), addr_format(&a->key.dst, dst));
	say_sizes(n, a->key.kind, &a->size);
	if (answered)
		finding_say(n, ", and what the host of %s sends arrives", dst);
	else
		finding_say(n, ", and nothing comes back");
	finding_fact(n, "lost", a->size.total);
	finding_fact(n, "arrived", 0);
	finding_frames(n, a->first_frame, a->first_frame);
	mend(n, &a->key.src, &a->key.dst);
}

static void by_addresses(const struct facts *f, struct findings *out,
                         const struct alone *a)
{
	const struct alone_key *k = &a->key;
	const struct fact_iface *first = &f->ifaces[k->iface];
	if (a->size.total < FEW || !iface_owns(first, &k->src))
		return;
	const struct fact_iface *second = deaf_point(f, a);
	if (!second)
		return;
	/* an answer may tell that it got there by another way; of Rx acks would */
	bool answered = comes_back(f, first->file, second->file);
	if (answered &&
	    (k->kind != POINT_RX || arrived_elsewhere(f, &k->src, &k->dst, k->iface)))
		return;
	struct finding *n =
	        findings_add(out, FIND_LOSS_BETWEEN_POINTS, k->iface, &k->src, &k->dst);
	if (!n)
		return;
	n->confidence = iface_subnet(second, &k->src) > 0 ? 0.8 : 0.5;
	doubt_captures(n, first, second);
	if (!n->doubt[0])
		snprintf(n->doubt, sizeof n->doubt,
		         "only the clocks tell that both points captured at that time");
	say_alone(n, f, a, second, answered);
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
				by_addresses(f, out, a);
}
