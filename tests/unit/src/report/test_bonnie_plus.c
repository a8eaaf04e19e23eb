#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/report/bonnie_plus.h"
#include "src/report/bonnie_table.h"

typedef void printer(const struct bonnie_result *rows, size_t n, FILE *out);

/* A source in the format of this printer. */
static char *print_source(const char *name, printer *print)
{
	struct source s;
	struct err e = {0};
	char *text;
	size_t n, size;
	assert_int_equal(source_open(&s, name, &e), 0);
	struct bonnie_result *rows = bonnie_results_of_source(&s, &n);
	FILE *f = open_memstream(&text, &size);
	print(rows, n, f);
	fclose(f);
	free(rows);
	source_fini(&s);
	assert_null(strstr(text, "++"));
	return text;
}

static void assert_holds(const char *text, const char *line)
{
	if (!strstr(text, line))
		fail_msg("no line\n%s\nin\n%s", line, text);
}

/* The published rows must come out as they were printed. */
static void test_bonnie_plus_table_1_as_published(void **state)
{
	(void)state;
	char *text = print_source("published:inode-2002", bonnie_plus_table_1);
	assert_holds(text,
	             "\ninode-2002     256M  1725  26  1676  13  1397  11  2108  25  "
	             "2335   7  19.1   4\n");
	assert_holds(text,
	             "\ninode-2002        -    71  27   745  90    85  15    72  28 "
	             "  522  79   124  15\n");
	assert_holds(text, "Machine        Size K/sec %CP K/sec %CP");
	free(text);
}

static void test_bonnie_plus_table_2_has_units(void **state)
{
	(void)state;
	char *text = print_source("published:atm-1995", bonnie_plus_table_2);
	assert_holds(text,
	             "20M  901k  60 2195k   9  872k   4  944k  62 2147k   4  56.2   "
	             "1\n");
	assert_holds(text, " 117m  99 118.7   2\n"); /* 119510 KiB/s */
	assert_holds(text, "12.0m  55");             /* 12306 KiB/s */
	free(text);
}

static void test_bonnie_table_prints_what_was_published(void **state)
{
	(void)state;
	char *text = print_source("published:atm-1995", bonnie_table_rows);
	assert_holds(text,
	             "\nwarm   5  2606 86.5 13107 48.6  1818  9.6  3280 100.0 118274 "
	             "92.4 1257.2 14.8\n");
	free(text);
}

/* A run of one row: rates of 100, 200 … with latencies. */
static struct run make_run(bool per_byte)
{
	struct run r = {.size = 64 << 20, .seed = 7, .facts = json_object()};
	json_object_set_new(r.facts, "options",
	                    json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i}",
	                              "request_size", 8192, "seeks", 8192, "seekers", 5,
	                              "files", 2048, "file_max", 100, "file_min", 10,
	                              "dirs", 3));
	json_object_set_new(r.facts, "host", json_pack("{s:s}", "name", "a,b c"));
	for (int i = 0; i < 12; i++) {
		struct run_phase p = {.stored_ns = 1000000000,
		                      .cpu_ns = (i + 1) * 10000000,
		                      .cold_proven = true,
		                      .latency = {.max_ns = (i + 1) * 30000000}};
		const char *const *data =
		        per_byte ? bonnie_byte_phases : bonnie_data_phases;
		strcpy(p.name, i < 6 ? data[i] : bonnie_file_phases[i - 6]);
		strcpy(p.cache, "cold");
		p.operations = (uint64_t)(i + 1) * 100;
		p.bytes = (uint64_t)(i + 1) * 100 * 1024;
		assert_int_equal(run_add_phase(&r, &p), 0);
	}
	return r;
}

static char *print_run(const struct run *r, printer *print)
{
	char *text;
	size_t n, size;
	struct bonnie_result *rows = bonnie_results_of_run(r, &n);
	FILE *f = open_memstream(&text, &size);
	print(rows, n, f);
	fclose(f);
	free(rows);
	return text;
}

#define RATES(seek)                                                                    \
	"100,1,200,2,300,3,400,4,500,5," seek ",6,2,100,10,3,,700,7,800,8,900,9,"      \
	"1000,10,1100,11,1200,12"

static void test_bonnie_plus_csv_fields(void **state)
{
	(void)state;
	struct run r = make_run(true);
	char *text = print_run(&r, bonnie_plus_csv);
	assert_string_equal(text, "1.98,2.00,a_b_c-cold,1,7,64M,8192,8192,5," RATES(
	                                  "600.0") ",30000us,60000us,90000us,120ms,"
	                                           "150ms,180ms,210ms,240ms,"
	                                           "270ms,300ms,330ms,360ms\n");
	int commas = 0;
	for (const char *p = text; *p; p++)
		commas += *p == ',';
	assert_int_equal(commas, 49); /* 50 fields */
	free(text);
	run_fini(&r);
}

/* What is written is read back as the same figures of the same phases. */
static void test_bonnie_plus_round_trips(void **state)
{
	(void)state;
	static printer *const printers[] = {bonnie_plus_csv, bonnie_plus_table_1,
	                                    bonnie_table_rows};
	for (size_t k = 0; k < 6; k++) {
		bool per_byte = k >= 3, files = k % 3 < 2;
		if (per_byte && k > 3)
			continue; /* the tables do not tell */
		struct run r = make_run(per_byte);
		char *text = print_run(&r, printers[k % 3]);
		struct source s = {.facts = json_object(), .notes = json_array()};
		struct err e = {0};
		int got = k % 3 == 0 ? source_bonnie_csv(&s, text, strlen(text), &e)
		                     : source_bonnie_text(&s, text, strlen(text), &e);
		assert_int_equal(got, 1);
		assert_int_equal(s.n, files ? 12 : 6);
		for (size_t i = 0; i < s.n; i++) {
			assert_string_equal(s.figures[i].phase, r.phases[i].name);
			assert_int_equal(s.figures[i].n, 1);
			assert_true(fabs(s.figures[i].values[0] -
			                 100.0 * (double)(i + 1)) < 0.01);
		}
		source_fini(&s);
		free(text);
		run_fini(&r);
	}
}

static void test_bonnie_plus_leaves_gaps(void **state)
{
	(void)state;
	struct run r = make_run(false);
	r.nphases = 3; /* as if it was interrupted */
	r.phases[0].failed = true;
	char *text = print_run(&r, bonnie_plus_csv);
	assert_holds(text, ",5,,,200,2,300,3,,,,,,,2,");
	assert_null(strchr(text, '+'));
	free(text);
	run_fini(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_bonnie_plus_table_1_as_published),
	        cmocka_unit_test(test_bonnie_plus_table_2_has_units),
	        cmocka_unit_test(test_bonnie_table_prints_what_was_published),
	        cmocka_unit_test(test_bonnie_plus_csv_fields),
	        cmocka_unit_test(test_bonnie_plus_round_trips),
	        cmocka_unit_test(test_bonnie_plus_leaves_gaps),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
