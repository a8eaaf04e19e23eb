#include "netprobe/expect/link.h"
#include "netprobe/report/pair_verdict.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static char text[900];

static bool judge(const struct pair *p, uint32_t mtu, uint32_t largest_whole)
{
	struct pair_facts f = {
	        .pair = p, .family = 4, .mtu = mtu, .largest_whole = largest_whole};
	return pair_verdict(&f, text, sizeof text);
}

static struct pair with_tcp(uint32_t own, uint32_t peer, uint32_t largest)
{
	struct pair p = {.kind[PAIR_TCP] = {.packets = 9}};
	if (own)
		pair_mss_add(&p.mss, own);
	if (peer)
		pair_mss_add(&p.peer_mss, peer);
	p.kind[PAIR_TCP].lengths.total = 9;
	p.kind[PAIR_TCP].lengths.max = largest;
	return p;
}

static void test_mss(void **state)
{
	(void)state;
	struct pair p = with_tcp(8960, 8960, 9000);
	assert_false(judge(&p, 0, 9000));
	assert_string_equal(text, "TCP MSS 8960 announced both ways: MTU 9000; largest "
	                          "IP length seen 9000");
	p = with_tcp(8960, 1460, 1500);
	judge(&p, 0, 1500);
	assert_string_equal(text, "TCP MSS 8960 announced by the sender, 1460 by the "
	                          "receiver: IP packets of at most 1500; largest IP "
	                          "length seen 1500");
	p = with_tcp(1460, 0, 60);
	judge(&p, 0, 60);
	assert_string_equal(text,
	                    "TCP MSS 1460 announced by the sender, the receiver's "
	                    "SYN not seen: MTU here 1500; largest IP length seen "
	                    "60");
	p = with_tcp(0, 1460, 60);
	judge(&p, 0, 60);
	assert_non_null(strstr(text, "the sender's SYN not seen: MTU there 1500"));
	pair_mss_add(&p.peer_mss, 536);
	judge(&p, 0, 60);
	assert_non_null(strstr(text, "TCP MSS 536 to 1460 announced by the receiver"));
}

/* trouble-reports.md 20: never "MTU 65260". */
static void test_no_mtu_from_what_may_be_offload(void **state)
{
	(void)state;
	struct pair p = with_tcp(0, 0, 65260);
	judge(&p, 0, 65260);
	assert_null(strstr(text, "MTU"));
	assert_non_null(strstr(text, "may be an offload's work or a jumbo frame"));
	p = with_tcp(0, 0, 1500);
	judge(&p, 0, 1500);
	assert_string_equal(text, "");
	p = with_tcp(1460, 1460, 1500);
	p.kind[PAIR_TCP].super = 2;
	p.kind[PAIR_TCP].super_wire = 55;
	judge(&p, 0, 1500);
	assert_non_null(strstr(text, "MTU 1500"));
	assert_non_null(strstr(text, "2 TCP packets put together by an offload (GRO, "
	                             "LRO, TSO), about 55 on the wire"));
	p.kind[PAIR_TCP].super_unknown = 2;
	judge(&p, 0, 1500);
	assert_null(strstr(text, "on the wire"));
}

static struct pair with_trains(uint32_t first, uint32_t smallest, uint32_t largest)
{
	struct pair p = {.fragments = {.pieces = 4,
	                               .trains[FRAGMENT_WHOLE] = 2,
	                               .first_max = first,
	                               .datagram_min = smallest,
	                               .datagram_max = largest}};
	return p;
}

/* 11: a datagram of 1500 cut on a link of 1500. */
static void test_fragmented_although_it_fits(void **state)
{
	(void)state;
	struct pair p = with_trains(1492, 1500, 1500);
	assert_true(judge(&p, 1500, 0));
	assert_string_equal(
	        text, "fragmented although the datagram (IP length 1500) fits the "
	              "interface MTU 1500: first fragment 1492 => route or path "
	              "MTU 1492");
	assert_true(judge(&p, 0, 1500));
	assert_string_equal(text,
	                    "fragmented (IP length 1500) although packets of 1500 went "
	                    "whole the same way: first fragment 1492 => route or path "
	                    "MTU 1492");
	/* neither known: no accusation */
	assert_false(judge(&p, 0, 0));
	assert_string_equal(text, "datagrams up to IP length 1500 fragmented: first "
	                          "fragment 1492 => route or path MTU 1492");
}

static void test_fragmented_as_it_must(void **state)
{
	(void)state;
	struct pair p = with_trains(1500, 1501, 5720);
	assert_false(judge(&p, 1500, 1500));
	assert_string_equal(text, "datagrams up to IP length 5720 fragmented at the "
	                          "interface MTU 1500");
	/* 8976 bytes are the most that 9000 hold in units of 8 */
	p = with_trains(8996, 9001, 60000);
	assert_false(judge(&p, 9000, 9000));
	assert_non_null(strstr(text, "at the interface MTU 9000"));
	assert_false(judge(&p, 0, 0));
	assert_non_null(strstr(text, "MTU 8996 to 9003, probably 9000"));
}

