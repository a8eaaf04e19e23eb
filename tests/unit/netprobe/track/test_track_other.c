#include "netprobe/track/track.h"
#include "tests/support/pkt_build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define A "10.77.1.1"
#define B "10.77.1.11"
#define SECOND INT64_C(1000000000)

static struct pkt p, piece;

static int set_up(void **state)
{
	*state = track_new(&track_limits_default);
	return *state ? 0 : -1;
}

static int tear_down(void **state)
{
	track_free(*state);
	return 0;
}

static void feed_at(struct track *t, const struct pkt *x, int64_t ns, uint64_t number)
{
	struct frame f = pkt_frame(x, LINK_ETHERNET, ns, number);
	track_frame(t, &f);
}

static void feed(struct track *t, const struct pkt *x)
{
	feed_at(t, x, SECOND, 1);
}

static struct addr address(const char *text)
{
	struct addr a;
	assert_true(addr_parse(text, &a));
	return a;
}

static const struct pair *pair(const struct track *t, const char *src, const char *dst)
{
	struct pair_key k = {address(src), address(dst), 0};
	return track_pair_find(t, &k);
}

static void begin(const char *src, const char *dst, uint8_t proto, uint16_t id)
{
	pkt_begin(&p);
	pkt_ethernet(&p, PKT_TYPE_IP4);
	pkt_ip4(&p,
	        &(struct pkt_ip4){.src = src, .dst = dst, .proto = proto, .id = id});
}

static void udp(const char *src, const char *dst, uint16_t id, size_t payload)
{
	begin(src, dst, PKT_PROTO_UDP, id);
	pkt_udp(&p, 2049, 800);
	pkt_fill(&p, payload);
	pkt_end(&p);
}

static void tcp(const char *src, const char *dst, const struct pkt_tcp *h, size_t data)
{
	begin(src, dst, PKT_PROTO_TCP, 0);
	pkt_tcp(&p, h);
	pkt_fill(&p, data);
	pkt_end(&p);
}

static void handshake(struct track *t, uint16_t mss_a, uint16_t mss_b)
{
	tcp(A, B, &(struct pkt_tcp){.sport = 1, .dport = 2, .syn = true, .mss = mss_a},
	    0);
	feed(t, &p);
	tcp(B, A,
	    &(struct pkt_tcp){
	            .sport = 2, .dport = 1, .syn = true, .ack = true, .mss = mss_b},
	    0);
	feed(t, &p);
}

static void test_tcp_and_udp_by_pair(void **state)
{
	struct track *t = *state;
	handshake(t, 8960, 1460);
	tcp(A, B, &(struct pkt_tcp){.sport = 1, .dport = 2}, 1460);
	feed(t, &p);
	udp(B, A, 1, 100);
	feed(t, &p);
	const struct pair *ab = pair(t, A, B), *ba = pair(t, B, A);
	assert_int_equal(ab->kind[PAIR_TCP].packets, 2);
	assert_int_equal(ab->kind[PAIR_TCP].ip_bytes, 44 + 1500);
	assert_int_equal(ab->kind[PAIR_TCP].lengths.max, 1500);
	assert_int_equal(ab->kind[PAIR_UDP].packets, 0);
	assert_int_equal(ab->mss.max, 8960);
	assert_int_equal(ab->peer_mss.max, 1460);
	assert_int_equal(ba->mss.max, 1460);
	assert_int_equal(ba->peer_mss.max, 8960);
	assert_int_equal(ba->kind[PAIR_UDP].ip_bytes, 128);
	assert_int_equal(track_iface(t, 0)->tcp, 3);
	assert_int_equal(track_iface(t, 0)->udp, 1);
}

/* trouble-reports.md 20: 65260-byte packets on a link of 1500. */
static void test_gro_packets_are_no_sizes(void **state)
{
	struct track *t = *state;
	handshake(t, 1460, 1460);
	tcp(A, B, &(struct pkt_tcp){.sport = 1, .dport = 2, .timestamps = true}, 14480);
	feed(t, &p);
	tcp(A, B, &(struct pkt_tcp){.sport = 1, .dport = 2, .timestamps = true}, 65208);
	feed(t, &p);
	const struct pair_packets *k = &pair(t, A, B)->kind[PAIR_TCP];
	assert_int_equal(k->super, 2);
	assert_int_equal(k->super_wire, 10 + 46); /* 65208 / 1448 = 45.03 */
	assert_int_equal(k->super_unknown, 0);
	assert_int_equal(k->lengths.max, 44);
	assert_int_equal(track_iface(t, 0)->ip_lengths.max, 44);
	assert_int_equal(track_iface(t, 0)->offloaded, 2);
}

