#include "src/base/sizes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_empty(void **state)
{
	(void)state;
	struct sizes s = {0}, t = {0};
	size_t n = 9;
	struct size_count top[4];
	assert_null(sizes_sorted(&s, SIZES_BY_SIZE, &n));
	assert_int_equal(n, 0);
	assert_int_equal(sizes_top(&s, top, 4), 0);
	assert_int_equal(sizes_quantile(&s, 0.5), 0);
	assert_int_equal(sizes_count(&s, 0), 0);
	sizes_merge(&s, &t);
	sizes_add(&s, 100, 0);
	assert_null(s.slot);
	assert_true(s.total == 0);
	sizes_free(&s);
}

static void test_counts(void **state)
{
	(void)state;
	struct sizes s = {0};
	sizes_add(&s, 1500, 2);
	sizes_add(&s, 0, 1);
	sizes_add(&s, 65535, 3);
	sizes_add(&s, 65536, 4);
	sizes_add(&s, 200000, 5);
	sizes_add(&s, 1500, 1);
	assert_true(s.total == 16);
	assert_true(s.sum ==
	            3 * 1500 + 3 * 65535 + UINT64_C(4) * 65536 + UINT64_C(5) * 200000);
	assert_int_equal(s.min, 0);
	assert_int_equal(s.max, 200000);
	assert_int_equal(s.used, 4);
	assert_int_equal(sizes_count(&s, 1500), 3);
	assert_int_equal(sizes_count(&s, 0), 1);
	assert_int_equal(sizes_count(&s, 65535), 3);
	assert_int_equal(sizes_count(&s, 70000), 9);
	assert_int_equal(sizes_count(&s, 1499), 0);
	sizes_free(&s);
	assert_true(s.total == 0);
	sizes_add(&s, 5, 1); /* usable after */
	assert_int_equal(sizes_count(&s, 5), 1);
	sizes_free(&s);
}

static void test_orders(void **state)
{
	(void)state;
	static const struct size_count in[] = {{5, 8520}, {2, 60}, {5, 1444}, {9, 93}};
	static const uint32_t by_size[] = {60, 93, 1444, 8520};
	static const uint32_t by_count[] = {93, 8520, 1444, 60};
	struct sizes s = {0};
	for (size_t i = 0; i < 4; i++)
		sizes_add(&s, in[i].size, in[i].n);
	size_t n;
	struct size_count *all = sizes_sorted(&s, SIZES_BY_SIZE, &n);
	assert_int_equal(n, 4);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(all[i].size, by_size[i]);
	free(all);
	all = sizes_sorted(&s, SIZES_BY_COUNT, &n);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(all[i].size, by_count[i]);
	free(all);
	for (size_t max = 0; max <= 6; max++) {
		struct size_count top[6];
		size_t got = sizes_top(&s, top, max);
		assert_int_equal(got, max < 4 ? max : 4);
		for (size_t i = 0; i < got; i++)
			assert_int_equal(top[i].size, by_count[i]);
	}
	sizes_free(&s);
}

/* All 65536 sizes and more, against a plain array; merged from two halves. */
static void test_against_array(void **state)
{
	(void)state;
	static uint64_t want[SIZES_OVER + 1];
	struct sizes half[2] = {{0}, {0}};
	uint64_t x = 7, sum = 0;
	for (unsigned i = 0; i < 500000; i++) {
		x = x * UINT64_C(6364136223846793005) + 1442695040888963407u;
		uint32_t size = (uint32_t)(x >> 47) % (i % 3 ? 70000u : 50u);
		sizes_add(&half[i & 1], size, 1 + i % 2);
		want[size < SIZES_OVER ? size : SIZES_OVER] += 1 + i % 2;
		sum += (uint64_t)size * (1 + i % 2);
	}
	sizes_merge(&half[0], &half[1]);
	assert_true(half[0].sum == sum);
	assert_true(half[0].total == 750000);
	assert_true(half[0].uncounted == 0);
	for (uint32_t size = 0; size <= SIZES_OVER; size++)
		assert_true(sizes_count(&half[0], size) == want[size]);
	size_t n;
	struct size_count *all = sizes_sorted(&half[0], SIZES_BY_SIZE, &n);
	assert_int_equal(n, half[0].used);
	for (size_t i = 0; i < n; i++) {
		assert_true(i == 0 || all[i - 1].size < all[i].size);
		assert_true(all[i].n == want[all[i].size]);
	}
	free(all);
	sizes_free(&half[0]);
	sizes_free(&half[1]);
}

static void test_quantiles(void **state)
{
	(void)state;
	struct sizes s = {0};
	uint32_t plain[1000];
	for (unsigned i = 0; i < 1000; i++) {
		plain[i] = i < 300 ? 60 : i < 900 ? 1444 + i : 66000;
		sizes_add(&s, plain[i], 1);
	}
	for (unsigned k = 0; k <= 1000; k++) {
		unsigned rank = k ? k - 1 : 0; /* the k-th of a rising row */
		uint32_t want = plain[rank] < SIZES_OVER ? plain[rank] : SIZES_OVER;
		assert_int_equal(sizes_quantile(&s, k / 1000.0), want);
	}
	for (unsigned k = 1; k <= 100; k++) /* 0.07 * 100 is a little over 7 */
		assert_int_equal(sizes_quantile(&s, k / 100.0),
		                 sizes_quantile(&s, 10 * k / 1000.0));
	assert_int_equal(sizes_quantile(&s, 2.0), SIZES_OVER);
	assert_int_equal(sizes_quantile(&s, -1.0), 60);
	assert_int_equal(sizes_quantile(&s, (double)NAN), 60);
	sizes_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_empty),     cmocka_unit_test(test_counts),
	        cmocka_unit_test(test_orders),    cmocka_unit_test(test_against_array),
	        cmocka_unit_test(test_quantiles),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
