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

#include "src/base/rng.h"
#include "src/study/repeat.h"
#include "src/study/series.h"
#include "tests/support/tmpdir.h"

/* Configurations that run in no time and give figures scattered about 100. */
struct bench {
	char *dir;
	struct repeat r[3];
	struct run_repeat options;
	struct rng rng;
	double scatter, slope;
	int exit_code; /* of the run counted by fail_at */
	size_t fail_at, calls;
	char order[128];
	struct err e;
};

static struct bench prepare(void)
{
	return (struct bench){.dir = tmpdir_make(), .rng = rng_init(4), .scatter = 4};
}

static double normal(struct rng *r)
{
	double sum = -6;
	for (int i = 0; i < 12; i++)
		sum += (double)(rng_next(r) >> 11) / 9007199254740992.0;
	return sum;
}

static int fake_run(void *ctx, size_t i, const char *dir)
{
	struct bench *b = ctx;
	char path[4200];
	double value = 100 + b->scatter * normal(&b->rng) + b->slope * (double)b->calls;
	size_t used = strlen(b->order);
	if (used + 2 < sizeof b->order) {
		b->order[used] = (char)('A' + i);
		b->order[used + 1] = '\0';
	}
	if (++b->calls == b->fail_at && b->exit_code == ERR_ENVIRONMENT)
		return b->exit_code;
	assert_int_equal(mkdir(dir, 0755), 0);
	snprintf(path, sizeof path, "%s/run.json", dir);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f,
	        "{\"schema\":\"cellbench-run/1\",\"status\":\"%s\",\"workload\":"
	        "\"bonnie\",\"phases\":[{\"name\":\"rewrite\",\"cache\":\"cold\","
	        "\"kib_per_s\":%.9g,\"bytes\":1,\"cpu_percent\":3}",
	        b->calls == b->fail_at ? "failed" : "complete", value);
	if (b->calls == b->fail_at)
		fprintf(f,
		        ",{\"name\":\"release\",\"cache\":\"cold\",\"failure\":\"x\"}");
	fprintf(f, "]}");
	fclose(f);
	return b->calls == b->fail_at ? b->exit_code : 0;
}

static void told(void *ctx, size_t i, const struct repeat *r)
{
	(void)ctx;
	(void)i;
	assert_non_null(r->summary);
}

static int repeat(struct bench *b, size_t n, enum order_kind order)
{
	const struct repeat_calls calls = {fake_run, told, b};
	for (size_t i = 0; i < n; i++) {
		b->r[i] = (struct repeat){.options = &b->options};
		snprintf(b->r[i].dir, sizeof b->r[i].dir, "%s/%c", b->dir,
		         (char)('A' + i));
		assert_int_equal(mkdir(b->r[i].dir, 0755), 0);
	}
	return repeat_all(b->r, n, order, 1, &calls, NULL, &b->e);
}

static void done(struct bench *b)
{
	for (size_t i = 0; i < 3; i++)
		repeat_fini(&b->r[i]);
	tmpdir_remove(b->dir);
}

static const json_t *phase(const struct repeat *r, size_t i)
{
	return json_array_get(json_object_get(r->summary, "phases"), i);
}

static void test_repeat_orders(void **state)
{
	(void)state;
	static const char *const expected[] = {"AAABBB", "ABABAB", NULL};
	for (int order = 0; order < ORDER_COUNT; order++) {
		struct bench b = prepare();
		b.options.times = 3;
		assert_int_equal(repeat(&b, 2, (enum order_kind)order), 0);
		if (expected[order])
			assert_string_equal(b.order, expected[order]);
		for (int k = 0; order == ORDER_RANDOM && k < 6; k += 2)
			assert_true(b.order[k] != b.order[k + 1]);
		assert_int_equal(b.r[0].n, 3);
		assert_int_equal(b.r[1].n, 3);
		done(&b);
	}
}

static void test_repeat_writes_a_summary(void **state)
{
	(void)state;
	struct bench b = prepare();
	char path[4200];
	b.options = (struct run_repeat){.times = 6, .warmup = 1};
	assert_int_equal(repeat(&b, 1, ORDER_SEQUENTIAL), 0);
	assert_int_equal(b.r[0].n, 7); /* the first is kept and does not count */
	snprintf(path, sizeof path, "%s/summary.json", b.r[0].dir);
	json_t *o = json_load_file(path, 0, NULL);
	assert_true(json_equal(o, b.r[0].summary));
	assert_string_equal(json_string_value(json_object_get(o, "schema")),
	                    SUMMARY_SCHEMA);
	const json_t *runs = json_object_get(o, "runs");
	const json_t *first = json_array_get(runs, 0);
	assert_int_equal(json_array_size(runs), 7);
	assert_true(json_is_true(json_object_get(first, "first")));
	assert_true(json_is_false(json_object_get(first, "counted")));
	const json_t *p = phase(&b.r[0], 0);
	const json_t *in = json_object_get(p, "interval");
	double median = json_number_value(json_object_get(p, "median"));
	assert_int_equal(json_array_size(json_object_get(p, "values")), 6);
	assert_true(json_number_value(json_array_get(in, 0)) <= median);
	assert_true(json_number_value(json_array_get(in, 1)) >= median);
	assert_true(json_number_value(json_object_get(p, "fastest")) >= median);
	json_decref(o);
	done(&b);
}

