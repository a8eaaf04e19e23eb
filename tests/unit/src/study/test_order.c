#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "src/study/order.h"

static void test_order_names(void **state)
{
	(void)state;
	enum order_kind kind;
	struct err e = {0};
	assert_int_equal(order_find(NULL, &kind, &e), 0);
	assert_int_equal(kind, ORDER_SEQUENTIAL);
	assert_int_equal(order_find("random", &kind, &e), 0);
	assert_int_equal(kind, ORDER_RANDOM);
	assert_int_equal(order_find("abba", &kind, &e), -1);
	assert_int_equal(e.code, ERR_USAGE);
}

static void test_order_interleaved(void **state)
{
	(void)state;
	size_t out[3];
	const size_t expected[] = {0, 1, 2};
	order_round(ORDER_INTERLEAVE, 7, 4, 3, out);
	assert_memory_equal(out, expected, sizeof out);
}

/* Each round holds each configuration once; over many rounds each stands first
 * about as often. */
static void test_order_random_is_fair_and_repeatable(void **state)
{
	(void)state;
	int first[3] = {0};
	for (size_t round = 0; round < 3000; round++) {
		size_t out[3], again[3];
		order_round(ORDER_RANDOM, 5, round, 3, out);
		order_round(ORDER_RANDOM, 5, round, 3, again);
		assert_memory_equal(out, again, sizeof out);
		assert_int_equal(1 << out[0] | 1 << out[1] | 1 << out[2], 7);
		first[out[0]]++;
	}
	for (int i = 0; i < 3; i++)
		assert_in_range(first[i], 900, 1100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_order_names),
	        cmocka_unit_test(test_order_interleaved),
	        cmocka_unit_test(test_order_random_is_fair_and_repeatable),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
