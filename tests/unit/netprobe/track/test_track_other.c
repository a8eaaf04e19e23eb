/* TCP, other UDP and the rest by pair of hosts; Rx on other ports. */
#include "tests/support/pair_feed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct pkt p;

static void handshake(struct track *t, uint16_t mss_a, uint16_t mss_b)
{
	make_tcp(&p, A, B,
	         &(struct pkt_tcp){.sport = 1, .dport = 2, .syn = true, .mss = mss_a},
	         0);
	pair_feed(t, &p);
	make_tcp(
	        &p, B, A,
	        &(struct pkt_tcp){
	                .sport = 2, .dport = 1, .syn = true, .ack = true, .mss = mss_b},
	        0);
	pair_feed(t, &p);
}

static void test_tcp_and_udp_by_pair(void **state)
{
	struct track *t = *state;
	handshake(t, 8960, 1460);
	make_tcp(&p, A, B, &(struct pkt_tcp){.sport = 1, .dport = 2}, 1460);
	pair_feed(t, &p);
	make_udp(&p, B, A, 1, 100);
	pair_feed(t, &p);
	const struct pair *ab = pair_between(t, A, B), *ba = pair_between(t, B, A);
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
	make_tcp(&p, A, B,
	         &(struct pkt_tcp){.sport = 1, .dport = 2, .timestamps = true}, 14480);
	pair_feed(t, &p);
	make_tcp(&p, A, B,
	         &(struct pkt_tcp){.sport = 1, .dport = 2, .timestamps = true}, 65208);
	pair_feed(t, &p);
	const struct pair_packets *k = &pair_between(t, A, B)->kind[PAIR_TCP];
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
	pair_feed(t, &p);
	const struct pair_packets *k = &pair_between(t, A, B)->kind[PAIR_TCP];
	assert_int_equal(k->super, 1);
	assert_int_equal(k->super_unknown, 1); /* neither MSS nor MTU is known */
	assert_int_equal(k->ip_bytes, 29240);
	assert_int_equal(k->lengths.total, 0);
	track_set_mtu(t, 0, 1500);
	pair_feed(t, &p);
	assert_int_equal(k->super_wire, 20);
	/* a ping whose length is 0 is no offload's work */
	pkt_begin(&p);
	pkt_ethernet(&p, PKT_TYPE_IP4);
	pkt_ip4(&p,
	        &(struct pkt_ip4){
	                .src = A, .dst = B, .proto = PKT_PROTO_ICMP, .total_len = -1});
	pkt_icmp(&p, 8, 0, 0);
	pkt_end(&p);
	pair_feed(t, &p);
	assert_int_equal(pair_between(t, A, B)->kind[PAIR_OTHER].super, 0);
}

static void test_udp_beyond_the_link(void **state)
{
	struct track *t = *state;
	make_udp(&p, A, B, 1, 9000);
	pair_feed(t, &p);
	assert_int_equal(pair_between(t, A, B)->kind[PAIR_UDP].super, 0);
	track_set_mtu(t, 0, 1500);
	pair_feed(t, &p);
	const struct pair_packets *k = &pair_between(t, A, B)->kind[PAIR_UDP];
	assert_int_equal(k->super, 1);
	assert_int_equal(k->super_wire, 7); /* 9008 in pieces of 1472 */
}

/* 21: IP length 1500, far more in the frame. */
static void test_trailing_bytes(void **state)
{
	struct track *t = *state;
	const struct iface_stats *i;
	make_tcp(&p, A, B, &(struct pkt_tcp){.sport = 1, .dport = 2}, 1460);
	pair_feed(t, &p);
	pkt_zero(&p, 4); /* a captured check sequence */
	pair_feed(t, &p);
	i = track_iface(t, 0);
	assert_int_equal(i->trailing_frames, 0);
	pkt_zero(&p, 58500);
	pair_feed(t, &p);
	assert_int_equal(i->trailing_frames, 1);
	assert_int_equal(i->trailing_bytes, 58504);
	assert_int_equal(i->ip_lengths.max, 1500);
	assert_int_equal(pair_between(t, A, B)->kind[PAIR_TCP].lengths.max, 1500);
	/* 51: padding to 60 bytes is nothing strange */
	make_tcp(&p, A, B, &(struct pkt_tcp){.sport = 1, .dport = 2}, 0);
	pkt_zero(&p, 6);
	pair_feed(t, &p);
	assert_int_equal(i->trailing_frames, 1);
	pkt_zero(&p, 4);
	pair_feed(t, &p);
	assert_int_equal(i->trailing_frames, 1);
}

