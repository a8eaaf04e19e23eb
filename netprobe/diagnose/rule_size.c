/* Loss that depends on size: black holes, hosts of different MTU on one network. */
#include "netprobe/diagnose/rule.h"
#include "netprobe/expect/openafs.h"

#include <inttypes.h>

#define DEAD_LOST 3u  /* transmissions lost before a size counts as dead */
#define ALIVE 3u      /* delivered before smaller ones count as alive */
#define MANY_LOST 10u /* for shares of loss to mean anything */

/* Sizes of whole datagrams parted in two: all from `dead` on do not get through. */
struct parted {
	size_t first, end;   /* of the whole datagrams, in the path's list */
	size_t dead;         /* = end: all sizes get through */
	uint64_t lost, sent; /* of the dead ones */
	uint64_t df;         /* of sent */
	uint64_t delivered;  /* of the smaller ones */
	uint32_t passes;     /* UDP payload of the largest delivered; 0 = none */
	uint32_t fails;      /* of the smallest dead */
	uint64_t first_frame, last_frame; /* of the losses */
	int64_t first_ns;
};

static bool is_dead(const struct fate *e)
{
	return e->delivered * 10 <= e->lost;
}

static struct parted part(const struct path *p)
{
	struct parted d = {.fails = UINT32_MAX};
	while (d.end < p->fates && !p->fate[d.end].cut)
		d.end++;
	d.dead = d.end;
	while (d.dead > 0 && is_dead(&p->fate[d.dead - 1]))
		d.dead--;
	for (size_t i = d.dead; i < d.end; i++) {
		const struct fate *e = &p->fate[i];
		if (!e->lost)
			continue;
		d.lost += e->lost;
		d.sent += e->sent;
		d.df += e->df;
		if (e->size_min < d.fails)
			d.fails = e->size_min;
		if (!d.first_frame || e->first_lost_frame < d.first_frame) {
			d.first_frame = e->first_lost_frame;
			d.first_ns = e->first_lost_ns;
		}
		if (e->last_lost_frame > d.last_frame)
			d.last_frame = e->last_lost_frame;
	}
	for (size_t i = 0; i < d.dead; i++) {
		d.delivered += p->fate[i].delivered;
		if (p->fate[i].delivered)
			d.passes = p->fate[i].size_max;
	}
	return d;
}

/* The receiver's own MTU where it is on the same network and too small for these. */
static uint32_t receiver_mtu(const struct path *p, const struct parted *d)
{
	const struct rx_trailer *t = p->receiver;
	if (!t || t->words < 2 || !path_direct(p))
		return 0;
	uint32_t mtu = t->interface + EXPECT_IP_UDP;
	return path_ip_len(p, d->fails) > mtu ? mtu : 0;
}

static void say_lost(struct finding *n, const struct path *p, const struct parted *d)
{
	char from[ADDR_TEXT], to[ADDR_TEXT];
	finding_say(n,
	            "DATA of IP length %" PRIu32 "%s from %s to %s was sent %" PRIu64
	            " times and never acknowledged",
	            path_ip_len(p, d->fails),
	            p->fate[d->end - 1].size_min > d->fails ? " and more" : "",
	            addr_format(&p->key.src, from), addr_format(&p->key.dst, to),
	            d->sent);
	if (d->passes)
		finding_say(n,
		            ", smaller ones were (up to IP length %" PRIu32 ", %" PRIu64
		            " datagrams)",
		            path_ip_len(p, d->passes), d->delivered);
	else
		finding_say(n, ", while the receiver's acks and pings arrive");
	if (d->df == d->sent)
		finding_say(n, "; DF set");
	finding_say(n, "; no ICMP \"fragmentation needed\" seen");
	if (p->timeouts)
		finding_say(n, "; %.1f s were spent waiting in %" PRIu64 " timeouts",
		            (double)p->stalled_ns / 1e9, p->timeouts);
	finding_fact(n, "sent", d->sent);
	finding_fact(n, "lost", d->lost);
	finding_fact(n, "ip_length_fails", path_ip_len(p, d->fails));
	if (d->passes) {
		finding_fact(n, "delivered_smaller", d->delivered);
		finding_fact(n, "ip_length_passes", path_ip_len(p, d->passes));
	}
	finding_fact(n, "timeouts", p->timeouts);
	finding_frames(n, d->first_frame, d->last_frame);
}

static void add_mixed(const struct facts *f, struct findings *out, const struct path *p,
                      const struct parted *d, uint32_t mtu)
{
	char to[ADDR_TEXT];
	struct finding *n = path_finding(out, f, FIND_MIXED_MTU, p, 0.95);
	const struct fact_iface *i = &f->ifaces[p->key.iface];
	bool own = iface_owns(i, &p->key.src);
	addr_format(&p->key.dst, to);
	say_lost(n, p, d);
	finding_say(n,
	            "; %s announces %" PRIu32 ", the size of MTU %" PRIu32
	            ", and no router is between: its interface is smaller than the "
	            "sender's on the same network",
	            to, p->receiver->interface, mtu);
	finding_fact(n, "receiver_mtu", mtu);
	finding_mend(n,
	             "give both hosts the same MTU; or on %s: ip route replace %s dev "
	             "%s mtu %" PRIu32
	             " (new peers only, so restart its AFS processes)",
	             way_sender(p->way), to, own ? i->name : "INTERFACE", mtu);
	if (p->way == TO_CLIENT)
		finding_mend(n, "; or start the client's afsd with -rxmaxfrags 1");
}

