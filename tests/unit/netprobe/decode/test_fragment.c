/* Fragment trains: completeness in any order, and how broken ones end. */
#include "netprobe/decode/fragment.h"
#include "tests/support/fragment_feed.h"
#include "tests/support/pkt_build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* A datagram of 5708 bytes cut for MTU 1500 as the decoder sees it. */
static void feed_packets(struct fragments *fs, bool v6, const unsigned order[4])
{
	struct pkt *whole = malloc(sizeof *whole), *k = malloc(sizeof *k);
	assert_true(whole && k);
	pkt_begin(whole);
	pkt_ethernet(whole, v6 ? PKT_TYPE_IP6 : PKT_TYPE_IP4);
	if (v6)
		pkt_ip6(whole, &(struct pkt_ip6){0});
	else
		pkt_ip4(whole, &(struct pkt_ip4){.id = 77, .df = true});
	pkt_udp(whole, 7001, 7000);
	pkt_fill(whole, 5700);
	pkt_end(whole);
	for (unsigned i = 0; i < 4; i++) {
		struct packet p;
		assert_true(pkt_piece(k, whole, 1500, 77, order[i]));
		pkt_zero(k, 4); /* a checksum behind the packet is none of its bytes */
		struct frame f = pkt_frame(k, LINK_ETHERNET, i, i + 1);
		assert_int_equal(packet_decode(&f, &p), PACKET_IP);
		struct fragment_train *t = fragments_add(fs, &p, &f, feed_first);
		assert_int_equal(t == NULL, i == 3);
	}
	assert_false(pkt_piece(k, whole, 1500, 77, 4));
	free(whole);
	free(k);
}

/* Whole just with the fourth piece, in each of the 24 orders. */
static void every_order(void **state)
{
	(void)state;
	for (unsigned n = 0; n < 256; n++) {
		unsigned order[4] = {n & 3, n >> 2 & 3, n >> 4 & 3, n >> 6};
		unsigned set = 0;
		for (unsigned i = 0; i < 4; i++)
			set |= 1u << order[i];
		if (set != 15)
			continue;
		for (unsigned v6 = 0; v6 <= 1; v6++) {
			struct seen s;
			struct fragments *fs = feed_start(&s, 16);
			feed_packets(fs, v6, order);
			assert_int_equal(s.ends[FRAGMENT_WHOLE], 1);
			assert_int_equal(s.firsts, 1);
			assert_int_equal(s.last.pieces, 4);
			assert_int_equal(s.last.total, 5708);
			assert_int_equal(s.last.bytes, 5708);
			assert_int_equal(s.last.ip_bytes, 5708 + 4 * (v6 ? 48 : 20));
			assert_int_equal(s.last.first_ip_len, v6 ? 1496 : 1500);
			assert_int_equal(s.last.largest_ip_len, v6 ? 1496 : 1500);
			assert_int_equal(s.last.first_frame, 1);
			assert_int_equal(s.last.last_frame, 4);
			assert_false(s.last.overlap || s.last.oversize || s.last.tiny);
			assert_true(s.last.df);
			fragments_finish(fs);
			assert_int_equal(feed_ends(&s), 1);
			fragments_free(fs);
		}
	}
}

static void note_begins_empty_and_stays(void **state)
{
	(void)state;
	struct seen s;
	struct fragments *fs = feed_start(&s, 4);
	feed(fs,
	     &(struct piece_spec){.offset = 8, .len = 8, .more = true, .number = 1});
	feed(fs, &(struct piece_spec){.len = 8, .more = true, .number = 2});
	assert_null(
	        feed(fs, &(struct piece_spec){.offset = 16, .len = 3, .number = 3}));
	assert_int_equal(s.last.note[0], 2);
	assert_int_equal(s.last.total, 19);
	assert_int_equal(s.last.bytes, 19);
	fragments_free(fs);
}

/* The same frame captured twice, piece by piece or train by train. */
static void repeats(void **state)
{
	(void)state;
	struct seen s;
	struct fragments *fs = feed_start(&s, 4);
	for (unsigned i = 0; i < 3; i++)
		for (unsigned copy = 0; copy < 2; copy++)
			feed(fs, &(struct piece_spec){.offset = i * 1480,
			                              .len = i < 2 ? 1480 : 100,
			                              .more = i < 2});
	for (unsigned i = 0; i < 3; i++)
		assert_null(feed(fs, &(struct piece_spec){.offset = i * 1480,
		                                          .len = i < 2 ? 1480 : 100,
		                                          .more = i < 2,
		                                          .time_ns = 3000}));
	fragments_finish(fs);
	assert_int_equal(feed_ends(&s), 1);
	assert_int_equal(s.ends[FRAGMENT_WHOLE], 1);
	assert_int_equal(s.firsts, 1);
	assert_int_equal(s.last.pieces, 3);
	assert_int_equal(s.last.repeats, 2);
	assert_int_equal(s.last.ip_bytes, 3060 + 60);
	assert_false(s.last.overlap);
	assert_int_equal(fragments_counts(fs)->late_repeats, 4);
	assert_int_equal(fragments_counts(fs)->late_repeat_bytes, 1500 * 2 + 120 * 2);
	fragments_free(fs);
}

