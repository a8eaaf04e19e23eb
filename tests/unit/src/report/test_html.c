#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/report/html.h"
#include "tests/support/tmpdir.h"

#define HOSTILE "<img src=x onerror=alert(1)>"

static const char run_text[] =
        "{\"schema\":\"cellbench-run/1\",\"id\":\"" HOSTILE
        "\",\"status\":\"complete\","
        "\"engine_name\":\"posix\",\"workload\":\"bonnie\",\"size\":1048576,"
        "\"problems\":[\"" HOSTILE "\"],\"host\":{\"name\":\"" HOSTILE "\"},"
        "\"options\":{\"" HOSTILE "\":[1,{\"a\":\"" HOSTILE "\"}]},"
        "\"phases\":[{\"id\":1,\"name\":\"" HOSTILE "\",\"cache\":\"cold\","
        "\"bytes\":1048576,\"operations\":16,\"stored_ns\":%d,\"call_ns\":%d,"
        "\"latency\":{\"of\":\"" HOSTILE "\",\"count\":3,\"every\":5}}]}";

static const char probe_text[] =
        "{\"phases\":[{\"id\":1,\"name\":\"" HOSTILE "\",\"begin_ns\":1000000000,"
        "\"end_ns\":2000000000,\"interfaces\":[{\"name\":\"" HOSTILE
        "\",\"to_client\":{"
        "\"ip_packets\":9,\"ip_bytes\":1100000,\"rx_data_bytes\":1048576,"
        "\"datagram_sizes\":[[1444,700],[99999,1]],\"ceiling_bytes_per_s\":12e6,"
        "\"share_of_ceiling\":0.09}}]}],\"interfaces\":[{\"name\":\"" HOSTILE "\","
        "\"link\":\"" HOSTILE "\",\"addresses\":\"" HOSTILE "\",\"rate_bps\":100000000,"
        "\"mtu\":1500,\"to_client\":{\"rx_data_bytes\":1048576,\"ip_packets\":9,"
        "\"datagram_sizes\":[[1444,700],[99999,1]],\"ceiling_bytes_per_s\":12e6}}],"
        "\"intervals\":[{\"begin_ns\":-9223372036854775807,\"interval_ns\":100000000,"
        "\"interface\":\"" HOSTILE "\",\"way\":\"to_client\",\"rx_data_bytes\":5},"
        "{\"begin_ns\":9223372036854775807,\"interval_ns\":1,\"resends\":3,"
        "\"interface\":\"" HOSTILE "\",\"way\":\"to_server\"},"
        "{\"interface\":\"other\",\"interval_ns\":0}],"
        "\"verdicts\":[{\"service\":\"fs\",\"interface\":\"" HOSTILE "\","
        "\"text\":\"" HOSTILE "\",\"direction\":\"to_client\"}],"
        "\"findings\":[{\"id\":\"" HOSTILE "\",\"text\":\"" HOSTILE
        "\",\"remedy\":\"" HOSTILE "\",\"severity\":\"" HOSTILE
        "\",\"evidence\":{\"" HOSTILE "\":1}}]}";

static void write_file(const char *dir, const char *name, const char *text)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%s", dir, name);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void make_run(const char *dir, int ms, bool probe)
{
	char text[sizeof run_text + 40];
	mkdir(dir, 0755);
	snprintf(text, sizeof text, run_text, ms * 1000000, ms * 1000000);
	write_file(dir, "run.json", text);
	if (probe)
		write_file(dir, "probe.json", probe_text);
}

/* The page of dir, to be freed; its code in *code. */
static char *page_of(const char *dir, int *code)
{
	char path[4096];
	struct err e = {0};
	snprintf(path, sizeof path, "%s/page.html", dir);
	report_html_show(dir, path, &e);
	*code = e.code;
	FILE *f = fopen(path, "r");
	if (!f)
		return NULL;
	char *text = calloc(1, 8 << 20);
	assert_non_null(text);
	assert_true(fread(text, 1, (8 << 20) - 1, f) > 0);
	fclose(f);
	return text;
}

static size_t count(const char *text, const char *what)
{
	size_t n = 0;
	for (; (text = strstr(text, what)) != NULL; text += strlen(what))
		n++;
	return n;
}

