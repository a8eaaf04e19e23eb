#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "src/base/clock.h"
#include "src/engine/watch.h"

/* A call that began at second 1 of a clock of the test's own. */
struct bench {
	struct watch w;
	struct watch_state s;
	struct watch_options o;
};

static enum watch_verdict look(struct bench *b, double second, int64_t received)
{
	return watch_look(&b->s, &b->w, &b->o, (int64_t)(second * 1e9), received);
}

static struct bench waiting(void)
{
	struct bench b = {.o = {.give_up_ns = 100 * NS_PER_S}};
	watch_begin(&b.w);
	assert_int_equal(look(&b, 1, 1000), WATCH_NOTHING);
	return b;
}

static void test_watch_says_it_after_some_seconds(void **state)
{
	(void)state;
	struct bench b = waiting();
	char text[160];
	assert_int_equal(look(&b, 5.9, 1000), WATCH_NOTHING);
	assert_int_equal(look(&b, 6, 1000), WATCH_SAY);
	watch_text(&b.s, 6 * NS_PER_S, 1000, text, sizeof text);
	assert_string_equal(text,
	                    "a call has not come back for 5 s (0 bytes came to this "
	                    "host meanwhile)");
	assert_int_equal(look(&b, 20, 1000), WATCH_NOTHING);
	assert_int_equal(look(&b, 36, 1000), WATCH_SAY); /* again after 30 s */
	assert_int_equal(look(&b, 40, 1000), WATCH_NOTHING);
	b = waiting();
	b.o.quiet = true;
	assert_int_equal(look(&b, 50, 1000), WATCH_NOTHING);
	assert_int_equal(look(&b, 101, 1000), WATCH_GIVE_UP);
}

/* Calls that end, and none at all, are no wait. */
static void test_watch_begins_anew(void **state)
{
	(void)state;
	struct bench b = waiting();
	watch_end(&b.w);
	watch_begin(&b.w);
	assert_int_equal(look(&b, 300, 1000), WATCH_NOTHING);
	assert_int_equal(look(&b, 304, 1000), WATCH_NOTHING);
	assert_int_equal(look(&b, 305, 1000), WATCH_SAY);
	watch_end(&b.w);
	assert_int_equal(look(&b, 400, 1000), WATCH_NOTHING);
	assert_int_equal(look(&b, 900, 1000), WATCH_NOTHING); /* warm reads, a pause */
}

/* A store of many seconds: acknowledgements come all the time. */
static void test_watch_lets_a_store_go_on(void **state)
{
	(void)state;
	struct bench b = waiting();
	for (int s = 2; s < 1000; s++)
		assert_int_equal(look(&b, s, 1000 + 2000 * (s - 1)), WATCH_NOTHING);
}

/* Pings keep a call alive whose data never arrive. */
static void test_watch_gives_up(void **state)
{
	(void)state;
	struct bench b = waiting();
	char text[160];
	for (int s = 2; s < 101; s++)
		assert_int_not_equal(look(&b, s, 1000 + 100 * (s - 1)), WATCH_GIVE_UP);
	assert_int_equal(look(&b, 101, 11000), WATCH_GIVE_UP);
	watch_text(&b.s, 101 * NS_PER_S, 11000, text, sizeof text);
	assert_string_equal(text,
	                    "a call has not come back for 100 s (10000 bytes came to "
"this host meanwhile)");
	b = waiting();
	b.o.give_up_ns = 0; /* never */
	for (int s = 2; s < 5000; s++)
		assert_int_not_equal(look(&b, s, 1000), WATCH_GIVE_UP);
}

static void test_watch_heeds_a_wish_to_stop(void **state)
{
	(void)state;
	struct bench b = waiting();
	volatile sig_atomic_t stop = 0;
	b.o.stop = &stop;
	b.o.give_up_ns = 0;
	assert_int_equal(look(&b, 50, 1000), WATCH_SAY);
	stop = 15;
	assert_int_equal(look(&b, 51, 1000), WATCH_NOTHING);
	assert_int_equal(look(&b, 55, 1000), WATCH_NOTHING);
	assert_int_equal(look(&b, 56, 1000), WATCH_GIVE_UP);
}

static void test_watch_without_counters(void **state)
{
	(void)state;
	struct bench b = {.o = {.give_up_ns = 100 * NS_PER_S}};
	char text[160];
	watch_begin(&b.w);
	assert_int_equal(look(&b, 1, -1), WATCH_NOTHING);
	assert_int_equal(look(&b, 6, -1), WATCH_SAY);
	watch_text(&b.s, 6 * NS_PER_S, -1, text, sizeof text);
	assert_string_equal(text, "a call has not come back for 5 s");
}

static int64_t nothing(void)
{
	return 0;
}

/* The thread itself ends when told, also at once. */
static void test_watch_thread(void **state)
{
	(void)state;
	struct watch w = {0};
	const struct watch_options o = {.quiet = true, .received = nothing};
	watch_stop(&w);
	for (int i = 0; i < 20; i++) {
		watch_start(&w, &o, "nobody");
		assert_non_null(w.thread);
		watch_begin(&w);
		watch_end(&w);
		watch_stop(&w);
		assert_null(w.thread);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_watch_says_it_after_some_seconds),
	        cmocka_unit_test(test_watch_begins_anew),
	        cmocka_unit_test(test_watch_lets_a_store_go_on),
	        cmocka_unit_test(test_watch_gives_up),
	        cmocka_unit_test(test_watch_heeds_a_wish_to_stop),
	        cmocka_unit_test(test_watch_without_counters),
	        cmocka_unit_test(test_watch_thread),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
