#include "netprobe/report/result_pair.h"

#include "netprobe/report/pair_verdict.h"

#include <stdlib.h>
#include <string.h>

static int by_key(const void *a, const void *b)
{
	const struct result_pair *x = a, *y = b;
	return memcmp(&x->pair->key, &y->pair->key, sizeof x->pair->key);
}

static int key_to_pair(const void *key, const void *pair)
{
	const struct result_pair *x = pair;
	return memcmp(key, &x->pair->key, sizeof x->pair->key);
}

static int by_iface_and_bytes(const void *a, const void *b)
{
	const struct result_pair *x = a, *y = b;
	if (x->pair->key.iface != y->pair->key.iface)
		return x->pair->key.iface < y->pair->key.iface ? -1 : 1;
	if (x->ip_bytes != y->ip_bytes)
		return x->ip_bytes > y->ip_bytes ? -1 : 1;
	return by_key(a, b);
}

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* What flows are to the pairs they run between. */
static void add_flow(struct result *r, const struct result_flow *f, enum way w)
{
	const struct flow_key *k = &f->flow->key;
	struct pair_key key = {k->client, k->server, k->iface};
	if (w == TO_CLIENT)
		key = (struct pair_key){k->server, k->client, k->iface};
	struct result_pair *p =
	        bsearch(&key, r->pairs, r->n_pairs, sizeof *r->pairs, key_to_pair);
	if (!p)
		return;
	const struct tally *y = &f->way[w].tally;
	p->rx_ip_packets += y->ip_packets;
	p->rx_ip_bytes += y->ip_bytes;
	p->largest_whole = larger(p->largest_whole, y->largest_whole);
}

static void work_out(struct result_pair *p)
{
	const struct pair_fragments *g = &p->pair->fragments;
	p->ip_packets = p->rx_ip_packets + g->pieces - g->rx_pieces;
	p->ip_bytes = p->rx_ip_bytes + g->ip_bytes - g->rx_ip_bytes;
	p->beyond_rx = g->pieces > g->rx_pieces;
	for (int k = 0; k < PAIR_KINDS; k++) {
		const struct pair_packets *n = &p->pair->kind[k];
		p->ip_packets += n->packets;
		p->ip_bytes += n->ip_bytes;
		p->largest_whole = larger(p->largest_whole, n->lengths.max);
		p->beyond_rx |= n->packets > 0;
	}
	if (p->ip_bytes)
		p->fragment_share = (double)g->ip_bytes / (double)p->ip_bytes;
	/* flows that left their table are missing in the sums */
	if (p->fragment_share > 1)
		p->fragment_share = 1;
	struct pair_facts f = {.pair = p->pair,
	                       .family = addr_is_v4(&p->pair->key.src) ? 4 : 6,
	                       .mtu = p->iface->mtu,
	                       .largest_whole = p->largest_whole};
	p->trouble = pair_verdict(&f, p->verdict, sizeof p->verdict);
}

static int fill_pairs(struct result *r)
{
	r->pairs = calloc(track_pair_count(r->track) + 1, sizeof *r->pairs);
	if (!r->pairs)
		return -1;
	for (const struct pair *p = NULL; (p = track_pair_next(r->track, p));) {
		/* a SYN makes the other way known before anything goes there */
		bool empty = !p->first_frame;
		if (empty || p->key.iface >= r->n_ifaces)
			continue;
		r->pairs[r->n_pairs++] = (struct result_pair){
		        .pair = p, .iface = &r->ifaces[p->key.iface]};
	}
	qsort(r->pairs, r->n_pairs, sizeof *r->pairs, by_key);
	for (size_t i = 0; i < r->n_flows; i++)
		for (int w = 0; w < WAYS; w++)
			add_flow(r, &r->flows[i], (enum way)w);
	for (size_t i = 0; i < r->n_pairs; i++)
		work_out(&r->pairs[i]);
	qsort(r->pairs, r->n_pairs, sizeof *r->pairs, by_iface_and_bytes);
	return 0;
}

static bool flow_seen(const struct result *r, const struct icmp_error_key *k)
{
	for (uint32_t i = 0; i < r->n_ifaces; i++) {
		struct flow_key there = {k->src, k->dst, k->sport, k->dport, i};
		struct flow_key back = {k->dst, k->src, k->dport, k->sport, i};
		if (track_flow_find(r->track, &there) ||
		    track_flow_find(r->track, &back))
			return true;
	}
	return false;
}

/* The ICMP packets between the hosts themselves do not count. */
static bool pair_carries(const struct pair *p, uint8_t proto)
{
	if (!p)
		return false;
	if (p->fragments.pieces > p->fragments.rx_pieces)
		return true;
	return p->kind[proto == 6    ? PAIR_TCP
	               : proto == 17 ? PAIR_UDP
	                             : PAIR_OTHER]
	               .packets > 0;
}

static bool hosts_seen(const struct result *r, const struct icmp_error_key *k)
{
	bool answers_count = k->proto == 6 || k->proto == 17;
	for (uint32_t i = 0; i < r->n_ifaces; i++) {
		struct pair_key there = {k->src, k->dst, i}, back = {k->dst, k->src, i};
		if (pair_carries(track_pair_find(r->track, &there), k->proto) ||
		    (answers_count &&
		     pair_carries(track_pair_find(r->track, &back), k->proto)))
			return true;
	}
	return false;
}

static enum icmp_seen seen(const struct result *r, const struct icmp_error *e)
{
	if (!e->quotes)
		return ICMP_NO_QUOTE;
	if (e->key.proto == 17 && e->has_ports && flow_seen(r, &e->key))
		return ICMP_FLOW_SEEN;
	return hosts_seen(r, &e->key) ? ICMP_HOSTS_SEEN : ICMP_NOTHING_SEEN;
}

static int by_iface_and_count(const void *a, const void *b)
{
	const struct icmp_error *x = ((const struct result_icmp *)a)->error;
	const struct icmp_error *y = ((const struct result_icmp *)b)->error;
	if (x->key.iface != y->key.iface)
		return x->key.iface < y->key.iface ? -1 : 1;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return memcmp(&x->key, &y->key, sizeof x->key);
}

static int fill_icmp(struct result *r)
{
	size_t n = 0;
	for (const struct icmp_error *e = NULL;
	     (e = track_icmp_error_next(r->track, e));)
		n++;
	r->icmp = calloc(n + 1, sizeof *r->icmp);
	if (!r->icmp)
		return -1;
	for (const struct icmp_error *e = NULL;
	     (e = track_icmp_error_next(r->track, e));)
		if (e->key.iface < r->n_ifaces)
			r->icmp[r->n_icmp++] =
			        (struct result_icmp){.error = e,
			                             .iface = &r->ifaces[e->key.iface],
			                             .seen = seen(r, e)};
	qsort(r->icmp, r->n_icmp, sizeof *r->icmp, by_iface_and_count);
	return 0;
}

int result_pairs_make(struct result *r)
{
	return fill_pairs(r) != 0 || fill_icmp(r) != 0 ? -1 : 0;
}

void result_pairs_free(struct result *r)
{
	free(r->pairs);
	free(r->icmp);
}

const char *icmp_seen_name(enum icmp_seen s)
{
	static const char *const names[] = {
	        [ICMP_NOTHING_SEEN] = "not seen here",
	        [ICMP_HOSTS_SEEN] = "hosts seen",
	        [ICMP_FLOW_SEEN] = "Rx flow seen",
	        [ICMP_NO_QUOTE] = "not quoted",
	};
	return names[s];
}
