#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/study/source.h"
#include "tests/support/tmpdir.h"

/* A source read from a file with this text. */
struct bench {
	char *dir;
	struct source s;
	struct err e;
	int result;
};

static struct bench read_as(const char *name, const char *text, const char *part)
{
	struct bench b = {.dir = tmpdir_make()};
	char path[4096];
	snprintf(path, sizeof path, "%s/%s", b.dir, name);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	strcat(path, part);
	b.result = source_open(&b.s, path, &b.e);
	return b;
}

static void done(struct bench *b)
{
	source_fini(&b->s);
	tmpdir_remove(b->dir);
}

static const struct figure *find(const struct source *s, const char *part,
                                 const char *cache, const char *phase, uint64_t mib)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct figure *f = &s->figures[i];
		if (strcmp(f->part, part) == 0 && strcmp(f->phase, phase) == 0 &&
		    strcmp(f->cache, cache) == 0 && f->size == mib << 20)
			return f;
	}
	fail_msg("no figure %s %s/%s of %u MiB", part, cache, phase, (unsigned)mib);
	return NULL;
}

static void assert_value(const struct figure *f, double value, double cpu)
{
	assert_int_equal(f->n, 1);
	if (fabs(f->values[0] - value) > 0.001 || fabs(f->cpu - cpu) > 0.001)
		fail_msg("%s: %g at %g %%, not %g at %g %%", f->phase, f->values[0],
		         f->cpu, value, cpu);
}

/* The figures of 2002, as bonnie++ 1.03 and its kin wrote them. */
static void test_source_csv_1_03(void **state)
{
	(void)state;
	struct bench b = read_as(
	        "r.csv",
	        "name,file_size,putc,putc_cpu\n"
	        "inode,256M,1725,26,1676,13,1397,11,2108,25,2335,7,19.1,4,16,71,27,745,"
	        "90,"
	        "85,15,72,28,522,79,124,15\n"
	        "namei,256M,1056,16,1218,9,961,8,1805,21,1951,5,19.0,4,16,40,16,+++++,"
	        "+++,36,6,40,15,523,79,27,3\r\n",
	        "");
	assert_int_equal(b.result, 0);
	assert_string_equal(b.s.kind, "bonnie++ CSV 1.03");
	assert_int_equal(b.s.n, 24);
	assert_value(find(&b.s, "inode", "", "per-char-output", 256), 1725, 26);
	assert_value(find(&b.s, "namei", "", "random-seeks", 256), 19, 4);
	assert_value(find(&b.s, "namei", "", "random-delete", 0), 27, 3);
	assert_int_equal(find(&b.s, "namei", "", "seq-stat", 0)->n, 0);
	assert_true(b.s.partial);
	assert_int_equal(json_array_size(b.s.notes), 1);
	done(&b);
}

#define NEW_DATA "901,59,2195,8,872,4,944,62,2147,3,56.2,1"
#define NEW_FILES "71,27,745,90,85,15,72,28,522,79,124,15"
#define LATENCIES "1us,2us,3us,4us,5us,6us,7us,8us,9us,10us,11ms,12us"

static void test_source_csv_later_formats(void **state)
{
	(void)state;
	static const char *const lines[] = {
	        "1.96,1.96,h,1,1311012345,2G,," NEW_DATA ",16,,,,," NEW_FILES
	        "," LATENCIES "\n",
	        "1.97,1.97,h,1,1311012345,2G,64k," NEW_DATA ",16,100,10,3,4," NEW_FILES
	        "," LATENCIES "\n",
	        "1.98,1.98,h,1,1311012345,2048M,,8192,5," NEW_DATA ",16,,,,," NEW_FILES
	        "," LATENCIES "\n",
	        "1.98,2.00a,h,1,1311012345,2048M,,8192,5," NEW_DATA ",16,,,,," NEW_FILES
	        "," LATENCIES "\n",
	        "> 1.97,1.97,h,1,1311012345,2G,64k," NEW_DATA
	        ",16,100,10,3,4," NEW_FILES "," LATENCIES "\n",
	};
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct bench b = read_as("r.csv", lines[i], "");
		assert_int_equal(b.result, 0);
		assert_int_equal(b.s.n, 12);
		assert_value(find(&b.s, "h", "", "per-byte-output", 2048), 901, 59);
		assert_value(find(&b.s, "h", "", "random-seeks", 2048), 56.2, 1);
		assert_value(find(&b.s, "h", "", "seq-create", 0), 71, 27);
		assert_value(find(&b.s, "h", "", "random-delete", 0), 124, 15);
		assert_false(b.s.partial);
		done(&b);
	}
}

