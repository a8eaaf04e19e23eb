#include "netprobe/check/row.h"

#include <stdarg.h>
#include <stdio.h>

/* Datagrams that must have been seen before their sizes are compared: Rx begins small
 * and grows. */
#define ENOUGH_DATAGRAMS 64u

static const struct {
	const char *id;
	enum gravity gravity;
} table[VERDICTS] = {
        [VERDICT_OK] = {"ok", GRAVITY_OK},
        [VERDICT_LOCAL] = {"this-host", GRAVITY_OK},
        [VERDICT_PATH_SMALLER] = {"path-smaller", GRAVITY_NOTE},
        [VERDICT_OTHER_WAY] = {"other-way", GRAVITY_NOTE},
        [VERDICT_NOT_EXACT] = {"not-exact", GRAVITY_NOTE},
        [VERDICT_SILENT] = {"silent", GRAVITY_WARNING},
        [VERDICT_FELL_SILENT] = {"fell-silent", GRAVITY_WARNING},
        [VERDICT_MTU_DIFFERS] = {"mtu-differs", GRAVITY_WARNING},
        [VERDICT_RX_DIFFERS] = {"rx-differs", GRAVITY_WARNING},
        [VERDICT_OBSERVED_LARGER] = {"observed-larger", GRAVITY_WARNING},
        [VERDICT_OBSERVED_SMALLER] = {"observed-smaller", GRAVITY_WARNING},
        [VERDICT_STALE_TABLE] = {"stale-table", GRAVITY_WARNING},
        [VERDICT_TOO_LARGE] = {"too-large", GRAVITY_WARNING},
        [VERDICT_ASKED_OTHER] = {"other-address", GRAVITY_NOTE},
        [VERDICT_OTHER_LINK] = {"other-interface", GRAVITY_WARNING},
        [VERDICT_LINK_DOWN] = {"link-down", GRAVITY_CRITICAL},
        [VERDICT_PATH_DIFFERS] = {"path-differs", GRAVITY_CRITICAL},
        [VERDICT_FORBIDDEN] = {"forbidden", GRAVITY_CRITICAL},
        [VERDICT_REFUSED] = {"refused", GRAVITY_CRITICAL},
        [VERDICT_UNREACHABLE] = {"unreachable", GRAVITY_CRITICAL},
        [VERDICT_NO_ROUTE] = {"no-route", GRAVITY_CRITICAL},
        [VERDICT_BLACK_HOLE] = {"black-hole", GRAVITY_CRITICAL},
        [VERDICT_GONE] = {"interface-gone", GRAVITY_CRITICAL},
};

const char *verdict_id(enum verdict v)
{
	return table[v].id;
}

enum gravity verdict_gravity(enum verdict v)
{
	return table[v].gravity;
}

__attribute__((format(printf, 3, 4))) static void find(struct row *r, enum verdict v,
                                                       const char *fmt, ...)
{
	if (r->findings == ROW_FINDINGS)
		return;
	struct row_finding *f = &r->finding[r->findings++];
	va_list args;
	va_start(args, fmt);
	f->verdict = v;
	vsnprintf(f->text, sizeof f->text, fmt, args);
	va_end(args);
	/* of equals the first one stays */
	if (verdict_gravity(v) > verdict_gravity(r->verdict))
		r->verdict = v;
}

/* Datagrams beyond the MTU that the kernel is set to leave in pieces of it. */
uint32_t row_largest_packet(const struct row *r)
{
	uint32_t largest = r->has_expect ? r->expect.size[EXPECT_CLEAR].ip_len : 0;
	if (r->seen && r->seen->way[SEEN_SENT].largest + EXPECT_IP4_UDP > largest)
		largest = r->seen->way[SEEN_SENT].largest + EXPECT_IP4_UDP;
	if (largest == 0)
		largest = EXPECT_REMOTE + EXPECT_IP4_UDP;
	if (r->mtu && largest > r->mtu)
		largest = r->mtu;
	return largest;
}

