#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/clock.h"
#include "src/base/process.h"
#include "tests/support/tmpdir.h"

static void test_process_ends_and_says(void **state)
{
	(void)state;
	char *dir = tmpdir_make(), log[4096], text[256];
	struct process_end end;
	struct err e = {0};
	snprintf(log, sizeof log, "%s/log", dir);
	const char *const env[] = {"WORD", "hello", NULL};
	struct process p = {.dir = dir, .log = log, .env = env};
	p.command = "echo one; echo two $WORD; pwd >where";
	assert_int_equal(process_run(&p, &end, &e), 0);
	assert_int_equal(end.status, 0);
	assert_string_equal(end.last, "two hello");
	p.command = "exit 7";
	assert_int_equal(process_run(&p, &end, &e), 0);
	process_text(&end, text, sizeof text);
	assert_string_equal(text, "exit code 7"); /* not a line of the command before */
	p.command = "echo gone >&2; kill -9 $$";
	assert_int_equal(process_run(&p, &end, &e), 0);
	process_text(&end, text, sizeof text);
	assert_string_equal(text, "signal 9: gone");
	p.log = NULL;
	p.dir = "/no/such/folder";
	p.command = "true";
	assert_int_equal(process_run(&p, &end, &e), 0);
	assert_true(WIFEXITED(end.status) && WEXITSTATUS(end.status) != 0);
	tmpdir_remove(dir);
}

static volatile sig_atomic_t stop;

static void *stop_soon(void *ctx)
{
	(void)ctx;
	usleep(200000);
	stop = SIGTERM;
	return NULL;
}

/* The whole group ends: also what the command started. */
static void test_process_stops(void **state)
{
	(void)state;
	pthread_t t;
	char *dir = tmpdir_make(), path[4096];
	struct process_end end;
	struct err e = {0};
	struct process p = {.command = "(sleep 2; touch late) & sleep 30",
	                    .dir = dir,
	                    .stop = &stop};
	stop = 0;
	int64_t start = clock_mono_ns();
	assert_int_equal(pthread_create(&t, NULL, stop_soon, NULL), 0);
	assert_int_equal(process_run(&p, &end, &e), -1);
	pthread_join(t, NULL);
	assert_true(clock_mono_ns() - start < 2 * NS_PER_S);
	assert_int_equal(e.code, ERR_PARTIAL);
	snprintf(path, sizeof path, "%s/late", dir);
	sleep(2);
	assert_int_equal(access(path, F_OK), -1);
	tmpdir_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_process_ends_and_says),
	        cmocka_unit_test(test_process_stops),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
