#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "src/report/compare_report.h"
#include "src/report/schema.h"
#include "src/run/run.h"
#include "src/study/series.h"

static bool is_type(const json_t *v, const char *type)
{
	if (strcmp(type, "number") == 0)
		return json_is_number(v);
	static const char *const names[] = {
	        [JSON_OBJECT] = "object", [JSON_ARRAY] = "array",
	        [JSON_STRING] = "string", [JSON_INTEGER] = "integer",
	        [JSON_REAL] = "number",   [JSON_TRUE] = "boolean",
	        [JSON_FALSE] = "boolean", [JSON_NULL] = "null",
	};
	return strcmp(names[json_typeof(v)], type) == 0;
}

static bool type_fits(const json_t *v, const json_t *type)
{
	size_t i;
	const json_t *one;
	if (!type)
		return true;
	if (json_is_string(type))
		return is_type(v, json_string_value(type));
	json_array_foreach(type, i,
	                   one) if (is_type(v, json_string_value(one))) return true;
	return false;
}

static bool is_among(const json_t *v, const json_t *list)
{
	size_t i;
	const json_t *one;
	json_array_foreach(list, i, one) if (json_equal(v, one)) return true;
	return list == NULL;
}

/* What of JSON Schema the schemas use; and every key must be described. */
static void check(const json_t *v, const json_t *schema, const char *where)
{
	char path[512];
	const char *key;
	json_t *item;
	size_t i;
	const json_t *fixed = json_object_get(schema, "const");
	const json_t *properties = json_object_get(schema, "properties");
	if (!type_fits(v, json_object_get(schema, "type")))
		fail_msg("%s is of another type", where);
	if (!is_among(v, json_object_get(schema, "enum")) ||
	    (fixed && !json_equal(v, fixed)))
		fail_msg("%s has another value", where);
	if (json_is_object(v) && properties) {
		json_array_foreach(json_object_get(schema, "required"), i, item)
		{
			if (!json_object_get(v, json_string_value(item)))
				fail_msg("%s lacks %s", where, json_string_value(item));
		}
		json_object_foreach((json_t *)(uintptr_t)v, key, item)
		{
			snprintf(path, sizeof path, "%s.%s", where, key);
			if (!json_object_get(properties, key))
				fail_msg("%s is not described", path);
			check(item, json_object_get(properties, key), path);
		}
	}
	const json_t *items = json_object_get(schema, "items");
	json_array_foreach(items ? v : NULL, i, item)
	{
		snprintf(path, sizeof path, "%s[%zu]", where, i);
		check(item, items, path);
	}
}

static void check_as(json_t *o, const char *name)
{
	json_error_t why;
	json_t *schema = json_loads(schema_find(name)->text, 0, &why);
	if (!schema)
		fail_msg("%s: line %d: %s", name, why.line, why.text);
	assert_non_null(o);
	check(o, schema, name);
	json_decref(schema);
	json_decref(o);
}

/* A run with a phase of each kind: cold with passes, warm, failed. */
static json_t *make_run(double rate)
{
	struct run r = {.status = RUN_COMPLETE,
	                .problems = json_array(),
	                .facts = json_object()};
	strcpy(r.engine, "null");
	strcpy(r.workload, "bonnie");
	json_object_set_new(r.facts, "host",
	                    json_pack("{s:s, s:s}", "name", "h", "kernel", "6"));
	run_add_problem(&r, "none");
	for (int i = 0; i < 3; i++) {
		struct run_phase p = {.id = i + 1, .failed = i == 2};
		const struct run_pass pass = {.id = i + 1,
		                              .stored_ns = 1000000000,
		                              .bytes = (uint64_t)(rate * 1024),
		                              .operations = 5,
		                              .cpu_ns = 9,
		                              .cpu = {.has_split = true,
		                                      .has_machine = true,
		                                      .has_server = i == 0,
		                                      .user_ns = 4,
		                                      .system_ns = 5,
		                                      .machine_busy_ns = 1500000000,
		                                      .machine_time_ns = 2000000000,
		                                      .server_ns = 8}};
		strcpy(p.name, bonnie_data_phases[i]);
		strcpy(p.cache, i == 1 ? "warm" : "cold");
		strcpy(p.failure, i == 2 ? "EIO" : "");
		if (i == 0)
			p.latency = (struct run_latency){
			        .of = "write", .count = 5, .every = 1};
		if (i == 0)
			hist_record_times(&p.latency.hist, 1000, 5);
		assert_int_equal(run_add_pass(&p, &pass), 0);
		assert_int_equal(run_add_phase(&r, &p), 0);
	}
	json_t *o = run_json(&r);
	run_fini(&r);
	return o;
}

