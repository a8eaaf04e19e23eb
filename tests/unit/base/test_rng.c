#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/base/rng.h"

/* The first outputs for the state 1, 2, 3, 4, worked out by hand from the
 * generator's definition: rotl(1 + 4, 23) + 1, and so on. */
static void test_rng_known_outputs(void **state)
{
	(void)state;
	struct rng r = {{1, 2, 3, 4}};
	assert_true(rng_next(&r) == 41943041);
	assert_true(rng_next(&r) == 58720359);
}

static void test_rng_same_seed_same_numbers(void **state)
{
	(void)state;
	struct rng a = rng_init(7), b = rng_init(7), c = rng_init(8);
	assert_true(rng_next(&a) == rng_next(&b));
	assert_true(rng_next(&a) != rng_next(&c));
}

static void test_rng_below_is_even(void **state)
{
	(void)state;
	struct rng r = rng_init(1);
	unsigned seen[10] = {0};
	for (int i = 0; i < 100000; i++) {
		uint64_t n = rng_below(&r, 10);
		assert_true(n < 10);
		seen[n]++;
	}
	for (int i = 0; i < 10; i++)
		assert_in_range(seen[i], 9500, 10500);
	assert_true(rng_below(&r, 1) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_rng_known_outputs),
	        cmocka_unit_test(test_rng_same_seed_same_numbers),
	        cmocka_unit_test(test_rng_below_is_even),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
