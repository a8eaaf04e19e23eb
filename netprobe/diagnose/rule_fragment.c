/* Fragments: who cuts, and which pieces do not arrive. */
#include "netprobe/diagnose/rule.h"
#include "netprobe/expect/openafs.h"

#include <inttypes.h>

#define ENOUGH 3u /* one train may be cut by the end of the capture */

struct cut_sum {
	uint64_t all;                   /* DATA datagrams */
	uint64_t sent, delivered, lost; /* of them in fragments */
	uint64_t whole_delivered;
	uint32_t size_min, size_max; /* UDP payload of those in fragments */
	uint64_t first_frame, first_lost, last_lost;
};

static struct cut_sum sum_of(const struct path *p)
{
	struct cut_sum c = {0};
	for (size_t i = 0; i < p->fates; i++) {
		const struct fate *e = &p->fate[i];
		c.all += e->sent;
		if (!e->cut) {
			c.whole_delivered += e->delivered;
			continue;
		}
		c.sent += e->sent;
		c.delivered += e->delivered;
		c.lost += e->lost;
		if (!c.size_min || e->size_min < c.size_min)
			c.size_min = e->size_min;
		if (e->size_max > c.size_max)
			c.size_max = e->size_max;
		if (!c.first_frame || e->first_frame < c.first_frame)
			c.first_frame = e->first_frame;
		if (e->lost && (!c.first_lost || e->first_lost_frame < c.first_lost))
			c.first_lost = e->first_lost_frame;
		if (e->last_lost_frame > c.last_lost)
			c.last_lost = e->last_lost_frame;
	}
	return c;
}

static const char *avoid(const struct path *p)
{
	return p->way == TO_CLIENT
	               ? "avoid fragments: take -jumbo away from the file server "
	                 "(-nojumbo), or give the clients -rxmaxfrags 1"
	               : "avoid fragments: give the client's afsd -rxmaxfrags 1, or "
	                 "take -jumbo away from the file server";
}

static void say_ends(struct finding *n, const struct path *p)
{
	char from[ADDR_TEXT], to[ADDR_TEXT];
	finding_say(n, "from %s to %s ", addr_format(&p->key.src, from),
	            addr_format(&p->key.dst, to));
}

static void add_hidden(const struct facts *f, struct findings *out,
                       const struct path *p, uint64_t trains, uint64_t delivered)
{
	struct finding *n = path_finding(out, f, FIND_FRAGMENTS_HIDDEN, p, 0.8);
	say_ends(n, p);
	finding_say(n,
	            "only the first fragment of %" PRIu64
	            " datagrams was captured, no other piece at all, and %" PRIu64
	            " of them were acknowledged: the capture filter probably hides "
	            "the rest",
	            trains, delivered);
	finding_fact(n, "trains", trains);
	finding_mend(n, "add \"or (ip[6:2] & 0x1fff != 0)\" to the capture filter");
}

static void add_first_only(const struct facts *f, struct findings *out,
                           const struct path *p, const struct cut_sum *c,
                           uint64_t trains)
{
	struct finding *n = path_finding(out, f, FIND_FIRST_FRAGMENTS_ONLY, p, 0.85);
	say_ends(n, p);
	finding_say(n,
	            "only the first fragment of %" PRIu64
	            " datagrams came by, and none of them was acknowledged: "
	            "something before this point drops fragments without ports",
	            trains);
	finding_fact(n, "trains", trains);
	finding_fact(n, "lost", c->lost);
	finding_frames(n, c->first_lost, c->last_lost);
	finding_mend(n, "allow fragments in the firewall; or %s", avoid(p));
}

static void add_lost(const struct facts *f, struct findings *out, const struct path *p,
                     const struct cut_sum *c, uint64_t broken, uint64_t all)
{
	struct finding *n = path_finding(out, f, FIND_FRAGMENTS_LOST, p, 0.9);
	say_ends(n, p);
	finding_say(n,
	            "%" PRIu64 " of %" PRIu64
	            " datagrams in fragments lack pieces (%.1f %%)",
	            broken, all, 100.0 * (double)broken / (double)all);
	if (c->lost)
		finding_say(n, "; %" PRIu64 " of them had to be sent again whole",
		            c->lost);
	finding_fact(n, "trains_broken", broken);
	finding_fact(n, "trains", all);
	finding_frames(n, c->first_lost, c->last_lost);
	finding_mend(n, "%s; then look where the pieces are lost", avoid(p));
}