/* 22, 23: the IP length is 0 where it does not fit. */
static void test_length_zero(void **state)
{
	struct track *t = *state;
	pkt_begin(&p);
	pkt_ethernet(&p, PKT_TYPE_IP4);
	pkt_ip4(&p,
	        &(struct pkt_ip4){
	                .src = A, .dst = B, .proto = PKT_PROTO_TCP, .total_len = -1});
	pkt_tcp(&p, &(struct pkt_tcp){.sport = 1, .dport = 2});
	pkt_fill(&p, 29200);
	pkt_end(&p);
	feed(t, &p);
	const struct pair_packets *k = &pair(t, A, B)->kind[PAIR_TCP];
	assert_int_equal(k->super, 1);
	assert_int_equal(k->super_unknown, 1); /* neither MSS nor MTU is known */
	assert_int_equal(k->ip_bytes, 29240);
	assert_int_equal(k->lengths.total, 0);
	track_set_mtu(t, 0, 1500);
	feed(t, &p);
	assert_int_equal(k->super_wire, 20);
	/* a ping whose length is 0 is no offload's work */
	pkt_begin(&p);
	pkt_ethernet(&p, PKT_TYPE_IP4);
	pkt_ip4(&p,
	        &(struct pkt_ip4){
	                .src = A, .dst = B, .proto = PKT_PROTO_ICMP, .total_len = -1});
	pkt_icmp(&p, 8, 0, 0);
	pkt_end(&p);
	feed(t, &p);
	assert_int_equal(pair(t, A, B)->kind[PAIR_OTHER].super, 0);
}

static void test_udp_beyond_the_link(void **state)
{
	struct track *t = *state;
	udp(A, B, 1, 9000);
	feed(t, &p);
	assert_int_equal(pair(t, A, B)->kind[PAIR_UDP].super, 0);
	track_set_mtu(t, 0, 1500);
	feed(t, &p);
	const struct pair_packets *k = &pair(t, A, B)->kind[PAIR_UDP];
	assert_int_equal(k->super, 1);
	assert_int_equal(k->super_wire, 7); /* 9008 in pieces of 1472 */
}

/* 21: IP length 1500, far more in the frame. */
static void test_trailing_bytes(void **state)
{
	struct track *t = *state;
	const struct iface_stats *i;
	tcp(A, B, &(struct pkt_tcp){.sport = 1, .dport = 2}, 1460);
	feed(t, &p);
	pkt_zero(&p, 4); /* a captured check sequence */
	feed(t, &p);
	i = track_iface(t, 0);
	assert_int_equal(i->trailing_frames, 0);
	pkt_zero(&p, 58500);
	feed(t, &p);
	assert_int_equal(i->trailing_frames, 1);
	assert_int_equal(i->trailing_bytes, 58504);
	assert_int_equal(i->ip_lengths.max, 1500);
	assert_int_equal(pair(t, A, B)->kind[PAIR_TCP].lengths.max, 1500);
	/* 51: padding to 60 bytes is nothing strange */
	tcp(A, B, &(struct pkt_tcp){.sport = 1, .dport = 2}, 0);
	pkt_zero(&p, 6);
	feed(t, &p);
	assert_int_equal(i->trailing_frames, 1);
	pkt_zero(&p, 4);
	feed(t, &p);
	assert_int_equal(i->trailing_frames, 1);
}

/* Piece i of the packet built last. */
static void feed_piece(struct track *t, unsigned mtu, unsigned i, int64_t ns)
{
	assert_true(pkt_piece(&piece, &p, mtu, 7, i));
	feed_at(t, &piece, ns, 1);
}

