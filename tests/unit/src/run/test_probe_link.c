#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/run/probe_link.h"
#include "tests/support/tmpdir.h"

/* A probe that is a shell script: head speaks before, loop answers. */
static char *script(const char *dir, const char *body)
{
	char *path;
	assert_true(asprintf(&path, "%s/probe", dir) > 0);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f, "#!/bin/sh\nexec 2>/dev/null\ncd '%s'\n%s\n", dir, body);
	fclose(f);
	assert_int_equal(chmod(path, 0755), 0);
	return path;
}

static const char good[] = "echo \"$*\" > words\n"
                           "echo ready atm0,eth0\n"
                           "while read what id rest; do\n"
                           "  echo \"$what $id $rest\" >> said\n"
                           "  case $what in\n"
                           "  begin|end) echo marked $id;;\n"
                           "  finish) echo done; exit 0;;\n"
                           "  esac\n"
                           "done\n";

static char *slurp(const char *dir, const char *name)
{
	char path[4096], *text = calloc(1, 4096);
	snprintf(path, sizeof path, "%s/%s", dir, name);
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	assert_true(fread(text, 1, 4095, f) > 0);
	fclose(f);
	return text;
}

static void test_probe_link_speaks_the_protocol(void **state)
{
	const char *via = *state;
	char *dir = tmpdir_make(), *program = script(dir, good), want[8192];
	struct probe_link *p = NULL;
	struct err e = {0};
	const struct probe_config c = {.interfaces = "atm0,eth0",
	                               .via = via,
	                               .options = "--link atm0=atm",
	                               .program = program};
	if (probe_link_start(&p, &c, dir, &e) < 0)
		fail_msg("%s", e.text);
	assert_int_equal(probe_link_begin(p, 1, 1234567890123456789, "cold/x", &e), 0);
	assert_int_equal(probe_link_end(p, 1, 1234567890123456790, &e), 0);
	assert_int_equal(probe_link_finish(p, &e), 0);
	probe_link_close(p);
	char *said = slurp(dir, "said"), *words = slurp(dir, "words");
	assert_string_equal(said, "begin 1 1234567890123456789 cold/x\n"
	                          "end 1 1234567890123456790\nfinish  \n");
	snprintf(
	        want, sizeof want,
	        "record --control -w %s/capture.pcapng --json %s/probe.json -i atm0 -i "
	        "eth0 --link atm0=atm\n",
	        dir, dir);
	assert_string_equal(words, want);
	free(said);
	free(words);
	free(program);
	tmpdir_remove(dir);
}

static void test_probe_link_start_fails(void **state)
{
	(void)state;
	static const struct {
		const char *body, *says;
	} rows[] = {
	        {"echo error no interface tin0", "the probe: no interface tin0"},
	        {"exit 3", "exit code 3 before it said 'ready'"},
	        {"kill -9 $$", "signal 9 before it said 'ready'"},
	        {"echo hello", "said 'hello' where 'ready'"},
	        {"exec sleep 60", "did not say 'ready' within 0.3 s"},
	        {"exec >&-; exec sleep 60", "closed its output"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *dir = tmpdir_make(), *program = script(dir, rows[i].body);
		struct probe_link *p = NULL;
		struct err e = {0};
		const struct probe_config c = {
		        .interfaces = "a", .program = program, .ready_ms = 300};
		assert_int_equal(probe_link_start(&p, &c, dir, &e), -1);
		assert_int_equal(e.code, ERR_ENVIRONMENT);
		if (!strstr(e.text, rows[i].says))
			fail_msg("'%s' lacks '%s'", e.text, rows[i].says);
		free(program);
		tmpdir_remove(dir);
	}
}

static void test_probe_link_no_program(void **state)
{
	(void)state;
	struct probe_link *p = NULL;
	struct err e = {0};
	const struct probe_config c = {.interfaces = "a", .program = "/no/such/probe"};
	assert_int_equal(probe_link_start(&p, &c, "/tmp", &e), -1);
	assert_non_null(strstr(e.text, "/no/such/probe"));
}

static void test_probe_link_dies_in_mid_run(void **state)
{
	(void)state;
	char *dir = tmpdir_make();
	char *program = script(dir, "echo ready a; read line; echo marked 1; exit 0");
	struct probe_link *p = NULL;
	struct err e = {0};
	const struct probe_config c = {.interfaces = "a", .program = program};
	assert_int_equal(probe_link_start(&p, &c, dir, &e), 0);
	assert_int_equal(probe_link_begin(p, 1, 1, "x", &e), 0);
	assert_int_equal(probe_link_end(p, 1, 2, &e), -1);
	assert_non_null(strstr(e.text, "marked 1"));
	assert_int_equal(probe_link_finish(p, NULL), -1);
	probe_link_close(p);
	free(program);
	tmpdir_remove(dir);
}

int main(void)
{
	char via[] = "env CELLBENCH_TEST='a b'";
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_probe_link_speaks_the_protocol),
	        {"via a prefix", test_probe_link_speaks_the_protocol, NULL, NULL, via},
	        cmocka_unit_test(test_probe_link_start_fails),
	        cmocka_unit_test(test_probe_link_no_program),
	        cmocka_unit_test(test_probe_link_dies_in_mid_run),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
