/* Addresses: replies from another one than was asked, connections that change port. */
#include "netprobe/diagnose/rule.h"

#include <inttypes.h>

/* A host registered `asked` but not `answered`: what NetInfo or NetRestrict does. */
static bool left_out(const struct facts *f, const struct addr *asked,
                     const struct addr *answered)
{
	const struct hosts *h = track_hosts(f->track);
	for (const struct host_disclosure *d = NULL;
	     (d = hosts_disclosure_next(h, d));) {
		bool has_asked = false, has_answered = false;
		if (d->key.kind != DISCLOSE_REGISTER &&
		    d->key.kind != DISCLOSE_GET_ADDRS)
			continue;
		for (uint32_t i = 0; i < d->told.n; i++) {
			const struct addr *a = &d->told.iface[i].addr;
			has_asked |= addr_compare(a, asked) == 0;
			has_answered |= addr_compare(a, answered) == 0;
		}
		if (has_asked && !has_answered && !d->told.cut)
			return true;
	}
	return false;
}

static void say_mtu(struct finding *n, const struct fact_iface *i)
{
	if (i->mtu)
		finding_say(n, " (%s, MTU %" PRIu32 ")", i->name, i->mtu);
	else
		finding_say(n, " (%s)", i->name);
}

/* reply: the flow that carries the replies; asked: the key of the requests' flow. */
static void add_split(const struct facts *f, struct findings *out,
                      const struct flow *reply, const struct flow_key *asked)
{
	bool two = reply->key.iface != asked->iface;
	bool netinfo = left_out(f, &asked->server, &reply->key.server);
	struct pair_key k = facts_way(reply, TO_CLIENT);
	const struct path *p = facts_path(f, &k);
	enum finding_kind kind = netinfo ? FIND_NETINFO_SPLIT
	                         : two   ? FIND_ASYMMETRIC_PATH
	                                 : FIND_OTHER_ADDRESS;
	struct finding *n = path_finding(out, f, kind, p, 0.95);
	char client[ADDR_TEXT], to[ADDR_TEXT], from[ADDR_TEXT];
	addr_format(&asked->server, to);
	addr_format(&reply->key.server, from);
	finding_say(n, "client %s asks the server at %s",
	            addr_format(&asked->client, client), to);
	if (two && asked->iface < f->n_ifaces)
		say_mtu(n, &f->ifaces[asked->iface]);
	finding_say(n, " and gets its replies from %s", from);
	if (two)
		say_mtu(n, &f->ifaces[reply->key.iface]);
	if (netinfo)
		finding_say(n, "; the server has registered %s and not %s", to, from);
	finding_say(n,
	            " (%" PRIu64 " datagrams): NAT and firewalls drop such replies, "
	            "and sizes follow the address that answers",
	            reply->split);
	finding_fact(n, "datagrams", reply->split);
	finding_frames(n, reply->first_frame, reply->first_frame);
	if (netinfo)
		finding_mend(n,
		             "put %s into NetInfo on the server too and restart "
		             "it; vos listaddrs shows the effect",
		             from);
	else
		finding_mend(n,
		             "have %s registered as well (NetInfo, NetRestrict; vos "
		             "listaddrs shows it), or ask it at %s; a server with one "
		             "address left can be bound to it: -rxbind",
		             from, from);
}

void rule_address(const struct facts *f, struct findings *out)
{
	for (size_t i = 0; i < f->n_flows; i++) {
		const struct flow *flow = f->flows[i].flow;
		const struct tally *replies = f->flows[i].way[TO_CLIENT].tally;
		if (!flow->split || !replies->datagrams ||
		    addr_compare(&flow->key.server, &flow->other_half.server) == 0)
			continue;
		const struct flow *other = track_flow_find(f->track, &flow->other_half);
		struct tally asked = {0};
		if (other)
			slices_sum(&other->side[TO_SERVER].sent, &asked);
		if (asked.datagrams > f->flows[i].way[TO_SERVER].tally->datagrams)
			add_split(f, out, flow, &flow->other_half);
		tally_clear(&asked);
	}
}

void rule_rebinding(const struct facts *f, struct findings *out)
{
	for (size_t i = 0; i < f->n_flows; i++) {
		const struct flow *flow = f->flows[i].flow;
		const struct symptoms *s = flow->side[TO_SERVER].symptoms;
		if (!s || !s->rebound)
			continue;
		struct pair_key k = facts_way(flow, TO_SERVER);
		const struct path *p = facts_path(f, &k);
		struct finding *n = path_finding(out, f, FIND_NAT_REBINDING, p, 0.9);
		char client[ADDR_TEXT];
		finding_say(n,
		            "connections of client %s go on from port %u after port "
		            "%u: NAT on the way has forgotten them and made them anew; "
		            "the server's callbacks to port %u are lost",
		            addr_format(&k.src, client), flow->key.client_port,
		            s->rebound_from, s->rebound_from);
		finding_fact(n, "changes", s->rebound);
		finding_fact(n, "port_before", s->rebound_from);
		finding_fact(n, "port_after", flow->key.client_port);
		finding_frames(n, s->rebound_frame, s->rebound_frame);
		finding_mend(n, "lengthen the NAT's timeout for UDP port 7001 (20 "
		                "minutes and more), or let the client speak more "
		                "often: fs checkservers -interval 60");
	}
}
