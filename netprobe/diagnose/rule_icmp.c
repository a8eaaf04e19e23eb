/* ICMP "too big" that quotes Rx: obeyed, ignored, or without a size. */
#include "netprobe/diagnose/rule.h"

#include <inttypes.h>

/* What the error quotes: the path, and what its sender showed.  Two ports may be client
 * to each other, so up to two flows are meant. */
struct quoted {
	const struct path *path;
	uint64_t over_told, over_told_frame;
	uint32_t over_told_len;
};

static void add_flow(const struct facts *f, struct quoted *q, const struct flow *flow,
                     enum way way)
{
	const struct symptoms *s = flow ? flow->side[way].symptoms : NULL;
	if (!flow)
		return;
	struct pair_key k = facts_way(flow, way);
	q->path = facts_path(f, &k);
	if (!s || !s->over_told)
		return;
	if (!q->over_told || s->over_told_frame < q->over_told_frame)
		q->over_told_frame = s->over_told_frame;
	q->over_told += s->over_told;
	if (s->over_told_len > q->over_told_len)
		q->over_told_len = s->over_told_len;
}

static struct quoted quoted_by(const struct facts *f, const struct icmp_error *e)
{
	struct quoted q = {0};
	for (uint32_t i = 0; i < f->n_ifaces && !q.path; i++) {
		struct flow_key k = {e->key.src, e->key.dst, e->key.sport, e->key.dport,
		                     i};
		add_flow(f, &q, track_flow_find(f->track, &k), TO_SERVER);
		k = (struct flow_key){e->key.dst, e->key.src, e->key.dport,
		                      e->key.sport, i};
		add_flow(f, &q, track_flow_find(f->track, &k), TO_CLIENT);
	}
	return q;
}

static void say_told(struct finding *n, const struct icmp_error *e)
{
	char router[ADDR_TEXT], from[ADDR_TEXT], to[ADDR_TEXT];
	finding_say(n, "%s says that datagrams from %s to %s are too big",
	            addr_format(&e->key.from, router), addr_format(&e->key.src, from),
	            addr_format(&e->key.dst, to));
	if (e->quoted_max)
		finding_say(n, " (IP length %" PRIu32 ")", e->quoted_max);
	if (e->mtu_min)
		finding_say(n, ": the next hop carries %" PRIu32, e->mtu_min);
	finding_fact(n, "icmp", e->count);
	if (e->mtu_min)
		finding_fact(n, "next_hop_mtu", e->mtu_min);
	finding_frames(n, e->first_frame, e->first_frame);
}

/* What the datagrams after it were like. */
static void judge(const struct facts *f, struct findings *out,
                  const struct icmp_error *e, const struct quoted *q)
{
	const struct path *p = q->path;
	if (q->over_told) {
		struct finding *n = path_finding(out, f, FIND_TOO_BIG_IGNORED, p, 0.95);
		say_told(n, e);
		finding_say(n,
		            ", and %" PRIu64 " larger ones with DF set followed (up to "
		            "IP length %" PRIu32 ")",
		            q->over_told, q->over_told_len);
		finding_fact(n, "larger_after", q->over_told);
		finding_frames(n, e->first_frame, q->over_told_frame);
		finding_mend(n, "let ICMP reach the sender; meanwhile ");
		mend_to_fit(n, p, e->mtu_min);
		finding_mend(n,
		             ", or on the sender: ip route replace PEER mtu %" PRIu32,
		             e->mtu_min);
		return;
	}
	struct finding *n = path_finding(out, f, FIND_TOO_BIG_OBEYED, p, 0.9);
	say_told(n, e);
	finding_say(n, "; no larger one with DF set was sent afterwards");
	finding_mend(n, "nothing has to be done; to spare every new peer the loss: ");
	mend_to_fit(n, p, e->mtu_min);
}

/* Kernels that are not told a size take a small one and cut what is larger (Linux: 552,
 * net.ipv4.route.min_pmtu). */
static void say_guessed(const struct facts *f, struct finding *n, const struct path *p)
{
	const struct pair *q = track_pair_find(f->track, &p->key);
	uint64_t cut = 0, all = 0;
	for (size_t i = 0; i < p->fates; i++) {
		all += p->fate[i].sent;
		cut += p->fate[i].cut ? p->fate[i].sent : 0;
	}
	if (!cut || !q)
		return;
	finding_say(n,
	            "; so the sender has to guess: %" PRIu64 " of %" PRIu64
	            " DATA datagrams are in fragments, the first of IP length %" PRIu32,
	            cut, all, q->fragments.first_max);
	finding_fact(n, "datagrams_cut", cut);
	finding_fact(n, "datagrams", all);
}

static void look_at(const struct facts *f, struct findings *out,
                    const struct icmp_error *e)
{
	struct quoted q = quoted_by(f, e);
	const struct path *p = q.path;
	if (!p)
		return;
	if (e->without_mtu) {
		struct finding *n =
		        path_finding(out, f, FIND_TOO_BIG_WITHOUT_MTU, p, 0.95);
		say_told(n, e);
		finding_say(n,
		            "; %" PRIu64 " of these messages name no MTU (RFC 1191, "
		            "section 4)",
		            e->without_mtu);
		say_guessed(f, n, p);
		finding_mend(n, "mend the router; meanwhile -rxmaxmtu 1260 or what "
		                "netprobe check finds to pass, on the servers");
	}
	/* under 68 no IPv4 link goes (RFC 791) */
	if (e->mtu_min >= 68) {
		judge(f, out, e, &q);
		find_tunnel(out, f, p, e->mtu_min, e->mtu_min + 1);
	}
}

void rule_too_big(const struct facts *f, struct findings *out)
{
	for (const struct icmp_error *e = NULL;
	     (e = track_icmp_error_next(f->track, e));)
		if (e->too_big && e->quotes && e->has_ports && e->key.proto == 17)
			look_at(f, out, e);
}
