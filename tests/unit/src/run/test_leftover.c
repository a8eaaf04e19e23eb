#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/run/leftover.h"
#include "src/run/runner.h"
#include "src/run/stop.h"
#include "tests/support/bench_run.h"
#include "tests/support/tmpdir.h"

enum { KILLS = 200 };

static const struct workload *const workloads[] = {&workload_bonnie, &workload_bulk,
                                                   &workload_mixed, &workload_tree};

static struct bench_run prepare(const struct workload *workload)
{
	struct bench_run b;
	bench_run_init(&b, &engine_posix, workload);
	struct workload_options *o = &b.c.workload_options;
	o->size = 64 << 10;
	o->request_size = 4096;
	o->tree_files = 12;
	o->fsync = FSYNC_NEVER;
	o->files = 20;
	o->dirs = 2;
	b.c.passes = 3;
	return b;
}

/* In a child; never returns. */
static void run_until_killed(struct bench_run *b)
{
	const volatile sig_atomic_t *stop = stop_catch();
	if (run_init(&b->r, b->run_dir, &b->e) == 0)
		runner_execute(&b->c, &b->r, stop, &b->e);
	_exit((int)b->e.code);
}

static void wait_for_record(const struct bench_run *b)
{
	char path[4200];
	snprintf(path, sizeof path, "%s/run.json", b->run_dir);
	while (access(path, F_OK) < 0)
		usleep(200);
}

static void assert_phases_whole(const struct run *r)
{
	for (size_t i = 0; i < r->nphases; i++) {
		const struct run_phase *p = &r->phases[i];
		assert_true(p->npasses > 0 && p->operations > 0 && p->stored_ns > 0);
		assert_false(p->failed);
	}
}

/* Killed at any moment: the record is whole, the phases in it are finished, what is
 * left can be removed, and nothing else is. */
static void test_leftover_of_many_kills(void **state)
{
	(void)state;
	unsigned with_phases = 0, left = 0;
	if (access("/dev/shm", W_OK) == 0)
		setenv("TMPDIR", "/dev/shm", 1); /* quick: the record is synced often */
	for (unsigned i = 0; i < KILLS; i++) {
		struct bench_run b = prepare(workloads[i % 4]);
		int signal = i % 8 < 6 ? SIGKILL : SIGTERM, status;
		pid_t pid = fork();
		if (pid == 0)
			run_until_killed(&b);
		wait_for_record(&b);
		usleep((useconds_t)(random() % 25000));
		kill(pid, signal);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		if (run_load(&b.r, b.run_dir, &b.e) < 0)
			fail_msg("kill %u: %s", i, b.e.text);
		assert_phases_whole(&b.r);
		with_phases += b.r.nphases > 0;
		bool was_clean = bench_run_is_clean(b.dir);
		if (signal == SIGTERM)
			assert_true(was_clean && b.r.status != RUN_RUNNING);
		left += !was_clean;
		int r = leftover_remove(&b.r, &b.e);
		if (r < 0 || !bench_run_is_clean(b.dir))
			fail_msg("kill %u: %d %s", i, r, b.e.text);
		assert_true(b.r.status != RUN_RUNNING);
		bench_run_clear(&b);
	}
	unsetenv("TMPDIR");
	/* or the moments were not random enough to show anything */
	assert_true(with_phases > KILLS / 10);
	assert_true(left > KILLS / 10);
}

/* A killed run whose work folder holds what the run did not make. */
static void test_leftover_refuses_foreign_files(void **state)
{
	(void)state;
	struct bench_run b = prepare(&workload_bulk);
	char path[4200];
	b.c.workload_options.size = 1 << 30;
	pid_t pid = fork();
	if (pid == 0)
		run_until_killed(&b);
	wait_for_record(&b);
	while (bench_run_is_clean(b.dir))
		usleep(1000);
	assert_int_equal(run_load(&b.r, b.run_dir, &b.e), 0);
	assert_int_equal(leftover_remove(&b.r, &b.e), -1); /* it lives */
	assert_non_null(strstr(b.e.text, "still under way"));
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	run_fini(&b.r);
	assert_int_equal(run_load(&b.r, b.run_dir, NULL), 0);
	snprintf(path, sizeof path, "%s/notes",
	         json_string_value(json_object_get(b.r.facts, "work_dir")));
	close(open(path, O_CREAT | O_WRONLY, 0644));
	b.e = (struct err){0};
	assert_int_equal(leftover_remove(&b.r, &b.e), -1);
	assert_int_equal(b.e.code, ERR_FINDINGS);
	assert_non_null(strstr(b.e.text, "/notes was not made by the run"));
	assert_int_equal(access(path, F_OK), 0);
	unlink(path);
	b.e = (struct err){0};
	assert_int_equal(leftover_remove(&b.r, &b.e), 1);
	assert_true(bench_run_is_clean(b.dir));
	assert_int_equal(leftover_remove(&b.r, &b.e), 0); /* nothing left */
	bench_run_clear(&b);
}

