#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/base/rank.h"
#include "src/run/latency.h"
#include "src/run/runner.h"
#include "src/study/repeat.h"
#include "src/study/series.h"
#include "src/study/source.h"
#include "tests/support/bench_run.h"
#include "tests/support/tmpdir.h"

#define VIRTUAL_READING_NS 1000 /* the clock is waited for, reading by reading */
#include "tests/support/virtual_clock.h"

/* From the delays of the null engine to the interval of the median: each run goes
 * through engine, workload, passes, record, repeats and summary.  A run's delays are
 * drawn about the programmed ones, as machines differ from run to run. */

enum { MS = 1000000, READ = 20 * MS, WRITE = 30 * MS, SLOW_EVERY = 20, SLOWER = 10 };
enum { BLOCK = 1024, BLOCKS = 40, PASSES = 2, MOST_RUNS = 12 };

/* Records are written often and need not last. */
int fsync(int fd)
{
	(void)fd;
	return 0;
}

struct lab {
	struct bench_run b;
	struct rng rng;
	double scatter; /* of a run's delays, a share */
	bool skewed;
	struct repeat r;
	struct run_repeat options;
	int64_t read_ns[MOST_RUNS]; /* what each run was given */
	size_t n;
};

static double normal(struct rng *r)
{
	double sum = -6; /* twelve uniform numbers: mean 6, variance 1 */
	for (int i = 0; i < 12; i++)
		sum += (double)(rng_next(r) >> 11) / 9007199254740992.0;
	return sum;
}

/* A delay whose median is the programmed one. */
static int64_t drawn(struct lab *l, int64_t programmed)
{
	double x = l->scatter * normal(&l->rng);
	return (int64_t)((double)programmed * (l->skewed ? exp(x) : 1 / (1 + x)));
}

static void set_delay(struct null_options *o, enum engine_op op, int64_t ns)
{
	o->delay_ns[op] = ns;
	o->slow_every[op] = SLOW_EVERY;
	o->slow_ns[op] = SLOWER * ns;
}

static int run_one(void *ctx, size_t i, const char *dir)
{
	struct lab *l = ctx;
	struct bench_run *b = &l->b;
	(void)i;
	virtual_clock_start();
	l->read_ns[l->n] = drawn(l, READ);
	set_delay(&b->c.engine_options.null, ENGINE_READ, l->read_ns[l->n++]);
	set_delay(&b->c.engine_options.null, ENGINE_WRITE, drawn(l, WRITE));
	if (run_init(&b->r, dir, &b->e) < 0 ||
	    runner_execute(&b->c, &b->r, NULL, &b->e) < 0)
		fail_msg("%s", b->e.text);
	run_fini(&b->r);
	return 0;
}

static void told(void *ctx, size_t i, const struct repeat *r)
{
	(void)ctx;
	(void)i;
	(void)r;
}

static struct lab prepare(double scatter, bool skewed, uint64_t times)
{
	struct lab l = {.rng = rng_init(2 * times + skewed),
	                .scatter = scatter,
	                .skewed = skewed,
	                .options = {.times = times}};
	bench_run_init(&l.b, &engine_null, &workload_bulk);
	l.b.c.workload_options.size = BLOCKS * BLOCK;
	l.b.c.workload_options.request_size = BLOCK;
	l.b.c.passes = PASSES;
	return l;
}

static void repeat(struct lab *l, size_t experiment)
{
	const struct repeat_calls calls = {run_one, told, l};
	l->n = 0;
	l->r = (struct repeat){.options = &l->options};
	snprintf(l->r.dir, sizeof l->r.dir, "%.4000s/x%zu", l->b.dir, experiment);
	assert_int_equal(mkdir(l->r.dir, 0755), 0);
	if (repeat_all(&l->r, 1, ORDER_SEQUENTIAL, 1, &calls, NULL, &l->b.e) < 0)
		fail_msg("%s", l->b.e.text);
}

/* KiB/s of reads or writes of this delay, every SLOW_EVERY'th slower. */
static double rate_of(int64_t delay)
{
	double mean = (double)delay * (SLOW_EVERY - 1 + SLOWER) / SLOW_EVERY / 1e9;
	return BLOCK / 1024.0 / mean;
}

static const json_t *phase_of(const struct lab *l, const char *name)
{
	size_t i;
	const json_t *p;
	json_array_foreach(json_object_get(l->r.summary, "phases"), i,
	                   p) if (strcmp(json_string_value(json_object_get(p, "name")),
	                                 name) == 0) return p;
	fail_msg("no phase %s", name);
	return NULL;
}

static bool covers(const struct lab *l, const char *name, double programmed)
{
	const json_t *in = json_object_get(phase_of(l, name), "interval");
	return json_number_value(json_array_get(in, 0)) <= programmed &&
	       programmed <= json_number_value(json_array_get(in, 1));
}

