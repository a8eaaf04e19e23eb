/* What two capture points show together: loss by size and cutting between them. */
#include "netprobe/diagnose/rule.h"

#include "netprobe/track/passage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The second point's capture shows first fragments only, as behind a filter. */
static bool hides_fragments(const struct fact_iface *i)
{
	return i->stats->first_pieces > 0 && i->stats->later_pieces == 0;
}

static struct finding *points_finding(struct findings *out, const struct facts *f,
                                      enum finding_kind k, const struct passage *p,
                                      double sure)
{
	const struct route_key *key = &p->route->key;
	const struct fact_iface *first = &f->ifaces[p->first],
	                        *second = &f->ifaces[p->second];
	struct finding *n = findings_add(out, k, p->first, &key->src, &key->dst);
	if (!n)
		return NULL;
	n->confidence = sure * iface_quality(first, n->doubt, sizeof n->doubt);
	if (n->doubt[0])
		return n;
	n->confidence = sure * iface_quality(second, n->doubt, sizeof n->doubt);
	if (!n->doubt[0] && second->stats->offloaded) {
		n->confidence *= 0.6;
		snprintf(n->doubt, sizeof n->doubt, "%.60s joins packets (offload)",
		         second->name);
	} else if (!n->doubt[0] && p->order == ORDER_CLOCK) {
		n->confidence *= 0.6;
		snprintf(n->doubt, sizeof n->doubt,
		         "only the clocks tell which point is first");
	}
	return n;
}

static void say_between(struct finding *n, const struct facts *f,
                        const struct passage *p)
{
	finding_say(n, "between %s and %s ", f->ifaces[p->first].name,
	            f->ifaces[p->second].name);
}

/* The largest UDP payload below the threshold that arrived; 0 = none. */
static uint32_t largest_below(const struct passage *p)
{
	size_t n;
	uint32_t best = 0;
	struct size_count *list = sizes_sorted(p->size_both, SIZES_BY_SIZE, &n);
	for (size_t i = 0; i < n && list[i].size < p->threshold; i++)
		best = list[i].size;
	free(list);
	return best;
}

/* How what is lost or cut is named. */
static const struct {
	const char *things, *size, *lost_fact, *passes_fact;
} words[POINT_KINDS] = {
        [POINT_RX] = {"datagrams", "UDP payload", "udp_payload_lost",
                      "udp_payload_passes"},
        [POINT_UDP] = {"UDP datagrams", "UDP payload", "udp_payload_lost",
                       "udp_payload_passes"},
        [POINT_TCP] = {"TCP packets", "IP length", "ip_length_lost",
                       "ip_length_passes"},
};

/* Datagrams of Rx that fit into this IP length. */
static void mend_rx(struct finding *n, const struct facts *f, const struct passage *p,
                    uint32_t ip_len)
{
	const struct pair_key k = {p->route->key.src, p->route->key.dst, p->first};
	const struct path *path = facts_path(f, &k);
	if (path)
		mend_to_fit(n, path, ip_len);
	else
		finding_mend(n, "-rxmaxmtu that fits IP packets of %" PRIu32, ip_len);
}

static void mend_loss(struct finding *n, const struct facts *f, const struct passage *p,
                      uint32_t passes)
{
	const char *const look = "look at the hops between the two points (MTU, rules "
	                         "for fragments, ICMP)";
	char dst[ADDR_TEXT];
	addr_format(&p->route->key.dst, dst);
	if (p->route->key.kind == POINT_RX && passes) {
		finding_mend(n, "%s; meanwhile ", look);
		mend_rx(n, f, p,
		        passes + (addr_is_v4(&p->route->key.src) ? IP4_UDP : IP6_UDP));
	} else if (p->route->key.kind == POINT_RX)
		finding_mend(n, "%s", look);
	else if (p->route->key.kind == POINT_TCP)
		finding_mend(n,
		             "%s; meanwhile a route with mtu %" PRIu32
		             " towards %s, the largest IP length that arrived",
		             look, passes, dst);
	else
		finding_mend(n,
		             "%s; meanwhile datagrams of %" PRIu32
		             " bytes at most, the largest UDP payload that arrived",
		             look, passes);
}

