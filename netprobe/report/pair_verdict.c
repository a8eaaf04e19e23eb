#include "netprobe/report/pair_verdict.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* What is written so far. */
struct text {
	char *out;
	size_t size, used;
	bool wanted; /* the next piece begins a sentence of its own */
};

__attribute__((format(printf, 2, 3))) static void say(struct text *t, const char *fmt,
                                                      ...)
{
	va_list ap;
	if (t->wanted && t->used > 0 && t->size - t->used > 2) {
		t->out[t->used++] = ';';
		t->out[t->used++] = ' ';
	}
	t->wanted = false;
	va_start(ap, fmt);
	int n = vsnprintf(t->out + t->used, t->size - t->used, fmt, ap);
	va_end(ap);
	if (n > 0)
		t->used += (size_t)n < t->size - t->used ? (size_t)n
		                                         : t->size - t->used - 1;
}

uint32_t first_piece_mtu(uint32_t first_ip_len)
{
	/* PPPoE, tunnels, Ethernet, FDDI, jumbo frames, ATM */
	static const uint32_t usual[] = {576,  1280, 1400, 1420,  1450,
	                                 1476, 1480, 1492, 1500,  4352,
	                                 9000, 9180, 9216, 17914, 65280};
	for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
		if (usual[i] >= first_ip_len && usual[i] - first_ip_len < 8)
			return usual[i];
	return first_ip_len;
}

static void say_range(struct text *t, const struct pair_mss *m)
{
	if (m->min != m->max)
		say(t, "%" PRIu32 " to ", m->min);
	say(t, "%" PRIu32, m->max);
}

static void say_mss(struct text *t, const struct pair_facts *f)
{
	const struct pair *p = f->pair;
	uint32_t headers = tcp_headers(f->family), segment = pair_segment(p);
	say(t, "TCP MSS ");
	if (!p->mss.syns) {
		say_range(t, &p->peer_mss);
		say(t,
		    " announced by the receiver, the sender's SYN not seen: MTU "
		    "there %" PRIu32,
		    p->peer_mss.max + headers);
	} else if (!p->peer_mss.syns) {
		say_range(t, &p->mss);
		say(t,
		    " announced by the sender, the receiver's SYN not seen: MTU "
		    "here %" PRIu32,
		    p->mss.max + headers);
	} else if (p->mss.max == p->peer_mss.max) {
		say_range(t, &p->mss);
		say(t, " announced both ways: MTU %" PRIu32, segment + headers);
	} else {
		say_range(t, &p->mss);
		say(t, " announced by the sender, ");
		say_range(t, &p->peer_mss);
		say(t, " by the receiver: IP packets of at most %" PRIu32,
		    segment + headers);
	}
}

static bool rule_tcp(struct text *t, const struct pair_facts *f)
{
	const struct pair_packets *k = &f->pair->kind[PAIR_TCP];
	bool mss = f->pair->mss.syns || f->pair->peer_mss.syns;
	if (!k->packets)
		return false;
	if (mss)
		say_mss(t, f);
	else if (f->pair->mss.syns_without)
		say(t, "TCP without an MSS announced");
	else if (k->lengths.max > 1500 || k->super)
		say(t, "no TCP SYN seen, so the segment size is not known");
	else
		return false;
	if (k->lengths.total)
		say(t, "; largest IP length seen %" PRIu32, k->lengths.max);
	if (!mss && !f->mtu && k->lengths.max > 1500)
		say(t, ", which may be an offload's work or a jumbo frame");
	return false;
}

static void say_super(struct text *t, const struct pair_packets *k, const char *what)
{
	if (!k->super)
		return;
	t->wanted = true;
	say(t, "%" PRIu64 " %s packets put together by an offload (GRO, LRO, TSO)",
	    k->super, what);
	if (k->super_unknown < k->super)
		say(t, ", about %" PRIu64 " on the wire", k->super_wire);
	say(t, ": no size is taken from them");
}

static bool rule_super(struct text *t, const struct pair_facts *f)
{
	say_super(t, &f->pair->kind[PAIR_TCP], "TCP");
	say_super(t, &f->pair->kind[PAIR_UDP], "UDP");
	return false;
}

static bool rule_udp(struct text *t, const struct pair_facts *f)
{
	const struct pair_packets *k = &f->pair->kind[PAIR_UDP];
	/* smaller ones tell nothing: every IPv6 link carries 1280 */
	if (k->lengths.total && k->lengths.max > 1280 &&
	    k->lengths.max > f->pair->fragments.first_max)
		say(t,
		    "UDP up to IP length %" PRIu32 " went whole%s: the path carries "
		    "that",
		    k->lengths.max, k->df == k->packets ? " with DF set" : "");
	return false;
}

/* RFC 791 and 8200: what every link must carry. */
static uint32_t least_mtu(unsigned family)
{
	return family == 4 ? 68 : 1280;
}

