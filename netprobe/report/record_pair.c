#include "netprobe/report/record_pair.h"

#include "netprobe/decode/icmp_name.h"

static void put_address(struct json_maker *m, json_t *o, const char *key,
                        const struct addr *a, bool known)
{
	char text[ADDR_TEXT];
	json_put(m, o, key, known ? json_string(addr_format(a, text)) : json_null());
}

static void put_packets(struct json_maker *m, json_t *o, const struct pair_packets *k,
                        const char *const keys[7])
{
	json_put_count(m, o, keys[0], k->packets);
	json_put_count(m, o, keys[1], k->ip_bytes);
	json_put_count(m, o, keys[2], k->df);
	json_put_unknown(m, o, keys[3], k->lengths.max, k->lengths.total > 0);
	json_put_count(m, o, keys[4], k->super);
	json_put_count(m, o, keys[5], k->super_ip_bytes);
	json_put_unknown(m, o, keys[6], k->super_wire, k->super_unknown == 0);
}

static void put_kinds(struct json_maker *m, json_t *o, const struct pair *p)
{
	static const char *const keys[PAIR_KINDS][7] = {
	        {"tcp_packets", "tcp_ip_bytes", "tcp_df", "tcp_largest_ip_length",
	         "tcp_offloaded", "tcp_offloaded_ip_bytes",
	         "tcp_offloaded_wire_packets"},
	        {"udp_packets", "udp_ip_bytes", "udp_df", "udp_largest_ip_length",
	         "udp_offloaded", "udp_offloaded_ip_bytes",
	         "udp_offloaded_wire_packets"},
	        {"other_packets", "other_ip_bytes", "other_df",
	         "other_largest_ip_length", "other_offloaded",
	         "other_offloaded_ip_bytes", "other_offloaded_wire_packets"},
	};
	for (int k = 0; k < PAIR_KINDS; k++)
		put_packets(m, o, &p->kind[k], keys[k]);
}

static void put_mss(struct json_maker *m, json_t *o, const struct pair *p)
{
	json_put_count(m, o, "tcp_syns", p->mss.syns + p->mss.syns_without);
	json_put_unknown(m, o, "tcp_mss_min", p->mss.min, p->mss.syns > 0);
	json_put_unknown(m, o, "tcp_mss_max", p->mss.max, p->mss.syns > 0);
	json_put_unknown(m, o, "tcp_peer_mss_min", p->peer_mss.min,
	                 p->peer_mss.syns > 0);
	json_put_unknown(m, o, "tcp_peer_mss_max", p->peer_mss.max,
	                 p->peer_mss.syns > 0);
}

static void put_fragments(struct json_maker *m, json_t *o, const struct result_pair *p)
{
	static const char *const ends[FRAGMENT_ENDS] = {
	        [FRAGMENT_WHOLE] = "trains_whole",
	        [FRAGMENT_EXPIRED] = "trains_expired",
	        [FRAGMENT_REUSED] = "trains_id_reused",
	        [FRAGMENT_EVICTED] = "trains_evicted",
	        [FRAGMENT_UNFINISHED] = "trains_unfinished"};
	const struct pair_fragments *g = &p->pair->fragments;
	json_put_count(m, o, "fragments", g->pieces);
	json_put_count(m, o, "fragment_ip_bytes", g->ip_bytes);
	json_put(m, o, "fragment_share", json_real(p->fragment_share));
	json_put_count(m, o, "fragment_repeats", g->repeats);
	for (int e = 0; e < FRAGMENT_ENDS; e++)
		json_put_count(m, o, ends[e], g->trains[e]);
	json_put_count(m, o, "trains_overlapping", g->overlaps);
	json_put_count(m, o, "trains_with_df", g->df_trains);
	json_put_count(m, o, "orphan_fragments", g->orphans);
	json_put_count(m, o, "orphan_ip_bytes", g->orphan_ip_bytes);
	json_put_unknown(m, o, "largest_first_fragment", g->first_max,
	                 g->first_max > 0);
	json_put_unknown(m, o, "smallest_fragmented_ip_length", g->datagram_min,
	                 g->datagram_min > 0);
	json_put_unknown(m, o, "largest_fragmented_ip_length", g->datagram_max,
	                 g->datagram_max > 0);
	json_put_unknown(m, o, "largest_fragmented_udp_payload", g->udp_max,
	                 g->udp_max > 0);
}

json_t *record_pair(struct json_maker *m, const struct result_pair *p)
{
	const struct pair *q = p->pair;
	json_t *o = json_object();
	json_put_text(m, o, "type", "pair");
	json_put_text(m, o, "interface", p->iface->source->name);
	put_address(m, o, "source_address", &q->key.src, true);
	put_address(m, o, "destination_address", &q->key.dst, true);
	json_put_count(m, o, "first_frame", q->first_frame);
	json_put(m, o, "first_ns", json_integer(q->first_ns));
	json_put(m, o, "last_ns", json_integer(q->last_ns));
	json_put_count(m, o, "ip_packets", p->ip_packets);
	json_put_count(m, o, "ip_bytes", p->ip_bytes);
	json_put_count(m, o, "rx_ip_packets", p->rx_ip_packets);
	json_put_count(m, o, "rx_ip_bytes", p->rx_ip_bytes);
	json_put_unknown(m, o, "largest_whole_ip_length", p->largest_whole,
	                 p->largest_whole > 0);
	put_kinds(m, o, q);
	put_mss(m, o, q);
	put_fragments(m, o, p);
	json_put(m, o, "verdict",
	         p->verdict[0] ? json_string(p->verdict) : json_null());
	return o;
}

json_t *record_icmp(struct json_maker *m, const struct result_icmp *i)
{
	const struct icmp_error *e = i->error;
	const struct icmp_error_key *k = &e->key;
	char name[ICMP_NAME_TEXT];
	json_t *o = json_object();
	json_put_text(m, o, "type", "icmp");
	json_put_text(m, o, "interface", i->iface->source->name);
	put_address(m, o, "from_address", &k->from, true);
	json_put_count(m, o, "family", k->family);
	json_put_count(m, o, "icmp_type", k->type);
	json_put_count(m, o, "icmp_code", k->code);
	json_put_text(m, o, "error",
	              icmp_error_name(k->family, k->type, k->code, name));
	json_put_count(m, o, "count", e->count);
	json_put_count(m, o, "first_frame", e->first_frame);
	json_put(m, o, "first_ns", json_integer(e->first_ns));
	json_put(m, o, "last_ns", json_integer(e->last_ns));
	put_address(m, o, "quoted_source_address", &k->src, e->quotes);
	put_address(m, o, "quoted_destination_address", &k->dst, e->quotes);
	json_put_unknown(m, o, "quoted_protocol", k->proto, e->quotes);
	json_put_unknown(m, o, "quoted_source_port", k->sport, e->has_ports);
	json_put_unknown(m, o, "quoted_destination_port", k->dport, e->has_ports);
	json_put_unknown(m, o, "quoted_ip_length_max", e->quoted_max, e->quotes);
	json_put_text(m, o, "quoted_flow", icmp_seen_name(i->seen));
	json_put_unknown(m, o, "mtu_min", e->mtu_min, e->mtu_min > 0);
	json_put_unknown(m, o, "mtu_max", e->mtu_max, e->mtu_max > 0);
	json_put_unknown(m, o, "without_mtu", e->without_mtu, e->too_big);
	return o;
}
