#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/clock.h"
#include "src/run/runner.h"
#include "tests/support/tmpdir.h"

enum { BLOCK = 16384, BLOCKS = 64, SEEKS = 60 };

/* A run in the making: its folder, what to do, what came out. */
struct bench {
	char *dir;
	struct run_config c;
	struct run r;
	struct err e;
	int result;
};

static struct bench prepare(const struct engine_ops *engine, const char *in)
{
	struct bench b = {.dir = tmpdir_make()};
	b.c = (struct run_config){
	        .engine = engine,
	        .workload = &workload_bonnie,
	        .engine_options = {.dir = in ? in : b.dir},
	        .workload_options = {.size = BLOCK * BLOCKS,
	                             .request_size = BLOCK,
	                             .seeks = SEEKS,
	                             .seed = 7},
	        .caches = {CACHE_COLD},
	        .ncaches = 1,
	        .quiet = true,
	};
	return b;
}

static void execute(struct bench *b)
{
	char run_dir[4096];
	snprintf(run_dir, sizeof run_dir, "%s/run", b->dir);
	assert_int_equal(run_init(&b->r, run_dir, &b->e), 0);
	b->result = runner_execute(&b->c, &b->r, NULL, &b->e);
}

static void clear(struct bench *b)
{
	run_fini(&b->r);
	tmpdir_remove(b->dir);
}

/* Whether the folder holds nothing but the run's own folder. */
static bool is_clean(const char *dir)
{
	char command[4200];
	snprintf(command, sizeof command,
	         "test \"$(ls -A '%s' | grep -v '^run$')\" = ''", dir);
	return system(command) == 0;
}

/* On the machine's own clock: never less than programmed, and not far more.
 * test_figures.c holds every figure against what was programmed. */
static void test_runner_takes_the_programmed_time(void **state)
{
	(void)state;
	struct bench b = prepare(&engine_null, NULL);
	b.c.engine_options.null.delay_ns[ENGINE_WRITE] = 2 * NS_PER_MS;
	execute(&b);
	assert_int_equal(b.result, 0);
	const struct run_phase *p = &b.r.phases[2];
	assert_string_equal(p->name, "rewrite");
	assert_in_range(p->call_ns, BLOCKS * 2 * NS_PER_MS - NS_PER_MS,
	                BLOCKS * 6 * NS_PER_MS);
	assert_true(p->end_ns - p->begin_ns >= p->stored_ns - NS_PER_MS);
	assert_int_equal(b.r.status, RUN_COMPLETE);
	clear(&b);
}

static void test_runner_finds_a_flipped_byte(void **state)
{
	(void)state;
	struct bench b = prepare(&engine_null, NULL);
	b.c.engine_options.null.flip = true;
	b.c.engine_options.null.flip_at = 5 * BLOCK + 77;
	execute(&b);
	assert_int_equal(b.result, -1);
	assert_int_equal(b.e.code, ERR_PARTIAL);
	assert_non_null(strstr(b.e.text, "wrong data at offset 81997"));
	assert_int_equal(b.r.nphases, 1);
	assert_false(b.r.phases[0].verified);
	assert_int_equal(b.r.status, RUN_FAILED);
	clear(&b);
}

static void test_runner_failure_keeps_finished_phases(void **state)
{
	(void)state;
	struct bench b = prepare(&engine_null, NULL);
	b.c.engine_options.null.fail_op = ENGINE_WRITE;
	b.c.engine_options.null.fail_at = 2 * BLOCKS + BLOCKS + 10; /* in the rewrite */
	b.c.engine_options.null.fail_errno = EIO;
	execute(&b);
	assert_int_equal(b.result, -1);
	assert_int_equal(b.e.code, ERR_PARTIAL);
	assert_non_null(strstr(b.e.text, "cold/rewrite: writing at offset 147456"));
	assert_non_null(strstr(b.e.text, "Input/output error"));
	struct run back;
	assert_int_equal(run_load(&back, b.r.dir, &b.e), 0);
	assert_int_equal(back.nphases, 2);
	assert_int_equal(back.status, RUN_FAILED);
	run_fini(&back);
	clear(&b);
}

