#include "netprobe/track/pair.h"

#include "src/base/cursor.h"

/* 16 MiB of them: most pairs need a handful, hostile ones shall not need all. */
#define LENGTHS_MAX (1u << 20)

static void pair_leaves(void *ctx, void *entry)
{
	struct pairs *ps = ctx;
	struct pair *p = entry;
	if (ps->latest == p)
		ps->latest = NULL;
	ps->gone_packets += p->fragments.pieces;
	ps->gone_ip_bytes += p->fragments.ip_bytes;
	for (int k = 0; k < PAIR_KINDS; k++) {
		ps->gone_packets += p->kind[k].packets;
		ps->gone_ip_bytes += p->kind[k].ip_bytes;
		ps->lengths_left += p->kind[k].lengths.used;
		sizes_free(&p->kind[k].lengths);
	}
}

int pairs_init(struct pairs *ps, size_t capacity)
{
	*ps = (struct pairs){.lengths_left = LENGTHS_MAX};
	ps->table = table_new(sizeof(struct pair_key), sizeof(struct pair), capacity,
	                      pair_leaves, ps);
	return ps->table ? 0 : -1;
}

void pairs_free(struct pairs *ps)
{
	for (struct pair *p = NULL; ps->table && (p = table_next(ps->table, p));)
		for (int k = 0; k < PAIR_KINDS; k++)
			sizes_free(&p->kind[k].lengths);
	table_free(ps->table);
	*ps = (struct pairs){0};
}

struct pair *pairs_at(struct pairs *ps, const struct pair_key *k)
{
	struct pair *p = ps->latest;
	if (p && p->key.iface == k->iface && addr_compare(&p->key.src, &k->src) == 0 &&
	    addr_compare(&p->key.dst, &k->dst) == 0)
		return p;
	bool made;
	p = table_get(ps->table, k, &made);
	ps->latest = p;
	return p;
}

static void add_length(struct pairs *ps, struct sizes *s, uint32_t len)
{
	if (ps->lengths_left == 0 && sizes_count(s, len) == 0) {
		/* as sizes do where memory is out */
		if (s->total == 0 || len < s->min)
			s->min = len;
		if (s->total == 0 || len > s->max)
			s->max = len;
		s->total++;
		s->sum += len;
		s->uncounted++;
		return;
	}
	uint32_t used = s->used;
	sizes_add(s, len, 1);
	ps->lengths_left -= s->used - used;
}

void pair_add_packet(struct pairs *ps, struct pair *p, enum pair_kind kind,
                     const struct packet *packet, bool super)
{
	struct pair_packets *k = &p->kind[kind];
	k->packets++;
	k->ip_bytes += packet->ip_len;
	k->df += packet->df;
	if (!super) {
		add_length(ps, &k->lengths, packet->ip_len);
		return;
	}
	k->super++;
	k->super_ip_bytes += packet->ip_len;
}

void pair_add_super(struct pair_packets *k, uint32_t payload, uint32_t segment)
{
	if (segment == 0)
		k->super_unknown++;
	else
		k->super_wire += payload / segment + (payload % segment > 0);
}

void pair_add_train(struct pair *p, const struct fragment_train *t,
                    enum fragment_end how)
{
	struct pair_fragments *f = &p->fragments;
	if (!f->pieces || t->first_ns < f->first_ns)
		f->first_ns = t->first_ns;
	if (!f->pieces || t->first_ns > f->last_ns)
		f->last_ns = t->first_ns;
	f->pieces += t->pieces;
	f->ip_bytes += t->ip_bytes;
	f->repeats += t->repeats;
	f->trains[how]++;
	f->df_trains += t->df;
	f->overlaps += t->overlap;
	if (!t->has_first) {
		f->orphans += t->pieces;
		f->orphan_ip_bytes += t->ip_bytes;
	}
	if (t->first_ip_len > f->first_max)
		f->first_max = t->first_ip_len;
	if (how != FRAGMENT_WHOLE)
		return;
	uint32_t len = t->total + (t->family == 4 ? 20 : 40);
	if (!f->datagram_min || len < f->datagram_min)
		f->datagram_min = len;
	if (len > f->datagram_max)
		f->datagram_max = len;
}

void pair_mss_add(struct pair_mss *m, uint32_t mss)
{
	if (!m->syns || mss < m->min)
		m->min = mss;
	if (mss > m->max)
		m->max = mss;
	m->syns++;
}

uint32_t pair_segment(const struct pair *p)
{
	uint32_t own = p->mss.max, peer = p->peer_mss.max;
	return own && (!peer || own < peer) ? own : peer;
}

#define ETHERNET_MTU 1500u

enum { TCP_SYN = 0x02, TCP_FIXED = 20, OPTION_END = 0, OPTION_NOP = 1, OPTION_MSS = 2 };

/* Options: kind, length of all, value (RFC 9293, 3.1). */
static void find_mss(const uint8_t *at, size_t n, struct tcp_header *h)
{
	size_t i = 0;
	while (i < n && at[i] != OPTION_END) {
		if (at[i] == OPTION_NOP) {
			i++;
			continue;
		}
		if (n - i < 2 || at[i + 1] < 2 || at[i + 1] > n - i)
			return;
		if (at[i] == OPTION_MSS && at[i + 1] == 4) {
			h->has_mss = true;
			h->mss = be16(at + i + 2);
			return;
		}
		i += at[i + 1];
	}
}

bool tcp_header_decode(const struct packet *p, struct tcp_header *h)
{
	const uint8_t *at = p->payload;
	if (p->payload_cap < TCP_FIXED)
		return false;
	*h = (struct tcp_header){.sport = be16(at),
	                         .dport = be16(at + 2),
	                         .len = (at[12] >> 4) * 4u,
	                         .syn = at[13] & TCP_SYN};
	if (h->len < TCP_FIXED || (h->len > p->payload_len && !p->more))
		return false;
	h->payload = h->len < p->payload_len ? p->payload_len - h->len : 0;
	uint32_t there = h->len < p->payload_cap ? h->len : p->payload_cap;
	h->cut = there < h->len;
	if (h->syn)
		find_mss(at + TCP_FIXED, there - TCP_FIXED, h);
	return true;
}

uint32_t tcp_headers(unsigned family)
{
	return family == 4 ? 40 : 60;
}

/* A sender fills no segment beyond what the receiver announced, options counted
 * (RFC 6691).  What it announces itself follows its own MTU, which limits it just
 * the same; but that may be set lower by hand, so there it must be more than
 * Ethernet carries or two whole segments. */
bool tcp_is_super(const struct pair *p, const struct packet *packet,
                  const struct tcp_header *h)
{
	uint32_t headers = tcp_headers(packet->family);
	uint32_t own = p->mss.max, peer = p->peer_mss.max;
	if (h->payload == 0)
		return false;
	if (packet->ip_len <= headers)
		return false;
	if (peer && packet->ip_len - headers > peer)
		return true;
	uint32_t options = h->len - TCP_FIXED;
	if (own <= options || packet->ip_len - headers <= own)
		return false;
	return packet->ip_len > ETHERNET_MTU || h->payload >= 2 * (own - options);
}
