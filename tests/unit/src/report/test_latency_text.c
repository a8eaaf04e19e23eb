#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/report/latency_text.h"

static char *text_of(const struct run *r)
{
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);
	assert_non_null(f);
	latency_run_text(r, f);
	assert_int_equal(fclose(f), 0);
	return text;
}

static void test_latency_text_tells_percentiles_and_what_was_timed(void **state)
{
	(void)state;
	struct run_phase p[] = {
	        {.name = "block-input",
	         .cache = "cold",
	         .latency = {.of = "read",
	                     .count = 512,
	                     .every = 1,
	                     .p50_ns = 1500,
	                     .p95_ns = 2000000,
	                     .p99_ns = 3000000,
	                     .max_ns = 1234567890}},
	        {.name = "mixed",
	         .cache = "warm",
	         .latency =
	                 {.of = "operation", .count = 9, .every = 7, .intended = true}},
	        {.name = "clone", .cache = "warm"}, /* commands have none */
	};
	struct run r = {.phases = p, .nphases = 3};
	char *text = text_of(&r);
	assert_non_null(strstr(text, "Latency, us"));
	assert_non_null(strstr(text, "cold/block-input  read"));
	assert_non_null(
	        strstr(text, " 512     each     1.5  2000.0  3000.0  1234567.9"));
	assert_non_null(strstr(text, "operation, from intended start"));
	assert_non_null(strstr(text, "1 in 7"));
	assert_non_null(strstr(text, "where 1 in N is timed"));
	assert_null(strstr(text, "clone"));
	free(text);
}

static void test_latency_text_says_nothing_of_nothing(void **state)
{
	(void)state;
	struct run_phase p = {.name = "clone", .cache = "warm"};
	struct run r = {.phases = &p, .nphases = 1};
	char *text = text_of(&r);
	assert_string_equal(text, "");
	free(text);
}

static void test_latency_text_of_repeated_runs(void **state)
{
	(void)state;
	json_t *summary = json_loads(
	        "{\"phases\":[{\"name\":\"block-input\",\"cache\":\"cold\",\"latency\":"
	        "{\"of\":\"read\",\"count\":1000,\"every\":1,\"p50_ns\":1500,"
	        "\"max_ns\":9000}},"
	        "{\"name\":\"rewrite\",\"cache\":\"cold\",\"latency\":null},"
	        "{\"name\":\"clone\",\"cache\":\"cold\"}]}",
	        0, NULL);
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);
	latency_series_text(summary, f);
	assert_int_equal(fclose(f), 0);
	assert_non_null(strstr(text, "cold/block-input  read        1000     each"));
	assert_non_null(strstr(text, "of all counted runs together"));
	assert_null(strstr(text, "rewrite"));
	assert_null(strstr(text, "clone"));
	free(text);
	json_decref(summary);
}

static void test_latency_text_of_a_comparison(void **state)
{
	(void)state;
	struct figure a = {.phase = "block-input",
	                   .cache = "cold",
	                   .latency = {.of = "read",
	                               .count = 5,
	                               .every = 1,
	                               .p50_ns = 1500,
	                               .max_ns = 4000}};
	struct figure b = a, none = {.phase = "rewrite", .cache = "cold"};
	b.latency.p50_ns = 3500;
	b.latency.intended = true;
	struct compare_row rows[] = {{.a = &a, .b = &b}, {.a = &none, .b = &b}};
	struct comparison c = {.rows = rows, .n = 2};
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);
	latency_compare_text(&c, f);
	assert_int_equal(fclose(f), 0);
	assert_non_null(strstr(text, "cold/block-input  read, from different starts"));
	assert_non_null(strstr(text, "1.5       3.5"));
	assert_null(strstr(text, "rewrite"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(
	                test_latency_text_tells_percentiles_and_what_was_timed),
	        cmocka_unit_test(test_latency_text_says_nothing_of_nothing),
	        cmocka_unit_test(test_latency_text_of_repeated_runs),
	        cmocka_unit_test(test_latency_text_of_a_comparison),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