static void test_runner_failure_at_once_is_environment(void **state)
{
	(void)state;
	struct bench b = prepare(&engine_null, NULL);
	b.c.engine_options.null.fail_op = ENGINE_CLOSE;
	b.c.engine_options.null.fail_at = 1;
	b.c.engine_options.null.fail_errno = EDQUOT;
	execute(&b);
	assert_int_equal(b.e.code, ERR_ENVIRONMENT);
	assert_non_null(strstr(b.e.text, "storing the data"));
	assert_non_null(strstr(b.e.text, "raise the quota"));
	clear(&b);
}

static void test_runner_posix_end_to_end(void **state)
{
	(void)state;
	struct bench b = prepare(&engine_posix, NULL);
	b.c.workload_options.size = BLOCK * BLOCKS + 1001; /* a short last block */
	b.c.caches[1] = CACHE_WARM;
	b.c.ncaches = 2;
	execute(&b);
	if (b.result < 0)
		fail_msg("%s", b.e.text);
	assert_int_equal(b.r.nphases, 12);
	assert_int_equal(b.r.phases[1].operations, BLOCKS + 1);
	assert_true(b.r.phases[0].verified && b.r.phases[8].verified);
	assert_string_equal(b.r.phases[11].cache, "warm");
	assert_true(is_clean(b.dir));
	clear(&b);
}

static void test_runner_no_such_dir(void **state)
{
	(void)state;
	struct bench b = prepare(&engine_posix, "/no/such/folder");
	execute(&b);
	assert_int_equal(b.e.code, ERR_ENVIRONMENT);
	assert_non_null(strstr(b.e.text, "/no/such/folder"));
	clear(&b);
}

static void test_runner_full_disk(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip();
	char *small = tmpdir_make();
	if (mount("none", small, "tmpfs", 0, "size=1536k") < 0) {
		tmpdir_remove(small);
		skip();
	}
	struct bench b = prepare(&engine_posix, small);
	b.c.workload_options.size = 4 << 20;
	execute(&b);
	bool clean = is_clean(small);
	umount(small);
	tmpdir_remove(small);
	assert_int_equal(b.e.code, ERR_ENVIRONMENT);
	assert_int_equal(b.e.sys, ENOSPC);
	assert_non_null(strstr(b.e.text, "No space left on device; free some space"));
	assert_true(clean);
	clear(&b);
}

/* A probe that answers one phase and dies costs the wire figures, not the run. */
static void test_runner_probe_dies(void **state)
{
	(void)state;
	struct bench b = prepare(&engine_null, NULL);
	char program[4096];
	snprintf(program, sizeof program, "%s/probe", b.dir);
	FILE *f = fopen(program, "w");
	fputs("#!/bin/sh\necho ready a\nread l; echo marked 1\nread l; echo marked 1\n",
	      f);
	fclose(f);
	chmod(program, 0755);
	b.c.probe = (struct probe_config){.interfaces = "a", .program = program};
	execute(&b);
	assert_int_equal(b.result, -1);
	assert_int_equal(b.e.code, ERR_PARTIAL);
	assert_non_null(strstr(b.e.text, "the probe ended"));
	assert_int_equal(b.r.nphases, 6);
	assert_int_equal(b.r.status, RUN_COMPLETE);
	assert_int_equal(json_array_size(b.r.problems), 1);
	clear(&b);
}

/* In a child: a slow run, whose stop flag a handler sets. */
static volatile sig_atomic_t stop_flag;

static void on_signal(int signal)
{
	stop_flag = signal;
}

static int slow_run(struct bench *b)
{
	char run_dir[4096];
	signal(SIGTERM, on_signal);
	b->c.engine_options.null.delay_ns[ENGINE_WRITE] = NS_PER_MS;
	snprintf(run_dir, sizeof run_dir, "%s/run", b->dir);
	if (run_init(&b->r, run_dir, &b->e) < 0)
		return 99;
	runner_execute(&b->c, &b->r, &stop_flag, &b->e);
	return (int)b->e.code;
}

