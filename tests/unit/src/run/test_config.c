#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "src/run/config.h"

enum { WORDS = 32 };

/* Parses a line of words parted by blanks. */
static int parse(struct run_config *c, const char *line, struct err *e)
{
	static char copy[1024];
	static char *argv[WORDS + 1];
	char *save = NULL;
	int argc = 0;
	strcpy(copy, line);
	for (char *w = strtok_r(copy, " ", &save); w && argc < WORDS;
	     w = strtok_r(NULL, " ", &save))
		argv[argc++] = w;
	*e = (struct err){0};
	return config_parse(c, argc, argv, e);
}

static void test_config_defaults(void **state)
{
	(void)state;
	struct run_config c;
	struct err e;
	assert_int_equal(parse(&c, "run /d", &e), 0);
	assert_string_equal(c.engine->name, "posix");
	assert_string_equal(c.workload->name, "bonnie");
	assert_string_equal(c.engine_options.dir, "/d");
	assert_int_equal(c.workload_options.size, 32 << 20);
	assert_int_equal(c.workload_options.request_size, 65536);
	assert_int_equal(c.workload_options.seeks, 4000);
	assert_int_equal(c.ncaches, 2);
	assert_int_equal(c.caches[0], CACHE_COLD);
	assert_null(c.probe.interfaces);
}

static void test_config_values(void **state)
{
	(void)state;
	struct run_config c;
	struct err e;
	assert_int_equal(
	        parse(&c,
	              "run -e null /d --size 1G --request-size=64k --seeks 7 --seed 5 "
	              "--cache warm --null-delay write=2ms,read=20us "
	              "--null-fail read:9=EIO --null-flip 4K",
	              &e),
	        0);
	const struct null_options *n = &c.engine_options.null;
	assert_int_equal(c.workload_options.size, 1 << 30);
	assert_int_equal(c.workload_options.request_size, 65536);
	assert_int_equal(c.workload_options.seeks, 7);
	assert_true(c.seed_given && c.workload_options.seed == 5);
	assert_int_equal(c.ncaches, 1);
	assert_int_equal(c.caches[0], CACHE_WARM);
	assert_int_equal(n->delay_ns[ENGINE_WRITE], 2000000);
	assert_int_equal(n->delay_ns[ENGINE_READ], 20000);
	assert_int_equal(n->fail_op, ENGINE_READ);
	assert_int_equal(n->fail_at, 9);
	assert_int_equal(n->fail_errno, EIO);
	assert_true(n->flip && n->flip_at == 4096);
}

static void test_config_refuses(void **state)
{
	(void)state;
	static const struct {
		const char *line, *says;
	} rows[] = {
	        {"run", "name the folder"},
	        {"run /d -e tape", "no engine 'tape'"},
	        {"run /d -w dance", "no workload 'dance'"},
	        {"run /d --size 12Q", "'12Q' is not a size"},
	        {"run /d --size 4K", "smaller than a request"},
	        {"run /d --request-size 0", "--request-size"},
	        {"run /d --chunk-size 100000", "power of two"},
	        {"run /d --cache cold,lukewarm", "lukewarm"},
	        {"run /d --cache cold,,warm", "--cache takes"},
	        {"run /d --seeks 0", "--seeks"},
	        {"run /d --volume c:v", "--volume"},
	        {"run -e null /d --null-delay fly=1ms", "--null-delay"},
	        {"run -e null /d --null-delay write", "--null-delay"},
	        {"run -e null /d --null-delay write=1", "is not a time"},
	        {"run -e null /d --null-fail write=EIO", "--null-fail"},
	        {"run -e null /d --null-fail write:1=EFUN", "--null-fail"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct run_config c;
		struct err e;
		assert_int_equal(parse(&c, rows[i].line, &e), -1);
		assert_int_equal(e.code, ERR_USAGE);
		if (!strstr(e.text, rows[i].says))
			fail_msg("%s: '%s' lacks '%s'", rows[i].line, e.text,
			         rows[i].says);
	}
}

static void test_config_json_tells_what_is_in_effect(void **state)
{
	(void)state;
	struct run_config c;
	struct err e;
	assert_int_equal(parse(&c, "run /d --size 1M --cache warm,cold", &e), 0);
	json_t *o = config_json(&c);
	const json_t *options = json_object_get(o, "options");
	assert_int_equal(json_integer_value(json_object_get(options, "size")), 1 << 20);
	const json_t *caches = json_object_get(options, "cache");
	assert_string_equal(json_string_value(json_array_get(caches, 1)), "cold");
	assert_int_equal(json_array_size(json_object_get(o, "argv")), 6);
	json_decref(o);
}

/* What the engine, the workload or the lack of a probe would ignore is refused. */
static void test_config_refuses_what_would_be_ignored(void **state)
{
	(void)state;
	static const struct {
		const char *line, *says;
	} cases[] = {
	        {"run /d --memcache", "--memcache goes with --engine afs"},
	        {"run /d --chunk-size 64K", "--chunk-size goes with --engine afs"},
	        {"run /d --cache-size=1M", "--cache-size goes with --engine afs"},
	        {"run /d --null-delay read=1ms",
	         "--null-delay goes with --engine null"},
	        {"run /d -e null --client-options x", "--client-options goes with"},
	        {"run /d --probe-via x", "--probe-via goes with --probe"},
	        {"run /d --probe-options x", "--probe-options goes with --probe"},
	        {"run /d --tree-files 5", "--tree-files goes with --workload tree"},
	        {"run /d -w tree --seeks 5", "--seeks goes with --workload bonnie"},
	        {"run /d -w tree -n 1", "--files goes with --workload bonnie"},
	        {"run /d -w tree --rate 5",
	         "--rate goes with --workload bulk or mixed"},
	        {"run /d -w bulk --operations 5", "goes with --workload mixed"},
	        {"run /d --prepare x", "--prepare goes with --workload command"},
	        {"run /d --max-repeat 3", "--max-repeat goes with --confidence"},
	        {"run /d --confidence 5 --max-repeat 2 --repeat 5",
	         "less than --repeat"},
	        {"run /d /e", "one folder to work in, not /d and /e"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct run_config c;
		struct err e;
		assert_int_equal(parse(&c, cases[i].line, &e), -1);
		assert_int_equal(e.code, ERR_USAGE);
		if (!strstr(e.text, cases[i].says))
			fail_msg("%s: %s", cases[i].line, e.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_config_defaults),
	        cmocka_unit_test(test_config_refuses_what_would_be_ignored),
	        cmocka_unit_test(test_config_values),
	        cmocka_unit_test(test_config_refuses),
	        cmocka_unit_test(test_config_json_tells_what_is_in_effect),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