static void judge_end(struct row *r, const char *peer, const char *by)
{
	const struct path_result *p = &r->path;
	char who[ADDR_TEXT] = "this host";
	if (p->has_from)
		addr_format(&p->from, who);
	switch (p->end) {
	case PATH_SILENT:
		find(r, VERDICT_SILENT,
		     "%s answered none of %u small %s probes in %.0f s: it is down, "
		     "does not "
		     "speak this, or a firewall drops them; --method icmp asks in "
		     "another way",
		     peer, p->sent, probe_method_name(r->method),
		     (double)p->took_ns / 1e9);
		break;
	case PATH_FELL_SILENT:
		find(r, VERDICT_FELL_SILENT,
		     "%s answered %u probes and then no more of any size: the path "
		     "broke, or "
		     "something limits their rate (--rate)",
		     peer, p->answered);
		break;
	case PATH_UNREACHABLE:
		find(r, VERDICT_UNREACHABLE, "%s cannot be reached%s: %s says %s", peer,
		     by, who, strerror(p->sys));
		break;
	case PATH_REFUSED:
		find(r, VERDICT_REFUSED,
		     "%s is there but nothing listens on port %u: wrong port, or its "
		     "AFS is not running; --method icmp measures the path all the same",
		     peer, r->peer.port);
		break;
	case PATH_GONE:
		find(r, VERDICT_GONE,
		     "the interface %s went away or down while it was probed (%s)",
		     r->has_iface ? r->iface.name : "?",
		     p->sys ? strerror(p->sys) : "it is not up any more");
		break;
	case PATH_FORBIDDEN:
		find(r, VERDICT_FORBIDDEN,
		     "this host does not let probes to %s out (%s): look at its own "
		     "firewall",
		     peer, strerror(p->sys));
		break;
	case PATH_NOT_EXACT:
	case PATH_STOPPED:
		find(r, VERDICT_NOT_EXACT,
		     "the probe of %s ended after %u packets: between %u and %u bytes "
		     "of IP "
		     "get through",
		     peer, p->sent, p->passes, p->fails ? p->fails - 1 : r->mtu);
		break;
	case PATH_FOUND:
	case PATH_ENDS:
		break;
	}
}

/* What limits Rx itself: clients also join packets, up to four fragments. */
static const char *option_of(const struct row *r)
{
	return r->program == EXPECT_SERVER ? "-rxmaxmtu" : "-rxmaxfrags 1 -rxmaxmtu";
}

static void judge_size(struct row *r, const char *peer, const char *by)
{
	const struct path_result *p = &r->path;
	uint32_t sends = row_largest_packet(r), rx = p->passes - EXPECT_IP4_UDP;
	char who[ADDR_TEXT] = "";
	if (p->fails == 0 || (r->mtu && p->passes >= r->mtu))
		return;
	if (p->has_from)
		addr_format(&p->from, who);
	if (sends <= p->passes) {
		find(r, VERDICT_PATH_SMALLER,
		     "packets to %s%s get through up to %u of IP, less than the %u "
		     "that this "
		     "host believes%s; AFS sends at most %u, so it is not touched",
		     peer, by, p->passes, r->mtu,
		     p->silent_loss ? ", and larger ones vanish without a word" : "",
		     sends);
	} else if (p->silent_loss) {
		find(r, VERDICT_BLACK_HOLE,
		     "packets to %s%s over %u bytes of IP vanish without a word, and "
		     "this "
		     "host sends up to %u: transfers hang; mend the path, or set ip "
		     "route … "
		     "mtu %u to it, or %s %u here",
		     peer, by, p->passes, sends, p->passes, option_of(r), rx);
	} else {
		find(r, VERDICT_TOO_LARGE,
		     "packets to %s%s get through up to %u of IP, and this host sends "
		     "up to %u: "
		     "%s %s, so they are lost once and then cut; ip route … mtu %u, or "
		     "%s %u here, avoids it",
		     peer, by, p->passes, sends, *who ? who : "a router",
		     "says so by ICMP", p->passes, option_of(r), rx);
	}
}

