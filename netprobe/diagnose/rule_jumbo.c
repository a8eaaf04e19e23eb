/* Jumbograms where they should not be: refused by the receiver, behind a router. */
#include "netprobe/diagnose/rule.h"

#include <inttypes.h>

#define ETHERNET_MTU 1500u

/* The most packets a jumbogram that this end ever announced; 0 = not told. */
static uint32_t most_packets(const struct flow_side *s)
{
	uint32_t most = 0;
	for (unsigned i = 0; i < s->trailers; i++) {
		const struct rx_trailer *t = &s->trailer[i].trailer;
		if (t->words < 4 || !rx_trailer_plausible(t))
			continue;
		/* kAFS says 0 and means 1 */
		uint32_t n = t->packets ? t->packets : 1;
		if (n > most)
			most = n;
	}
	return most;
}

static uint32_t announced(const struct facts *f, const struct flow *flow, enum way way)
{
	uint32_t n = most_packets(&flow->side[way]);
	const struct flow *other =
	        !n && flow->split ? track_flow_find(f->track, &flow->other_half) : NULL;
	return other ? most_packets(&other->side[way]) : n;
}

static void look_at_refusal(const struct facts *f, struct findings *out,
                            const struct fact_flow *ff, enum way w)
{
	const struct tally *y = ff->way[w].tally;
	if (!y->jumbograms.total)
		return;
	uint32_t theirs = announced(f, ff->flow, other_way(w)),
	         own = announced(f, ff->flow, w);
	bool refused = theirs && y->jumbograms.max > theirs;
	if (!refused && own != 1)
		return;
	struct pair_key k = facts_way(ff->flow, w);
	const struct path *p = facts_path(f, &k);
	struct finding *n = path_finding(out, f, FIND_JUMBOGRAMS_REFUSED, p, 0.9);
	char from[ADDR_TEXT], to[ADDR_TEXT];
	finding_say(n,
	            "%s sends %" PRIu64 " jumbograms of up to %" PRIu32
	            " packets to %s, ",
	            addr_format(&k.src, from), y->jumbograms.total, y->jumbograms.max,
	            addr_format(&k.dst, to));
	if (refused)
		finding_say(n, "which takes %" PRIu32 " in a datagram by its acks",
		            theirs);
	else
		finding_say(n, "though it announces 1 packet a datagram itself");
	if (n && !refused)
		n->severity = FINDING_WARNING;
	finding_say(n, ": AFS before 1.4.8 did so in spite of -nojumbo");
	finding_fact(n, "jumbograms", y->jumbograms.total);
	finding_fact(n, "packets_max", y->jumbograms.max);
	finding_fact(n, "packets_allowed", refused ? theirs : own);
	finding_mend(n, "upgrade the %s; until then -rxmaxmtu 1444 there",
	             way_sender(w));
}

/* Whether packets of the path cross a router: by the subnets of the capturing host,
 * else by hop limits. */
static bool is_routed(const struct facts *f, const struct path *p)
{
	const struct fact_iface *i = &f->ifaces[p->key.iface];
	if (iface_owns(i, &p->key.src))
		return iface_subnet(i, &p->key.dst) == 0;
	if (iface_owns(i, &p->key.dst))
		return iface_subnet(i, &p->key.src) == 0;
	return p->ttl_min && p->back_ttl_min &&
	       (!ttl_initial(p->ttl_min) || !ttl_initial(p->back_ttl_min));
}

static void look_at_route(const struct facts *f, struct findings *out,
                          const struct path *p)
{
	uint64_t large = 0, first = 0;
	uint32_t largest = 0;
	for (size_t i = 0; p->jumbograms && i < p->fates; i++) {
		const struct fate *e = &p->fate[i];
		if (e->cut || path_ip_len(p, e->size_min) <= ETHERNET_MTU)
			continue;
		large += e->sent;
		largest = e->size_max;
		if (!first || e->first_frame < first)
			first = e->first_frame;
	}
	if (!large || !is_routed(f, p))
		return;
	struct finding *n = path_finding(out, f, FIND_JUMBOGRAMS_ROUTED, p, 0.8);
	char from[ADDR_TEXT], to[ADDR_TEXT];
	finding_say(n,
	            "%s sends %" PRIu64 " jumbograms of up to IP length %" PRIu32
	            " whole to %s, which is behind a router: the next link may not "
	            "carry them",
	            addr_format(&p->key.src, from), large, path_ip_len(p, largest),
	            addr_format(&p->key.dst, to));
	finding_fact(n, "jumbograms", large);
	finding_fact(n, "ip_length_max", path_ip_len(p, largest));
	finding_frames(n, first, first);
	finding_mend(n, "%s, unless every link on the way carries them",
	             p->way == TO_CLIENT ? "take -jumbo away from the file server, or "
	                                   "give it -rxmaxmtu 1444"
	                                 : "give the client's afsd -rxmaxfrags 1");
}

void rule_jumbograms(const struct facts *f, struct findings *out)
{
	static const enum finding_kind told[] = {FIND_BLACK_HOLE, FIND_MIXED_MTU,
	                                         FIND_TOO_BIG_IGNORED,
	                                         FIND_TOO_BIG_OBEYED};
	for (size_t i = 0; i < f->n_flows; i++)
		for (int w = 0; w < WAYS; w++)
			look_at_refusal(f, out, &f->flows[i], (enum way)w);
	for (size_t i = 0; i < f->n_paths; i++)
		if (!found_any(out, &f->paths[i].key, 4, told))
			look_at_route(f, out, &f->paths[i]);
}
