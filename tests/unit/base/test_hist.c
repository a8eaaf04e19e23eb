#include "src/base/hist.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_empty(void **state)
{
	(void)state;
	struct hist h = {0}, other = {0};
	assert_int_equal(hist_percentile(&h, 0.5), 0);
	assert_true(hist_mean(&h) == 0);
	hist_merge(&h, &other);
	assert_true(h.count == 0);
	assert_null(h.bucket);
	hist_free(&h);
}

static void test_exact_small(void **state)
{
	(void)state;
	struct hist h = {0};
	for (int64_t ns = 0; ns < 256; ns++)
		hist_record(&h, ns);
	for (int k = 1; k <= 256; k++)
		assert_int_equal(hist_percentile(&h, k / 256.0), k - 1);
	assert_true(hist_mean(&h) == 127.5);
	hist_free(&h);
}

static void test_limits(void **state)
{
	(void)state;
	struct hist h = {0};
	hist_record(&h, -5);
	hist_record(&h, INT64_MAX);
	assert_int_equal(h.min_ns, 0);
	assert_true(h.max_ns == INT64_MAX);
	assert_int_equal(hist_percentile(&h, 0.5), 0);
	assert_true(hist_percentile(&h, 1) == INT64_MAX);
	assert_true(hist_percentile(&h, 7) == INT64_MAX);
	assert_int_equal(hist_percentile(&h, -1), 0);
	assert_int_equal(hist_percentile(&h, (double)NAN), 0);
	hist_free(&h);
}

/* One value in every bucket's reach, alone and among others: off by 1/256 at most. */
static void test_error_bound(void **state)
{
	(void)state;
	for (double v = 1; v < 9e18; v *= 1.0037) {
		struct hist h = {0};
		int64_t ns = (int64_t)v;
		hist_record(&h, 0);
		hist_record(&h, ns);
		hist_record(&h, INT64_MAX);
		double read = (double)hist_percentile(&h, 0.5);
		assert_true(fabs(read - (double)ns) <= (double)ns / 256);
		hist_free(&h);
	}
}

static int rising(const void *x, const void *y)
{
	const int64_t *a = x, *b = y;
	return (*a > *b) - (*a < *b);
}

/* Two histograms merged, in either order, against the sorted values. */
static void test_against_sorted(void **state)
{
	(void)state;
	enum { N = 20001 };
	static int64_t plain[N];
	struct hist part[2] = {{0}, {0}}, back = {0};
	uint64_t x = 3;
	for (unsigned i = 0; i < N; i++) {
		x = x * UINT64_C(6364136223846793005) + 1442695040888963407u;
		plain[i] = (int64_t)(x >> 20 >> (x >> 60) * 2);
		hist_record(&part[i % 2], plain[i]);
	}
	hist_merge(&back, &part[1]);
	hist_merge(&back, &part[0]);
	hist_merge(&part[0], &part[1]);
	qsort(plain, N, sizeof *plain, rising);
	assert_true(part[0].count == N && part[0].uncounted == 0);
	assert_true(part[0].min_ns == plain[0] && part[0].max_ns == plain[N - 1]);
	for (unsigned k = 1; k <= 1000; k++) {
		double q = k / 1000.0;
		double want = (double)plain[(size_t)ceil(q * N) - 1];
		double got = (double)hist_percentile(&part[0], q);
		assert_true(fabs(got - want) <= want / 256);
		assert_true(hist_percentile(&back, q) == hist_percentile(&part[0], q));
	}
	hist_free(&part[0]);
	hist_free(&part[1]);
	hist_free(&back);
}

/* Bucket by bucket, another histogram has the same percentiles. */
static void test_buckets_give_it_back(void **state)
{
	(void)state;
	struct hist h = {0}, back = {0};
	uint64_t x = 9, count, sum = 0;
	int64_t lowest, before = -1;
	for (unsigned i = 0; i < 5000; i++) {
		x = x * UINT64_C(6364136223846793005) + 1442695040888963407u;
		hist_record_times(&h, (int64_t)(x >> 20 >> (x >> 60) * 2), i % 3);
	}
	hist_record(&h, 0);
	hist_record(&h, INT64_MAX);
	for (size_t at = 0; hist_next(&h, &at, &lowest, &count); before = lowest) {
		assert_true(lowest > before);
		assert_true(count > 0);
		sum += count;
		hist_record_times(&back, lowest, count);
	}
	assert_true(sum == h.count && back.count == h.count);
	hist_set_exact(&back, h.min_ns, h.max_ns, hist_mean(&h));
	for (unsigned k = 0; k <= 1000; k++)
		assert_true(hist_percentile(&back, k / 1000.0) ==
		            hist_percentile(&h, k / 1000.0));
	assert_true(fabs(hist_mean(&back) / hist_mean(&h) - 1) < 1e-12);
	hist_set_exact(&back, 5, 4, NAN); /* what cannot be changes nothing */
	assert_true(back.min_ns == h.min_ns && back.max_ns == h.max_ns);
	hist_free(&h);
	size_t at = 0;
	assert_false(hist_next(&h, &at, &lowest, &count));
	hist_free(&back);
}

static void test_a_value_that_stands_for_many(void **state)
{
	(void)state;
	struct hist one = {0}, many = {0};
	for (int i = 0; i < 7; i++)
		hist_record(&one, 5000);
	hist_record_times(&many, 5000, 7);
	hist_record_times(&many, 9000, 0);
	hist_record(&one, 60);
	hist_record(&many, 60);
	assert_true(many.count == 8 && many.max_ns == 5000);
	assert_true(hist_mean(&many) == hist_mean(&one));
	assert_true(hist_percentile(&many, 0.1) == 60);
	assert_true(hist_percentile(&many, 0.2) == hist_percentile(&one, 0.2));
	hist_free(&one);
	hist_free(&many);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_empty),
	        cmocka_unit_test(test_exact_small),
	        cmocka_unit_test(test_limits),
	        cmocka_unit_test(test_error_bound),
	        cmocka_unit_test(test_against_sorted),
	        cmocka_unit_test(test_buckets_give_it_back),
	        cmocka_unit_test(test_a_value_that_stands_for_many),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
