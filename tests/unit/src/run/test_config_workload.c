#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "src/run/config.h"

/* Parses a line of words parted by '|'. */
static int parse(struct run_config *c, struct err *e, const char *line)
{
	static char text[1024], name[] = "cellbench run";
	static char *argv[32]; /* outlives the call: c points into it */
	char *save = NULL;
	argv[0] = name;
	int argc = 1;
	*e = (struct err){0};
	snprintf(text, sizeof text, "%s", line);
	for (char *w = strtok_r(text, "|", &save); w; w = strtok_r(NULL, "|", &save))
		argv[argc++] = w;
	return config_parse(c, argc, argv, e);
}

static void test_config_workload_defaults(void **state)
{
	(void)state;
	struct run_config c;
	struct err e;
	assert_int_equal(parse(&c, &e, "/tmp"), 0);
	assert_string_equal(c.workload->name, "bonnie");
	assert_int_equal(c.workload_options.seekers, 1);
	assert_int_equal(c.workload_options.per_char, PER_CHAR_STDIO);
	assert_int_equal(c.workload_options.files, 0);
	assert_int_equal(c.min_ns, 500000000);
	assert_int_equal(c.cache.method, COLD_ENGINE);
	/* with the probe a phase is one pass, unless more is asked for */
	assert_int_equal(parse(&c, &e, "/tmp|--probe|eth0"), 0);
	assert_int_equal(c.min_ns, 0);
	assert_int_equal(parse(&c, &e, "/tmp|--probe|eth0|--min-time|2s"), 0);
	assert_int_equal(c.min_ns, 2000000000);
}

static void test_config_workload_values(void **state)
{
	(void)state;
	struct run_config c;
	struct err e;
	assert_int_equal(
	        parse(&c, &e, "/tmp|-n|16:4096:100:8|--seekers|4|--per-char|both"), 0);
	assert_int_equal(c.workload_options.files, 16 * 1024);
	assert_int_equal(c.workload_options.file_max, 4096);
	assert_int_equal(c.workload_options.file_min, 100);
	assert_int_equal(c.workload_options.dirs, 8);
	assert_int_equal(c.workload_options.per_char, PER_CHAR_BOTH);
	assert_int_equal(parse(&c, &e, "/tmp|--files|0.5"), 0);
	assert_int_equal(c.workload_options.files, 512);
	assert_int_equal(parse(&c, &e, "/tmp|-w|bulk|--rate|1M|--request-size|16K"), 0);
	assert_true(c.workload_options.rate == 64);
	assert_int_equal(parse(&c, &e, "/tmp|-w|mixed|--rate|12.5"), 0);
	assert_true(c.workload_options.rate == 12.5);
	assert_int_equal(
	        parse(&c, &e, "/tmp|-w|command|--step|one=true|--step|A=b make"), 0);
	assert_int_equal(c.workload_options.nsteps, 2);
	assert_string_equal(c.workload_options.steps[0].name, "one");
	assert_string_equal(c.workload_options.steps[0].command, "true");
	assert_string_equal(c.workload_options.steps[1].name, "step-2");
	assert_string_equal(c.workload_options.steps[1].command, "A=b make");
	assert_int_equal(
	        parse(&c, &e, "/tmp|-e|null|--null-delay|write@20=9ms,write=1ms"), 0);
	assert_int_equal(c.engine_options.null.slow_every[ENGINE_WRITE], 20);
	assert_int_equal(c.engine_options.null.slow_ns[ENGINE_WRITE], 9000000);
	assert_int_equal(c.engine_options.null.delay_ns[ENGINE_WRITE], 1000000);
	assert_int_equal(parse(&c, &e, "/tmp|--cold-command|umount /x"), 0);
	assert_int_equal(c.cache.method, COLD_COMMAND);
}