static void test_repeat_until_narrow_or_at_the_limit(void **state)
{
	(void)state;
	struct bench b = prepare();
	b.options.width = 0.05;
	assert_int_equal(repeat(&b, 1, ORDER_SEQUENTIAL), 0);
	assert_true(b.r[0].width <= 0.05);
	assert_in_range(b.r[0].n, STATS_FEW + 1, REPEAT_MAX);
	assert_string_equal(b.r[0].whose, "cold/rewrite");
	done(&b);
	b = prepare();
	b.options = (struct run_repeat){.width = 0.0001, .max = 8};
	assert_int_equal(repeat(&b, 1, ORDER_SEQUENTIAL), 0);
	assert_int_equal(b.r[0].n, 8);
	assert_non_null(strstr(b.r[0].why, "limit"));
	done(&b);
	b = prepare();
	b.scatter = 0; /* the least that can be judged */
	b.options.width = 0.05;
	assert_int_equal(repeat(&b, 1, ORDER_SEQUENTIAL), 0);
	assert_int_equal(b.r[0].n, STATS_FEW);
	done(&b);
}

static void test_repeat_notices_drift(void **state)
{
	(void)state;
	struct bench b = prepare();
	b.slope = 3;
	b.scatter = 1;
	b.options.times = 8;
	assert_int_equal(repeat(&b, 1, ORDER_SEQUENTIAL), 0);
	const json_t *drift = json_object_get(phase(&b.r[0], 0), "drift");
	assert_true(json_is_true(json_object_get(drift, "shown")));
	double slope = json_number_value(json_object_get(drift, "slope_per_run"));
	assert_true(fabs(slope - 3) < 0.5);
	done(&b);
}

static void test_repeat_failures(void **state)
{
	(void)state;
	struct bench b = prepare();
	b.options.times = 5;
	b.fail_at = 3;
	b.exit_code = ERR_ENVIRONMENT;
	assert_int_equal(repeat(&b, 1, ORDER_SEQUENTIAL), -1);
	assert_int_equal(b.e.code, ERR_ENVIRONMENT);
	assert_int_equal(b.r[0].n, 2); /* and their summary stands */
	done(&b);
	b = prepare();
	b.options.times = 5;
	b.fail_at = 3;
	b.exit_code = ERR_PARTIAL;
	assert_int_equal(repeat(&b, 1, ORDER_SEQUENTIAL), 0);
	assert_int_equal(b.r[0].n, 5);
	assert_string_equal(
	        json_string_value(json_object_get(b.r[0].summary, "status")),
	        "partial");
	const json_t *failed = phase(&b.r[0], 1);
	assert_int_equal(json_integer_value(json_object_get(failed, "failed")), 1);
	assert_int_equal(json_array_size(json_object_get(phase(&b.r[0], 0), "values")),
	                 5);
	done(&b);
}

static void test_repeat_stops_when_told_to(void **state)
{
	(void)state;
	struct bench b = prepare();
	const volatile sig_atomic_t stop = SIGTERM;
	const struct repeat_calls calls = {fake_run, told, &b};
	b.r[0].options = &b.options;
	assert_int_equal(repeat_all(b.r, 1, ORDER_SEQUENTIAL, 1, &calls, &stop, &b.e),
	                 -1);
	assert_int_equal(b.e.code, ERR_PARTIAL);
	assert_int_equal(b.calls, 0);
	done(&b);
}

/* To look after each run and stop when it looks well costs coverage: how much. */
static void test_repeat_coverage_with_the_stopping_rule(void **state)
{
	(void)state;
	enum { EXPERIMENTS = 1000, MOST = 30 };
	struct rng rng = rng_init(11);
	int covered = 0;
	for (int k = 0; k < EXPERIMENTS; k++) {
		double v[MOST];
		struct interval in;
		for (size_t n = 1; n <= MOST; n++) {
			v[n - 1] = 100 + 4 * normal(&rng);
			if (n < STATS_FEW)
				continue;
			assert_int_equal(stats_interval(v, n, &in), 0);
			if ((in.high - in.low) / stats_median(v, n) <= 0.05)
				break;
		}
		covered += in.low <= 100 && 100 <= in.high;
	}
	print_message("%d of %d cover\n", covered, EXPERIMENTS);
	assert_true(covered >= EXPERIMENTS * 0.88);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_repeat_orders),
	        cmocka_unit_test(test_repeat_writes_a_summary),
	        cmocka_unit_test(test_repeat_until_narrow_or_at_the_limit),
	        cmocka_unit_test(test_repeat_notices_drift),
	        cmocka_unit_test(test_repeat_failures),
	        cmocka_unit_test(test_repeat_stops_when_told_to),
	        cmocka_unit_test(test_repeat_coverage_with_the_stopping_rule),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