static void test_runner_signal(void **state)
{
	(void)state;
	struct bench b = prepare(&engine_null, NULL);
	int status;
	pid_t pid = fork();
	if (pid == 0)
		_exit(slow_run(&b));
	usleep(250000); /* in the second phase: the first has 128 writes */
	kill(pid, SIGTERM);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), ERR_PARTIAL);
	char run_dir[4096];
	snprintf(run_dir, sizeof run_dir, "%s/run", b.dir);
	assert_int_equal(run_load(&b.r, run_dir, &b.e), 0);
	assert_int_equal(b.r.status, RUN_INTERRUPTED);
	clear(&b);
}

static void test_runner_kill_leaves_finished_phases(void **state)
{
	(void)state;
	for (int round = 0; round < 10; round++) {
		struct bench b = prepare(&engine_null, NULL);
		pid_t pid = fork();
		if (pid == 0)
			_exit(slow_run(&b));
		char run_dir[4096], record[4200];
		snprintf(run_dir, sizeof run_dir, "%s/run", b.dir);
		snprintf(record, sizeof record, "%s/run.json", run_dir);
		while (access(record, F_OK) < 0)
			usleep(1000);
		usleep((useconds_t)(round * 43000));
		kill(pid, SIGKILL);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
		if (run_load(&b.r, run_dir, &b.e) < 0)
			fail_msg("%s", b.e.text);
		struct workload_phase what[WORKLOAD_PHASES];
		workload_phases(&workload_bonnie, &b.c.workload_options, what);
		for (size_t i = 0; i < b.r.nphases; i++)
			assert_string_equal(b.r.phases[i].name, what[i].name);
		clear(&b);
	}
}

static int move(struct work *w, uint64_t operations, uint64_t bytes)
{
	meter_begin(&w->meter, 4096, "nothing");
	for (uint64_t i = 0; i < operations; i++)
		meter_count(&w->meter, bytes);
	meter_last_call(&w->meter);
	meter_end(&w->meter);
	return 0;
}

static int move_all(struct work *w, struct err *e)
{
	(void)e;
	return move(w, 4, 1024);
}

static int move_no_bytes(struct work *w, struct err *e)
{
	(void)e;
	return move(w, 4, 0);
}

static int move_part(struct work *w, struct err *e)
{
	(void)e;
	return move(w, 3, 1024);
}

static int do_nothing(struct work *w, struct err *e)
{
	(void)e;
	return move(w, 0, 0);
}

/* A phase that moves nothing, or less than it was to, is no result. */
static void test_runner_zero_bytes_are_a_failure(void **state)
{
	(void)state;
	static const struct {
		int (*run)(struct work *w, struct err *e);
		const char *says;
	} cases[] = {
	        {move_all, NULL},
	        {move_no_bytes, "cold/second: 0 bytes in 0."},
	        {move_part, "cold/second: 3072 bytes in 0."},
	        {do_nothing, "cold/second: nothing was done in 0."},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct bench b = prepare(&engine_null, NULL);
		const struct workload_phase phases[] = {
		        {.name = "first", .run = move_all},
		        {.name = "second", .run = cases[i].run}};
		const struct workload w = {
		        .name = "mover", .phases = phases, .nphases = 2};
		b.c.workload = &w;
		execute(&b);
		assert_int_equal(b.result, cases[i].says ? -1 : 0);
		assert_int_equal(b.r.nphases, cases[i].says ? 1 : 2);
		if (cases[i].says) {
			assert_int_equal(b.e.code, ERR_PARTIAL);
			assert_non_null(strstr(b.e.text, cases[i].says));
			assert_int_equal(b.r.status, RUN_FAILED);
		}
		clear(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_runner_takes_the_programmed_time),
	        cmocka_unit_test(test_runner_finds_a_flipped_byte),
	        cmocka_unit_test(test_runner_failure_keeps_finished_phases),
	        cmocka_unit_test(test_runner_failure_at_once_is_environment),
	        cmocka_unit_test(test_runner_posix_end_to_end),
	        cmocka_unit_test(test_runner_no_such_dir),
	        cmocka_unit_test(test_runner_full_disk),
	        cmocka_unit_test(test_runner_probe_dies),
	        cmocka_unit_test(test_runner_signal),
	        cmocka_unit_test(test_runner_zero_bytes_are_a_failure),
	        cmocka_unit_test(test_runner_kill_leaves_finished_phases),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