/* bonnie++ -x: the same machine again is the same figure again. */
static void test_source_csv_repeats_and_skips(void **state)
{
	(void)state;
	struct bench b = read_as("r.csv",
	                         "h,1G,,,100,1,200,2,,,300,3,,,,,,,,,,,,,,,\n"
	                         "h,1G,,,110,1,220,2,,,330,3,,,,,,,,,,,,,,,\n",
	                         "");
	assert_int_equal(b.result, 0);
	assert_int_equal(b.s.n, 3);
	assert_int_equal(find(&b.s, "h", "", "rewrite", 1024)->n, 2);
	done(&b);
}

static const char bonnie_mail[] =
        "On Monday someone wrote that 10 MB of cache and 3 hosts are enough:\n"
        "\n"
        "> >           -------Sequential Output-------- ---Sequential Input--\n"
        "> > --Random--\n"
        "> >           -Per Char- --Block--- -Rewrite-- -Per Char- --Block---\n"
        "> > --Seeks---\n"
        "> > Cache MB K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU\n"
        "> >  /sec %CPU\n"
        "> > cold  20   901 59.5  2195  8.9   872  4.2   944 62.1  2147  3.9\n"
        "> > 56.2  1.2\n"
        "JM> warm  20  1307 41.0  2180  9.5  1821 10.2  3281 99.2 119510 99.2 118.7\n"
        "JM> 1.5\n"
        "> > cold?  5  1376 90.8 12306 55.3     -    -   946 62.0  2249  4.0 162.7  "
        "2.9\n"
        "\n"
        "With 1 MB chunks the 20 MB file did not fit in the 10 MB cache.\n";

static void test_source_bonnie_table_as_mailed(void **state)
{
	(void)state;
	struct bench b = read_as("mail", bonnie_mail, "");
	assert_int_equal(b.result, 0);
	assert_string_equal(b.s.kind, "Bonnie table");
	assert_value(find(&b.s, "", "cold", "per-char-output", 20), 901, 59.5);
	assert_value(find(&b.s, "", "cold", "random-seeks", 20), 56.2, 1.2);
	assert_value(find(&b.s, "", "warm", "block-input", 20), 119510, 99.2);
	assert_value(find(&b.s, "", "warm", "random-seeks", 20), 118.7, 1.5);
	assert_string_equal(find(&b.s, "", "cold", "block-output", 5)->doubt,
	                    "not cold");
	assert_int_equal(b.s.n, 17); /* three rows, less what a dash stands for */
	done(&b);
}

static const char bonniepp_1_mail[] =
        "> Version 1.02c       ------Sequential Output------ --Sequential Input- "
        "--Random-\n"
        ">                     -Per Chr- --Block-- -Rewrite- -Per Chr- --Block-- "
        "--Seeks--\n"
        "> Machine        Size K/sec %CP K/sec %CP K/sec %CP K/sec %CP K/sec %CP  /sec "
        "%CP\n"
        "> inode          256M  1725  26  1676  13  1397  11  2108  25  2335   7  19.1 "
        " "
        " 4\n"
        ">                     ------Sequential Create------ --------Random "
        "Create--------\n"
        ">                     -Create-- --Read--- -Delete-- -Create-- --Read--- "
        "-Delete--\n"
        ">               files  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec "
        "%CP\n"
        ">                  16    71  27   745  90    85  15    72  28   522  79   124 "
        " "
        "15\n";

static void test_source_bonniepp_1_table(void **state)
{
	(void)state;
	struct bench b = read_as("mail", bonniepp_1_mail, "");
	assert_int_equal(b.result, 0);
	assert_string_equal(b.s.kind, "bonnie++ table");
	assert_int_equal(b.s.n, 12);
	assert_value(find(&b.s, "inode", "", "block-input", 256), 2335, 7);
	assert_value(find(&b.s, "inode", "", "random-delete", 0), 124, 15);
	done(&b);
}

