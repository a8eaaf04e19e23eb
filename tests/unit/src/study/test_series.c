#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/run/latency.h"
#include "src/study/series.h"

/* A run of one phase with n reads of so many ns; of an older program: without the
 * histogram. */
static json_t *make_run(uint64_t n, int64_t ns, bool older)
{
	struct run_latency l = {.of = "read", .count = n, .every = 1};
	hist_record_times(&l.hist, ns, n);
	run_latency_sum_up(&l);
	json_t *latency = run_latency_json(&l);
	hist_free(&l.hist);
	if (older)
		json_object_del(latency, "histogram");
	return json_pack("{s:s, s:s, s:s, s:[{s:s, s:s, s:f, s:i, s:o}]}", "schema",
	                 "cellbench-run/1", "status", "complete", "workload", "bonnie",
	                 "phases", "name", "block-input", "cache", "cold", "kib_per_s",
	                 100.0, "bytes", 1, "latency", latency);
}

static const json_t *latency_of(const json_t *summary)
{
	const json_t *phases = json_object_get(summary, "phases");
	return json_object_get(json_array_get(phases, 0), "latency");
}

static void free_all(json_t **runs, size_t n, json_t *summary)
{
	for (size_t i = 0; i < n; i++)
		json_decref(runs[i]);
	json_decref(summary);
}

/* 900 fast reads in two runs, 100 slow ones in another; the first does not count. */
static void test_series_percentiles_are_of_all_runs(void **state)
{
	(void)state;
	json_t *runs[] = {make_run(5000, 7000000, false), make_run(450, 100000, false),
	                  make_run(100, 200000000, false),
	                  make_run(450, 100000, false)};
	json_t *s = series_make(runs, 4, 1);
	struct run_latency l = run_latency_from_json(latency_of(s));
	assert_int_equal(l.count, 1000);
	assert_int_equal(l.hist.count, 1000);
	assert_in_range(l.p50_ns, 99600, 100400);
	assert_in_range(l.p95_ns, 199200000, 200800000);
	assert_int_equal(l.max_ns, 200000000);
	hist_free(&l.hist);
	free_all(runs, 4, s);
}

/* Better none than those of some of the runs, or a mean of percentiles. */
static void test_series_without_a_histogram(void **state)
{
	(void)state;
	for (size_t older = 0; older < 3; older++) {
		json_t *runs[3];
		for (size_t i = 0; i < 3; i++)
			runs[i] = make_run(10, 1000, i == older);
		json_t *s = series_make(runs, 3, 0);
		assert_true(json_is_null(latency_of(s)));
		free_all(runs, 3, s);
	}
	json_t *alone = make_run(10, 1000, true);
	json_t *s = series_make(&alone, 1, 0);
	assert_int_equal(json_integer_value(json_object_get(latency_of(s), "p50_ns")),
	                 1000);
	free_all(&alone, 1, s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_series_percentiles_are_of_all_runs),
	        cmocka_unit_test(test_series_without_a_histogram),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
