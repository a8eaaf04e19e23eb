/* What single packets of a peer show: tickets, trailers, probes, checksums. */
#include "netprobe/diagnose/rule.h"

#include <inttypes.h>

/* Calls look for every way of every flow. */
static void each_way(const struct facts *f, struct findings *out,
                     void (*look)(const struct facts *, struct findings *,
                                  const struct flow *, enum way, const struct path *))
{
	for (size_t i = 0; i < f->n_flows; i++) {
		for (int w = 0; w < WAYS; w++) {
			const struct flow *flow = f->flows[i].flow;
			struct pair_key k = facts_way(flow, (enum way)w);
			const struct path *p = facts_path(f, &k);
			if (p)
				look(f, out, flow, (enum way)w, p);
		}
	}
}

void rule_response(const struct facts *f, struct findings *out)
{
	for (size_t i = 0; i < f->n_flows; i++) {
		const struct flow *flow = f->flows[i].flow;
		const struct flow_security *s = flow->security;
		if (!s || !s->responses_fragmented)
			continue;
		struct pair_key k = facts_way(flow, TO_SERVER);
		struct finding *n = path_finding(out, f, FIND_RESPONSE_FRAGMENTED,
		                                 facts_path(f, &k), 0.95);
		char from[ADDR_TEXT];
		finding_say(
		        n,
		        "%s proves who it is with RESPONSE packets of up to %" PRIu32
		        " bytes, %" PRIu64 " of %" PRIu64 " in fragments",
		        addr_format(&k.src, from), s->largest_response,
		        s->responses_fragmented, s->responses);
		if (s->largest_ticket)
			finding_say(n, " (ticket of %" PRIu32 " bytes)",
			            s->largest_ticket);
		if (s->challenge_repeats) {
			finding_say(n,
			            "; the server repeated its challenge %" PRIu64
			            " times: the fragments do not arrive",
			            s->challenge_repeats);
			if (n)
				n->severity = FINDING_ERROR;
		}
		finding_fact(n, "responses_fragmented", s->responses_fragmented);
		finding_fact(n, "udp_payload_max", s->largest_response);
		finding_fact(n, "challenge_repeats", s->challenge_repeats);
		finding_frames(n, s->response_frame, s->response_frame);
		finding_mend(n, "a smaller ticket (in Active Directory: no PAC for "
		                "the afs service account), or fragments allowed on "
		                "the way");
	}
}

static uint64_t absurd_frame(const struct flow_side *s)
{
	for (unsigned i = 0; i < s->trailers; i++)
		if (!rx_trailer_plausible(&s->trailer[i].trailer))
			return s->trailer[i].first_frame;
	return 0;
}

static void add_absurd(const struct facts *f, struct findings *out,
                       const struct flow_side *s, const struct path *p)
{
	struct finding *n = host_finding(out, f, FIND_ABSURD_TRAILER, p, 0.95);
	char from[ADDR_TEXT];
	finding_say(n,
	            "%" PRIu64 " acks from %s announce sizes that no sane host sends",
	            s->absurd_trailers, addr_format(&p->key.src, from));
	for (unsigned i = 0; i < s->trailers; i++) {
		const struct rx_trailer *t = &s->trailer[i].trailer;
		if (rx_trailer_plausible(t))
			continue;
		finding_say(n, ": (%" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32 ")",
		            t->max_receive, t->interface, t->window, t->packets);
		break;
	}
	finding_say(n, ": broken, hostile (OPENAFS-SA-2017-001), or on a link or route "
	               "of MTU under 576");
	finding_fact(n, "acks", s->absurd_trailers);
	finding_frames(n, absurd_frame(s), absurd_frame(s));
	finding_mend(n,
	             "look at what sends them and at the MTU of its routes (ip route "
	             "get); OpenAFS before 1.6.23 is harmed by them and must be "
	             "upgraded");
}

static void add_malformed(const struct facts *f, struct findings *out,
                          const struct path *p)
{
	struct finding *n = host_finding(out, f, FIND_ABSURD_TRAILER, p, 0.9);
	char from[ADDR_TEXT];
	finding_say(n,
	            "%" PRIu64 " Rx packets from %s contradict their own length (acks "
	            "that list more than they hold, jumbograms with a piece missing): "
	            "broken or hostile",
	            p->malformed, addr_format(&p->key.src, from));
	finding_fact(n, "malformed", p->malformed);
	finding_mend(n, "look at what sends them");
}

static void add_old(const struct facts *f, struct findings *out,
                    const struct flow_side *s, const struct path *p, unsigned words)
{
	struct finding *n = host_finding(out, f, FIND_OLD_PEER, p, 0.85);
	uint64_t dirty = s->symptoms ? s->symptoms->dirty_acks : 0;
	char from[ADDR_TEXT];
	finding_say(n, "%s runs an old AFS:", addr_format(&p->key.src, from));
	if (words < 4)
		finding_say(n,
		            " its acks tell %u of four sizes, so no jumbograms go "
		            "to it",
		            words);
	if (words < 4 && dirty)
		finding_say(n, ";");
	if (dirty)
		finding_say(n,
		            " %" PRIu64 " of its acks hold rests of memory where zeros "
		            "belong (before 1.6.15, OPENAFS-SA-2015-007)",
		            dirty);
	finding_fact(n, "words", words);
	finding_fact(n, "acks_dirty", dirty);
	if (dirty)
		finding_frames(n, s->symptoms->dirty_frame, s->symptoms->dirty_frame);
	finding_mend(n, "upgrade it");
}

