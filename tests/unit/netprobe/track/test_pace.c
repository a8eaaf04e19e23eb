#include "netprobe/track/pace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define MS INT64_C(1000000)
#define START (INT64_C(1796057776) * 1000 * MS)

/* DATA of a call, 1000 bytes, so many ms after the start. */
static void data(struct pace *p, struct call_way *w, int64_t ms)
{
	pace_take_data(p, w, w->datagrams == 0, 1000, START + ms * MS);
	w->datagrams++;
}

static void expect(const struct pace *p, double seconds, uint64_t bytes, double rate)
{
	assert_float_equal(pace_seconds(p), seconds, 1e-9);
	assert_int_equal(p->bytes, bytes);
	assert_float_equal(pace_rate(p), rate, 1e-6);
}

static void test_nothing_has_no_pace(void **state)
{
	(void)state;
	struct pace p = {0};
	expect(&p, 0, 0, 0);
	struct call_way w = {0};
	data(&p, &w, 5); /* one datagram neither */
	expect(&p, 0, 0, 0);
}

/* All but the first datagram went in the time between. */
static void test_one_call(void **state)
{
	(void)state;
	struct pace p = {0};
	struct call_way w = {0};
	for (int i = 0; i <= 10; i++)
		data(&p, &w, 100 * i);
	expect(&p, 1, 10000, 10000);
}

static void test_time_between_calls_is_idle(void **state)
{
	(void)state;
	struct pace p = {0};
	struct call_way a = {0}, b = {0};
	data(&p, &a, 0);
	data(&p, &a, 100);
	data(&p, &b, 5100);
	data(&p, &b, 5400);
	expect(&p, 0.4, 2000, 5000);
	assert_int_equal(p.calls_ns, 400 * MS);
}

/* What was idle for others lies within a call that goes on later. */
static void test_calls_at_once_count_once(void **state)
{
	(void)state;
	struct pace p = {0};
	struct call_way a = {0}, b = {0}, c = {0};
	data(&p, &a, 0);
	data(&p, &b, 980);
	data(&p, &b, 990);
	data(&p, &a, 1000);
	expect(&p, 1, 2000, 2000);
	assert_int_equal(p.calls_ns, 1010 * MS);
	data(&p, &c, 1500); /* idle: a and b are over */
	data(&p, &c, 2000);
	expect(&p, 1.5, 3000, 2000);
}

static void test_time_that_runs_backwards_is_none(void **state)
{
	(void)state;
	struct pace p = {0};
	struct call_way a = {0}, b = {0};
	data(&p, &a, 1000);
	data(&p, &a, 400);
	data(&p, &a, 1200);
	data(&p, &b, 100);
	data(&p, &b, 1300);
	expect(&p, 0.3, 3000, 10000);
}

static void test_time_by_the_state_of_the_window(void **state)
{
	(void)state;
	struct pace p = {0};
	struct call_way w = {0};
	pace_take_window(&p, &w, PACE_OPEN, START);
	pace_take_window(&p, &w, PACE_FULL, START + 10 * MS);
	pace_take_window(&p, &w, PACE_FULL, START + 15 * MS);
	pace_take_window(&p, &w, PACE_UNREAD, START + 30 * MS);
	pace_take_window(&p, &w, PACE_OPEN, START + 70 * MS);
	pace_take_window(&p, &w, PACE_OPEN, START + 60 * MS);
	assert_int_equal(p.window_ns[PACE_OPEN], 10 * MS);
	assert_int_equal(p.window_ns[PACE_FULL], 20 * MS);
	assert_int_equal(p.window_ns[PACE_UNREAD], 40 * MS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_nothing_has_no_pace),
	        cmocka_unit_test(test_one_call),
	        cmocka_unit_test(test_time_between_calls_is_idle),
	        cmocka_unit_test(test_calls_at_once_count_once),
	        cmocka_unit_test(test_time_that_runs_backwards_is_none),
	        cmocka_unit_test(test_time_by_the_state_of_the_window),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
