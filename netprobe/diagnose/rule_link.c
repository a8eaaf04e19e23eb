/* What ends announce against the links they are on: sizes too large, too small, left
 * from before an MTU was changed; encryption that leaves a large link unused. */
#include "netprobe/diagnose/rule.h"
#include "netprobe/expect/fingerprint.h"
#include "netprobe/expect/openafs.h"

#include <inttypes.h>

#define BIG_MTU 2912u /* from here on two packets fit one frame */
#define ENOUGH_DATA (64 * 1024)
#define LARGEST_SINGLE 1444u /* UDP payload of one Rx packet on Ethernet */

/* The MTU whose size an end announces, if it is a usual one; 0 = none. */
static uint32_t usual_mtu_of(uint32_t size)
{
	static const uint32_t mtu[] = {576, 1500, 4352, 4470, 9000, 9180};
	for (size_t i = 0; i < sizeof mtu / sizeof *mtu; i++) {
		uint32_t plain = mtu[i] - EXPECT_IP_UDP;
		if (plain > EXPECT_MAX_SEND)
			plain = EXPECT_MAX_SEND;
		if (size == plain || size == expect_adjust_if(EXPECT_FRAGS, plain))
			return mtu[i];
	}
	return 0;
}

/* The latest trailer of an end that differs from its first: sizes that grew. */
static const struct trailer_seen *grown(const struct flow_side *s)
{
	const struct trailer_seen *first = &s->trailer[0];
	for (unsigned i = 1; i < s->trailers; i++) {
		const struct trailer_seen *t = &s->trailer[i];
		bool sane = rx_trailer_plausible(&t->trailer) && t->trailer.words == 4;
		if (sane && t->trailer.interface > first->trailer.interface &&
		    !usual_mtu_of(t->trailer.interface))
			return t;
	}
	return NULL;
}

static const struct trailer_seen *first_beyond(const struct flow_side *s, uint32_t mtu)
{
	for (unsigned i = 0; i < s->trailers; i++) {
		const struct rx_trailer *t = &s->trailer[i].trailer;
		if (rx_trailer_plausible(t) && t->words >= 2 &&
		    t->interface + EXPECT_IP4_UDP > mtu)
			return &s->trailer[i];
	}
	return NULL;
}

static void add_grown(const struct facts *f, struct findings *out, const struct path *p,
                      const struct flow_side *s, const struct trailer_seen *t,
                      uint32_t mtu)
{
	char who[ADDR_TEXT];
	uint32_t before = s->trailer[0].trailer.interface;
	uint32_t fits = (mtu ? mtu : before + EXPECT_IP_UDP) - EXPECT_IP_UDP;
	struct finding *n = host_finding(out, f, FIND_PROBE_GREW, p, mtu ? 0.95 : 0.8);
	addr_format(&p->key.src, who);
	finding_say(n, "%s announces %" PRIu32, who, t->trailer.interface);
	if (t != &s->trailer[0])
		finding_say(n, " after %" PRIu32, before);
	if (mtu)
		finding_say(n, ", more than its link of MTU %" PRIu32 " carries whole",
		            mtu);
	finding_say(n, ": a path-MTU probe was answered although it was cut, and "
	               "raised it");
	/* the smaller of what both announce is in force */
	if (p->receiver && p->receiver->interface > fits) {
		finding_say(n, "; the other end may send as much, to be cut or lost");
		if (n)
			n->severity = FINDING_WARNING;
	} else {
		finding_say(n, "; harmless as long as the other end announces less");
	}
	finding_fact(n, "announces", t->trailer.interface);
	finding_fact(n, "acks", t->acks);
	finding_frames(n, t->first_frame, t->first_frame);
	finding_mend(n, "-rxmaxmtu %" PRIu32 " on %s, and restart it", fits, who);
}

static void add_beyond(const struct facts *f, struct findings *out,
                       const struct path *p, const struct trailer_seen *t, uint32_t mtu)
{
	char who[ADDR_TEXT];
	uint32_t was = usual_mtu_of(t->trailer.interface);
	enum finding_kind k = was ? FIND_STALE_TABLE : FIND_SIZE_BEYOND_LINK;
	struct finding *n = host_finding(out, f, k, p, 0.9);
	addr_format(&p->key.src, who);
	finding_say(n,
	            "%s announces packets of %" PRIu32 " (IP length %" PRIu32
	            "), its interface has MTU %" PRIu32,
	            who, t->trailer.interface, t->trailer.interface + EXPECT_IP4_UDP,
	            mtu);
	if (was)
		finding_say(n,
		            ": that is the size of MTU %" PRIu32
		            ", so it read its interfaces before the MTU was lowered",
		            was);
	finding_fact(n, "announces", t->trailer.interface);
	finding_fact(n, "mtu", mtu);
	finding_frames(n, t->first_frame, t->first_frame);
	if (was)
		finding_mend(n, "restart the AFS processes on %s", who);
	else
		finding_mend(
		        n,
		        "restart the AFS processes on %s, which read MTUs once, at "
		        "start; if it stays so, -rxmaxmtu %" PRIu32 " there",
		        who, mtu - EXPECT_IP4_UDP);
}