/* Pieces that no link makes tell no MTU. */
static void test_fragments_too_small_for_a_link(void **state)
{
	(void)state;
	struct pair p = with_trains(44, 60, 60);
	judge(&p, 0, 0);
	assert_null(strstr(text, "MTU"));
	assert_non_null(strstr(text, "first fragment 44, smaller than any link asks"));
	p = with_trains(456, 1248, 1248);
	judge(&p, 0, 0);
	assert_non_null(strstr(text, "MTU 456"));
	struct pair_facts v6 = {.pair = &p, .family = 6};
	pair_verdict(&v6, text, sizeof text);
	assert_null(strstr(text, "MTU"));
}

/* The first piece of every MTU tells it, up to what units of 8 leave open. */
static void test_mtu_from_first_piece(void **state)
{
	(void)state;
	for (uint32_t mtu = 576; mtu < 65500; mtu++) {
		uint32_t first = link_fragment_len(4, 65515, mtu, 0);
		uint32_t told = first_piece_mtu(first);
		assert_true(told >= first && told < first + 8);
		assert_true(mtu >= first && mtu < first + 8);
	}
	assert_int_equal(first_piece_mtu(1492), 1492);
	assert_int_equal(first_piece_mtu(1500), 1500);
	assert_int_equal(first_piece_mtu(8996), 9000);
	assert_int_equal(first_piece_mtu(4348), 4352);
	assert_int_equal(first_piece_mtu(1236), 1236);
}

/* 59: the threshold of fragmentation is the MTU's alone. */
static void test_fragmentation_threshold(void **state)
{
	(void)state;
	static const struct {
		uint32_t payload, pieces;
	} udp[] = {{1448, 1}, {1472, 1}, {1473, 2}};
	for (size_t i = 0; i < sizeof udp / sizeof *udp; i++)
		assert_int_equal(link_fragments(4, udp[i].payload + 28, 1500),
		                 udp[i].pieces);
	assert_int_equal(link_fragments(6, 1452 + 48, 1500), 1);
	assert_int_equal(link_fragments(6, 1453 + 48, 1500), 2);
}

static void test_broken_trains(void **state)
{
	(void)state;
	struct pair p = {.fragments = {.trains = {[FRAGMENT_WHOLE] = 5,
	                                          [FRAGMENT_EXPIRED] = 2,
	                                          [FRAGMENT_REUSED] = 1},
	                               .orphans = 3,
	                               .orphan_ip_bytes = 4000,
	                               .overlaps = 1}};
	assert_true(judge(&p, 1500, 0));
	assert_non_null(strstr(text, "3 of 8 fragment trains incomplete (2 "));
	assert_non_null(strstr(text, "3 pieces (4000 IP bytes) without their first"));
	assert_non_null(strstr(text, "1 fragment trains with overlapping pieces"));
}

/* 46: 65536 trains in a second, and a calm pair. */
static void test_id_wrap(void **state)
{
	(void)state;
	struct pair p = with_trains(1500, 5720, 5720);
	p.fragments.trains[FRAGMENT_WHOLE] = 65536;
	p.fragments.last_ns = 1000000000;
	assert_true(judge(&p, 1500, 0));
	assert_non_null(
	        strstr(text, "65536 trains/s: the 65536 IP ids wrap within 1 s"));
	p.fragments.last_ns = INT64_C(100000000000);
	assert_false(judge(&p, 1500, 0));
	p.fragments.last_ns = 0;
	assert_false(judge(&p, 1500, 0));
}

/* 44 */
static void test_hidden_pieces(void **state)
{
	(void)state;
	assert_true(pieces_hidden(&(struct iface_stats){.first_pieces = 3}));
	assert_false(pieces_hidden(&(struct iface_stats){.first_pieces = 2}));
	assert_false(pieces_hidden(
	        &(struct iface_stats){.first_pieces = 51, .later_pieces = 1}));
	struct pair p = {.fragments = {.trains[FRAGMENT_UNFINISHED] = 51,
	                               .pieces = 51,
	                               .first_max = 1500,
	                               .udp_max = 5692}};
	assert_true(judge(&p, 0, 0));
	assert_non_null(
	        strstr(text, "datagrams up to UDP payload 5692 (by their UDP length)"));
}

/* Whatever the room, no byte is written behind it. */
static void test_any_room(void **state)
{
	(void)state;
	struct pair p = with_tcp(8960, 1460, 9000);
	p.fragments = with_trains(1492, 1500, 1500).fragments;
	p.fragments.trains[FRAGMENT_EXPIRED] = 7;
	p.kind[PAIR_TCP].super = 1;
	struct pair_facts f = {.pair = &p, .family = 4, .mtu = 1500};
	for (size_t room = 1; room < sizeof text; room++) {
		memset(text, '#', sizeof text);
		pair_verdict(&f, text, room);
		assert_true(strlen(text) < room);
		assert_int_equal(text[room], '#');
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_mss),
	        cmocka_unit_test(test_no_mtu_from_what_may_be_offload),
	        cmocka_unit_test(test_fragmented_although_it_fits),
	        cmocka_unit_test(test_fragmented_as_it_must),
	        cmocka_unit_test(test_fragments_too_small_for_a_link),
	        cmocka_unit_test(test_mtu_from_first_piece),
	        cmocka_unit_test(test_fragmentation_threshold),
	        cmocka_unit_test(test_broken_trains),
	        cmocka_unit_test(test_id_wrap),
	        cmocka_unit_test(test_hidden_pieces),
	        cmocka_unit_test(test_any_room),
	};
	return cmocka_run_group_tests_name("report/pair_verdict", tests, NULL, NULL);
}
