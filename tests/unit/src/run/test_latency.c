#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/run/latency.h"

/* n operations of so many ns; every: one in so many was timed. */
static struct run_latency make(uint64_t n, int64_t ns, unsigned every)
{
	struct run_latency l = {.of = "read", .count = n / every, .every = every};
	hist_record_times(&l.hist, ns, n);
	run_latency_sum_up(&l);
	return l;
}

/* A run of 900 fast operations and one of 100 slow ones: the 95th percentile of both
 * together is slow, the mean of the two percentiles would be a time that none took. */
static void test_latency_percentiles_are_of_all(void **state)
{
	(void)state;
	struct run_latency all = {0}, a = make(900, 100000, 1),
	                   b = make(100, 200000000, 1);
	assert_true(run_latency_merge(&all, &a));
	assert_true(run_latency_merge(&all, &b));
	assert_string_equal(all.of, "read");
	assert_int_equal(all.count, 1000);
	assert_in_range(all.p50_ns, 99600, 100400);
	assert_in_range(all.p95_ns, 199200000, 200800000);
	assert_int_equal(all.min_ns, 100000);
	assert_int_equal(all.max_ns, 200000000);
	assert_in_range((int64_t)all.mean_ns, 20090000 - 1, 20090000 + 1);
	hist_free(&all.hist);
	hist_free(&a.hist);
	hist_free(&b.hist);
}

/* 1000 operations of which 10 were timed weigh ten times as much as 100. */
static void test_latency_sampled_operations_weigh_as_many(void **state)
{
	(void)state;
	struct run_latency a = make(1000, 100000, 100), b = make(100, 900000, 1);
	assert_true(run_latency_merge(&a, &b));
	assert_int_equal(a.count, 110); /* timed */
	assert_int_equal(a.every, 100);
	assert_in_range(hist_percentile(&a.hist, 0.9), 99600, 100400);
	hist_free(&a.hist);
	hist_free(&b.hist);
}

static void test_latency_what_cannot_be_joined(void **state)
{
	(void)state;
	struct run_latency old = {.of = "read", .count = 5, .every = 1, .p50_ns = 7};
	struct run_latency all = {0}, none = {0}, a = make(10, 1000, 1), paced = a;
	assert_true(run_latency_merge(&all, &none));
	assert_true(run_latency_merge(&all, &old)); /* alone, as it is */
	assert_int_equal(all.p50_ns, 7);
	assert_false(run_latency_merge(&all, &a));
	assert_false(run_latency_merge(&a, &old));
	assert_int_equal(a.count, 10);
	paced.intended = true;
	assert_false(run_latency_merge(&a, &paced));
	hist_free(&a.hist);
}

static void test_latency_there_and_back(void **state)
{
	(void)state;
	struct run_latency l = make(40, 123456, 4), b = make(3, 200, 1);
	assert_true(run_latency_merge(&l, &b));
	json_t *o = run_latency_json(&l);
	const json_t *h = json_object_get(o, "histogram");
	assert_int_equal(json_array_size(h), 2);
	assert_int_equal(json_integer_value(json_array_get(json_array_get(h, 0), 0)),
	                 200);
	assert_int_equal(json_integer_value(json_array_get(json_array_get(h, 1), 1)),
	                 40);
	struct run_latency back = run_latency_from_json(o);
	json_t *again = run_latency_json(&back);
	assert_true(json_equal(o, again));
	run_latency_sum_up(&back);
	json_decref(again);
	again = run_latency_json(&back);
	assert_true(json_equal(o, again));
	json_decref(o);
	json_decref(again);
	hist_free(&l.hist);
	hist_free(&b.hist);
	hist_free(&back.hist);
}

static void test_latency_nonsense(void **state)
{
	(void)state;
	static const char *const texts[] = {
	        "null",
	        "7",
	        "{\"of\":3,\"histogram\":5}",
	        "{\"of\":\"x\",\"min_ns\":9,\"max_ns\":1,\"histogram\":[[],7,[1],"
	        "[-1,2],[3,-4],[\"a\",\"b\"],[0,0]]}",
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		json_t *o = json_loads(texts[i], JSON_DECODE_ANY, NULL);
		assert_non_null(o);
		struct run_latency l = run_latency_from_json(o);
		assert_int_equal(l.hist.count, 0);
		hist_free(&l.hist);
		json_decref(o);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_latency_percentiles_are_of_all),
	        cmocka_unit_test(test_latency_sampled_operations_weigh_as_many),
	        cmocka_unit_test(test_latency_what_cannot_be_joined),
	        cmocka_unit_test(test_latency_there_and_back),
	        cmocka_unit_test(test_latency_nonsense),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