/* Without a probe, what ICMP told the kernel before. */
static void judge_learned(struct row *r, const char *peer, const char *by)
{
	uint32_t learned = r->route.path_mtu, sends = row_largest_packet(r);
	if (learned == 0 || (r->mtu && learned >= r->mtu))
		return;
	if (sends <= learned)
		find(r, VERDICT_PATH_SMALLER,
		     "a router has told this host that %u bytes of IP get through to "
		     "%s%s; "
		     "AFS sends at most %u, so it is not touched",
		     learned, peer, by, sends);
	else
		find(r, VERDICT_TOO_LARGE,
		     "a router has told this host that %u bytes of IP get through to "
		     "%s%s, and "
		     "AFS sends up to %u: they are lost once and then cut; ip route … "
		     "mtu %u, "
		     "or %s %u here, avoids it",
		     learned, peer, by, sends, learned, option_of(r),
		     learned - EXPECT_IP4_UDP);
}

static void judge_wanted(struct row *r, const char *peer)
{
	const struct expectation *w = r->wanted;
	const struct path_result *p = &r->path;
	if (w->mtu && r->has_iface && r->iface.mtu != w->mtu)
		find(r, VERDICT_MTU_DIFFERS,
		     "the interface %s towards %s has MTU %u and line %u of the "
		     "expectation "
		     "file states %u",
		     r->iface.name, peer, r->iface.mtu, w->line, w->mtu);
	uint32_t path = r->probed && p->passes ? p->passes : r->mtu;
	if (w->path && path && path < w->path)
		find(r, VERDICT_PATH_DIFFERS,
		     "%u bytes of IP %s to %s and line %u of the expectation file "
		     "states %u",
		     path,
		     r->probed && p->passes ? "get through"
		                            : "are what the kernel sends",
		     peer, w->line, w->path);
	uint32_t rx = r->expect.size[EXPECT_CLEAR].udp_payload;
	if (w->rx && r->has_expect && rx != w->rx)
		find(r, VERDICT_RX_DIFFERS,
		     "AFS sends %s datagrams of %u by these interfaces and options, "
		     "and line "
		     "%u of the expectation file states %u",
		     peer, rx, w->line, w->rx);
}

/* A process read its interfaces when it started: does what it announces still follow
 * from them, with one fragment a datagram or with four? */
static bool announces_now(const struct row *r)
{
	uint32_t told = r->seen->own.interface, now = r->expect.own.size;
	uint32_t f = r->expect.own.iface ? expect_size_for_mtu(r->mtu) : now;
	if (f > EXPECT_MAX_SEND)
		f = EXPECT_MAX_SEND;
	return told == now || told == f || told == expect_adjust_if(EXPECT_FRAGS, f);
}

static void judge_seen(struct row *r, const char *peer)
{
	const struct seen *s = r->seen;
	const struct seen_way *sent = &s->way[SEEN_SENT];
	const struct expect_size *size = r->expect.size;
	uint32_t least = size[EXPECT_CLEAR].udp_payload;
	if (s->has_own && s->own.words >= 2 && r->mtu && !announces_now(r))
		find(r, VERDICT_STALE_TABLE,
		     "this host announced %u to %s, and its interfaces as they are now "
		     "give %u: "
		     "an option (-rxmaxmtu), or the MTU was changed after the process "
		     "started; "
		     "restart it",
		     s->own.interface, peer, r->expect.own.size);
	for (int i = EXPECT_CLEAR; i <= EXPECT_RXKAD_CRYPT; i++)
		if (size[i].udp_payload < least)
			least = size[i].udp_payload;
	if (sent->largest > size[EXPECT_CLEAR].udp_payload)
		find(r, VERDICT_OBSERVED_LARGER,
		     "the capture has datagrams of %u to %s, and by these interfaces "
		     "and "
		     "options %u is the most",
		     sent->largest, peer, size[EXPECT_CLEAR].udp_payload);
	else if (sent->datagrams >= ENOUGH_DATAGRAMS && sent->largest < least)
		find(r, VERDICT_OBSERVED_SMALLER,
		     "the %llu DATA datagrams to %s in the capture are at most %u "
		     "long, and by "
		     "these interfaces and options %u is expected",
		     (unsigned long long)sent->datagrams, peer, sent->largest,
		     size[EXPECT_CLEAR].udp_payload);
}