static void add_blocked(const struct facts *f, struct findings *out,
                        const struct path *p, const struct cut_sum *c)
{
	bool at_receiver = iface_owns(&f->ifaces[p->key.iface], &p->key.dst);
	struct finding *n = path_finding(out, f, FIND_FRAGMENTS_BLOCKED, p, 0.9);
	say_ends(n, p);
	finding_say(n,
	            "%" PRIu64 " datagrams in fragments (UDP payload %" PRIu32
	            " and more) went by complete and were never acknowledged, while "
	            "%" PRIu64 " whole ones were: ",
	            c->sent, c->size_min, c->whole_delivered);
	finding_say(n, "%s",
	            at_receiver ? "they arrive, and the receiver's own stack or "
	                          "firewall does not hand them on"
	                        : "fragments do not get through behind this point");
	if (p->timeouts)
		finding_say(n, "; %.1f s were spent waiting in %" PRIu64 " timeouts",
		            (double)p->stalled_ns / 1e9, p->timeouts);
	finding_fact(n, "sent", c->sent);
	finding_fact(n, "lost", c->lost);
	finding_fact(n, "delivered_whole", c->whole_delivered);
	finding_fact(n, "timeouts", p->timeouts);
	finding_frames(n, c->first_lost, c->last_lost);
	finding_mend(n, "allow fragments in the firewall; or %s", avoid(p));
}

static uint64_t first_only(const struct pair *q, uint64_t broken)
{
	const struct pair_fragments *g = q ? &q->fragments : NULL;
	uint64_t trains = 0;
	for (int e = 0; g && e < FRAGMENT_ENDS; e++)
		trains += g->trains[e];
	return g && g->pieces == trains && trains == broken ? trains : 0;
}

static void look_at_loss(const struct facts *f, struct findings *out,
                         const struct path *p)
{
	struct cut_sum c = sum_of(p);
	uint64_t all = p->trains_whole + p->trains_broken, broken = p->trains_broken;
	const struct pair *q = track_pair_find(f->track, &p->key);
	if (broken >= ENOUGH && !p->trains_whole && first_only(q, broken)) {
		if (c.lost >= ENOUGH && !c.delivered)
			add_first_only(f, out, p, &c, broken);
		else if (c.delivered)
			add_hidden(f, out, p, broken, c.delivered);
	} else if (broken >= ENOUGH && broken * 100 >= all) {
		add_lost(f, out, p, &c, broken, all);
	} else if (c.lost >= ENOUGH && c.delivered * 10 <= c.lost &&
	           c.whole_delivered >= ENOUGH) {
		add_blocked(f, out, p, &c);
	}
}

void rule_fragment_loss(const struct facts *f, struct findings *out)
{
	for (size_t i = 0; i < f->n_paths; i++)
		look_at_loss(f, out, &f->paths[i]);
}

/* Who cuts: the sender where it is the capturing host, where it sets DF on what is
 * whole and so can have cut only itself, or where no router has touched the pieces. */
static bool cut_by_sender(const struct facts *f, const struct path *p)
{
	uint64_t whole =
	        p->ip_packets > p->fragments ? p->ip_packets - p->fragments : 0;
	if (iface_owns(&f->ifaces[p->key.iface], &p->key.src))
		return true;
	if (whole && p->df * 10 >= whole * 9)
		return true;
	return ttl_initial(p->ttl_min);
}

static void say_cut(struct finding *n, const struct path *p, const struct cut_sum *c,
                    uint32_t first)
{
	say_ends(n, p);
	finding_say(n,
	            "%" PRIu64 " of %" PRIu64 " DATA datagrams (UDP payload %" PRIu32
	            " to %" PRIu32
	            ") are in fragments, the first of IP length %" PRIu32,
	            c->sent, c->all, c->size_min, c->size_max, first);
	finding_fact(n, "datagrams_cut", c->sent);
	finding_fact(n, "datagrams", c->all);
	finding_fact(n, "udp_payload_max", c->size_max);
	finding_fact(n, "first_fragment_ip_length", first);
	finding_frames(n, c->first_frame, c->first_frame);
}