/* 11, 47, 53: sizes from the train, in whatever order it comes. */
static void test_trains_by_pair(void **state)
{
	static const unsigned orders[][2] = {{0, 1}, {1, 0}};
	struct track *t = *state;
	for (uint16_t i = 0; i < 2; i++) {
		udp(A, B, i, 1472); /* an IP length of 1500 */
		feed_piece(t, 1492, orders[i][0], SECOND);
		feed_piece(t, 1492, orders[i][1], SECOND);
	}
	udp(A, B, 3, 10);
	feed(t, &p);
	track_finish(t);
	const struct pair_fragments *g = &pair(t, A, B)->fragments;
	assert_int_equal(g->pieces, 4);
	assert_int_equal(g->ip_bytes, 2 * (1492 + 28));
	assert_int_equal(g->trains[FRAGMENT_WHOLE], 2);
	assert_int_equal(g->first_max, 1492);
	assert_int_equal(g->datagram_min, 1500);
	assert_int_equal(g->datagram_max, 1500);
	assert_int_equal(g->udp_max, 1472);
	assert_int_equal(g->orphans, 0);
	assert_int_equal(g->rx_pieces, 0);
	assert_int_equal(pair(t, A, B)->kind[PAIR_UDP].packets, 1);
	assert_int_equal(track_iface(t, 0)->first_pieces, 2);
	assert_int_equal(track_iface(t, 0)->later_pieces, 2);
}

/* 46: the id of a train without its tail comes again. */
static void test_id_used_again(void **state)
{
	struct track *t = *state;
	udp(A, B, 77, 2000);
	feed_piece(t, 1500, 0, SECOND);
	udp(A, B, 77, 4000);
	for (unsigned i = 0; i < 3; i++)
		feed_piece(t, 1500, i, 4 * SECOND);
	track_finish(t);
	const struct pair_fragments *g = &pair(t, A, B)->fragments;
	assert_int_equal(g->trains[FRAGMENT_REUSED], 1);
	assert_int_equal(g->trains[FRAGMENT_WHOLE], 1);
	assert_int_equal(g->pieces, 4);
	assert_int_equal(g->datagram_max, 4028);
}

/* 46: all ids within a second; memory stays bounded, every train is counted. */
static void test_all_ids_within_a_second(void **state)
{
	struct track *t = *state;
	for (uint32_t i = 0; i < 65536; i++) {
		udp(A, B, (uint16_t)i, 2000);
		feed_piece(t, 1500, 0, SECOND + (int64_t)i * 15000);
	}
	track_finish(t);
	const struct pair_fragments *g = &pair(t, A, B)->fragments;
	uint64_t trains = 0;
	for (int e = 0; e < FRAGMENT_ENDS; e++)
		trains += g->trains[e];
	assert_int_equal(trains, 65536);
	assert_int_equal(g->trains[FRAGMENT_WHOLE], 0);
	assert_int_equal(g->last_ns - g->first_ns, INT64_C(65535) * 15000);
}

static void test_orphans_by_pair(void **state)
{
	struct track *t = *state;
	udp(A, B, 5, 4000);
	feed_piece(t, 1500, 1, SECOND);
	feed_piece(t, 1500, 2, SECOND);
	track_finish(t);
	const struct pair_fragments *g = &pair(t, A, B)->fragments;
	assert_int_equal(g->orphans, 2);
	assert_int_equal(g->orphan_ip_bytes, 1500 + 1068);
	assert_int_equal(g->trains[FRAGMENT_UNFINISHED], 1);
	assert_int_equal(g->first_max, 0);
	assert_int_equal(track_iface(t, 0)->later_pieces, 2);
}

/* 50: pieces that overlap mark the train. */
static void test_overlap_by_pair(void **state)
{
	struct track *t = *state;
	udp(A, B, 5, 2992);
	feed_piece(t, 1500, 0, SECOND);
	feed_piece(t, 1020, 1, SECOND); /* bytes 1000 to 1999 */
	feed_piece(t, 1500, 1, SECOND);
	feed_piece(t, 1500, 2, SECOND);
	track_finish(t);
	const struct pair_fragments *g = &pair(t, A, B)->fragments;
	assert_int_equal(g->overlaps, 1);
	assert_int_equal(g->trains[FRAGMENT_WHOLE], 1);
	assert_int_equal(g->datagram_max, 3020);
}

