#include "netprobe/track/pair.h"
#include "tests/support/pkt_build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct packet packet_of(const struct pkt *p)
{
	struct frame f = pkt_frame(p, LINK_IPV4, 0, 1);
	struct packet q;
	assert_int_equal(packet_decode(&f, &q), PACKET_IP);
	return q;
}

/* A TCP packet with `data` bytes. */
static struct packet tcp(struct pkt *p, const struct pkt_tcp *t, size_t data)
{
	pkt_begin(p);
	pkt_ip4(p, &(struct pkt_ip4){.proto = PKT_PROTO_TCP, .df = true});
	pkt_tcp(p, t);
	pkt_fill(p, data);
	pkt_end(p);
	return packet_of(p);
}

static void test_tcp_header(void **state)
{
	(void)state;
	static struct pkt p;
	struct tcp_header h;
	struct pkt_tcp syn = {.sport = 1, .dport = 2049, .syn = true, .mss = 8960};
	struct packet q = tcp(&p, &syn, 0);
	assert_true(tcp_header_decode(&q, &h));
	assert_true(h.syn && h.has_mss);
	assert_int_equal(h.mss, 8960);
	assert_int_equal(h.dport, 2049);
	assert_int_equal(h.len, 24);
	assert_int_equal(h.payload, 0);
	struct pkt_tcp data = {.timestamps = true};
	q = tcp(&p, &data, 100);
	assert_true(tcp_header_decode(&q, &h));
	assert_int_equal(h.len, 32);
	assert_int_equal(h.payload, 100);
	assert_false(h.syn);
}

/* Every capture length, every damaged option byte: no lie, no read too far. */
static void test_tcp_header_cut_or_damaged(void **state)
{
	(void)state;
	static struct pkt p;
	struct tcp_header h;
	struct pkt_tcp syn = {.syn = true, .mss = 1460, .timestamps = true};
	struct packet q = tcp(&p, &syn, 0);
	for (uint32_t cap = 0; cap <= q.payload_len; cap++) {
		struct packet cut = q;
		cut.payload_cap = cap;
		assert_int_equal(tcp_header_decode(&cut, &h), cap >= 20);
		if (cap >= 20)
			assert_int_equal(h.has_mss, cap >= 24);
		if (cap >= 20)
			assert_int_equal(h.cut, cap < 36);
	}
	for (size_t at = 12; at < 36; at++) {
		for (unsigned v = 0; v < 256; v++) {
			struct pkt damaged = p;
			damaged.bytes[20 + at] = (uint8_t)v;
			q = packet_of(&damaged);
			if (tcp_header_decode(&q, &h))
				assert_true(h.len >= 20 && h.len <= q.payload_len);
		}
	}
}

static bool super(uint32_t own, uint32_t peer, bool timestamps, size_t data)
{
	static struct pkt p;
	struct pair x = {0};
	if (own)
		pair_mss_add(&x.mss, own);
	if (peer)
		pair_mss_add(&x.peer_mss, peer);
	struct pkt_tcp t = {.timestamps = timestamps};
	struct packet q = tcp(&p, &t, data);
	struct tcp_header h;
	assert_true(tcp_header_decode(&q, &h));
	return tcp_is_super(&x, &q, &h);
}

static void test_super_packets_by_mss(void **state)
{
	(void)state;
	assert_false(super(0, 0, false, 60000)); /* nobody knows */
	assert_false(super(1460, 1460, false, 1460));
	assert_true(super(1460, 1460, false, 1461));
	assert_false(super(1460, 1460, true, 1448));
	assert_true(super(1460, 1460, true, 1449));
	assert_false(super(8960, 8960, false, 8960));
	assert_true(super(0, 1460, false, 2920));
	/* the receiver takes 9000, the sender's link carries 1500 */
	assert_true(super(1460, 8960, false, 2920));
	/* more than it announced itself, but not two segments: set by hand */
	assert_false(super(1400, 8960, false, 1460));
	assert_true(super(1412, 8961, false, 2596)); /* one segment and a part */
	assert_false(super(1460, 1460, false, 0));
}

static void test_wire_packets_of_super_packets(void **state)
{
	(void)state;
	struct pair_packets k = {0};
	pair_add_super(&k, 14480, 1448);
	assert_int_equal(k.super_wire, 10);
	pair_add_super(&k, 14481, 1448);
	assert_int_equal(k.super_wire, 21);
	pair_add_super(&k, 14481, 0);
	assert_int_equal(k.super_unknown, 1);
	assert_int_equal(k.super_wire, 21);
}