static void say_piece(struct text *t, uint32_t first, unsigned family)
{
	uint32_t mtu = first_piece_mtu(first);
	if (first + 7 < least_mtu(family)) {
		say(t,
		    ": first fragment %" PRIu32
		    ", smaller than any link asks for: cut on purpose",
		    first);
		return;
	}
	say(t, ": first fragment %" PRIu32 " => ", first);
	/* IPIP leaves 1480, cut to 1476, which GRE leaves */
	if (first == 1476)
		say(t, "route or path MTU 1476 or 1480");
	else if (first == mtu)
		say(t, "route or path MTU %" PRIu32, mtu);
	else
		say(t,
		    "route or path MTU %" PRIu32 " to %" PRIu32 ", probably %" PRIu32,
		    first, first + 7, mtu);
}

static bool rule_fragments(struct text *t, const struct pair_facts *f)
{
	const struct pair_fragments *g = &f->pair->fragments;
	if (!g->first_max)
		return false;
	uint32_t mtu = first_piece_mtu(g->first_max);
	bool whole_larger = f->largest_whole > g->first_max + 7;
	bool fits = g->datagram_min && g->datagram_min <= f->mtu;
	if (fits || (!f->mtu && whole_larger && g->datagram_min &&
	             g->datagram_min <= f->largest_whole)) {
		if (fits)
			say(t,
			    "fragmented although the datagram (IP length %" PRIu32
			    ") fits the interface MTU %" PRIu32,
			    g->datagram_min, f->mtu);
		else
			say(t,
			    "fragmented (IP length %" PRIu32
			    ") although packets of %" PRIu32 " went whole the same way",
			    g->datagram_min, f->largest_whole);
		say_piece(t, g->first_max, f->family);
		return true;
	}
	if (g->datagram_max)
		say(t, "datagrams up to IP length %" PRIu32 " fragmented",
		    g->datagram_max);
	else if (g->udp_max)
		say(t,
		    "datagrams up to UDP payload %" PRIu32
		    " (by their UDP length) fragmented",
		    g->udp_max);
	else
		say(t, "datagrams fragmented");
	if (f->mtu &&
	    (mtu == f->mtu || (f->mtu >= g->first_max && f->mtu - g->first_max < 8)))
		say(t, " at the interface MTU %" PRIu32, f->mtu);
	else
		say_piece(t, g->first_max, f->family);
	return false;
}

static bool rule_broken(struct text *t, const struct pair_facts *f)
{
	const struct pair_fragments *g = &f->pair->fragments;
	uint64_t all = 0;
	for (int e = 0; e < FRAGMENT_ENDS; e++)
		all += g->trains[e];
	uint64_t broken = all - g->trains[FRAGMENT_WHOLE];
	if (!broken)
		return false;
	say(t, "%" PRIu64 " of %" PRIu64 " fragment trains incomplete", broken, all);
	const char *gap = " (";
	for (int e = 0; e < FRAGMENT_ENDS; e++) {
		if (e == FRAGMENT_WHOLE || !g->trains[e])
			continue;
		say(t, "%s%" PRIu64 " %s", gap, g->trains[e],
		    fragment_end_name((enum fragment_end)e));
		gap = ", ";
	}
	say(t, ")");
	if (g->orphans)
		say(t,
		    ", %" PRIu64 " pieces (%" PRIu64 " IP bytes) without their first",
		    g->orphans, g->orphan_ip_bytes);
	return true;
}

static bool rule_overlap(struct text *t, const struct pair_facts *f)
{
	uint64_t n = f->pair->fragments.overlaps;
	if (!n)
		return false;
	say(t, "%" PRIu64 " fragment trains with overlapping pieces: suspicious", n);
	return true;
}

/* RFC 4963: 65536 ids, and a receiver keeps pieces for 30 s or more. */
static bool rule_id_wrap(struct text *t, const struct pair_facts *f)
{
	const struct pair_fragments *g = &f->pair->fragments;
	uint64_t trains = 0;
	for (int e = 0; e < FRAGMENT_ENDS; e++)
		trains += g->trains[e];
	double seconds = (double)(g->last_ns - g->first_ns) / 1e9;
	if (f->family != 4 || trains < 1000 || seconds <= 0)
		return false;
	double wrap = 65536 * seconds / (double)trains;
	if (wrap >= 30)
		return false;
	say(t,
	    "%.0f trains/s: the 65536 IP ids wrap within %.2g s, so a lost piece may "
	    "be replaced by one of another datagram (RFC 4963)",
	    (double)trains / seconds, wrap);
	return true;
}

bool pair_verdict(const struct pair_facts *f, char *out, size_t size)
{
	static bool (*const rules[])(struct text *, const struct pair_facts *) = {
	        rule_tcp,    rule_super,   rule_udp,     rule_fragments,
	        rule_broken, rule_overlap, rule_id_wrap,
	};
	struct text t = {.out = out, .size = size};
	bool trouble = false;
	out[0] = 0;
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
		t.wanted = true;
		trouble |= rules[i](&t, f);
	}
	return trouble;
}

bool pieces_hidden(const struct iface_stats *s)
{
	return s->first_pieces >= 3 && s->later_pieces == 0;
}

const char pieces_hidden_text[] =
        "first fragments only, no others at all: the capture filter probably dropped "
        "the rest; sizes of large datagrams are taken from the UDP length, IP bytes "
        "are lower bounds";