static void assert_within(double is, double programmed, double share)
{
	if (!(fabs(is / programmed - 1) <= share))
		fail_msg("%.6g where %.6g was programmed", is, programmed);
}

static int by_size(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

/* The percentiles of all reads of all runs, as a plain list has them. */
static void check_percentiles(const struct lab *l)
{
	enum { READS = BLOCKS * PASSES };
	static int64_t plain[MOST_RUNS * READS];
	size_t n = 0;
	for (size_t run = 0; run < l->n; run++)
		for (int i = 1; i <= READS; i++)
			plain[n++] = l->read_ns[run] * (i % SLOW_EVERY ? 1 : SLOWER);
	qsort(plain, n, sizeof *plain, by_size);
	struct run_latency is = run_latency_from_json(
	        json_object_get(phase_of(l, "bulk-read"), "latency"));
	const struct {
		double q;
		int64_t is;
	} wanted[] = {{0, is.min_ns},
	              {0.5, is.p50_ns},
	              {0.95, is.p95_ns},
	              {0.99, is.p99_ns},
	              {1, is.max_ns}};
	assert_int_equal(is.count, n);
	assert_int_equal(is.hist.count, n);
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		assert_within((double)wanted[i].is,
		              (double)plain[rank_of(wanted[i].q, n) - 1],
		              1.0 / 256 + 3e-4); /* of the histogram, of the clock */
	hist_free(&is.hist);
}

/* Without scatter every figure is what was programmed, and so is what a comparison
 * reads of it. */
static void test_programmed_figures_come_out(void **state)
{
	(void)state;
	struct lab l = prepare(0, false, 5);
	struct source s;
	repeat(&l, 0);
	assert_within(
	        json_number_value(json_object_get(phase_of(&l, "bulk-read"), "median")),
	        rate_of(READ), 0.01);
	assert_within(json_number_value(
	                      json_object_get(phase_of(&l, "bulk-write"), "median")),
	              rate_of(WRITE), 0.01);
	check_percentiles(&l);
	assert_int_equal(source_open(&s, l.r.dir, &l.b.e), 0);
	assert_int_equal(s.n, 2);
	assert_int_equal(s.figures[1].n, 5);
	assert_within(s.figures[1].values[4], rate_of(READ), 0.01);
	assert_within((double)s.figures[1].latency.p50_ns, READ, 1.0 / 256 + 3e-4);
	assert_within((double)s.figures[1].latency.p99_ns, SLOWER * (double)READ,
	              1.0 / 256 + 3e-4);
	source_fini(&s);
	repeat_fini(&l.r);
	tmpdir_remove(l.b.dir);
}

/* What is covered in a number of experiments. */
static int count_covered(double scatter, bool skewed, uint64_t times,
                         size_t experiments)
{
	struct lab l = prepare(scatter, skewed, times);
	int covered = 0;
	for (size_t k = 0; k < experiments; k++) {
		repeat(&l, k);
		covered += covers(&l, "bulk-read", rate_of(READ));
		covered += covers(&l, "bulk-write", rate_of(WRITE));
		check_percentiles(&l);
		repeat_fini(&l.r);
	}
	tmpdir_remove(l.b.dir);
	return covered;
}

/* With a coverage of 95 % the standard deviation of the share of all 900 is 0.7 %, that
 * of 300 is 1.3 %: the plain bootstrap, which covers 88 % of 7 figures, is found out.
 * (study/stats counts more of them, without the runs.) */
static void test_programmed_value_is_in_95_of_100_intervals(void **state)
{
	(void)state;
	enum { EXPERIMENTS = 150 };
	static const struct {
		double scatter;
		bool skewed;
		uint64_t times;
	} machines[] = {{0.05, false, 5}, {0.2, true, 7}, {0.05, false, 8}};
	enum { MACHINES = sizeof machines / sizeof *machines };
	double all = 0;
	for (size_t i = 0; i < MACHINES; i++) {
		int covered = count_covered(machines[i].scatter, machines[i].skewed,
		                            machines[i].times, EXPERIMENTS);
		double share = covered / (2.0 * EXPERIMENTS);
		print_message("%d runs%s: %.1f %% of the intervals cover\n",
		              (int)machines[i].times,
		              machines[i].skewed ? ", skewed" : "", 100 * share);
		assert_true(fabs(share - STATS_LEVEL) < 0.04);
		all += share / MACHINES;
	}
	assert_true(fabs(all - STATS_LEVEL) < 0.025);
}

int main(void)
{
	setenv("TMPDIR", "/dev/shm", 0); /* thousands of records */
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_programmed_figures_come_out),
	        cmocka_unit_test(test_programmed_value_is_in_95_of_100_intervals),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