static void look_at_trailers(const struct facts *f, struct findings *out,
                             const struct flow *flow, enum way w, const struct path *p)
{
	const struct flow_side *s = &flow->side[w];
	const struct rx_trailer *t = flow_trailer(s);
	unsigned words = 4;
	if (s->absurd_trailers)
		add_absurd(f, out, s, p);
	else if (p->malformed)
		add_malformed(f, out, p);
	if (t)
		words = t->words;
	else if (s->acks_without_trailer)
		words = 0;
	if (words < 4 || (s->symptoms && s->symptoms->dirty_acks))
		add_old(f, out, s, p, words);
}

void rule_trailer(const struct facts *f, struct findings *out)
{
	each_way(f, out, look_at_trailers);
}

static void look_at_probes(const struct facts *f, struct findings *out,
                           const struct flow *flow, enum way w, const struct path *p)
{
	const struct symptoms *s = flow->side[w].symptoms;
	const struct mtu_probe *lost = NULL;
	uint32_t answered = 0;
	for (uint32_t i = 0; s && i < s->probes; i++) {
		const struct mtu_probe *m = &s->probe[i];
		if (m->answered && m->size > answered)
			answered = m->size;
		if (!m->answered && m->sent >= 2 && (!lost || m->size < lost->size))
			lost = m;
	}
	if (!lost)
		return;
	struct finding *n = path_finding(out, f, FIND_PROBE_UNANSWERED, p, 0.8);
	char from[ADDR_TEXT], to[ADDR_TEXT];
	finding_say(n,
	            "%s probes the path to %s: %" PRIu64 " pings of IP length %" PRIu32
	            " got no answer",
	            addr_format(&p->key.src, from), addr_format(&p->key.dst, to),
	            lost->sent, path_ip_len(p, lost->size));
	if (answered)
		finding_say(n, ", those up to %" PRIu32 " did",
		            path_ip_len(p, answered));
	finding_fact(n, "sent", lost->sent);
	finding_fact(n, "ip_length_unanswered", path_ip_len(p, lost->size));
	if (answered)
		finding_fact(n, "ip_length_answered", path_ip_len(p, answered));
	finding_frames(n, lost->first_frame, lost->first_frame);
	finding_mend(n, "nothing as such: the sender stays below that size");
}

void rule_probe(const struct facts *f, struct findings *out)
{
	each_way(f, out, look_at_probes);
}

static void add_damaged(const struct facts *f, struct findings *out,
                        const struct symptoms *s, const struct path *p)
{
	struct finding *n = host_finding(out, f, FIND_CHECKSUM, p, 0.9);
	char from[ADDR_TEXT];
	uint64_t lost = 0, done = 0;
	for (size_t i = 0; i < p->fates; i++) {
		lost += p->fate[i].lost;
		done += p->fate[i].lost + p->fate[i].delivered;
	}
	finding_say(
	        n,
	        "%" PRIu64 " of %" PRIu64
	        " UDP packets from %s that were looked at have a wrong checksum: "
	        "they are damaged on the way and dropped, or their sender is broken",
	        s->checksum_bad, s->verified, addr_format(&p->key.src, from));
	if (lost)
		finding_say(n,
		            "; %" PRIu64 " of %" PRIu64
		            " DATA datagrams had to be sent again",
		            lost, done);
	finding_fact(n, "packets", s->verified);
	finding_fact(n, "checksum_bad", s->checksum_bad);
	finding_fact(n, "lost", lost);
	finding_frames(n, s->bad_frame, s->bad_frame);
	finding_mend(
	        n,
	        "look for a firewall, NAT or driver that changes packets of %s and "
	        "not their checksum; ethtool -K INTERFACE tx off rx off there shows "
	        "whether its card does, ethtool -S the errors of links",
	        from);
}

static void add_unchecked(const struct facts *f, struct findings *out,
                          const struct symptoms *s, const struct path *p)
{
	struct finding *n = host_finding(out, f, FIND_CHECKSUM, p, 0.9);
	bool v4 = addr_is_v4(&p->key.src);
	char from[ADDR_TEXT];
	addr_format(&p->key.src, from);
	finding_say(n,
	            "%s sends UDP without checksums%s (%" PRIu64 " of %" PRIu64
	            " packets): damage on the way goes unnoticed",
	            from, v4 ? "" : ", which IPv6 forbids", s->checksum_zero,
	            s->checked);
	if (n && v4)
		n->severity = FINDING_INFO;
	finding_fact(n, "packets", s->checked);
	finding_fact(n, "checksum_zero", s->checksum_zero);
	finding_mend(n, "switch UDP checksums on at %s", from);
}

static void look_at_checksums(const struct facts *f, struct findings *out,
                              const struct flow *flow, enum way w, const struct path *p)
{
	const struct symptoms *s = flow->side[w].symptoms;
	if (s && s->checksum_bad)
		add_damaged(f, out, s, p);
	else if (s && s->checksum_zero * 2 > s->checked)
		add_unchecked(f, out, s, p);
}

void rule_checksum(const struct facts *f, struct findings *out)
{
	each_way(f, out, look_at_checksums);
}