/* A record that names somebody else's folder is not believed. */
static void test_leftover_checks_the_name(void **state)
{
	(void)state;
	struct bench_run b = prepare(&workload_bulk);
	char *other = tmpdir_make();
	bench_run_execute(&b);
	assert_int_equal(b.result, 0);
	run_fini(&b.r);
	assert_int_equal(run_load(&b.r, b.run_dir, &b.e), 0);
	json_object_set_new(b.r.facts, "work_dir", json_string(other));
	assert_int_equal(leftover_remove(&b.r, &b.e), -1);
	assert_int_equal(b.e.code, ERR_USAGE);
	assert_int_equal(access(other, F_OK), 0);
	tmpdir_remove(other);
	bench_run_clear(&b);
}

/* The work folder that vanishes under a run: said so, and the end is in order. */
static void test_run_in_a_vanished_folder(void **state)
{
	(void)state;
	struct bench_run b = prepare(&workload_tree);
	char command[4300], gone[4200];
	snprintf(gone, sizeof gone, "%s/gone", b.dir);
	mkdir(gone, 0755);
	snprintf(command, sizeof command, "rm -rf %s/cellbench-*/tree/work/*", gone);
	bench_run_in(&b, gone);
	b.c.cache = (struct cache_config){.server_command = command};
	bench_run_execute(&b);
	assert_int_equal(b.result, -1);
	assert_int_equal(b.e.code, ERR_PARTIAL);
	assert_non_null(strstr(b.e.text, "No such file or directory"));
	assert_false(b.r.phases[0].failed);
	assert_true(b.r.phases[1].failed);
	assert_true(bench_run_is_clean(gone));
	bench_run_clear(&b);
}

static void test_run_read_only(void **state)
{
	(void)state;
	char *dir = tmpdir_make();
	if (geteuid() != 0 || mount("none", dir, "tmpfs", MS_RDONLY, NULL) < 0) {
		tmpdir_remove(dir);
		skip();
	}
	struct bench_run b = prepare(&workload_bulk);
	bench_run_in(&b, dir);
	bench_run_execute(&b);
	umount(dir);
	tmpdir_remove(dir);
	assert_int_equal(b.e.code, ERR_ENVIRONMENT);
	assert_int_equal(b.e.sys, EROFS);
	assert_non_null(strstr(b.e.text, "name one that may be written"));
	bench_run_clear(&b);
}

/* Full in the midst of many files: what was finished stays, nothing is left. */
static void test_run_full(void **state)
{
	(void)state;
	char *dir = tmpdir_make();
	if (geteuid() != 0 || mount("none", dir, "tmpfs", 0, "size=256k") < 0) {
		tmpdir_remove(dir);
		skip();
	}
	struct bench_run b = prepare(&workload_mixed);
	b.c.workload_options.mixed_files = 32;
	b.c.workload_options.size = 1 << 20;
	bench_run_in(&b, dir);
	bench_run_execute(&b);
	bool clean = bench_run_is_clean(dir);
	umount(dir);
	tmpdir_remove(dir);
	assert_int_equal(b.e.sys, ENOSPC);
	assert_non_null(strstr(b.e.text, "free some space"));
	assert_true(clean);
	bench_run_clear(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_leftover_of_many_kills),
	        cmocka_unit_test(test_leftover_refuses_foreign_files),
	        cmocka_unit_test(test_leftover_checks_the_name),
	        cmocka_unit_test(test_run_in_a_vanished_folder),
	        cmocka_unit_test(test_run_read_only),
	        cmocka_unit_test(test_run_full),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