static void test_rx_on_another_port(void **state)
{
	struct track *t = *state;
	for (uint32_t i = 1; i <= 10; i++) {
		make_rx(&p, true, 9000, i, 16);
		pair_feed(t, &p);
		make_rx(&p, false, 9000, i, 1400);
		pair_feed(t, &p);
	}
	track_finish(t);
	const struct iface_stats *i = track_iface(t, 0);
	assert_int_equal(i->rx, 19);
	assert_int_equal(i->rx_elsewhere, 19);
	assert_int_equal(i->udp, 1); /* before there was evidence */
	assert_int_equal(track_flow_count(t), 1);
	assert_int_equal(track_flow_next(t, NULL)->key.server_port, 9000);
	assert_int_equal(pair_between(t, B, A)->kind[PAIR_UDP].packets, 1);
	assert_null(pair_between(t, A, B));
}

static void test_other_udp_is_not_rx(void **state)
{
	struct track *t = *state;
	for (uint16_t i = 1; i <= 100; i++) {
		make_udp(&p, A, B, i, 400);
		pair_feed(t, &p);
	}
	assert_int_equal(track_iface(t, 0)->rx, 0);
	assert_int_equal(track_flow_count(t), 0);
	assert_int_equal(pair_between(t, A, B)->kind[PAIR_UDP].packets, 100);
}

/* 26: every IP byte is in one place: flows, pairs, trains. */
static void test_bytes_add_up(void **state)
{
	struct track *t = *state;
	handshake(t, 1460, 1460);
	make_tcp(&p, A, B, &(struct pkt_tcp){.sport = 1, .dport = 2}, 20000);
	pair_feed(t, &p);
	make_rx(&p, true, 7000, 1, 16);
	pair_feed(t, &p);
	make_rx(&p, false, 9000, 1, 16);
	pair_feed(t, &p);
	make_udp(&p, A, B, 9, 3000);
	pair_feed_piece(t, &p, 1500, 0, SECOND);
	pair_feed_piece(t, &p, 1500, 2, SECOND);
	make_rx(&p, false, 7000, 2, 5664);
	for (unsigned i = 0; i < 4; i++)
		pair_feed_piece(t, &p, 1500, i, SECOND);
	make_begin(&p, B, A, 89, 1);
	pkt_fill(&p, 44);
	pkt_end(&p);
	pair_feed(t, &p);
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
				make_tcp(&p, A, B,
				         &(struct pkt_tcp){.sport = 1,
				                           .dport = 2,
				                           .syn = true,
				                           .mss = 9},
				         99);
			else if (kind == 1)
				make_udp(&p, A, B, 1, 99);
			else
				make_rx(&p, true, 9000, 1, 99);
			uint8_t *exact = malloc(cap ? cap : 1);
			memcpy(exact, p.bytes, cap);
			struct frame f = pkt_frame(&p, LINK_ETHERNET, SECOND, 1);
			f.bytes = exact;
			f.caplen = cap;
			track_frame(t, &f);
			free(exact);
		}
		track_finish(t);
		const struct pair *x = pair_between(t, A, B);
		if (x && x->kind[PAIR_UDP].packets)
			assert_int_equal(x->kind[PAIR_UDP].ip_bytes, 127);
		track_free(t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        PAIR_TEST(test_tcp_and_udp_by_pair),
	        PAIR_TEST(test_gro_packets_are_no_sizes),
	        PAIR_TEST(test_length_zero),
	        PAIR_TEST(test_udp_beyond_the_link),
	        PAIR_TEST(test_trailing_bytes),
	        PAIR_TEST(test_rx_on_another_port),
	        PAIR_TEST(test_other_udp_is_not_rx),
	        PAIR_TEST(test_bytes_add_up),
	        PAIR_TEST(test_every_snap_length),
	};
	return cmocka_run_group_tests_name("track/track_other", tests, NULL, NULL);
}