/* The sender of this way announces more than its link carries. */
static void look_above(const struct facts *f, struct findings *out,
                       const struct fact_flow *ff, enum way w)
{
	const struct flow_side *s = &ff->flow->side[w];
	struct pair_key k = facts_way(ff->flow, w);
	const struct path *p = facts_path(f, &k);
	const struct fact_iface *i = &f->ifaces[k.iface];
	uint32_t mtu =
	        iface_owns(i, &k.src) || iface_subnet(i, &k.src) == 1 ? i->mtu : 0;
	const struct trailer_seen *t = grown(s);
	if (t) {
		add_grown(f, out, p, s, t, mtu);
		return;
	}
	t = mtu ? first_beyond(s, mtu) : NULL;
	if (!t)
		return;
	if (trailer_fingerprint(&t->trailer).sender == SENDER_GROWN)
		add_grown(f, out, p, s, t, mtu);
	else if (iface_owns(i, &k.src))
		add_beyond(f, out, p, t, mtu);
}

static bool is_small(const struct rx_trailer *t)
{
	return t && t->words >= 2 && t->interface <= EXPECT_REMOTE;
}

static void add_stale(const struct facts *f, struct findings *out, const struct path *p,
                      const struct rx_trailer *t, const struct addr *who, uint32_t mtu)
{
	char text[ADDR_TEXT];
	struct finding *n =
	        findings_add(out, FIND_STALE_TABLE, p->key.iface, who, NULL);
	if (n)
		n->confidence = 0.75 * iface_quality(&f->ifaces[p->key.iface], n->doubt,
		                                     sizeof n->doubt);
	addr_format(who, text);
	finding_say(n,
	            "%s announces packets of %" PRIu32 ", the size of MTU %" PRIu32
	            ", on an interface of MTU %" PRIu32
	            ": it read its interfaces before the MTU was raised, or "
	            "-rxmaxmtu %" PRIu32 " holds it there; %" PRIu64
	            " bytes went in datagrams of at most %" PRIu32,
	            text, t->interface, t->interface + EXPECT_IP_UDP, mtu, t->interface,
	            p->data_bytes, p->main->way[p->way].dominant);
	finding_fact(n, "announces", t->interface);
	finding_fact(n, "mtu", mtu);
	finding_fact(n, "data_bytes", p->data_bytes);
	finding_mend(n,
	             "restart the AFS processes on %s (they read MTUs once, at start); "
	             "look for -rxmaxmtu on their command line",
	             text);
}

static void add_unused(const struct facts *f, struct findings *out,
                       const struct path *p, const struct rx_trailer *t,
                       const struct addr *who, uint32_t mtu)
{
	char text[ADDR_TEXT];
	struct finding *n =
	        findings_add(out, FIND_BIG_LINK_UNUSED, p->key.iface, who, NULL);
	if (n)
		n->confidence = 0.7 * iface_quality(&f->ifaces[p->key.iface], n->doubt,
		                                    sizeof n->doubt);
	addr_format(who, text);
	finding_say(n,
	            "%" PRIu64 " bytes went in datagrams of at most %" PRIu32
	            " on a link of MTU %" PRIu32 ": %s announces %" PRIu32
	            " and %" PRIu32 " packets a datagram",
	            p->data_bytes, p->main->way[p->way].dominant, mtu, text,
	            t->interface, t->packets);
	finding_fact(n, "announces", t->interface);
	finding_fact(n, "mtu", mtu);
	finding_fact(n, "data_bytes", p->data_bytes);
	finding_mend(n,
	             "set the MTU of %s to %" PRIu32
	             " and restart its AFS processes; look for -rxmaxmtu and "
	             "-rxmaxfrags there",
	             text, mtu);
}