/* Their number is known of whole datagrams only; else what the receiver takes tells. */
static bool sends_jumbograms(const struct path *p)
{
	return p->jumbograms || (p->trains_whole == 0 && p->receiver &&
	                         p->receiver->words >= 4 && p->receiver->packets > 1);
}

static void mend_cut(struct finding *n, const struct path *p, const struct cut_sum *c,
                     uint32_t first)
{
	if (sends_jumbograms(p) && c->size_min > EXPECT_REMOTE) {
		finding_mend(n, "%s", avoid(p));
		return;
	}
	mend_to_fit(n, p, first);
	finding_mend(n, ", or set the proper MTU on the sender's link");
}

/* Packets built before an ICMP error came go again in fragments: no more than that. */
static bool just_obeyed(const struct findings *out, const struct path *p,
                        const struct cut_sum *c)
{
	return c->sent * 20 <= c->all &&
	       findings_find(out, FIND_TOO_BIG_OBEYED, p->key.iface, &p->key.src,
	                     &p->key.dst);
}

/* The MTU of the sender's link: the interface's, unless it is the receiver's. */
static uint32_t sender_mtu(const struct facts *f, const struct path *p)
{
	const struct fact_iface *i = &f->ifaces[p->key.iface];
	return iface_owns(i, &p->key.dst) ? 0 : i->mtu;
}

static void look_at_cut(const struct facts *f, struct findings *out,
                        const struct path *p)
{
	const struct pair *q = track_pair_find(f->track, &p->key);
	struct cut_sum c = sum_of(p);
	uint32_t first = q ? q->fragments.first_max : 0;
	uint32_t mtu = sender_mtu(f, p);
	if (!c.sent || first < 68 || just_obeyed(out, p, &c))
		return;
	/* a router's "too big" without a size, told with what came of it */
	const bool guessed = findings_find(out, FIND_TOO_BIG_WITHOUT_MTU, p->key.iface,
	                                   &p->key.src, &p->key.dst);
	struct finding *n;
	if (mtu && path_ip_len(p, c.size_min) <= mtu) {
		if (guessed)
			return;
		n = path_finding(out, f, FIND_FRAGMENTED_THOUGH_FITS, p, 0.95);
		say_cut(n, p, &c, first);
		finding_say(n,
		            ", although they fit the interface's MTU %" PRIu32
		            ": the route's or the path's is ",
		            mtu);
		say_cut_mtu(n, first);
		char to[ADDR_TEXT];
		finding_mend(n, "look at ip route get %s and mend the route; or ",
		             addr_format(&p->key.dst, to));
		mend_to_fit(n, p, first);
	} else if (cut_by_sender(f, p)) {
		n = path_finding(out, f, FIND_LOCAL_FRAGMENTATION, p, 0.95);
		say_cut(n, p, &c, first);
		finding_say(n, ": the %s builds datagrams larger than its link of MTU ",
		            way_sender(p->way));
		if (mtu)
			finding_say(n, "%" PRIu32, mtu);
		else
			say_cut_mtu(n, first);
		mend_cut(n, p, &c, first);
	} else {
		n = path_finding(out, f, FIND_PATH_FRAGMENTATION, p, 0.8);
		say_cut(n, p, &c, first);
		finding_say(n, ", and a router has lowered their hop limit: the way "
		               "has a link of MTU ");
		say_cut_mtu(n, first);
		mend_to_fit(n, p, first);
		find_tunnel(out, f, p, first, first + 8);
	}
}

void rule_fragmentation(const struct facts *f, struct findings *out)
{
	static const enum finding_kind worse[] = {
	        FIND_FRAGMENTS_BLOCKED, FIND_FIRST_FRAGMENTS_ONLY, FIND_FRAGMENTS_LOST};
	for (size_t i = 0; i < f->n_paths; i++)
		if (!found_any(out, &f->paths[i].key, 3, worse))
			look_at_cut(f, out, &f->paths[i]);
}
