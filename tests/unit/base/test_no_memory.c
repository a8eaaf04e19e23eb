/* sizes.c and hist.c where memory runs out: the sources are included here with an
 * allocator that fails on demand, and so replace those of the library. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static unsigned allocations_left;

static void *scarce_calloc(size_t n, size_t size)
{
	if (allocations_left == 0)
		return NULL;
	allocations_left--;
	return calloc(n, size);
}

#define calloc scarce_calloc
#include "src/base/hist.c"
#undef SUB
#undef SUB_BITS
#define widen sizes_widen
#include "src/base/sizes.c"

static void test_sizes(void **state)
{
	(void)state;
	for (unsigned allowed = 0; allowed < 4; allowed++) {
		struct sizes s = {0};
		allocations_left = allowed;
		for (uint32_t i = 0; i < 100; i++)
			sizes_add(&s, i, 2);
		assert_true(s.total == 200);
		assert_true(s.sum == 9900);
		assert_int_equal(s.min, 0);
		assert_int_equal(s.max, 99);
		assert_true(s.uncounted > 0);
		assert_int_equal(s.used * 2 + s.uncounted, 200);
		/* one slot stays free, or a search would never end */
		assert_int_equal(s.used, allowed ? (4u << allowed) - 1 : 0);
		assert_int_equal(sizes_count(&s, 99), 0);
		assert_int_equal(sizes_count(&s, 0), allowed ? 2 : 0);
		assert_int_equal(sizes_quantile(&s, 1),
		                 allowed ? (4u << allowed) - 2 : 0);
		struct sizes sum = {0};
		allocations_left = 0;
		sizes_merge(&sum, &s);
		assert_true(sum.total == 200 && sum.uncounted == 200);
		sizes_free(&s);
		sizes_free(&sum);
	}
}

static void test_hist(void **state)
{
	(void)state;
	struct hist h = {0};
	allocations_left = 0;
	hist_record(&h, 1000);
	assert_true(h.count == 1 && h.uncounted == 1);
	assert_int_equal(hist_percentile(&h, 0.5), 0);
	allocations_left = 1;
	hist_record(&h, 1000);
	hist_record(&h, 1000000);
	assert_true(h.count == 3 && h.uncounted == 2);
	assert_int_equal(h.max_ns, 1000000);
	assert_in_range(hist_percentile(&h, 1), 997, 1003);
	struct hist sum = {0};
	hist_merge(&sum, &h);
	assert_true(sum.count == 3 && sum.uncounted == 3);
	hist_free(&h);
	hist_free(&sum);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_sizes),
	        cmocka_unit_test(test_hist),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
