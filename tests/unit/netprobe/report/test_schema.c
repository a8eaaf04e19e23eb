/* What netprobe prints is what its schema says, key by key. */
#include "netprobe/report/json.h"
#include "netprobe/report/schema.h"
#include "tests/support/schema_check.h"
#include "tests/support/sweep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static json_t *schema_or_fail(const char *name)
{
	struct err err = {0};
	json_t *schema = schema_of(name, &err);
	if (!schema)
		fail_msg("%s", err.text);
	return schema;
}

/* Analyses the capture with a series; records go to lines. */
static char *analyse(const struct capture *c, bool records)
{
	char path[64], *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);
	const char *paths[] = {capture_path(c, path)};
	struct stream stream = {.out = out, .kinds = (1u << STREAM_KINDS) - 1};
	struct analysis a;
	struct err err = {0};
	const struct analysis_options o = {.paths = paths,
	                                   .n_paths = 1,
	                                   .interval_ns = 20000000,
	                                   .stream = records ? &stream : NULL};
	if (analysis_run(&a, &o, &err) != 0 ||
	    (records ? stream_finish(&stream, &a.result, &err)
	             : report_json(&a.result, out, &err)) != 0)
		fail_msg("%s", err.text);
	analysis_free(&a);
	capture_close_path(path);
	fclose(out);
	return text;
}

static void reports_are_what_the_schema_says(void **state)
{
	static struct sweep_capture list[SWEEP_CAPTURES];
	(void)state;
	json_t *schema = schema_or_fail("report");
	size_t n = sweep_load(list);
	for (size_t i = 0; i < n; i++) {
		char why[600], *text = analyse(&list[i].file, false);
		json_t *report = json_loads(text, 0, NULL);
		assert_non_null(report);
		if (!schema_check(schema, report, why, sizeof why))
			fail_msg("%s: %s", list[i].name, why);
		json_decref(report);
		free(text);
	}
	json_decref(schema);
	sweep_free(list, n);
}

static void records_are_what_the_schema_says(void **state)
{
	static struct sweep_capture list[SWEEP_CAPTURES];
	(void)state;
	json_t *schema = schema_or_fail("record");
	size_t n = sweep_load(list);
	for (size_t i = 0; i < n; i++) {
		char why[600], *text = analyse(&list[i].file, true);
		size_t lines = 0;
		for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
			json_t *record = json_loads(line, 0, NULL);
			assert_non_null(record);
			if (!schema_check(schema, record, why, sizeof why))
				fail_msg("%s, line %zu: %s", list[i].name, lines + 1,
				         why);
			json_decref(record);
			lines++;
		}
		assert_true(lines > 20);
		free(text);
	}
	json_decref(schema);
	sweep_free(list, n);
}

/* The check would tell: a key more, one less, another type, another value. */
static void what_differs_is_told(void **state)
{
	static struct sweep_capture list[SWEEP_CAPTURES];
	char why[600];
	(void)state;
	json_t *schema = schema_or_fail("report");
	size_t n = sweep_load(list);
	char *text = analyse(&list[0].file, false);
	json_t *report = json_loads(text, 0, NULL);
	json_t *input = json_object_get(report, "input");
	assert_true(schema_check(schema, report, why, sizeof why));
	json_object_set_new(input, "more", json_true());
	assert_false(schema_check(schema, report, why, sizeof why));
	assert_non_null(strstr(why, ".input.more"));
	json_object_del(input, "more");
	json_object_set_new(input, "frames", json_string("12"));
	assert_false(schema_check(schema, report, why, sizeof why));
	json_object_set_new(input, "frames", json_integer(-1));
	assert_false(schema_check(schema, report, why, sizeof why));
	json_object_del(input, "frames");
	assert_false(schema_check(schema, report, why, sizeof why));
	assert_non_null(strstr(why, "lacks frames"));
	json_object_set_new(input, "frames", json_integer(1));
	assert_true(schema_check(schema, report, why, sizeof why));
	json_object_set_new(report, "schema", json_string("netprobe-report/2"));
	assert_false(schema_check(schema, report, why, sizeof why));
	json_decref(report);
	free(text);
	json_decref(schema);
	sweep_free(list, n);
}

static void parts_by_name(void **state)
{
	struct err err = {0};
	(void)state;
	json_t *schema = schema_or_fail("call");
	assert_string_equal(json_string_value(json_object_get(schema, "$ref")),
	                    "#/$defs/call");
	json_decref(schema);
	assert_null(schema_of("nothing", &err));
	assert_int_equal(err.code, ERR_USAGE);
	assert_non_null(strstr(err.text, "report"));
}

/* What a number means stands in its name: every fraction has its unit. */
static bool names_its_unit(const char *key)
{
	static const char *const units[] = {"_us",     "_us_p50", "_us_p95", "_us_p99",
	                                    "_us_max", "_ms",     "_per_s",  "_bps"};
	static const char *const whole[] = {"seconds", "confidence"};
	size_t n = strlen(key);
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (n > strlen(units[i]) &&
		    strcmp(key + n - strlen(units[i]), units[i]) == 0)
			return true;
	for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
		if (strcmp(key, whole[i]) == 0)
			return true;
	return strstr(key, "share") != NULL; /* 0 to 1 */
}

static void check_units(const json_t *schema)
{
	const char *key;
	json_t *part;
	json_object_foreach(json_object_get(schema, "properties"), key, part)
	{
		char *type = json_dumps(json_object_get(part, "type"), JSON_ENCODE_ANY);
		if (type && strstr(type, "number") && !names_its_unit(key))
			fail_msg("%s: a number whose name tells no unit", key);
		free(type);
		check_units(part);
		check_units(json_object_get(part, "items"));
	}
}

static void every_number_has_its_unit(void **state)
{
	(void)state;
	json_t *schema = schema_or_fail("report");
	const char *key;
	json_t *part;
	json_object_foreach(json_object_get(schema, "$defs"), key, part)
	        check_units(part);
	json_decref(schema);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(reports_are_what_the_schema_says),
	        cmocka_unit_test(records_are_what_the_schema_says),
	        cmocka_unit_test(what_differs_is_told),
	        cmocka_unit_test(parts_by_name),
	        cmocka_unit_test(every_number_has_its_unit),
	};
	return cmocka_run_group_tests_name("report/schema", tests, NULL, NULL);
}