/* A new datagram with the id of one that was whole a moment ago is new, and
 * so is the same content long after. */
static void reuse_after_whole(void **state)
{
	static const struct {
		int64_t time_ns;
		uint8_t content;
		bool is_new;
	} cases[] = {
	        {SECOND / 3, 1, true}, {SECOND / 3, 0, false}, {2 * SECOND, 0, true}};
	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct seen s;
		struct fragments *fs = feed_start(&s, 4);
		for (unsigned again = 0; again < 2; again++) {
			struct piece_spec x = {.len = 1480,
			                       .more = true,
			                       .content = again ? cases[i].content : 0,
			                       .time_ns = again ? cases[i].time_ns : 0};
			feed(fs, &x);
			x.offset = 1480;
			x.more = false;
			feed(fs, &x);
		}
		assert_int_equal(s.ends[FRAGMENT_WHOLE], cases[i].is_new ? 2 : 1);
		assert_int_equal(fragments_counts(fs)->late_repeats,
		                 cases[i].is_new ? 0 : 2);
		fragments_finish(fs);
		assert_int_equal(s.ends[FRAGMENT_UNFINISHED], 0);
		fragments_free(fs);
	}
}

/* The first train lacks its tail, the id comes again 3 s later. */
static void reuse_before_whole(void **state)
{
	(void)state;
	struct seen s;
	struct fragments *fs = feed_start(&s, 4);
	feed(fs, &(struct piece_spec){
	                 .len = 1480, .more = true, .content = 1, .number = 1});
	feed(fs, &(struct piece_spec){.len = 1480,
	                              .more = true,
	                              .content = 2,
	                              .time_ns = 3 * SECOND,
	                              .number = 2});
	assert_int_equal(s.ends[FRAGMENT_REUSED], 1);
	assert_int_equal(s.last.first_frame, 1);
	assert_int_equal(s.last.bytes, 1480);
	feed(fs,
	     &(struct piece_spec){.offset = 1480, .len = 20, .time_ns = 3 * SECOND});
	assert_int_equal(s.ends[FRAGMENT_WHOLE], 1);
	assert_int_equal(s.last.first_frame, 2);
	assert_int_equal(s.last.pieces, 2);
	fragments_free(fs);
}

/* Thirty seconds count from the first piece, whatever came since. */
static void expires(void **state)
{
	(void)state;
	struct seen s;
	struct fragments *fs = feed_start(&s, 8);
	feed(fs, &(struct piece_spec){.id = 1, .len = 8, .more = true});
	feed(fs, &(struct piece_spec){.id = 1,
	                              .offset = 8,
	                              .len = 8,
	                              .more = true,
	                              .time_ns = 29 * SECOND});
	feed(fs, &(struct piece_spec){
	                 .id = 2, .len = 8, .more = true, .time_ns = 30 * SECOND});
	assert_int_equal(feed_ends(&s), 0);
	/* its last piece is late: it neither completes nor is lost from sight */
	assert_non_null(feed(fs, &(struct piece_spec){.id = 1,
	                                              .offset = 16,
	                                              .len = 8,
	                                              .time_ns = 30 * SECOND + 1}));
	assert_int_equal(s.ends[FRAGMENT_EXPIRED], 1);
	assert_int_equal(s.last.id, 1);
	assert_int_equal(s.last.pieces, 2);
	fragments_finish(fs);
	assert_int_equal(s.ends[FRAGMENT_UNFINISHED], 2);
	fragments_free(fs);
}

