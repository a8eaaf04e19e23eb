/* Fragments: by pair of hosts, and what their first ones tell. */
#include "tests/support/pair_feed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct pkt p;

/* 11, 47, 53: sizes from the train, in whatever order it comes. */
static void test_trains_by_pair(void **state)
{
	static const unsigned orders[][2] = {{0, 1}, {1, 0}};
	struct track *t = *state;
	for (uint16_t i = 0; i < 2; i++) {
		make_udp(&p, A, B, i, 1472); /* an IP length of 1500 */
		pair_feed_piece(t, &p, 1492, orders[i][0], SECOND);
		pair_feed_piece(t, &p, 1492, orders[i][1], SECOND);
	}
	make_udp(&p, A, B, 3, 10);
	pair_feed(t, &p);
	track_finish(t);
	const struct pair_fragments *g = &pair_between(t, A, B)->fragments;
	assert_int_equal(g->pieces, 4);
	assert_int_equal(g->ip_bytes, 2 * (1492 + 28));
	assert_int_equal(g->trains[FRAGMENT_WHOLE], 2);
	assert_int_equal(g->first_max, 1492);
	assert_int_equal(g->datagram_min, 1500);
	assert_int_equal(g->datagram_max, 1500);
	assert_int_equal(g->udp_max, 1472);
	assert_int_equal(g->orphans, 0);
	assert_int_equal(g->rx_pieces, 0);
	assert_int_equal(pair_between(t, A, B)->kind[PAIR_UDP].packets, 1);
	assert_int_equal(track_iface(t, 0)->first_pieces, 2);
	assert_int_equal(track_iface(t, 0)->later_pieces, 2);
}

/* 46: the id of a train without its tail comes again. */
static void test_id_used_again(void **state)
{
	struct track *t = *state;
	make_udp(&p, A, B, 77, 2000);
	pair_feed_piece(t, &p, 1500, 0, SECOND);
	make_udp(&p, A, B, 77, 4000);
	for (unsigned i = 0; i < 3; i++)
		pair_feed_piece(t, &p, 1500, i, 4 * SECOND);
	track_finish(t);
	const struct pair_fragments *g = &pair_between(t, A, B)->fragments;
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
		make_udp(&p, A, B, (uint16_t)i, 2000);
		pair_feed_piece(t, &p, 1500, 0, SECOND + (int64_t)i * 15000);
	}
	track_finish(t);
	const struct pair_fragments *g = &pair_between(t, A, B)->fragments;
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
	make_udp(&p, A, B, 5, 4000);
	pair_feed_piece(t, &p, 1500, 1, SECOND);
	pair_feed_piece(t, &p, 1500, 2, SECOND);
	track_finish(t);
	const struct pair_fragments *g = &pair_between(t, A, B)->fragments;
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
	make_udp(&p, A, B, 5, 2992);
	pair_feed_piece(t, &p, 1500, 0, SECOND);
	pair_feed_piece(t, &p, 1020, 1, SECOND); /* bytes 1000 to 1999 */
	pair_feed_piece(t, &p, 1500, 1, SECOND);
	pair_feed_piece(t, &p, 1500, 2, SECOND);
	track_finish(t);
	const struct pair_fragments *g = &pair_between(t, A, B)->fragments;
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
	pair_feed(t, &p);
	track_finish(t);
	const struct pair *x = pair_between(t, "fd00::a", "fd00::b");
	assert_int_equal(x->fragments.pieces, 0);
	assert_int_equal(x->kind[PAIR_TCP].packets, 1);
	assert_int_equal(x->mss.max, 1440);
	assert_int_equal(track_iface(t, 0)->atomic, 1);
}

/* Pieces of Rx count here too, whole Rx packets do not. */
static void test_rx_fragments_by_pair(void **state)
{
	struct track *t = *state;
	make_rx(&p, true, 7000, 1, 16);
	pair_feed(t, &p);
	assert_int_equal(track_pair_count(t), 0);
	make_rx(&p, false, 7000, 1, 5664); /* AFS 3.4a: one large packet */
	for (unsigned i = 0; i < 4; i++)
		pair_feed_piece(t, &p, 1500, i, SECOND);
	track_finish(t);
	const struct pair_fragments *g = &pair_between(t, A, B)->fragments;
	assert_int_equal(g->pieces, 4);
	assert_int_equal(g->rx_pieces, 4);
	assert_int_equal(g->rx_ip_bytes, g->ip_bytes);
	assert_int_equal(g->udp_max, 5692);
	assert_int_equal(pair_between(t, A, B)->kind[PAIR_UDP].packets, 0);
	assert_null(pair_between(t, B, A));
}

/* 44: a filter on ports hid the later pieces. */
static void test_first_pieces_alone(void **state)
{
	struct track *t = *state;
	for (uint32_t i = 1; i <= 3; i++) {
		make_rx(&p, false, 7000, i, 5664);
		pair_feed_piece(t, &p, 1500, 0, SECOND);
	}
	track_finish(t);
	assert_int_equal(track_iface(t, 0)->first_pieces, 3);
	assert_int_equal(track_iface(t, 0)->later_pieces, 0);
	assert_int_equal(pair_between(t, A, B)->fragments.udp_max, 5692);
	assert_int_equal(pair_between(t, A, B)->fragments.datagram_max, 0);
}

/* A SYN that is cut tells its MSS in the first fragment; what it may have behind it is
 * not known to be missing. */
static void test_syn_in_fragments(void **state)
{
	struct track *t = *state;
	make_tcp(&p, A, B,
	         &(struct pkt_tcp){.sport = 1, .dport = 2049, .syn = true, .mss = 8960},
	         1200);
	pair_feed_piece(t, &p, 1000, 1, SECOND);
	pair_feed_piece(t, &p, 1000, 0, SECOND);
	make_tcp(&p, B, A,
	         &(struct pkt_tcp){
	                 .sport = 2049, .dport = 1, .syn = true, .timestamps = true},
	         100);
	pair_feed_piece(t, &p, 44, 0, SECOND); /* 4 bytes of options, NOPs */
	pair_feed_piece(t, &p, 44, 1, SECOND);
	track_finish(t);
	assert_int_equal(pair_between(t, A, B)->mss.syns, 1);
	assert_int_equal(pair_between(t, A, B)->mss.max, 8960);
	assert_int_equal(pair_between(t, B, A)->peer_mss.max, 8960);
	assert_int_equal(pair_between(t, B, A)->mss.syns, 0);
	assert_int_equal(pair_between(t, B, A)->mss.syns_without, 0);
	assert_int_equal(pair_between(t, A, B)->fragments.pieces, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        PAIR_TEST(test_trains_by_pair),
	        PAIR_TEST(test_id_used_again),
	        PAIR_TEST(test_all_ids_within_a_second),
	        PAIR_TEST(test_orphans_by_pair),
	        PAIR_TEST(test_overlap_by_pair),
	        PAIR_TEST(test_atomic_fragments),
	        PAIR_TEST(test_rx_fragments_by_pair),
	        PAIR_TEST(test_first_pieces_alone),
	        PAIR_TEST(test_syn_in_fragments),
	};
	return cmocka_run_group_tests_name("track/track_fragment", tests, NULL, NULL);
}