/* Each is refused, by name. */
static void test_config_workload_refusals(void **state)
{
	(void)state;
	static const char *const rows[][2] = {
	        {"/tmp|--files|x", "--files takes"},
	        {"/tmp|--files|1:-1", "--files takes"},
	        {"/tmp|--files|1:10:20", "MAX is smaller"},
	        {"/tmp|--files|1:0:0:2000", "more folders than files"},
	        {"/tmp|--files|1:1:1:1:1", "--files takes"},
	        {"/tmp|--per-char|putc", "--per-char takes one of stdio, write"},
	        {"/tmp|--fsync|sometimes", "--fsync takes one of"},
	        {"/tmp|--cold|ice", "--cold takes one of"},
	        {"/tmp|--cold|command", "needs --cold-command"},
	        {"/tmp|--cold|flush", "goes with the afs engine"},
	        {"/tmp|-e|null|--cold|fs", "goes with the posix engine"},
	        {"/tmp|--seekers|0", "--seekers"},
	        {"/tmp|--rate|100", "--rate goes with"},
	        {"/tmp|-w|bulk|--rate|fast", "--rate takes"},
	        {"/tmp|-w|bulk|--rate|0", "--rate takes"},
	        {"/tmp|-w|command", "needs --step"},
	        {"/tmp|-w|command|-e|null|--step|a=b", "needs a mounted folder"},
	        {"/tmp|-w|command|--step|a=b|--step|a=c", "two steps are called a"},
	        {"/tmp|-w|command|--step|a=", "--step takes"},
	        {"/tmp|--step|a=b", "--step goes with --workload command"},
	        {"/tmp|--phases|block-output,nosuch", "no phase 'nosuch'"},
	        {"/tmp|--phases|seq-stat", "no phase 'seq-stat' with these options"},
	        {"/tmp|-w|tree|--tree-files|0", "--tree-files"},
	        {"/tmp|-w|mixed|--read-share|101", "--read-share"},
	        {"/tmp|--min-time|soon", "not a time"},
	        {"/tmp|--request-size|0", "--request-size"},
	        {"/tmp|--size|1K", "smaller than a request"},
	        {"/tmp|-w|disk", "no workload 'disk'"},
	        {"/tmp|-e|null|--null-delay|write@0=1ms", "--null-delay takes"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct run_config c;
		struct err e;
		if (parse(&c, &e, rows[i][0]) == 0 || e.code != ERR_USAGE ||
		    !strstr(e.text, rows[i][1]))
			fail_msg("%s: %s", rows[i][0], e.text);
	}
}

static void test_config_workload_by_name(void **state)
{
	(void)state;
	struct run_config c;
	struct err e = {0};
	char value[] = "write", bad[] = "putc";
	assert_int_equal(parse(&c, &e, "/tmp"), 0);
	assert_string_equal(config_takes("per-char"), "HOW");
	assert_int_equal(config_set(&c, "per-char", value, &e), 0);
	assert_int_equal(c.workload_options.per_char, PER_CHAR_WRITE);
	assert_int_equal(config_set(&c, "per-char", bad, &e), -1);
	assert_int_equal(e.code, ERR_USAGE);
}

static void test_config_workload_json(void **state)
{
	(void)state;
	struct run_config c;
	struct err e;
	assert_int_equal(parse(&c, &e,
	                       "/tmp|-w|command|--step|a=true|--prepare|p|--cold|none|"
	                       "--server-cold-command|s"),
	                 0);
	json_t *o = config_json(&c);
	const json_t *options = json_object_get(o, "options");
	const json_t *step = json_array_get(json_object_get(options, "steps"), 0);
	assert_string_equal(json_string_value(json_object_get(step, "command")),
	                    "true");
	assert_string_equal(json_string_value(json_object_get(options, "prepare")),
	                    "p");
	assert_string_equal(json_string_value(json_object_get(options, "cold")),
	                    "none");
	assert_string_equal(
	        json_string_value(json_object_get(options, "server_cold_command")),
	        "s");
	json_decref(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_config_workload_defaults),
	        cmocka_unit_test(test_config_workload_values),
	        cmocka_unit_test(test_config_workload_refusals),
	        cmocka_unit_test(test_config_workload_by_name),
	        cmocka_unit_test(test_config_workload_json),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