/* Use does not keep a train: one that is fed all the time goes first. */
static void expiry_is_by_first_piece(void **state)
{
	(void)state;
	struct seen s;
	struct fragments *fs = feed_start(&s, 8);
	feed(fs, &(struct piece_spec){.id = 1, .len = 8, .more = true});
	feed(fs, &(struct piece_spec){
	                 .id = 2, .len = 8, .more = true, .time_ns = 20 * SECOND});
	for (unsigned i = 1; i < 30; i++)
		feed(fs, &(struct piece_spec){.id = 1,
		                              .offset = 8 * i,
		                              .len = 8,
		                              .more = true,
		                              .time_ns = i * SECOND});
	feed(fs, &(struct piece_spec){
	                 .id = 3, .len = 8, .more = true, .time_ns = 31 * SECOND});
	assert_int_equal(feed_ends(&s), 1);
	assert_int_equal(s.last.id, 1);
	feed(fs, &(struct piece_spec){
	                 .id = 4, .len = 8, .more = true, .time_ns = 51 * SECOND});
	assert_int_equal(feed_ends(&s), 2);
	assert_int_equal(s.last.id, 2);
	fragments_free(fs);
}

/* Small steps back are jitter, large ones part the trains as time does; no
 * time whatever overflows. */
static void time_steps_back(void **state)
{
	(void)state;
	struct seen s;
	struct fragments *fs = feed_start(&s, 8);
	feed(fs, &(struct piece_spec){
	                 .id = 1, .len = 8, .more = true, .time_ns = 100 * SECOND});
	feed(fs, &(struct piece_spec){
	                 .id = 1, .offset = 8, .len = 8, .time_ns = 99 * SECOND});
	assert_int_equal(s.ends[FRAGMENT_WHOLE], 1);
	feed(fs, &(struct piece_spec){
	                 .id = 2, .len = 8, .more = true, .time_ns = 100 * SECOND});
	feed(fs, &(struct piece_spec){
	                 .id = 3, .len = 8, .more = true, .time_ns = 10 * SECOND});
	assert_int_equal(s.ends[FRAGMENT_EXPIRED], 1);
	feed(fs, &(struct piece_spec){
	                 .id = 4, .len = 8, .more = true, .time_ns = INT64_MAX});
	feed(fs, &(struct piece_spec){
	                 .id = 5, .len = 8, .more = true, .time_ns = INT64_MIN});
	assert_int_equal(s.ends[FRAGMENT_EXPIRED], 3);
	fragments_free(fs);
}

static void keys_part_trains(void **state)
{
	(void)state;
	struct seen s;
	struct fragments *fs = feed_start(&s, 8);
	feed(fs, &(struct piece_spec){.id = 1, .len = 8, .more = true});
	feed(fs, &(struct piece_spec){.id = 2, .offset = 8, .len = 8});
	feed(fs, &(struct piece_spec){.id = 1, .offset = 8, .len = 8, .iface = 1});
	assert_int_equal(feed_ends(&s), 0);
	feed(fs, &(struct piece_spec){.id = 1, .offset = 8, .len = 8});
	assert_int_equal(s.ends[FRAGMENT_WHOLE], 1);
	fragments_free(fs);
}

/* Bytes that came twice complete nothing; the flag tells that they did. */
static void overlaps(void **state)
{
	static const struct piece_spec cases[][4] = {
	        /* the same place, other content */
	        {{.len = 16, .more = true},
	         {.offset = 16, .len = 16, .more = true},
	         {.offset = 16, .len = 16, .more = true, .content = 9},
	         {.offset = 40, .len = 8}},
	        /* shifted, the same content */
	        {{.len = 24, .more = true},
	         {.offset = 16, .len = 16, .more = true},
	         {.offset = 24, .len = 8, .more = true},
	         {.offset = 40, .len = 8}},
	        /* two ends */
	        {{.len = 8, .more = true},
	         {.offset = 24, .len = 8},
	         {.offset = 40, .len = 8},
	         {.offset = 16, .len = 8, .more = true}},
	        /* beyond the end */
	        {{.len = 8, .more = true},
	         {.offset = 40, .len = 8, .more = true},
	         {.offset = 24, .len = 8},
	         {.offset = 16, .len = 8, .more = true}},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct seen s;
		struct fragments *fs = feed_start(&s, 4);
		for (unsigned j = 0; j < 4; j++)
			assert_non_null(feed(fs, &cases[i][j]));
		fragments_finish(fs);
		assert_int_equal(s.ends[FRAGMENT_UNFINISHED], 1);
		assert_true(s.last.overlap);
		assert_int_equal(s.last.pieces, 4);
		assert_int_equal(s.last.repeats, 0);
		fragments_free(fs);
	}
}

static void overlapping_but_covered(void **state)
{
	(void)state;
	struct seen s;
	struct fragments *fs = feed_start(&s, 4);
	feed(fs, &(struct piece_spec){.len = 24, .more = true});
	feed(fs, &(struct piece_spec){.offset = 16, .len = 16, .more = true});
	assert_null(feed(fs, &(struct piece_spec){.offset = 32, .len = 5}));
	assert_int_equal(s.how, FRAGMENT_WHOLE);
	assert_true(s.last.overlap);
	assert_int_equal(s.last.bytes, 37);
	fragments_free(fs);
}

