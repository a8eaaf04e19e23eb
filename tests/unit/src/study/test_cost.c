#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/report/compare_report.h"
#include "src/study/series.h"

/* A run of one phase: 4 MiB by 8 operations in two passes. */
static struct run_phase phase(double cpu_s, double server_s)
{
	struct run_phase p = {.id = 1, .bytes = 4 << 20, .operations = 8, .npasses = 2};
	strcpy(p.name, "block-input");
	strcpy(p.cache, "cold");
	p.stored_ns = 1000000000;
	p.cpu_ns = (int64_t)(cpu_s * 1e9);
	p.cpu = (struct run_cpu){.has_split = true,
	                         .has_machine = true,
	                         .has_server = server_s >= 0,
	                         .user_ns = p.cpu_ns / 4,
	                         .system_ns = p.cpu_ns - p.cpu_ns / 4,
	                         .machine_busy_ns = 1500000000,
	                         .machine_time_ns = 2000000000,
	                         .server_ns = (int64_t)(server_s * 1e9)};
	return p;
}

static void near(double found, double wanted)
{
	if (!(fabs(found - wanted) <= 1e-9))
		fail_msg("%g, not %g", found, wanted);
}

static void test_cost_a_unit(void **state)
{
	(void)state;
	struct run_phase p = phase(0.8, 0.4);
	near(cost_of(&p, UNIT_KIB_S, COST_DRIVER), 0.2);
	near(cost_of(&p, UNIT_KIB_S, COST_DRIVER_USER), 0.05);
	near(cost_of(&p, UNIT_KIB_S, COST_DRIVER_SYSTEM), 0.15);
	near(cost_of(&p, UNIT_KIB_S, COST_SERVER), 0.1);
	near(cost_of(&p, UNIT_OPS_S, COST_DRIVER), 0.1);
	near(cost_of(&p, UNIT_SECONDS, COST_DRIVER), 0.4);
	p = phase(0.8, -1);
	assert_true(isnan(cost_of(&p, UNIT_KIB_S, COST_SERVER)));
	p.bytes = 0;
	assert_true(isnan(cost_of(&p, UNIT_KIB_S, COST_DRIVER)));
	p.cpu.has_split = false;
	assert_true(isnan(cost_of(&p, UNIT_OPS_S, COST_DRIVER_USER)));
	p.npasses = 0; /* a record of an older program: one pass */
	near(cost_of(&p, UNIT_SECONDS, COST_DRIVER), 0.8);
}

static json_t *run_of(double cpu_s, double server_s)
{
	struct run r = {.status = RUN_COMPLETE,
	                .problems = json_array(),
	                .facts = json_object()};
	struct run_phase p = phase(cpu_s, server_s);
	p.npasses = 0;
	strcpy(r.engine, "afs");
	strcpy(r.workload, "bulk");
	assert_int_equal(run_add_phase(&r, &p), 0);
	json_t *o = run_json(&r);
	run_fini(&r);
	return o;
}

static json_t *summary_of(const double *cpu_s, const double *server_s, size_t n)
{
	json_t *runs[8];
	for (size_t i = 0; i < n; i++)
		runs[i] = run_of(cpu_s[i], server_s[i]);
	json_t *s = series_make(runs, n, 0);
	for (size_t i = 0; i < n; i++)
		json_decref(runs[i]);
	assert_non_null(s);
	return s;
}

static const json_t *cost_in(const json_t *summary, const char *name)
{
	const json_t *p = json_array_get(json_object_get(summary, "phases"), 0);
	return json_object_get(json_object_get(p, "cpu"), name);
}

static void test_cost_of_repeats(void **state)
{
	(void)state;
	const double cpu[] = {0.8, 0.9, 1.0, 1.1, 1.2},
	             server[] = {0.4, -1, 0.4, 0, 0.8};
	const double none[] = {-1, -1, -1, -1, -1};
	json_t *s = summary_of(cpu, server, 5);
	const json_t *driver = cost_in(s, "driver"), *of = cost_in(s, "server");
	near(json_number_value(json_object_get(driver, "median")), 0.25);
	double low = json_number_value(
	        json_array_get(json_object_get(driver, "interval"), 0));
	double high = json_number_value(
	        json_array_get(json_object_get(driver, "interval"), 1));
	assert_true(low < 0.25 && high > 0.25);
	/* a run that does not know it has its place, and no part in the median */
	assert_int_equal(json_array_size(json_object_get(of, "values")), 5);
	assert_true(json_is_null(json_array_get(json_object_get(of, "values"), 1)));
	near(json_number_value(json_object_get(of, "median")), 0.1);
	near(json_number_value(json_object_get(cost_in(s, MACHINE_BUSY), "median")),
	     0.75);
	json_decref(s);
	s = summary_of(cpu, none, 5);
	assert_true(json_is_null(cost_in(s, "server"))); /* null, never 0 */
	json_decref(s);
}

