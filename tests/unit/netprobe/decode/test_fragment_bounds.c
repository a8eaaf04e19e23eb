/* Fragment trains in bulk: cost and memory stay bounded, nothing is lost. */
#include "tests/support/fragment_feed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <time.h>

#include <cmocka.h>

/* All ids within one second, two pieces each, sixteen trains at a time. */
static void all_ids_in_a_second(void **state)
{
	(void)state;
	struct seen s;
	struct fragments *fs = feed_start(&s, 64);
	for (uint32_t n = 0; n < 3 * 65536 + 16; n++) {
		int64_t now = n * (SECOND / 65536);
		uint8_t content = (uint8_t)(n >> 16);
		if (n >= 16)
			feed(fs, &(struct piece_spec){
			                 .id = (n - 16) & 0xffff,
			                 .offset = 1480,
			                 .len = 100,
			                 .time_ns = now,
			                 .content = (uint8_t)((n - 16) >> 16)});
		if (n < 3 * 65536)
			feed(fs, &(struct piece_spec){.id = n & 0xffff,
			                              .len = 1480,
			                              .more = true,
			                              .time_ns = now,
			                              .content = content});
	}
	assert_int_equal(s.ends[FRAGMENT_WHOLE], 3 * 65536);
	assert_int_equal(feed_ends(&s), 3 * 65536);
	assert_int_equal(fragments_counts(fs)->late_repeats, 0);
	fragments_free(fs);
}

static void shuffle(uint32_t *order, uint32_t n)
{
	uint32_t s = 7;
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	for (uint32_t i = n - 1; i > 0; i--) {
		s = s * 1664525u + 1013904223u;
		uint32_t j = (s >> 8) % (i + 1), x = order[i];
		order[i] = order[j];
		order[j] = x;
	}
}

/* The largest datagram in the smallest pieces, in random order, each twice. */
static void many_pieces(void **state)
{
	enum { PIECES = 8189 };
	static uint32_t order[PIECES];
	(void)state;
	struct seen s;
	struct fragments *fs = feed_start(&s, 4);
	shuffle(order, PIECES);
	for (uint32_t i = 0; i < PIECES; i++) {
		struct piece_spec x = {.offset = order[i] * 8,
		                       .len = 8,
		                       .more = order[i] + 1 < PIECES};
		assert_int_equal(s.ends[FRAGMENT_WHOLE], 0);
		feed(fs, &x);
		feed(fs, &x);
	}
	assert_int_equal(s.ends[FRAGMENT_WHOLE], 1);
	assert_int_equal(s.last.pieces, PIECES);
	assert_int_equal(s.last.repeats, PIECES - 1);
	assert_int_equal(fragments_counts(fs)->late_repeats, 1);
	assert_int_equal(s.last.total, PIECES * 8);
	assert_true(s.last.tiny);
	assert_false(s.last.overlap);
	fragments_free(fs);
}

static double firsts_seconds(uint32_t n, size_t capacity)
{
	struct seen s;
	struct fragments *fs = feed_start(&s, capacity);
	struct timespec a, b;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
	for (uint32_t i = 0; i < n; i++)
		feed(fs, &(struct piece_spec){
		                 .id = i, .len = 1480, .more = true, .time_ns = i});
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
	assert_int_equal(s.ends[FRAGMENT_EVICTED], n - capacity);
	assert_int_equal(s.last.id, n - capacity - 1); /* the oldest goes */
	fragments_finish(fs);
	assert_int_equal(feed_ends(&s), n);
	fragments_free(fs);
	return (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) * 1e-9;
}

/* A million trains of which only the first piece comes: twice the trains cost
 * about twice the time, not four times. */
static void a_million_broken_trains(void **state)
{
	(void)state;
	double half = firsts_seconds(500000, 10000);
	double full = firsts_seconds(1000000, 10000);
	assert_true(full < 3 * half + 0.1);
}

/* Trains with many pieces each share one budget: the oldest go, and what goes
 * is told. */
static void pieces_have_a_budget(void **state)
{
	enum { TRAINS = 40000, PIECES = 12 };
	(void)state;
	struct seen s;
	struct fragments *fs = feed_start(&s, TRAINS);
	for (uint32_t id = 0; id < TRAINS; id++)
		for (uint32_t i = 0; i < PIECES; i++)
			feed(fs, &(struct piece_spec){.id = id,
			                              .offset = 8 * i,
			                              .len = 8,
			                              .more = true});
	assert_true(s.ends[FRAGMENT_EVICTED] > TRAINS / 2);
	assert_int_equal(s.last.id, s.ends[FRAGMENT_EVICTED] - 1);
	assert_int_equal(s.last.pieces, PIECES);
	fragments_finish(fs);
	assert_int_equal(feed_ends(&s), TRAINS);
	fragments_free(fs);
}

/* Random pieces of few ids: every one is counted exactly once. */
static void every_piece_is_counted(void **state)
{
	enum { PIECES = 300000 };
	(void)state;
	struct seen s;
	struct fragments *fs = feed_start(&s, 8);
	uint32_t r = 3;
	for (uint32_t i = 0; i < PIECES; i++) {
		r = r * 1664525u + 1013904223u;
		struct piece_spec x = {.id = (r >> 8) % 20,
		                       .offset = ((r >> 13) % 40) * 8,
		                       .len = ((r >> 19) % 10) * 8 + 1,
		                       .more = (r >> 23) % 8 != 0,
		                       .content = (uint8_t)((r >> 26) % 2),
		                       .time_ns = (int64_t)i * 1000000};
		struct fragment_train *t = feed(fs, &x);
		assert_true(!t || (t->id == x.id && t->pieces > 0));
	}
	fragments_finish(fs);
	assert_int_equal(s.pieces + s.repeats + fragments_counts(fs)->late_repeats,
	                 PIECES);
	assert_true(s.ends[FRAGMENT_REUSED] > 0 && s.ends[FRAGMENT_EVICTED] > 0);
	fragments_free(fs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(all_ids_in_a_second),
	        cmocka_unit_test(many_pieces),
	        cmocka_unit_test(a_million_broken_trains),
	        cmocka_unit_test(pieces_have_a_budget),
	        cmocka_unit_test(every_piece_is_counted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