/* The ping of death: no receiver puts it together. */
static void oversize(void **state)
{
	(void)state;
	struct seen s;
	struct fragments *fs = feed_start(&s, 4);
	for (uint32_t at = 0; at < 65120; at += 1480)
		feed(fs, &(struct piece_spec){.offset = at, .len = 1480, .more = true});
	feed(fs, &(struct piece_spec){.offset = 65120, .len = 600});
	fragments_finish(fs);
	assert_int_equal(s.ends[FRAGMENT_UNFINISHED], 1);
	assert_true(s.last.oversize);
	fragments_free(fs);

	fs = feed_start(&s, 4); /* the largest one that is allowed */
	for (uint32_t at = 0; at < 65120; at += 1480)
		feed(fs, &(struct piece_spec){.offset = at, .len = 1480, .more = true});
	feed(fs, &(struct piece_spec){.offset = 65120, .len = 395});
	assert_int_equal(s.ends[FRAGMENT_WHOLE], 1);
	assert_false(s.last.oversize);
	assert_int_equal(s.last.total, 65515);
	fragments_free(fs);

	fs = feed_start(&s, 4); /* one byte more: all is covered, yet too large */
	for (uint32_t at = 0; at < 65120; at += 1480)
		feed(fs, &(struct piece_spec){.offset = at, .len = 1480, .more = true});
	feed(fs, &(struct piece_spec){.offset = 65120, .len = 396});
	assert_int_equal(s.ends[FRAGMENT_WHOLE], 0);
	fragments_finish(fs);
	assert_true(s.last.oversize);
	fragments_free(fs);
}

static void tiny(void **state)
{
	static const struct {
		uint32_t first, rest;
		bool tiny;
	} cases[] = {{256, 8, false}, {248, 8, true}, {8, 1480, true}};
	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct seen s;
		struct fragments *fs = feed_start(&s, 4);
		feed(fs, &(struct piece_spec){.len = cases[i].first, .more = true});
		feed(fs, &(struct piece_spec){.offset = cases[i].first,
		                              .len = cases[i].rest});
		assert_int_equal(s.how, FRAGMENT_WHOLE);
		assert_int_equal(s.last.tiny, cases[i].tiny);
		fragments_free(fs);
	}
}

static void nothing_to_free(void **state)
{
	(void)state;
	struct seen s;
	struct fragments *fs = feed_start(&s, 1);
	feed(fs, &(struct piece_spec){.id = 1, .len = 8, .more = true});
	fragments_free(fs); /* calls no end */
	assert_int_equal(feed_ends(&s), 0);
	fragments_free(NULL);
	for (unsigned i = 0; i < FRAGMENT_ENDS; i++)
		assert_string_not_equal(fragment_end_name((enum fragment_end)i), "?");
}

/* No sender has all its ids used up in a millisecond: a second, different first
 * fragment is an overlap, whatever else it is. */
static void another_first_at_once_overlaps(void **state)
{
	(void)state;
	for (int late = 0; late < 2; late++) {
		struct seen s;
		struct fragments *fs = feed_start(&s, 16);
		feed(fs, &(struct piece_spec){.len = 18, .more = true});
		feed(fs, &(struct piece_spec){.offset = 48, .len = 116});
		feed(fs, &(struct piece_spec){.len = 304,
		                              .more = true,
		                              .time_ns = late ? 3 * SECOND
		                                              : SECOND / 2000});
		assert_int_equal(s.ends[FRAGMENT_REUSED], 1);
		assert_int_equal(s.last.overlap, !late);
		fragments_free(fs);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_order),
	        cmocka_unit_test(note_begins_empty_and_stays),
	        cmocka_unit_test(repeats),
	        cmocka_unit_test(reuse_after_whole),
	        cmocka_unit_test(reuse_before_whole),
	        cmocka_unit_test(another_first_at_once_overlaps),
	        cmocka_unit_test(expires),
	        cmocka_unit_test(expiry_is_by_first_piece),
	        cmocka_unit_test(time_steps_back),
	        cmocka_unit_test(keys_part_trains),
	        cmocka_unit_test(overlaps),
	        cmocka_unit_test(overlapping_but_covered),
	        cmocka_unit_test(oversize),
	        cmocka_unit_test(tiny),
	        cmocka_unit_test(nothing_to_free),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