static void test_schema_of_a_run(void **state)
{
	(void)state;
	check_as(make_run(100), "run");
}

static void test_schema_of_a_summary(void **state)
{
	(void)state;
	json_t *runs[6];
	for (int i = 0; i < 6; i++)
		runs[i] = make_run(100 + i);
	json_t *summary = series_make(runs, 6, 1);
	const json_t *first = json_array_get(json_object_get(summary, "phases"), 0);
	assert_non_null(json_object_get(first, "interval"));
	check_as(summary, "cellbench-summary/1");
	for (int i = 0; i < 6; i++)
		json_decref(runs[i]);
}

static void test_schema_of_a_comparison(void **state)
{
	(void)state;
	static const char *const names[][2] = {
	        {"published:inode-2002", "published:namei-2002"},
	        {"published:cvs-2000#local", "published:cvs-2000#afs"},
	};
	for (size_t k = 0; k < 2; k++) {
		struct source a, b;
		struct comparison c;
		struct err e = {0};
		const struct compare_options options = {.margin = COMPARE_MARGIN};
		assert_int_equal(source_open(&a, names[k][0], &e), 0);
		assert_int_equal(source_open(&b, names[k][1], &e), 0);
		struct side x = {.source = &a, .name = "a"},
		            y = {.source = &b, .name = "b"};
		assert_int_equal(compare(&c, &x, &y, &options, &e), 0);
		json_t *report = compare_report_new();
		compare_report_add(report, &c);
		check_as(report, "compare");
		comparison_fini(&c);
		source_fini(&a);
		source_fini(&b);
	}
}

/* Repeated runs against one, so that there are costs and intervals. */
static void test_schema_of_compared_runs(void **state)
{
	(void)state;
	struct source s[2];
	struct comparison c;
	struct err e = {0};
	json_t *runs[2] = {make_run(100), make_run(110)};
	json_t *records[] = {series_make(runs, 2, 0), json_incref(runs[0])};
	const struct compare_options options = {.margin = COMPARE_MARGIN};
	for (int i = 0; i < 2; i++) {
		char *text = json_dumps(records[i], 0);
		s[i] = (struct source){.facts = json_object(), .notes = json_array()};
		assert_int_equal(source_run_json(&s[i], text, strlen(text), &e), 1);
		free(text);
		json_decref(records[i]);
		json_decref(runs[i]);
	}
	struct side x = {.source = &s[0], .name = "a"},
	            y = {.source = &s[1], .name = "b"};
	assert_int_equal(compare(&c, &x, &y, &options, &e), 0);
	assert_true(c.rows[0].cost[COST_SERVER].has_interval);
	json_t *report = compare_report_new();
	compare_report_add(report, &c);
	check_as(report, "compare");
	comparison_fini(&c);
	source_fini(&s[0]);
	source_fini(&s[1]);
}

static void test_schema_names(void **state)
{
	(void)state;
	assert_ptr_equal(schema_find("run"), schema_find("cellbench-run/1"));
	assert_null(schema_find("runs"));
	assert_string_equal(RUN_SCHEMA, "cellbench-run/1");
	assert_string_equal(SUMMARY_SCHEMA, "cellbench-summary/1");
	assert_string_equal(COMPARE_SCHEMA, "cellbench-compare/1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_schema_of_a_run),
	        cmocka_unit_test(test_schema_of_a_summary),
	        cmocka_unit_test(test_schema_of_a_comparison),
	        cmocka_unit_test(test_schema_of_compared_runs),
	        cmocka_unit_test(test_schema_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
