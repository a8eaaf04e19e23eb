#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/clock.h"
#include "src/workload/meter.h"
#include "tests/support/bench_run.h"
#include "tests/support/virtual_clock.h"

enum { MS = 1000000 };

/* The histogram's stated error. */
static bool is_near(int64_t ns, int64_t programmed, const char *what)
{
	double off = (double)ns / (double)programmed - 1;
	if (fabs(off) <= 1.0 / 256)
		return true;
	print_message("%s: %lld ns where %lld were programmed: %+.3f %%\n", what,
	              (long long)ns, (long long)programmed, 100 * off);
	return false;
}

static struct bench_run slow_writes(void)
{
	struct bench_run b;
	virtual_clock_start();
	bench_run_init(&b, &engine_null, &workload_bulk);
	b.c.workload_options.size = 200 * 16384;
	b.c.workload_options.phases = "bulk-write";
	b.c.engine_options.null.delay_ns[ENGINE_WRITE] = 2 * MS;
	return b;
}

/* Of 200 writes ten take 20 ms: the 95th percentile is not among them, the 99th
 * is. */
static void test_meter_percentiles_are_as_programmed(void **state)
{
	(void)state;
	struct bench_run b = slow_writes();
	b.c.engine_options.null.slow_every[ENGINE_WRITE] = 20;
	b.c.engine_options.null.slow_ns[ENGINE_WRITE] = 20 * MS;
	bench_run_execute(&b);
	assert_int_equal(b.result, 0);
	const struct run_latency *l = &b.r.phases[0].latency;
	assert_int_equal(l->count, 200);
	assert_int_equal(l->every, 1);
	assert_false(l->intended);
	assert_string_equal(l->of, "write");
	assert_true(is_near(l->min_ns, 2 * MS, "min"));
	assert_true(is_near(l->p50_ns, 2 * MS, "p50"));
	assert_true(is_near(l->p95_ns, 2 * MS, "p95"));
	assert_true(is_near(l->p99_ns, 20 * MS, "p99"));
	assert_true(is_near(l->max_ns, 20 * MS, "max"));
	assert_true(
	        is_near((int64_t)l->mean_ns, (190 * 2 + 10 * 20) * MS / 200, "mean"));
	bench_run_clear(&b);
}

static int by_size(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;
	return *x < *y ? -1 : *x > *y;
}

/* Writes every 4 ms that take 2 ms, each 50th 100 ms: those behind it start late, by
 * 96, 94, 92 ms... and their latencies must say so.  In a closed loop four of 200
 * would be slow; here nearly all are. */
static void test_meter_intended_starts_show_the_queue(void **state)
{
	(void)state;
	struct bench_run b = slow_writes();
	b.c.workload_options.rate = 250;
	b.c.engine_options.null.slow_every[ENGINE_WRITE] = 50;
	b.c.engine_options.null.slow_ns[ENGINE_WRITE] = 100 * MS;
	bench_run_execute(&b);
	assert_int_equal(b.result, 0);
	int64_t want[200], at = 0, late = 0;
	for (int i = 0; i < 200; i++) {
		int64_t intended = (int64_t)i * 4 * MS;
		if (at - intended > late)
			late = at - intended;
		at = (at > intended ? at : intended) + ((i + 1) % 50 ? 2 : 100) * MS;
		want[i] = at - intended;
	}
	qsort(want, 200, sizeof *want, by_size);
	const struct run_latency *l = &b.r.phases[0].latency;
	assert_true(l->intended);
	assert_true(is_near(l->p50_ns, want[99], "p50"));
	assert_true(is_near(l->p95_ns, want[189], "p95"));
	assert_true(is_near(l->p99_ns, want[197], "p99"));
	assert_true(is_near(l->max_ns, want[199], "max"));
	assert_true(is_near(l->late_ns, late, "late"));
	bench_run_clear(&b);
}

/* 100 writes a second: the last of 50 starts at 490 ms, though each takes 2. */
static void test_meter_keeps_the_rate(void **state)
{
	(void)state;
	struct bench_run b = slow_writes();
	b.c.workload_options.size = 50 * 16384;
	b.c.workload_options.rate = 100;
	bench_run_execute(&b);
	assert_int_equal(b.result, 0);
	assert_true(is_near(b.r.phases[0].call_ns, 492 * MS, "call"));
	assert_true(is_near(b.r.phases[0].latency.p99_ns, 2 * MS, "p99"));
	bench_run_clear(&b);
}

/* Operations of 300 ns, every tenth of 900: readings of the clock add 1 % to them,
 * and what is sampled has the percentiles of all. */
static void test_meter_samples_what_is_too_short(void **state)
{
	(void)state;
	enum { N = 1000000 };
	struct meter m = {0};
	virtual_clock_start();
	meter_begin(&m, 0, "work");
	for (int i = 0; i < N; i++) {
		meter_start(&m);
		virtual_clock_work(i % 10 == 0 ? 900 : 300);
		meter_done(&m);
	}
	meter_last_call(&m);
	meter_end(&m);
	double bare = N * (0.9 * 300 + 0.1 * 900);
	assert_true((double)m.call_ns / bare < 1.0 + LATENCY_COST);
	assert_true(m.stride > 1);
	assert_in_range(m.timed, N / m.stride * 0.9, N / m.stride * 1.1 + 128);
	assert_in_range(m.latency.count, N * 0.95, N * 1.05); /* each for as many */
	assert_true(is_near(hist_percentile(&m.latency, 0.50), 320, "p50"));
	assert_true(is_near(hist_percentile(&m.latency, 0.85), 320, "p85"));
	assert_true(is_near(hist_percentile(&m.latency, 0.95), 920, "p95"));
	meter_free(&m);
}

/* The first 128 are all timed, of the others one in so many: which must not make the
 * first ones weigh more. */
static void test_meter_weighs_what_it_samples(void **state)
{
	(void)state;
	enum { N = 2000, SLOW = 128 };
	struct meter m = {0};
	virtual_clock_start();
	meter_begin(&m, 0, "work");
	for (int i = 0; i < N; i++) {
		meter_start(&m);
		virtual_clock_work(i < SLOW ? 900 : 300);
		meter_done(&m);
	}
	assert_true(m.stride > 1);
	assert_true(SLOW > (int)m.timed / 10); /* a sixth of what was timed */
	assert_true(is_near(hist_percentile(&m.latency, 0.90), 320, "p90"));
	assert_true(is_near(hist_percentile(&m.latency, 0.98), 920, "p98"));
	assert_true(fabs(hist_mean(&m.latency) / (320 + 600.0 * SLOW / N) - 1) < 0.02);
	meter_free(&m);
}

/* Where operations are long enough, all are timed. */
static void test_meter_times_all_that_it_can(void **state)
{
	(void)state;
	struct meter m = {0};
	virtual_clock_start();
	meter_begin(&m, 0, "work");
	for (int i = 0; i < 1000; i++) {
		meter_start(&m);
		virtual_clock_work(5000);
		meter_done(&m);
	}
	assert_int_equal(m.stride, 1);
	assert_int_equal(m.latency.count, 1000);
	meter_free(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_meter_percentiles_are_as_programmed),
	        cmocka_unit_test(test_meter_intended_starts_show_the_queue),
	        cmocka_unit_test(test_meter_keeps_the_rate),
	        cmocka_unit_test(test_meter_samples_what_is_too_short),
	        cmocka_unit_test(test_meter_weighs_what_it_samples),
	        cmocka_unit_test(test_meter_times_all_that_it_can),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
