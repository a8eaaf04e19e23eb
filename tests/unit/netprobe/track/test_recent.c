#include "netprobe/track/recent.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

/* The same sequence against a plain array of flags. */
static void test_recent_agrees_with_a_model(void **state)
{
	(void)state;
	enum { N = 4000 };
	static bool model[N + 64];
	struct recent r = {0};
	uint32_t high = 0, x = 12345;
	for (int step = 0; step < 20000; step++) {
		x = x * 1664525u + 1013904223u;
		uint32_t first = 1 + (high + (x >> 24) % 12) % (N - 1);
		uint32_t back = (x >> 16) % 80;
		if (x & 1 && first > back)
			first -= back;
		uint32_t n = 1 + (x >> 8) % 6;
		bool all = true;
		for (uint32_t i = 0; i < n; i++)
			all &= model[first + i];
		enum freshness f = recent_look(&r, first, n);
		if (!r.any || first > high)
			assert_int_equal(f, RECENT_NEW);
		else if (high - first >= RECENT_BITS)
			assert_int_equal(f, RECENT_TOO_OLD);
		else if (first + n - 1 <= high)
			assert_int_equal(f, all ? RECENT_SEEN : RECENT_GAP);
		recent_mark(&r, first, n);
		for (uint32_t i = 0; i < n; i++)
			model[first + i] = true;
		if (first + n - 1 > high)
			high = first + n - 1;
		assert_int_equal(r.high, high);
		if (high > N - 20)
			break;
	}
}

static void test_recent_big_jumps(void **state)
{
	(void)state;
	struct recent r = {0};
	assert_int_equal(recent_mark(&r, 100, 1), 0);
	assert_int_equal(recent_mark(&r, 1000, 1), 900);
	assert_int_equal(recent_look(&r, 999, 1), RECENT_GAP);
	assert_int_equal(recent_look(&r, 100, 1), RECENT_TOO_OLD);
	assert_int_equal(recent_mark(&r, 1001, 100), 100);
	assert_int_equal(recent_look(&r, 1100, 1), RECENT_SEEN);
	assert_int_equal(recent_look(&r, 1037, 64), RECENT_SEEN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_recent_agrees_with_a_model),
	        cmocka_unit_test(test_recent_big_jumps),
	};
	return cmocka_run_group_tests_name("track/recent", tests, NULL, NULL);
}