/* 49: an IPv6 fragment header on a whole packet makes no train. */
static void test_atomic_fragments(void **state)
{
	struct track *t = *state;
	pkt_begin(&p);
	pkt_ethernet(&p, PKT_TYPE_IP6);
	pkt_ip6(&p, &(struct pkt_ip6){.src = "fd00::a",
	                              .dst = "fd00::b",
	                              .next = PKT_PROTO_FRAGMENT});
	pkt_ip6_fragment(&p, PKT_PROTO_TCP, 0, false, 9);
	pkt_tcp(&p,
	        &(struct pkt_tcp){.sport = 1, .dport = 2, .syn = true, .mss = 1440});
	pkt_end(&p);
	feed(t, &p);
	track_finish(t);
	const struct pair *x = pair(t, "fd00::a", "fd00::b");
	assert_int_equal(x->fragments.pieces, 0);
	assert_int_equal(x->kind[PAIR_TCP].packets, 1);
	assert_int_equal(x->mss.max, 1440);
	assert_int_equal(track_iface(t, 0)->atomic, 1);
}

static void rx(bool to_server, unsigned server_port, uint32_t serial, size_t data)
{
	begin(to_server ? B : A, to_server ? A : B, PKT_PROTO_UDP, (uint16_t)serial);
	pkt_udp(&p, to_server ? 5001 : server_port, to_server ? server_port : 5001);
	pkt_rx(&p, &(struct rx_header){.epoch = 0x90000001,
	                               .cid = 0x1000,
	                               .call = 1,
	                               .seq = 1,
	                               .serial = serial,
	                               .type = RX_DATA,
	                               .flags = to_server ? RX_CLIENT : 0,
	                               .service = 4711});
	pkt_fill(&p, data);
	pkt_end(&p);
}

/* Pieces of Rx count here too, whole Rx packets do not. */
static void test_rx_fragments_by_pair(void **state)
{
	struct track *t = *state;
	rx(true, 7000, 1, 16);
	feed(t, &p);
	assert_int_equal(track_pair_count(t), 0);
	rx(false, 7000, 1, 5664); /* AFS 3.4a: one large packet */
	for (unsigned i = 0; i < 4; i++)
		feed_piece(t, 1500, i, SECOND);
	track_finish(t);
	const struct pair_fragments *g = &pair(t, A, B)->fragments;
	assert_int_equal(g->pieces, 4);
	assert_int_equal(g->rx_pieces, 4);
	assert_int_equal(g->rx_ip_bytes, g->ip_bytes);
	assert_int_equal(g->udp_max, 5692);
	assert_int_equal(pair(t, A, B)->kind[PAIR_UDP].packets, 0);
	assert_null(pair(t, B, A));
}

/* 44: a filter on ports hid the later pieces. */
static void test_first_pieces_alone(void **state)
{
	struct track *t = *state;
	for (uint32_t i = 1; i <= 3; i++) {
		rx(false, 7000, i, 5664);
		feed_piece(t, 1500, 0, SECOND);
	}
	track_finish(t);
	assert_int_equal(track_iface(t, 0)->first_pieces, 3);
	assert_int_equal(track_iface(t, 0)->later_pieces, 0);
	assert_int_equal(pair(t, A, B)->fragments.udp_max, 5692);
	assert_int_equal(pair(t, A, B)->fragments.datagram_max, 0);
}

static void test_rx_on_another_port(void **state)
{
	struct track *t = *state;
	for (uint32_t i = 1; i <= 10; i++) {
		rx(true, 9000, i, 16);
		feed(t, &p);
		rx(false, 9000, i, 1400);
		feed(t, &p);
	}
	track_finish(t);
	const struct iface_stats *i = track_iface(t, 0);
	assert_int_equal(i->rx, 19);
	assert_int_equal(i->rx_elsewhere, 19);
	assert_int_equal(i->udp, 1); /* before there was evidence */
	assert_int_equal(track_flow_count(t), 1);
	assert_int_equal(track_flow_next(t, NULL)->key.server_port, 9000);
	assert_int_equal(pair(t, B, A)->kind[PAIR_UDP].packets, 1);
	assert_null(pair(t, A, B));
}