/* Before it has an ack, a peer may send EXPECT_REMOTE whatever we take. */
static void judge_received(struct row *r, const char *peer)
{
	const struct seen *s = r->seen;
	uint32_t largest = s->way[SEEN_RECEIVED].largest;
	if (s->has_own && largest > s->own.max_receive && largest > EXPECT_REMOTE)
		find(r, VERDICT_OBSERVED_LARGER,
		     "the capture has datagrams of %u from %s, and this host announced "
		     "that it takes %u at most",
		     largest, peer, s->own.max_receive);
}

static void judge_only_seen(struct row *r, const char *peer)
{
	uint64_t sent = r->seen->way[SEEN_SENT].datagrams;
	uint64_t received = r->seen->way[SEEN_RECEIVED].datagrams;
	find(r, VERDICT_OTHER_WAY,
	     "%llu DATA datagrams of %s came in by %s and %llu to it left there, and "
	     "the "
	     "route to it is by %s: the way there and the way back may differ in MTU",
	     (unsigned long long)received, peer, r->iface.name,
	     (unsigned long long)sent, r->route_iface[0] ? r->route_iface : "none");
}

static bool judge_route(struct row *r, const char *peer)
{
	switch (r->route.kind) {
	case HOST_ROUTE_UNICAST:
	case HOST_ROUTE_OTHER:
		break;
	case HOST_ROUTE_LOCAL:
		r->verdict = VERDICT_LOCAL;
		return false;
	default:
		find(r, VERDICT_NO_ROUTE, "this host has no way to %s%s: %s", peer,
		     r->has_from ? " from there" : "",
		     host_route_kind_text(r->route.kind));
		return false;
	}
	if (r->owner[0] && r->has_iface && strcmp(r->owner, r->iface.name) != 0) {
		char a[ADDR_TEXT];
		find(r, VERDICT_OTHER_LINK,
		     "packets from %s to %s leave by %s, not by %s that has this "
		     "address: the "
		     "routes look at the destination only; an ip rule from %s would "
		     "keep them "
		     "there",
		     addr_format(&r->source, a), peer, r->iface.name, r->owner, a);
	}
	if (r->has_iface && !r->iface.up) {
		find(r, VERDICT_LINK_DOWN, "the interface %s is down", r->iface.name);
		return false;
	}
	return true;
}

void row_judge(struct row *r)
{
	char peer[PEER_TEXT], by[48] = "";
	r->findings = 0;
	r->verdict = VERDICT_OK;
	peer_format(&r->peer, peer);
	if (r->has_iface)
		snprintf(by, sizeof by, " by %s", r->iface.name);
	if (!judge_route(r, peer))
		return;
	if (r->probed) {
		judge_end(r, peer, by);
		if (r->path.passes && r->path.end != PATH_GONE)
			judge_size(r, peer, by);
	} else {
		judge_learned(r, peer, by);
	}
	if (r->has_other) {
		char a[ADDR_TEXT];
		find(r, VERDICT_ASKED_OTHER,
		     "%s answers from %s: firewalls and NAT in between may drop that",
		     peer, addr_format(&r->other, a));
	}
	if (r->live_gone && !(r->probed && r->path.end == PATH_GONE))
		find(r, VERDICT_GONE,
		     "the interface %s went away or down while it was captured on; "
		     "what "
		     "is observed is from before that",
		     r->iface.name);
	if (r->only_seen)
		judge_only_seen(r, peer);
	if (r->wanted)
		judge_wanted(r, peer);
	if (r->seen && r->has_expect)
		judge_seen(r, peer);
	if (r->seen)
		judge_received(r, peer);
}