static void add_loss(struct findings *out, const struct facts *f,
                     const struct passage *p)
{
	struct finding *n = points_finding(out, f, FIND_LOSS_BETWEEN_POINTS, p, 0.95);
	unsigned kind = p->route->key.kind;
	char src[ADDR_TEXT], dst[ADDR_TEXT];
	uint32_t passes = largest_below(p);
	say_between(n, f, p);
	finding_say(n,
	            "%" PRIu64 " of %" PRIu64 " %s of %s %" PRIu32
	            " and more from %s to %s are lost, of smaller ones %" PRIu64
	            " of %" PRIu64,
	            p->lost_above, p->lost_above + p->both_above, words[kind].things,
	            words[kind].size, p->threshold,
	            addr_format(&p->route->key.src, src),
	            addr_format(&p->route->key.dst, dst), p->lost_below,
	            p->lost_below + p->both_below);
	if (p->in_part)
		finding_say(n, "; of %" PRIu64 " some fragments came", p->in_part);
	if (n && passage_share_above(p) < 0.95)
		n->severity = FINDING_WARNING;
	finding_fact(n, "lost", p->lost_above);
	finding_fact(n, "arrived", p->both_above);
	finding_fact(n, "lost_smaller", p->lost_below);
	finding_fact(n, "arrived_smaller", p->both_below);
	finding_fact(n, words[kind].lost_fact, p->threshold);
	finding_fact(n, words[kind].passes_fact, passes);
	finding_fact(n, "lost_in_part", p->in_part);
	finding_frames(n, p->lost_frame, p->lost_frame);
	mend_loss(n, f, p, passes);
}

static void add_cut(struct findings *out, const struct facts *f,
                    const struct passage *p)
{
	struct finding *n = points_finding(out, f, FIND_CUT_BETWEEN_POINTS, p, 0.98);
	unsigned kind = p->route->key.kind;
	char src[ADDR_TEXT], dst[ADDR_TEXT];
	uint64_t cut = p->cut_between + p->cut_again;
	say_between(n, f, p);
	finding_say(n,
	            "%" PRIu64 " of %" PRIu64 " %s from %s to %s are cut into "
	            "fragments of up to %" PRIu32 " bytes",
	            cut, p->both, words[kind].things,
	            addr_format(&p->route->key.src, src),
	            addr_format(&p->route->key.dst, dst), p->second_piece);
	if (p->hops_min == p->hops_max && p->hops_min == 1)
		finding_say(n, ", by the one router there");
	else if (p->hops_min > 1)
		finding_say(n, ", by one of %" PRId32 " routers there", p->hops_min);
	finding_fact(n, "cut", cut);
	finding_fact(n, "arrived", p->both);
	finding_fact(n, "first_fragment_ip_length", p->second_piece);
	finding_fact(n, "hops", (uint64_t)(p->hops_min > 0 ? p->hops_min : 0));
	finding_frames(n, p->cut_frame, p->cut_frame);
	if (kind == POINT_RX) {
		mend_rx(n, f, p, p->second_piece);
		finding_mend(n, ", or the same MTU on all links");
	} else
		finding_mend(n,
		             "the same MTU on all links, or a route with mtu %" PRIu32
		             " on the sender towards %s, the longest fragment",
		             p->second_piece, dst);
}

static void look_at(struct findings *out, const struct facts *f,
                    const struct passage *p)
{
	bool hidden = p->in_part && hides_fragments(&f->ifaces[p->second]);
	if (p->threshold && !hidden)
		add_loss(out, f, p);
	if (p->cut_between || p->cut_again)
		add_cut(out, f, p);
}

/* Rx first: of several flows between two hosts the first one is told. */
void rule_points(const struct facts *f, struct findings *out)
{
	const struct points *points = track_points(f->track);
	for (unsigned kind = 0; kind < POINT_KINDS; kind++) {
		for (const struct route *r = NULL;
		     (r = points_route_next(points, r));) {
			struct passage p;
			if (!r->both || r->key.b >= f->n_ifaces || r->key.kind != kind)
				continue;
			passage_make(&p, points, r);
			look_at(out, f, &p);
		}
	}
}