/* Large link, small datagrams: one of the ends holds them down. */
static void look_below(const struct facts *f, struct findings *out,
                       const struct path *p)
{
	const struct fact_iface *i = &f->ifaces[p->key.iface];
	uint32_t largest = p->fates ? 0 : LARGEST_SINGLE + 1;
	for (size_t n = 0; n < p->fates; n++)
		if (p->fate[n].size_max > largest)
			largest = p->fate[n].size_max;
	if (i->mtu < BIG_MTU || p->data_bytes < ENOUGH_DATA ||
	    largest > LARGEST_SINGLE || p->main->level == RX_LEVEL_CRYPT ||
	    p->main->level == RX_LEVEL_AUTH)
		return;
	/* both ends on this very network, as far as told */
	if (iface_subnet(i, &p->key.src) != 1 || iface_subnet(i, &p->key.dst) != 1)
		return;
	const struct {
		const struct rx_trailer *t;
		const struct addr *who;
	} ends[] = {{p->sender, &p->key.src}, {p->receiver, &p->key.dst}};
	for (size_t n = 0; n < 2; n++) {
		bool peer_small = is_small(ends[1 - n].t);
		if (!is_small(ends[n].t) || (peer_small && iface_owns(i, ends[n].who)))
			continue;
		if (iface_owns(i, ends[n].who))
			add_stale(f, out, p, ends[n].t, ends[n].who, i->mtu);
		else
			add_unused(f, out, p, ends[n].t, ends[n].who, i->mtu);
		return;
	}
}

void rule_link_size(const struct facts *f, struct findings *out)
{
	static const enum finding_kind told[] = {FIND_BLACK_HOLE, FIND_MIXED_MTU,
	                                         FIND_TOO_BIG_IGNORED,
	                                         FIND_TOO_BIG_OBEYED};
	for (size_t i = 0; i < f->n_flows; i++)
		for (int w = 0; w < WAYS; w++)
			look_above(f, out, &f->flows[i], (enum way)w);
	for (size_t i = 0; i < f->n_paths; i++)
		if (!found_any(out, &f->paths[i].key, 4, told))
			look_below(f, out, &f->paths[i]);
}

/* An end of the path announces a large interface, on any flow: to one on another
 * subnet, as a second address may be, it tells 1444. */
static bool announces_big(const struct facts *f, const struct addr *a, uint32_t iface)
{
	for (size_t i = 0; i < f->n_flows; i++) {
		const struct flow *flow = f->flows[i].flow;
		for (int w = 0; w < WAYS; w++) {
			struct pair_key k = facts_way(flow, (enum way)w);
			const struct rx_trailer *t = flow_trailer(&flow->side[w]);
			if (k.iface == iface && addr_compare(&k.src, a) == 0 && t &&
			    t->interface >= BIG_MTU - EXPECT_IP_UDP)
				return true;
		}
	}
	return false;
}

/* Both ends would take more: their interfaces are large, or fragments are allowed. */
static bool more_allowed(const struct facts *f, const struct path *p)
{
	bool big = f->ifaces[p->key.iface].mtu >= BIG_MTU ||
	           announces_big(f, &p->key.src, p->key.iface) ||
	           announces_big(f, &p->key.dst, p->key.iface);
	bool refused =
	        (p->receiver && p->receiver->words >= 4 && p->receiver->packets <= 1) ||
	        (p->sender && p->sender->words >= 4 && p->sender->packets <= 1);
	return big && !refused;
}

/* Who was seen to; an end that sends no acks tells nothing. */
static const char *who_takes_more(const struct path *p)
{
	if (p->receiver && p->sender)
		return "both ends take";
	if (p->receiver || p->sender)
		return "the end that tells what it takes allows";
	return "a link of this size allows";
}

void rule_encrypted(const struct facts *f, struct findings *out)
{
	for (size_t i = 0; i < f->n_paths; i++) {
		const struct path *p = &f->paths[i];
		const struct fact_way *way = &p->main->way[p->way];
		if (p->main->level != RX_LEVEL_CRYPT || p->jumbograms ||
		    p->data_bytes < ENOUGH_DATA || !way->dominant ||
		    way->dominant > LARGEST_SINGLE || !more_allowed(f, p))
			continue;
		struct finding *n = path_finding(out, f, FIND_ENCRYPTED_SMALL, p, 0.9);
		char from[ADDR_TEXT], to[ADDR_TEXT];
		uint32_t mtu = f->ifaces[p->key.iface].mtu;
		finding_say(n,
		            "from %s to %s %" PRIu64
		            " bytes went encrypted in datagrams of %" PRIu32
		            ", although %s jumbograms",
		            addr_format(&p->key.src, from),
		            addr_format(&p->key.dst, to), p->data_bytes, way->dominant,
		            who_takes_more(p));
		if (mtu)
			finding_say(n, " and the link's MTU is %" PRIu32, mtu);
		finding_say(n, ": rxkad's encrypted packets are never joined, so a "
		               "larger MTU gains nothing");
		finding_fact(n, "data_bytes", p->data_bytes);
		finding_fact(n, "udp_payload", way->dominant);
		finding_fact(n, "datagrams", p->datagrams);
		finding_mend(n, "nothing but clear traffic where the network is "
		                "trusted (fs setcrypt off; vos without -encrypt)");
	}
}
