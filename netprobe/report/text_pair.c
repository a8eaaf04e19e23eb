#include "netprobe/report/text_pair.h"

#include "netprobe/decode/icmp_name.h"
#include "netprobe/report/pair_verdict.h"
#include "netprobe/report/result_pair.h"
#include "src/base/grid.h"

#include <inttypes.h>

static bool shown(const struct result_pair *p)
{
	return p->beyond_rx || p->trouble;
}

/* Whether pair number n of its interface is among the top. */
static bool within(size_t top, size_t n)
{
	return top == 0 || n < top;
}

static uint64_t trains(const struct pair_fragments *g, bool whole)
{
	uint64_t n = 0;
	for (int e = 0; e < FRAGMENT_ENDS; e++)
		if ((e == FRAGMENT_WHOLE) == whole)
			n += g->trains[e];
	return n;
}

static void add_row(struct grid *g, const struct result_pair *p)
{
	char text[ADDR_TEXT];
	const struct pair *q = p->pair;
	const struct pair_packets *tcp = &q->kind[PAIR_TCP], *udp = &q->kind[PAIR_UDP],
	                          *other = &q->kind[PAIR_OTHER];
	grid_add(g, "%s", p->iface->source->name);
	grid_add(g, "%s", addr_format(&q->key.src, text));
	grid_add(g, "%s", addr_format(&q->key.dst, text));
	grid_add(g, "%" PRIu64, p->ip_bytes);
	grid_add(g, "%" PRIu64, tcp->packets);
	grid_add(g, "%" PRIu64, tcp->ip_bytes);
	grid_add(g, "%" PRIu64, udp->packets);
	grid_add(g, "%" PRIu64, udp->ip_bytes);
	grid_add(g, "%" PRIu64, other->packets);
	grid_add(g, "%" PRIu64, tcp->super + udp->super + other->super);
	grid_add(g, "%" PRIu32, p->largest_whole);
	grid_add(g, "%" PRIu64, q->fragments.pieces);
	grid_add(g, "%.1f", p->fragment_share * 100);
	grid_add(g, "%" PRIu64, trains(&q->fragments, true));
	grid_add(g, "%" PRIu64, trains(&q->fragments, false));
	grid_add(g, "%" PRIu64, q->fragments.orphan_ip_bytes);
}

static void print_verdict(const struct result_pair *p, FILE *out)
{
	char src[ADDR_TEXT], dst[ADDR_TEXT];
	if (p->verdict[0])
		fprintf(out, "  %s -> %s: %s\n", addr_format(&p->pair->key.src, src),
		        addr_format(&p->pair->key.dst, dst), p->verdict);
}

/* Calls for each pair to be shown; returns how many are not for lack of room. */
static size_t each(const struct result *r, size_t top, struct grid *g, FILE *out)
{
	const struct result_iface *iface = NULL;
	size_t n = 0, hidden = 0;
	for (size_t i = 0; i < r->n_pairs; i++) {
		const struct result_pair *p = &r->pairs[i];
		if (!shown(p))
			continue;
		if (p->iface != iface)
			n = 0;
		iface = p->iface;
		if (!within(top, n++))
			hidden++;
		else if (g)
			add_row(g, p);
		else
			print_verdict(p, out);
	}
	return hidden;
}

static bool any_pair(const struct result *r)
{
	for (size_t i = 0; i < r->n_pairs; i++)
		if (shown(&r->pairs[i]))
			return true;
	return false;
}

static void print_pairs(const struct result *r, size_t top, FILE *out)
{
	static const char *const heads[] = {
	        "interface",      "from",          "to",
	        "IP bytes",       "TCP packets",   "TCP IP bytes",
	        "UDP packets",    "UDP IP bytes",  "other",
	        "offloaded",      "largest whole", "fragments",
	        "% of bytes",     "trains whole",  "broken",
	        "orphan IP bytes"};
	if (!any_pair(r))
		return;
	struct grid g;
	grid_init(&g, sizeof heads / sizeof *heads, 7);
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		grid_add(&g, "%s", heads[i]);
	size_t hidden = each(r, top, &g, out);
	fputs("\nTraffic that is no Rx, and fragments, by pair of hosts (IP bytes: Rx "
	      "too; UDP: what is no Rx; lengths: IP)\n",
	      out);
	grid_print(&g, out, 0);
	grid_free(&g);
	each(r, top, NULL, out);
	if (hidden)
		fprintf(out, "%zu smaller pairs are not shown (--top 0 shows all)\n",
		        hidden);
}

