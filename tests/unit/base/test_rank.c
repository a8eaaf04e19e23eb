#include "src/base/rank.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_hundredths(void **state)
{
	(void)state;
	for (uint64_t k = 1; k <= 100; k++) {
		assert_int_equal(rank_of((double)k / 100, 100), k);
		assert_int_equal(rank_of((double)k / 100, 1000000), k * 10000);
		assert_int_equal(rank_of((double)k / 100, 1), 1);
	}
	assert_int_equal(rank_of(0.5, 3), 2);
	assert_int_equal(rank_of(0.5, 4), 2);
	assert_int_equal(rank_of(0.501, 4), 3);
	assert_int_equal(rank_of(0.999, 1000), 999);
}

static void test_outside(void **state)
{
	(void)state;
	assert_int_equal(rank_of(0, 10), 1);
	assert_int_equal(rank_of(-3, 10), 1);
	assert_int_equal(rank_of(1, 10), 10);
	assert_int_equal(rank_of(1e300, 10), 10);
	assert_int_equal(rank_of((double)INFINITY, 10), 10);
	assert_int_equal(rank_of((double)NAN, 10), 1);
	assert_true(rank_of(1, UINT64_MAX) == UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_hundredths),
	        cmocka_unit_test(test_outside),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
