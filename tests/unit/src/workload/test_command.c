#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/base/clock.h"
#include "src/run/config_lists.h"
#include "tests/support/bench_run.h"

enum { MS = 1000000 };

static void add(struct bench_run *b, const char *step)
{
	assert_int_equal(step_parse(&b->c.workload_options, step, &b->e), 0);
}

static struct bench_run prepare(void)
{
	struct bench_run b;
	bench_run_init(&b, &engine_posix, &workload_command);
	return b;
}

static void test_command_steps_are_timed(void **state)
{
	(void)state;
	struct bench_run b = prepare();
	add(&b, "wait=sleep 0.2");
	add(&b, "work=i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done");
	bench_run_execute(&b);
	if (b.result < 0)
		fail_msg("%s", b.e.text);
	const struct run_phase *wait = &b.r.phases[0], *work = &b.r.phases[1];
	assert_true(wait->call_ns >= 200 * MS);
	/* the processor time of a command is that of the command, not of the clock */
	assert_true(wait->children_cpu_ns < wait->call_ns / 2);
	assert_true(work->children_cpu_ns > 3 * wait->children_cpu_ns);
	assert_true(work->cpu_ns >= work->children_cpu_ns);
	bench_run_clear(&b);
}

static void test_command_failed_step_leaves_the_others(void **state)
{
	(void)state;
	struct bench_run b = prepare();
	add(&b, "one=echo text > file");
	add(&b, "two=echo 'no such module' >&2; exit 3");
	add(&b, "three=cat file");
	bench_run_execute(&b);
	assert_int_equal(b.result, -1);
	assert_int_equal(b.e.code, ERR_PARTIAL);
	assert_int_equal(b.r.nphases, 3);
	assert_false(b.r.phases[0].failed || b.r.phases[2].failed);
	assert_true(b.r.phases[2].operations == 1);
	assert_true(b.r.phases[1].failed);
	assert_non_null(strstr(b.r.phases[1].failure, "exit code 3: no such module"));
	assert_int_equal(b.r.status, RUN_COMPLETE);
	assert_true(bench_run_is_clean(b.dir));
	bench_run_clear(&b);
}

static void test_command_all_failed(void **state)
{
	(void)state;
	struct bench_run b = prepare();
	add(&b, "false");
	bench_run_execute(&b);
	assert_int_equal(b.e.code, ERR_FINDINGS);
	assert_string_equal(b.r.phases[0].name, "step-1");
	bench_run_clear(&b);
}

/* Each round begins in an empty folder, between prepare and cleanup. */
static void test_command_rounds(void **state)
{
	(void)state;
	struct bench_run b = prepare();
	char prepare_line[4200], cleanup_line[4200], line[64] = "";
	snprintf(prepare_line, sizeof prepare_line, "echo p >> %s/trace", b.dir);
	snprintf(cleanup_line, sizeof cleanup_line, "ls | grep -c . >> %s/trace",
	         b.dir);
	b.c.workload_options.prepare = prepare_line;
	b.c.workload_options.cleanup = cleanup_line;
	add(&b, "make=mkdir d && touch d/f g && ln -s / root");
	b.c.passes = 3;
	bench_run_execute(&b);
	if (b.result < 0)
		fail_msg("%s", b.e.text);
	assert_int_equal(b.r.phases[0].npasses, 3);
	snprintf(prepare_line, sizeof prepare_line, "%s/trace", b.dir);
	FILE *f = fopen(prepare_line, "r");
	assert_int_equal(fread(line, 1, sizeof line - 1, f), 12);
	fclose(f);
	assert_string_equal(line, "p\n3\np\n3\np\n3\n");
	assert_int_equal(access("/etc/passwd", F_OK), 0); /* links are not followed */
	bench_run_clear(&b);
}

static void test_command_prepare_that_fails(void **state)
{
	(void)state;
	struct bench_run b = prepare();
	b.c.workload_options.prepare = "exit 5";
	add(&b, "true");
	bench_run_execute(&b);
	assert_int_equal(b.result, -1);
	assert_non_null(strstr(b.e.text, "--prepare 'exit 5' failed: exit code 5"));
	assert_int_equal(b.r.nphases, 0);
	bench_run_clear(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_command_steps_are_timed),
	        cmocka_unit_test(test_command_failed_step_leaves_the_others),
	        cmocka_unit_test(test_command_all_failed),
	        cmocka_unit_test(test_command_rounds),
	        cmocka_unit_test(test_command_prepare_that_fails),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