static void test_other_udp_is_not_rx(void **state)
{
	struct track *t = *state;
	for (uint16_t i = 1; i <= 100; i++) {
		udp(A, B, i, 400);
		feed(t, &p);
	}
	assert_int_equal(track_iface(t, 0)->rx, 0);
	assert_int_equal(track_flow_count(t), 0);
	assert_int_equal(pair(t, A, B)->kind[PAIR_UDP].packets, 100);
}

/* 26: every IP byte is in one place: flows, pairs, trains. */
static void test_bytes_add_up(void **state)
{
	struct track *t = *state;
	handshake(t, 1460, 1460);
	tcp(A, B, &(struct pkt_tcp){.sport = 1, .dport = 2}, 20000);
	feed(t, &p);
	rx(true, 7000, 1, 16);
	feed(t, &p);
	rx(false, 9000, 1, 16);
	feed(t, &p);
	udp(A, B, 9, 3000);
	feed_piece(t, 1500, 0, SECOND);
	feed_piece(t, 1500, 2, SECOND);
	rx(false, 7000, 2, 5664);
	for (unsigned i = 0; i < 4; i++)
		feed_piece(t, 1500, i, SECOND);
	begin(B, A, 89, 1);
	pkt_fill(&p, 44);
	pkt_end(&p);
	feed(t, &p);
	track_finish(t);
	uint64_t bytes = 0, packets = 0;
	for (const struct pair *x = NULL; (x = track_pair_next(t, x));) {
		bytes += x->fragments.ip_bytes - x->fragments.rx_ip_bytes;
		packets += x->fragments.pieces - x->fragments.rx_pieces;
		for (int k = 0; k < PAIR_KINDS; k++) {
			bytes += x->kind[k].ip_bytes;
			packets += x->kind[k].packets;
		}
	}
	for (const struct flow *f = NULL; (f = track_flow_next(t, f));) {
		for (int w = 0; w < WAYS; w++) {
			struct tally y = {0};
			slices_sum(&f->side[w].sent, &y);
			bytes += y.ip_bytes;
			packets += y.ip_packets;
			tally_clear(&y);
		}
	}
	assert_int_equal(bytes, track_iface(t, 0)->ip_bytes);
	assert_int_equal(packets, track_iface(t, 0)->ip_packets);
}

/* No snap length changes a length, and none is read beyond. */
static void test_every_snap_length(void **state)
{
	(void)state;
	for (uint32_t cap = 0; cap <= 100; cap++) {
		struct track *t = track_new(&track_limits_default);
		for (unsigned kind = 0; kind < 3; kind++) {
			if (kind == 0)
				tcp(A, B,
				    &(struct pkt_tcp){.sport = 1,
				                      .dport = 2,
				                      .syn = true,
				                      .mss = 9},
				    99);
			else if (kind == 1)
				udp(A, B, 1, 99);
			else
				rx(true, 9000, 1, 99);
			uint8_t *exact = malloc(cap ? cap : 1);
			memcpy(exact, p.bytes, cap);
			struct frame f = pkt_frame(&p, LINK_ETHERNET, SECOND, 1);
			f.bytes = exact;
			f.caplen = cap;
			track_frame(t, &f);
			free(exact);
		}
		track_finish(t);
		const struct pair *x = pair(t, A, B);
		if (x && x->kind[PAIR_UDP].packets)
			assert_int_equal(x->kind[PAIR_UDP].ip_bytes, 127);
		track_free(t);
	}
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        CASE(test_tcp_and_udp_by_pair), CASE(test_gro_packets_are_no_sizes),
	        CASE(test_length_zero),         CASE(test_udp_beyond_the_link),
	        CASE(test_trailing_bytes),      CASE(test_trains_by_pair),
	        CASE(test_id_used_again),       CASE(test_all_ids_within_a_second),
	        CASE(test_orphans_by_pair),     CASE(test_overlap_by_pair),
	        CASE(test_atomic_fragments),    CASE(test_rx_fragments_by_pair),
	        CASE(test_first_pieces_alone),  CASE(test_rx_on_another_port),
	        CASE(test_other_udp_is_not_rx), CASE(test_bytes_add_up),
	        CASE(test_every_snap_length),
	};
	return cmocka_run_group_tests_name("track/track_other", tests, NULL, NULL);
}
