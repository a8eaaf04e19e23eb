#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/report/cpu_text.h"
#include "src/report/run_csv.h"
#include "src/report/series_report.h"
#include "src/study/series.h"

/* One phase of 4 MiB in a second; server_ns < 0: none. */
static struct run make(int64_t server_ns)
{
	struct run r = {.status = RUN_COMPLETE,
	                .client_cpu = true,
	                .problems = json_array(),
	                .facts = json_pack("{s:{s:i}}", "host", "cpus", 2)};
	struct run_phase p = {.id = 1,
	                      .bytes = 4 << 20,
	                      .operations = 8,
	                      .call_ns = 1000000000,
	                      .stored_ns = 1000000000,
	                      .cpu_ns = 500000000,
	                      .cpu = {.has_split = true,
	                              .has_machine = true,
	                              .has_server = server_ns >= 0,
	                              .user_ns = 100000000,
	                              .system_ns = 400000000,
	                              .machine_busy_ns = 1500000000,
	                              .machine_time_ns = 2000000000,
	                              .server_ns = server_ns < 0 ? 0 : server_ns}};
	strcpy(r.workload, "bulk");
	strcpy(r.engine, "afs");
	strcpy(p.name, "bulk-read");
	strcpy(p.cache, "cold");
	assert_int_equal(run_add_phase(&r, &p), 0);
	return r;
}

static char *printed(void (*print)(const struct run *, FILE *), int64_t server_ns)
{
	char *text = NULL;
	size_t n = 0;
	struct run r = make(server_ns);
	FILE *f = open_memstream(&text, &n);
	print(&r, f);
	fclose(f);
	run_fini(&r);
	return text;
}

static void test_cpu_text_of_a_run(void **state)
{
	(void)state;
	char *text = printed(cpu_run_text, 60000000);
	assert_non_null(strstr(text, "CPU time        user s  system s  % of a CPU  "
	                             "machine %  server s  driver"
	                             "  server  a unit\n"
	                             "cold/bulk-read   0.100     0.400        50.0     "
	                             "  75.0     0.060     125"
	                             "      15  ms/MiB\n"));
	assert_non_null(strstr(text, "all 2 processors"));
	assert_non_null(strstr(text, "client, server and all else together"));
	assert_non_null(strstr(text, "cache manager) works in it"));
	free(text);
	text = printed(cpu_run_text, -1);
	assert_null(strstr(text, "server s"));
	assert_non_null(strstr(text, "server's CPU time is not known"));
	free(text);
}

/* A field of the last line of CSV, by its head. */
static void field(const char *text, const char *head, char out[64])
{
	size_t at = 0;
	const char *end = strchr(text, '\n'), *p = strstr(text, head);
	assert_non_null(p);
	for (const char *c = text; c < p; c++)
		at += *c == ',';
	p = end + 1;
	for (; at > 0; at--)
		p = strchr(p, ',') + 1;
	snprintf(out, 64, "%.*s", (int)strcspn(p, ",\n"), p);
}

static void test_cpu_text_csv_of_a_run(void **state)
{
	(void)state;
	static const struct {
		const char *head, *with, *without;
	} fields[] = {
	        {"cpu_user_ns", "100000000", "100000000"},
	        {"cpu_system_ns", "400000000", "400000000"},
	        {"machine_busy_share", "0.7500", "0.7500"},
	        {"server_cpu_ns", "60000000", ""}, /* empty, never 0 */
	};
	char got[64];
	char *with = printed(run_csv_print, 60000000);
	char *without = printed(run_csv_print, -1);
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
		field(with, fields[i].head, got);
		assert_string_equal(got, fields[i].with);
		field(without, fields[i].head, got);
		assert_string_equal(got, fields[i].without);
	}
	free(with);
	free(without);
}

static char *series(void (*print)(const json_t *, FILE *), int64_t server_ns)
{
	char *text = NULL;
	size_t n = 0;
	struct run r = make(server_ns);
	json_t *runs[3] = {run_json(&r), run_json(&r), run_json(&r)};
	json_t *s = series_make(runs, 3, 0);
	FILE *f = open_memstream(&text, &n);
	print(s, f);
	fclose(f);
	for (int i = 0; i < 3; i++)
		json_decref(runs[i]);
	json_decref(s);
	run_fini(&r);
	return text;
}

static void test_cpu_text_of_repeats(void **state)
{
	(void)state;
	char *text = series(series_report_text, 60000000);
	assert_non_null(
	        strstr(text, "cold/bulk-read  ms/MiB     125  125 to 125      15"));
	assert_non_null(strstr(text, "75.0\n"));
	free(text);
	text = series(series_report_text, -1);
	assert_null(strstr(text, "server"));
	free(text);
	char got[64];
	text = series(series_report_csv, -1);
	field(text, "driver_cpu", got);
	assert_string_equal(got, "0.125");
	field(text, "server_cpu", got);
	assert_string_equal(got, "");
	free(text);
}

static void test_cpu_text_cost(void **state)
{
	(void)state;
	char text[COST_TEXT];
	assert_string_equal(cpu_cost_text(text, 0.00525), "5.25");
	assert_string_equal(cpu_cost_text(text, 12.3456), "12346");
	assert_string_equal(cpu_cost_text(text, 0), "0");
	assert_string_equal(cpu_cost_text(text, NAN), "-");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_cpu_text_of_a_run),
	        cmocka_unit_test(test_cpu_text_csv_of_a_run),
	        cmocka_unit_test(test_cpu_text_of_repeats),
	        cmocka_unit_test(test_cpu_text_cost),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