static const char bonniepp_2_table[] =
        "Version 2.00a       ------Sequential Output------ --Sequential Input- "
        "--Random-\n"
        "                    -Per Chr- --Block-- -Rewrite- -Per Chr- --Block-- "
        "--Seeks--\n"
        "Name:Size etc        /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec "
        "%CP\n"
        "host            64M 1464k  63 12.5m  10 +++++ +++ 2491k  69  1.2g   9 +++++ "
        "+++\n"
        "Latency             17383us    4142us    4217us   18386us     109us   "
        "36060us\n"
        "Version 2.00a       ------Sequential Create------ --------Random "
        "Create--------\n"
        "host                -Create-- --Read--- -Delete-- -Create-- --Read--- "
        "-Delete--\n"
        "              files  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec "
        "%CP\n"
        "                  1  1024  54 +++++ +++ +++++ +++ +++++ +++ +++++ +++ 77 3\n"
        "Latency             16165us      53us     777us    8237us     340us      "
        "38us\n";

static void test_source_bonniepp_2_table(void **state)
{
	(void)state;
	struct bench b = read_as("out", bonniepp_2_table, "");
	assert_int_equal(b.result, 0);
	assert_value(find(&b.s, "host", "", "per-byte-output", 64), 1464, 63);
	assert_value(find(&b.s, "host", "", "block-output", 64), 12.5 * 1024, 10);
	assert_value(find(&b.s, "host", "", "block-input", 64), 1.2 * 1048576, 9);
	assert_value(find(&b.s, "host", "", "seq-create", 0), 1024, 54);
	assert_value(find(&b.s, "host", "", "random-delete", 0), 77, 3);
	assert_int_equal(find(&b.s, "host", "", "rewrite", 64)->n, 0);
	assert_true(b.s.partial);
	done(&b);
}

/* Two results in one mail, the second without its per-character phases (-f). */
static void test_source_bonniepp_table_without_per_char(void **state)
{
	(void)state;
	struct bench b =
	        read_as("out",
	                "------Sequential Output------ --Sequential Input- --Random-\n"
	                "-Per Chr- --Block-- -Rewrite- -Per Chr- --Block-- --Seeks--\n"
	                "Machine Size K/sec %CP K/sec %CP K/sec %CP K/sec %CP K/sec "
	                "%CP /sec %CP\n"
	                "one 1G 1 2 3 4 5 6 7 8 9 10 11 12\n"
	                "two 1G           3 4 5 6           9 10 11 12\n",
	                "#two");
	assert_int_equal(b.result, 0);
	assert_int_equal(b.s.n, 4);
	assert_value(find(&b.s, "two", "", "block-output", 1024), 3, 4);
	assert_value(find(&b.s, "two", "", "random-seeks", 1024), 11, 12);
	done(&b);
}

static void test_source_fio(void **state)
{
	(void)state;
	struct bench b = read_as(
	        "fio.json",
	        "note: both iodepth >= 1 and synchronous I/O engine are selected\n"
	        "{\"fio version\":\"fio-3.33\",\"global "
	        "options\":{\"bs\":\"64k\"},\"jobs\":["
	        "{\"jobname\":\"w\",\"job options\":{\"rw\":\"write\"},\"write\":{"
	        "\"bw_bytes\":2048000,\"total_ios\":5},\"usr_cpu\":1.5,\"sys_cpu\":2.5}"
	        ","
	        "{\"jobname\":\"r\",\"job "
	        "options\":{\"rw\":\"randread\"},\"read\":{\"iops\":"
	        "500.0,\"total_ios\":9}},"
	        "{\"jobname\":\"r\",\"job "
	        "options\":{\"rw\":\"randread\"},\"read\":{\"iops\":"
	        "400.0,\"total_ios\":9}}]}",
	        "");
	assert_int_equal(b.result, 0);
	assert_int_equal(b.s.n, 2);
	assert_value(find(&b.s, "", "", "block-output", 0), 2000, 4);
	assert_value(find(&b.s, "", "", "r/read", 0), 900, 0);
	assert_int_equal(json_integer_value(json_object_get(b.s.facts, "request_size")),
	                 65536);
	done(&b);
}

static void test_source_iperf3(void **state)
{
	(void)state;
	struct bench b = read_as(
	        "iperf.json",
	        "{\"start\":{\"version\":\"iperf 3.12\",\"test_start\":{\"protocol\":"
	        "\"TCP\",\"num_streams\":1,\"reverse\":0}},\"end\":{\"sum_sent\":{"
	        "\"bits_per_second\":99e6},\"sum_received\":{\"bits_per_second\":"
	        "81920000},\"cpu_utilization_percent\":{\"host_total\":3.25}}}",
	        "");
	assert_int_equal(b.result, 0);
	assert_value(find(&b.s, "", "", PHASE_LINK, 0), 10000, 3.25);
	done(&b);
}

