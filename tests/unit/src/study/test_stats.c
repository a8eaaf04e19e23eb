#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "src/base/rng.h"
#include "src/study/stats.h"

static void assert_near(double value, double expected, double margin)
{
	if (!(fabs(value - expected) <= margin))
		fail_msg("%.6g is not within %g of %.6g", value, margin, expected);
}

static void test_stats_quantiles(void **state)
{
	(void)state;
	const double four[] = {1, 2, 4, 8}, odd[] = {9, 1, 5};
	assert_near(stats_quantile(four, 4, 0), 1, 0);
	assert_near(stats_quantile(four, 4, 0.5), 3, 1e-12);
	assert_near(stats_quantile(four, 4, 1), 8, 0);
	assert_near(stats_median(odd, 3), 5, 0);
	assert_near(stats_median(odd, 1), 9, 0);
}

static void test_stats_interval_is_repeatable_and_holds_the_median(void **state)
{
	(void)state;
	const double v[] = {100, 104, 98, 101, 99, 103, 97};
	struct interval a, b, one;
	assert_int_equal(stats_interval(v, 7, &a), 0);
	assert_int_equal(stats_interval(v, 7, &b), 0);
	assert_true(a.low == b.low && a.high == b.high);
	assert_true(a.low < 100 && 100 < a.high);
	assert_true(a.low > 95 && a.high < 106);
	assert_int_equal(stats_interval(v, 1, &one), 0);
	assert_near(one.low, 100, 0);
	assert_near(one.high, 100, 0);
}

static double normal(struct rng *r)
{
	double sum = -6; /* twelve uniform numbers: mean 6, variance 1 */
	for (int i = 0; i < 12; i++)
		sum += (double)(rng_next(r) >> 11) / 9007199254740992.0;
	return sum;
}

/* Times and rates are above zero, and so is what is said of them, however they scatter:
 * five times of which the first was slow, as commands have them. */
static void test_stats_intervals_of_positive_figures_are_positive(void **state)
{
	(void)state;
	const double times[] = {0.138, 0.028, 0.020, 0.030, 0.026};
	struct interval in, ratio;
	assert_int_equal(stats_interval(times, 5, &in), 0);
	assert_true(in.low > 0.01 && in.low < 0.028 && in.high > 0.028);
	assert_int_equal(stats_ratio_interval(times, 5, times, 5, &ratio), 0);
	assert_true(ratio.low > 0 && ratio.low < 1 && ratio.high > 1);
	assert_true(isfinite(ratio.high));
}

/* How many of 1000 experiments have an interval that holds the true value.  With a
 * coverage of 95 % the standard deviation of this share is 0.7 %. */
enum { EXPERIMENTS = 1000 };

static double coverage(size_t n, double skew)
{
	struct rng r = rng_init(n);
	double v[32];
	int covered = 0;
	for (int k = 0; k < EXPERIMENTS; k++) {
		struct interval in;
		for (size_t i = 0; i < n; i++)
			v[i] = skew > 0 ? 100 * exp(skew * normal(&r))
			                : 100 + 5 * normal(&r);
		assert_int_equal(stats_interval(v, n, &in), 0);
		covered += in.low <= 100 && 100 <= in.high;
	}
	return (double)covered / EXPERIMENTS;
}

static void test_stats_intervals_cover_as_they_say(void **state)
{
	(void)state;
	static const size_t sizes[] = {5, 7, 10, 15, 30};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		double plain = coverage(sizes[i], 0), skewed = coverage(sizes[i], 0.2);
		double wild = coverage(sizes[i], 0.9);
		print_message("n %zu: %.3f normal, %.3f skewed, %.3f very skewed\n",
		              sizes[i], plain, skewed, wild);
		assert_near(plain, STATS_LEVEL, 0.025);
		assert_near(skewed, STATS_LEVEL, 0.025);
		assert_near(wild, STATS_LEVEL, 0.025);
	}
}

/* Two samples of the same distribution must seldom look different, and two that
 * differ by a fifth must. */
static void test_stats_ratio_interval(void **state)
{
	(void)state;
	struct rng r = rng_init(3);
	int holds_one = 0, holds_true = 0, shown = 0;
	for (int k = 0; k < EXPERIMENTS; k++) {
		double a[9], b[9], c[9];
		struct interval same, fifth;
		for (int i = 0; i < 9; i++) {
			a[i] = 100 + 4 * normal(&r);
			b[i] = 100 + 4 * normal(&r);
			c[i] = 80 + 4 * normal(&r);
		}
		assert_int_equal(stats_ratio_interval(a, 9, b, 9, &same), 0);
		assert_int_equal(stats_ratio_interval(a, 9, c, 9, &fifth), 0);
		holds_one += same.low <= 1 && 1 <= same.high;
		holds_true += fifth.low <= 0.8 && 0.8 <= fifth.high;
		shown += fifth.high < 1;
	}
	print_message("of %d: %d hold 1, %d hold 0.8, %d show it\n", EXPERIMENTS,
	              holds_one, holds_true, shown);
	assert_near(holds_one / (double)EXPERIMENTS, STATS_LEVEL, 0.03);
	assert_near(holds_true / (double)EXPERIMENTS, STATS_LEVEL, 0.03);
	assert_true(shown > EXPERIMENTS * 0.999);
}

static void test_stats_outliers_are_marked(void **state)
{
	(void)state;
	const double v[] = {100, 101, 99, 100, 180, 102, 98},
	             same[] = {5, 5, 5, 5, 5.01};
	bool is[7];
	assert_int_equal(stats_outliers(v, 7, is), 1);
	assert_true(is[4]);
	assert_int_equal(stats_outliers(same, 5, is), 0);
	assert_int_equal(stats_outliers(v, 4, is), 0);
}

static void test_stats_drift(void **state)
{
	(void)state;
	const double up[] = {1, 2, 3, 4, 5}, almost[] = {1, 2, 3, 5, 4};
	const double flat[] = {3, 1, 4, 1, 5, 2, 6, 1};
	struct drift d = stats_drift(up, 5);
	assert_near(d.slope, 1, 1e-12);
	assert_near(d.p, 2.0 / 120, 1e-12); /* of 120 orders, two are as ordered */
	assert_true(d.shown);
	d = stats_drift(almost, 5);
	assert_near(d.p, 10.0 / 120, 1e-12);
	assert_false(d.shown);
	assert_false(stats_drift(flat, 8).shown);
	assert_near(stats_drift(up, 1).p, 1, 0);
}

/* A trend seen where there is none must stay as rare as it is said to be. */
static void test_stats_drift_seldom_cries_wolf(void **state)
{
	(void)state;
	struct rng r = rng_init(8);
	int cries = 0;
	for (int k = 0; k < 5000; k++) {
		double v[12];
		for (int i = 0; i < 12; i++)
			v[i] = normal(&r);
		cries += stats_drift(v, 12).shown;
	}
	assert_true(cries < 5000 * 0.026);
	assert_true(cries > 5000 * 0.008);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_stats_quantiles),
	        cmocka_unit_test(
	                test_stats_interval_is_repeatable_and_holds_the_median),
	        cmocka_unit_test(test_stats_intervals_of_positive_figures_are_positive),
	        cmocka_unit_test(test_stats_intervals_cover_as_they_say),
	        cmocka_unit_test(test_stats_ratio_interval),
	        cmocka_unit_test(test_stats_outliers_are_marked),
	        cmocka_unit_test(test_stats_drift),
	        cmocka_unit_test(test_stats_drift_seldom_cries_wolf),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