static void open_json(struct source *s, json_t *o)
{
	struct err e = {0};
	char *text = json_dumps(o, 0);
	*s = (struct source){.facts = json_object(), .notes = json_array()};
	assert_int_equal(source_run_json(s, text, strlen(text), &e), 1);
	free(text);
	json_decref(o);
}

static struct comparison compared(struct source *a, struct source *b)
{
	struct comparison c;
	struct err e = {0};
	const struct compare_options options = {.margin = COMPARE_MARGIN};
	const struct side x = {.source = a, .name = "a"},
	                  y = {.source = b, .name = "b"};
	assert_int_equal(compare(&c, &x, &y, &options, &e), 0);
	assert_int_equal(c.n, 1);
	return c;
}

static void test_cost_compared(void **state)
{
	(void)state;
	const double cpu[] = {0.8, 0.82, 0.78, 0.81, 0.79};
	const double server[] = {0.4, 0.41, 0.39, 0.4, 0.4};
	struct source a, b;
	open_json(&a, summary_of(cpu, server, 5));
	open_json(&b, run_of(0.4, 0.8));
	struct comparison c = compared(&a, &b);
	const struct compare_cost *cost = c.rows[0].cost;
	near(cost[COST_DRIVER].ratio, 0.5);
	near(cost[COST_SERVER].ratio, 2);
	assert_true(cost[COST_DRIVER].has_interval);
	assert_true(cost[COST_DRIVER].interval.low < 0.5 &&
	            cost[COST_DRIVER].interval.high > 0.5);
	comparison_fini(&c);
	source_fini(&b);
	open_json(&b, run_of(0.4, 0)); /* an idle server is no ratio */
	c = compared(&a, &b);
	near(c.rows[0].cost[COST_SERVER].median_b, 0);
	assert_true(isnan(c.rows[0].cost[COST_SERVER].ratio));
	comparison_fini(&c);
	source_fini(&b);
	open_json(&b, run_of(0.4, -1));
	c = compared(&a, &b);
	assert_true(isnan(c.rows[0].cost[COST_SERVER].median_b));
	assert_true(isnan(c.rows[0].cost[COST_SERVER].ratio));
	comparison_fini(&c);
	source_fini(&b);
	source_fini(&a);
}

/* A server that was idle in a run: the interval of its cost does not reach below 0. */
static void test_cost_of_scatter(void **state)
{
	(void)state;
	const double cpu[] = {0.01, 0.2, 1}, server[] = {0, 0.002, 5};
	json_t *s = summary_of(cpu, server, 3);
	const json_t *in = json_object_get(cost_in(s, "server"), "interval");
	assert_true(json_number_value(json_array_get(in, 0)) >= 0);
	struct source a, b;
	open_json(&a, s);
	open_json(&b, run_of(0.4, 0.4));
	struct comparison c = compared(&a, &b);
	const struct compare_cost *cost = c.rows[0].cost;
	assert_true(isfinite(cost[COST_DRIVER].interval.high));
	assert_true(cost[COST_DRIVER].interval.low > 0);
	assert_true(isnan(cost[COST_SERVER].ratio));
	assert_false(cost[COST_SERVER].has_interval);
	json_t *report = compare_report_new();
	compare_report_add(report, &c);
	const json_t *first =
	        json_array_get(json_object_get(report, "comparisons"), 0);
	const json_t *row = json_array_get(json_object_get(first, "phases"), 0);
	const json_t *of = json_object_get(json_object_get(row, "cpu"), "server");
	assert_true(json_is_null(json_object_get(of, "ratio")));
	assert_true(json_is_null(json_object_get(of, "ratio_interval")));
	json_decref(report);
	comparison_fini(&c);
	source_fini(&a);
	source_fini(&b);
}

/* A client in the driver against one elsewhere. */
static void test_cost_of_unlike_clients(void **state)
{
	(void)state;
	json_t *x = run_of(1, 1), *y = run_of(1, 1);
	json_object_set_new(x, "cpu_includes_client", json_true());
	struct source a, b;
	open_json(&a, x);
	open_json(&b, y);
	struct comparison c = compared(&a, &b);
	size_t i, found = 0;
	const json_t *w;
	json_array_foreach(c.warnings, i, w) found +=
	        strstr(json_string_value(w), "CPU time is not comparable") != NULL;
	assert_int_equal(found, 1);
	comparison_fini(&c);
	source_fini(&a);
	source_fini(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_cost_a_unit),
	        cmocka_unit_test(test_cost_of_repeats),
	        cmocka_unit_test(test_cost_compared),
	        cmocka_unit_test(test_cost_of_scatter),
	        cmocka_unit_test(test_cost_of_unlike_clients),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