static void test_source_run_with_little_in_it(void **state)
{
	(void)state;
	struct bench b = read_as(
	        "run.json",
	        "{\"schema\":\"cellbench-run/"
	        "1\",\"status\":\"interrupted\",\"size\":1048576,"
	        "\"options\":{\"seed\":5},\"engine\":{\"client_options\":[\"-"
	        "cachedir\","
	        "\"/x/"
	        "1\",\"-chunksize\",\"20\",\"-chunksize\",\"16\"]},\"phases\":[{"
	        "\"name\":"
	        "\"block-input\",\"cache\":\"cold\",\"kib_per_s\":5.5,\"cold\":{"
	        "\"proven\":"
	        "false}},{\"name\":\"cvs "
	        "tag\",\"stored_ns\":3000000000,\"passes\":[{},{}]},{\"name\":\"x\","
	        "\"failure\":\"exit 1\"}]}",
	        "");
	assert_int_equal(b.result, 0);
	const struct figure *f = find(&b.s, "", "cold", "block-input", 1);
	assert_value(f, 5.5, -1);
	assert_string_equal(f->setting, "chunk 64K"); /* the one in force */
	assert_int_equal(
	        json_array_size(json_object_get(b.s.facts, "engine.client_options")),
	        4); /* the folder is the run's own */
	assert_string_equal(f->doubt, "not cold");
	assert_value(find(&b.s, "", "", "cvs tag", 1), 1.5, -1);
	assert_int_equal(find(&b.s, "", "", "cvs tag", 1)->unit, UNIT_SECONDS);
	assert_true(find(&b.s, "", "", "x", 1)->failed);
	assert_null(json_object_get(b.s.facts, "seed"));
	assert_true(b.s.partial);
	done(&b);
}

static void test_source_refuses(void **state)
{
	(void)state;
	static const char *const texts[] = {
	        "",          "nothing to see, 12 13 14\n",          "{\"a\":1}",
	        "a,b,c,d\n", "{\"fio version\":\"x\",\"jobs\":[]}", "\xff\xfe{[",
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct bench b = read_as("f", texts[i], "");
		assert_int_equal(b.result, -1);
		assert_int_equal(b.e.code, ERR_USAGE);
		done(&b);
	}
	struct bench b = read_as("mail", bonnie_mail, "#nobody");
	assert_int_equal(b.result, -1);
	done(&b);
	struct source s;
	struct err e = {0};
	assert_int_equal(source_open(&s, "published:atm-2095", &e), -1);
	assert_int_equal(e.code, ERR_USAGE);
	source_fini(&s);
}

/* Whatever is cut off or changed, reading ends in a result or a sentence. */
static void test_source_survives_damage(void **state)
{
	(void)state;
	static const char *const whole[] = {bonnie_mail, bonniepp_1_mail,
	                                    bonniepp_2_table};
	unsigned x = 1;
	for (size_t k = 0; k < sizeof whole / sizeof *whole; k++) {
		size_t n = strlen(whole[k]);
		for (size_t cut = 0; cut < n; cut += 7) {
			char *text = malloc(cut + 1);
			memcpy(text, whole[k], cut);
			text[cut] = '\0';
			for (size_t i = 0; i < cut; i += 41)
				text[i] = (char)((x = x * 1103515245 + 12345) >> 16);
			struct source s = {.facts = json_object(),
			                   .notes = json_array()};
			struct err e = {0};
			source_bonnie_text(&s, text, cut, &e);
			source_bonnie_csv(&s, text, cut, &e);
			source_fini(&s);
			free(text);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_source_csv_1_03),
	        cmocka_unit_test(test_source_csv_later_formats),
	        cmocka_unit_test(test_source_csv_repeats_and_skips),
	        cmocka_unit_test(test_source_bonnie_table_as_mailed),
	        cmocka_unit_test(test_source_bonniepp_1_table),
	        cmocka_unit_test(test_source_bonniepp_2_table),
	        cmocka_unit_test(test_source_bonniepp_table_without_per_char),
	        cmocka_unit_test(test_source_fio),
	        cmocka_unit_test(test_source_iperf3),
	        cmocka_unit_test(test_source_run_with_little_in_it),
	        cmocka_unit_test(test_source_refuses),
	        cmocka_unit_test(test_source_survives_damage),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