static void add_hole(const struct facts *f, struct findings *out, const struct path *p,
                     const struct parted *d)
{
	bool far = d->passes >= FATE_SMALL;
	struct finding *n = path_finding(out, f, FIND_BLACK_HOLE, p,
	                                 d->lost < DEAD_LOST         ? 0.6
	                                 : d->lost >= 5 && d->passes ? 0.95
	                                                             : 0.8);
	say_lost(n, p, d);
	uint32_t passes = path_ip_len(p, d->passes), fails = path_ip_len(p, d->fails);
	if (p->back_last_ns < d->first_ns) {
		finding_say(n, "; the receiver has not been heard of since, so it may "
		               "simply be gone");
		if (n)
			n->confidence *= 0.6;
	}
	if (d->passes)
		finding_say(
		        n, ": probable MTU black hole between %" PRIu32 " and %" PRIu32,
		        passes, fails);
	else
		finding_say(n, ": probable MTU black hole below %" PRIu32, fails);
	if (far && d->passes >= EXPECT_MIN) {
		mend_to_fit(n, p, passes);
		finding_mend(n,
		             ", or ip route replace %s mtu %" PRIu32 " on the sender; ",
		             p->way == TO_CLIENT ? "CLIENT" : "SERVER", passes);
	} else
		finding_mend(n, "find the size that passes with netprobe check, then "
		                "-rxmaxmtu N on the servers (N = that IP length - 28; "
		                "1260 suits most tunnels); ");
	finding_mend(n, "and let ICMP type 3 code 4 through on the way");
	if (far)
		find_tunnel(out, f, p, passes, fails);
}

/* Sizes that lose far more than the smaller ones, without being dead. */
static void look_at_shares(const struct facts *f, struct findings *out,
                           const struct path *p, bool cut)
{
	uint64_t lost[2] = {0}, done[2] = {0}, first = 0, last = 0;
	uint32_t from_size = UINT32_MAX;
	for (size_t i = 0; i < p->fates; i++) {
		const struct fate *e = &p->fate[i];
		bool large = cut ? e->cut : !e->cut && e->size_min > 1440;
		if (!cut && e->cut)
			continue;
		lost[large] += e->lost;
		done[large] += e->lost + e->delivered;
		if (!large || !e->lost)
			continue;
		if (e->size_min < from_size)
			from_size = e->size_min;
		if (!first || e->first_lost_frame < first)
			first = e->first_lost_frame;
		if (e->last_lost_frame > last)
			last = e->last_lost_frame;
	}
	if (lost[1] < MANY_LOST || !done[0] || path_damaged(p, lost[1], done[1]))
		return;
	double large = (double)lost[1] / (double)done[1],
	       small = (double)lost[0] / (double)done[0];
	/* enough small ones that as many losses as among the large would show */
	if (large < 0.03 || large < 4 * small || large * (double)done[0] < MANY_LOST)
		return;
	char a[ADDR_TEXT], b[ADDR_TEXT];
	struct finding *n = path_finding(out, f, FIND_LOSS_BY_SIZE, p, 0.8);
	finding_say(n,
	            "from %s to %s %.1f %% of the datagrams %s are lost (%" PRIu64
	            " of %" PRIu64 "), of the others %.1f %% (%" PRIu64 " of %" PRIu64
	            ")",
	            addr_format(&p->key.src, a), addr_format(&p->key.dst, b),
	            large * 100, cut ? "in fragments" : "beyond 1440 bytes", lost[1],
	            done[1], small * 100, lost[0], done[0]);
	finding_fact(n, "lost_large", lost[1]);
	finding_fact(n, "large", done[1]);
	finding_fact(n, "lost_small", lost[0]);
	finding_fact(n, "small", done[0]);
	finding_frames(n, first, last);
	if (cut)
		finding_mend(n, "avoid fragments: %s",
		             p->way == TO_CLIENT ? "-nojumbo on the server"
		                                 : "-rxmaxfrags 1 on the client");
	else
		finding_mend(n, "try -rxmaxmtu 1440 and less on the servers and "
		                "compare the rates");
}

static void look_at(const struct facts *f, struct findings *out, const struct path *p)
{
	static const enum finding_kind told[] = {
	        FIND_TOO_BIG_IGNORED, FIND_TOO_BIG_OBEYED, FIND_TOO_BIG_WITHOUT_MTU};
	static const enum finding_kind broken[] = {
	        FIND_FRAGMENTS_LOST, FIND_FIRST_FRAGMENTS_ONLY, FIND_FRAGMENTS_BLOCKED};
	struct parted d = part(p);
	/* peers not known yet are waited for 3 s, then twice as long each time */
	bool lost =
	        d.lost >= DEAD_LOST || (d.lost == DEAD_LOST - 1 && p->timeouts >= 2);
	bool enough = lost && d.fails >= FATE_SMALL;
	bool alive = d.delivered >= ALIVE || p->pings_answered || p->acks_back >= ALIVE;
	if (enough && alive && !found_any(out, &p->key, 3, told)) {
		uint32_t mtu = receiver_mtu(p, &d);
		if (mtu)
			add_mixed(f, out, p, &d, mtu);
		else
			add_hole(f, out, p, &d);
		return;
	}
	if (!found_any(out, &p->key, 3, broken))
		look_at_shares(f, out, p, true);
	if (!findings_find(out, FIND_LOSS_BY_SIZE, p->key.iface, &p->key.src,
	                   &p->key.dst))
		look_at_shares(f, out, p, false);
}

void rule_size_loss(const struct facts *f, struct findings *out)
{
	for (size_t i = 0; i < f->n_paths; i++)
		look_at(f, out, &f->paths[i]);
}