static void add_end(struct grid *g, const struct icmp_error *e, bool dst)
{
	char text[ADDR_TEXT];
	if (!e->quotes) {
		grid_add(g, "-");
		return;
	}
	addr_format(dst ? &e->key.dst : &e->key.src, text);
	if (e->has_ports)
		grid_add(g, addr_is_v4(&e->key.src) ? "%s:%u" : "[%s]:%u", text,
		         dst ? e->key.dport : e->key.sport);
	else
		grid_add(g, "%s", text);
}

static void add_icmp_row(struct grid *g, const struct result_icmp *i)
{
	const struct icmp_error *e = i->error;
	char text[ADDR_TEXT], name[ICMP_NAME_TEXT];
	grid_add(g, "%s", i->iface->source->name);
	grid_add(g, "%s", addr_format(&e->key.from, text));
	grid_add(g, "%s",
	         icmp_error_name(e->key.family, e->key.type, e->key.code, name));
	add_end(g, e, false);
	add_end(g, e, true);
	grid_add(g, "%s", icmp_seen_name(i->seen));
	grid_add(g, "%" PRIu64, e->count);
	if (e->mtu_min && e->mtu_min != e->mtu_max)
		grid_add(g, "%" PRIu32 " to %" PRIu32, e->mtu_min, e->mtu_max);
	else if (e->mtu_min)
		grid_add(g, "%" PRIu32, e->mtu_min);
	else
		grid_add(g, e->too_big ? "0 (none told)" : "-");
}

static void print_icmp(const struct result *r, size_t top, FILE *out)
{
	static const char *const heads[] = {
	        "interface",          "from",        "error",   "quoted source",
	        "quoted destination", "quoted flow", "packets", "next-hop MTU"};
	if (!r->n_icmp)
		return;
	struct grid g;
	grid_init(&g, sizeof heads / sizeof *heads, 63);
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		grid_add(&g, "%s", heads[i]);
	const struct result_iface *iface = NULL;
	size_t n = 0, hidden = 0;
	uint64_t strangers = 0;
	for (size_t i = 0; i < r->n_icmp; i++) {
		const struct result_icmp *e = &r->icmp[i];
		if (e->seen == ICMP_NOTHING_SEEN)
			strangers += e->error->count;
		if (e->iface != iface)
			n = 0;
		iface = e->iface;
		if (within(top, n++))
			add_icmp_row(&g, e);
		else
			hidden++;
	}
	fputs("\nICMP errors, by what they quote\n", out);
	grid_print(&g, out, 0);
	grid_free(&g);
	if (hidden)
		fprintf(out, "%zu rarer ones are not shown (--top 0 shows all)\n",
		        hidden);
	if (strangers)
		fprintf(out,
		        "ICMP for a flow not seen here: %" PRIu64
		        " packets (routes may "
		        "differ, or a load balancer sent them to the wrong host)\n",
		        strangers);
}

void text_pairs(const struct result *r, size_t top, FILE *out)
{
	print_pairs(r, top, out);
	print_icmp(r, top, out);
	struct track_pairs_gone gone = track_pairs_gone(r->track);
	if (gone.pairs)
		fprintf(out,
		        "note: %" PRIu64 " pairs of hosts left the full table with "
		        "%" PRIu64 " IP packets, %" PRIu64 " bytes\n",
		        gone.pairs, gone.ip_packets, gone.ip_bytes);
	if (track_icmp_errors_evicted(r->track))
		fprintf(out,
		        "note: %" PRIu64 " kinds of ICMP errors left the full table\n",
		        track_icmp_errors_evicted(r->track));
}

void text_pair_notes(const struct result_iface *i, FILE *out)
{
	const struct iface_stats *s = i->stats;
	if (s->trailing_frames)
		fprintf(out,
		        "  %s: %" PRIu64 " frames carry %" PRIu64 " trailing bytes "
		        "behind the IP packet, beyond padding (GSO left the IP length "
		        "of "
		        "one segment, or a tap adds a trailer)\n",
		        i->source->name, s->trailing_frames, s->trailing_bytes);
	if (s->rx_elsewhere)
		fprintf(out,
		        "  %s: %" PRIu64 " Rx datagrams on ports that are not AFS's, "
		        "taken by their headers; the first of such a flow counts as "
		        "other UDP\n",
		        i->source->name, s->rx_elsewhere);
	if (pieces_hidden(s))
		fprintf(out, "  %s: %s\n", i->source->name, pieces_hidden_text);
}