static void test_everything_is_escaped(void **state)
{
	(void)state;
	char *dir = tmpdir_make();
	int code;
	make_run(dir, 1000, true);
	/* a library of our own: the page has plots, and no other script */
	char library[4096];
	snprintf(library, sizeof library, "%s/chart.js", dir);
	write_file(dir, "chart.js", "/* none */");
	setenv("CELLBENCH_CHARTJS", library, 1);
	char *page = page_of(dir, &code);
	assert_int_equal(code, 0);
	assert_int_equal(count(page, "<img"), 0);
	assert_true(count(page, "&lt;img src=x onerror=alert(1)&gt;") > 20);
	assert_true(count(page, "\\u003cimg") >= 3);
	assert_int_equal(count(page, "</script>"), 3);
	assert_non_null(strstr(page, "/* none */"));
	assert_non_null(strstr(page, ", 1 in 5 timed"));
	assert_true(count(page, "<canvas") >= 4);
	assert_int_equal(count(page, "<script nonce=\""), 2);
	assert_non_null(strstr(page, "default-src 'none'"));
	assert_int_equal(count(page, "http"), 1); /* http-equiv */
	free(page);
	tmpdir_remove(dir);
}

/* No library, or one that would end its script early: tables, and a word on it. */
static void test_without_library(void **state)
{
	(void)state;
	char *dir = tmpdir_make(), library[4096];
	int code;
	make_run(dir, 1000, true);
	snprintf(library, sizeof library, "%s/chart.js", dir);
	for (int there = 0; there < 2; there++) {
		if (there)
			write_file(dir, "chart.js", "x = '</SCRIPT>';");
		setenv("CELLBENCH_CHARTJS", library, 1);
		assert_int_equal(report_html_can_plot(), there);
		char *page = page_of(dir, &code);
		assert_int_equal(code, 0);
		assert_int_equal(count(page, "<canvas"), 0);
		assert_int_equal(count(page, "<script"), 0);
		assert_non_null(strstr(page, "libjs-chart.js"));
		assert_true(count(page, "<table>") >= 5);
		free(page);
	}
	tmpdir_remove(dir);
}

static void test_folders_become_configurations(void **state)
{
	(void)state;
	static const char *const runs[] = {"a",          "a/1", "a/2",  "b",
	                                   "b/rep-01",   "c",   "c/r1", "c/r1/rank0",
	                                   "c/r1/rank1", "d",   "d/r1", "d/r1/rank0"};
	char *dir = tmpdir_make(), path[4096];
	int code;
	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
		snprintf(path, sizeof path, "%s/%s", dir, runs[i]);
		mkdir(path, 0755);
		char last = path[strlen(path) - 1];
		bool is_c =
		        strcmp(runs[i], "c/r1") == 0 || strcmp(runs[i], "d/r1") == 0;
		if (last >= '0' && last <= '9' && !is_c)
			make_run(path, 1000 + 100 * (int)i, false);
	}
	write_file(dir, "study.json",
	           "{\"title\":\"A & B\",\"question\":\"Which <one>?\",\"cells\":["
	           "{\"dir\":\"b\",\"label\":\"-jumbo <b>\"}, 7]}");
	setenv("CELLBENCH_CHARTJS", "", 1);
	char *page = page_of(dir, &code);
	assert_int_equal(code, 0);
	assert_non_null(strstr(page, "<h1>A &amp; B</h1>"));
	assert_non_null(strstr(page, "Which &lt;one&gt;?"));
	assert_non_null(
	        strstr(page, "5 configurations in 6 runs, 6 of them complete."));
	assert_non_null(strstr(page, ">-jumbo &lt;b&gt;</th>"));
	assert_non_null(strstr(page, ">c, client 2</th>"));
	assert_non_null(strstr(page, ">d</th>"));
	assert_non_null(strstr(page, "class=\"heat\""));
	free(page);
	/* a record that is broken is told, the others are shown */
	snprintf(path, sizeof path, "%s/a/1", dir);
	write_file(path, "run.json", "{");
	page = page_of(dir, &code);
	assert_int_not_equal(code, 0);
	assert_non_null(strstr(page, "5 configurations in 5 runs"));
	free(page);
	tmpdir_remove(dir);
}

static void test_no_run(void **state)
{
	(void)state;
	char *dir = tmpdir_make();
	struct err e = {0};
	assert_int_equal(report_html_show(dir, "-", &e), -1);
	assert_int_equal(e.code, ERR_USAGE);
	assert_non_null(strstr(e.text, "no run.json"));
	tmpdir_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_everything_is_escaped),
	        cmocka_unit_test(test_without_library),
	        cmocka_unit_test(test_folders_become_configurations),
	        cmocka_unit_test(test_no_run),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