static void test_segment_is_the_smaller(void **state)
{
	(void)state;
	struct pair p = {0};
	assert_int_equal(pair_segment(&p), 0);
	pair_mss_add(&p.peer_mss, 8960);
	assert_int_equal(pair_segment(&p), 8960);
	pair_mss_add(&p.mss, 1410);
	pair_mss_add(&p.mss, 1460);
	assert_int_equal(p.mss.min, 1410);
	assert_int_equal(pair_segment(&p), 1460);
}

static struct pair_key key(uint32_t n)
{
	struct pair_key k = {.iface = 0};
	memcpy(k.src.b, &n, sizeof n);
	return k;
}

static void test_bounded_and_nothing_lost(void **state)
{
	(void)state;
	enum { ROOM = 16, ALL = 1000 };
	struct pairs ps;
	assert_int_equal(pairs_init(&ps, ROOM), 0);
	struct packet q = {.ip_len = 100, .df = true};
	for (uint32_t i = 0; i < ALL; i++) {
		struct pair_key k = key(i);
		struct pair *p = pairs_at(&ps, &k);
		assert_non_null(p);
		assert_ptr_equal(pairs_at(&ps, &k), p);
		pair_add_packet(&ps, p, PAIR_UDP, &q, false);
		p->fragments.pieces += 2;
		p->fragments.ip_bytes += 3000;
	}
	assert_int_equal(table_count(ps.table), ROOM);
	assert_int_equal(table_evicted(ps.table), ALL - ROOM);
	assert_int_equal(ps.gone_packets, 3 * (ALL - ROOM));
	assert_int_equal(ps.gone_ip_bytes, 3100 * (ALL - ROOM));
	pairs_free(&ps);
}

/* Lengths are bounded over all pairs; what finds no room keeps the extremes. */
static void test_lengths_are_bounded(void **state)
{
	(void)state;
	struct pairs ps;
	assert_int_equal(pairs_init(&ps, 4), 0);
	ps.lengths_left = 2;
	struct pair_key k = key(1);
	struct pair *p = pairs_at(&ps, &k);
	for (uint32_t len = 100; len <= 104; len++) {
		struct packet q = {.ip_len = len};
		pair_add_packet(&ps, p, PAIR_TCP, &q, false);
		pair_add_packet(&ps, p, PAIR_TCP, &q, false);
	}
	const struct sizes *s = &p->kind[PAIR_TCP].lengths;
	assert_int_equal(s->used, 2);
	assert_int_equal(s->total, 10);
	assert_int_equal(s->uncounted, 6);
	assert_int_equal(s->min, 100);
	assert_int_equal(s->max, 104);
	assert_int_equal(s->sum, 2 * (100 + 101 + 102 + 103 + 104));
	assert_int_equal(sizes_count(s, 101), 2);
	pairs_free(&ps);
}

static void test_super_packets_are_no_sizes(void **state)
{
	(void)state;
	struct pairs ps;
	assert_int_equal(pairs_init(&ps, 4), 0);
	struct pair_key k = key(1);
	struct pair *p = pairs_at(&ps, &k);
	struct packet q = {.ip_len = 65260};
	pair_add_packet(&ps, p, PAIR_TCP, &q, true);
	assert_int_equal(p->kind[PAIR_TCP].packets, 1);
	assert_int_equal(p->kind[PAIR_TCP].ip_bytes, 65260);
	assert_int_equal(p->kind[PAIR_TCP].super_ip_bytes, 65260);
	assert_int_equal(p->kind[PAIR_TCP].lengths.total, 0);
	pairs_free(&ps);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_tcp_header),
	        cmocka_unit_test(test_tcp_header_cut_or_damaged),
	        cmocka_unit_test(test_super_packets_by_mss),
	        cmocka_unit_test(test_wire_packets_of_super_packets),
	        cmocka_unit_test(test_segment_is_the_smaller),
	        cmocka_unit_test(test_bounded_and_nothing_lost),
	        cmocka_unit_test(test_lengths_are_bounded),
	        cmocka_unit_test(test_super_packets_are_no_sizes),
	};
	return cmocka_run_group_tests_name("track/pair", tests, NULL, NULL);
}
