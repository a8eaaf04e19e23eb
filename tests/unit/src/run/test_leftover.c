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
#include <sys/resource.h>
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
                                                   &workload_mixed, &workload_tree,
                                                   &workload_command};

enum { WORKLOADS = sizeof workloads / sizeof *workloads };

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
	o->nsteps = 2; /* by the shell itself: no process outlives it */
	o->steps[0] = (struct step){.name = "make", .command = "echo 1 >a; echo 2 >b"};
	o->steps[1] = (struct step){.name = "again", .command = "echo 3 >a; echo 4 >c"};
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

/* As another process would: the run's lock is let go. */
static void reload(struct bench_run *b)
{
	run_fini(&b->r);
	b->e = (struct err){0};
	assert_int_equal(run_load(&b->r, b->run_dir, &b->e), 0);
}

static void assert_phases_whole(const struct run *r)
{
	for (size_t i = 0; i < r->nphases; i++) {
		const struct run_phase *p = &r->phases[i];
		assert_true(p->npasses > 0 && p->operations > 0 && p->stored_ns > 0);
		assert_false(p->failed);
	}
}

/* What is there beside the work folders, under the names that a run gives to its own.
 */
static char *make_neighbours(void)
{
	char *ground = tmpdir_make(), command[4500];
	snprintf(
	        command, sizeof command,
	        "cd '%s' && mkdir -p files/00000 many tree/work command cellbench-1 && "
	        "for f in data files/0000000000abc many/m00001 tree/work/f00001.c "
	        "command/a cellbench-1/data; do echo mine >$f; done",
	        ground);
	assert_int_equal(system(command), 0);
	return ground;
}

/* Names, sizes, times and inodes of them all, but for ground's own time. */
static void list_neighbours(const char *ground, char *text, size_t size)
{
	char command[4500];
	snprintf(command, sizeof command,
	         "cd '%s' && find . -mindepth 1 -printf '%%p %%s %%T@ %%i\\n' | sort",
	         ground);
	FILE *f = popen(command, "r");
	text[fread(text, 1, size - 1, f)] = '\0';
	pclose(f);
}

/* Whether the work folder of this record is there. */
static bool has_work_dir(const struct run *r)
{
	const char *dir = json_string_value(json_object_get(r->facts, "work_dir"));
	return dir && access(dir, F_OK) == 0;
}

/* Killed at any moment: the record is whole, the phases in it are finished, what is
 * left can be removed, and nothing else is. */
static void test_leftover_of_many_kills(void **state)
{
	(void)state;
	unsigned with_phases = 0, left = 0;
	char before[4096], after[4096];
	if (access("/dev/shm", W_OK) == 0)
		setenv("TMPDIR", "/dev/shm", 1); /* quick: the record is synced often */
	char *ground = make_neighbours();
	list_neighbours(ground, before, sizeof before);
	for (unsigned i = 0; i < KILLS; i++) {
		struct bench_run b = prepare(workloads[i % WORKLOADS]);
		bench_run_in(&b, ground);
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
		bool was_clean = !has_work_dir(&b.r);
		if (signal == SIGTERM)
			assert_true(was_clean && b.r.status != RUN_RUNNING);
		left += !was_clean;
		int r = leftover_remove(&b.r, &b.e);
		if (r < 0 || has_work_dir(&b.r) || !bench_run_is_clean(b.dir))
			fail_msg("kill %u: %d %s", i, r, b.e.text);
		assert_true(b.r.status != RUN_RUNNING);
		bench_run_clear(&b);
	}
	list_neighbours(ground, after, sizeof after);
	assert_string_equal(after, before);
	tmpdir_remove(ground);
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

/* A command's child that outlived its driver and still works there. */
static void test_leftover_in_use(void **state)
{
	(void)state;
	struct bench_run b = prepare(&workload_command);
	char word[32];
	int status;
	b.c.workload_options.steps[1].command =
	        "sleep 60 & echo $! >pid; mv pid number; wait";
	pid_t pid = fork();
	if (pid == 0)
		run_until_killed(&b);
	char number[4300] = "", *end = NULL;
	long sleeper = 0;
	while (sleeper == 0) {
		usleep(1000);
		run_fini(&b.r);
		if (run_load(&b.r, b.run_dir, NULL) < 0)
			continue;
		const char *dir =
		        json_string_value(json_object_get(b.r.facts, "work_dir"));
		snprintf(number, sizeof number, "%.4000s/command/number",
		         dir ? dir : "");
		FILE *f = fopen(number, "r");
		if (f && fgets(word, sizeof word, f))
			sleeper = strtol(word, &end, 10);
		if (f)
			fclose(f);
	}
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	reload(&b);
	int refused = leftover_remove(&b.r, &b.e);
	kill((pid_t)sleeper, SIGKILL);
	assert_int_equal(refused, -1);
	assert_int_equal(b.e.code, ERR_USAGE);
	snprintf(word, sizeof word, "process %ld, a command", sleeper);
	assert_non_null(strstr(b.e.text, word));
	reload(&b);
	assert_int_equal(leftover_remove(&b.r, &b.e), 1);
	assert_true(bench_run_is_clean(b.dir));
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

/* All of it: then nothing is left to be removed, and nothing foreign is seen. */
static void test_run_without_its_folder(void **state)
{
	(void)state;
	struct bench_run b = prepare(&workload_bulk);
	char command[8600], gone[4200];
	snprintf(gone, sizeof gone, "%s/gone", b.dir);
	mkdir(gone, 0755);
	snprintf(command, sizeof command,
	         "test ! -e %s/cellbench-*/data || rm -rf %s/*", gone, gone);
	bench_run_in(&b, gone);
	b.c.cache = (struct cache_config){.server_command = command};
	bench_run_execute(&b);
	assert_int_equal(b.result, -1);
	assert_int_equal(b.e.code, ERR_PARTIAL);
	assert_non_null(
	        strstr(b.e.text, "No such file or directory; the folder vanished"));
	assert_int_equal(json_array_size(b.r.problems), 1);
	reload(&b);
	assert_int_equal(leftover_remove(&b.r, &b.e), 0);
	bench_run_clear(&b);
}

/* A limit of file sizes is an error of the write, not the end of the program. */
static void test_run_file_size_limit(void **state)
{
	(void)state;
	struct bench_run b = prepare(&workload_bulk);
	int status;
	b.c.workload_options.size = 8 << 20;
	pid_t pid = fork();
	if (pid == 0) {
		struct rlimit limit = {1 << 20, 1 << 20};
		setrlimit(RLIMIT_FSIZE, &limit);
		run_until_killed(&b);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), ERR_ENVIRONMENT);
	assert_int_equal(run_load(&b.r, b.run_dir, &b.e), 0);
	assert_int_equal(b.r.status, RUN_FAILED);
	assert_non_null(strstr(json_string_value(json_array_get(b.r.problems, 0)),
	                       "writing at offset 1048576 of"));
	assert_true(bench_run_is_clean(b.dir));
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

/* Read-only from the second phase on: nothing can be removed, until it may be written.
 */
static void test_run_becomes_read_only(void **state)
{
	(void)state;
	char *dir = tmpdir_make(), command[4300];
	if (geteuid() != 0 || mount("none", dir, "tmpfs", 0, NULL) < 0) {
		tmpdir_remove(dir);
		skip();
	}
	struct bench_run b = prepare(&workload_bonnie);
	b.c.workload_options.phases = "block-output,rewrite";
	b.c.workload_options.size = 1 << 20;
	b.c.passes = 1;
	snprintf(command, sizeof command,
	         "test ! -e %s/cellbench-*/data || mount -o remount,ro '%s'", dir, dir);
	bench_run_in(&b, dir);
	b.c.cache = (struct cache_config){.server_command = command};
	bench_run_execute(&b);
	int code = (int)b.e.code, sys = b.e.sys, phases = (int)b.r.nphases;
	bool told = false;
	for (size_t i = 0; i < json_array_size(b.r.problems); i++)
		told |= strstr(json_string_value(json_array_get(b.r.problems, i)),
		               "try cellbench clean") != NULL;
	bool left = !bench_run_is_clean(dir);
	mount("none", dir, "tmpfs", MS_REMOUNT, NULL);
	reload(&b);
	int removed = leftover_remove(&b.r, &b.e);
	bool clean = bench_run_is_clean(dir);
	umount(dir);
	tmpdir_remove(dir);
	assert_int_equal(code, ERR_PARTIAL);
	assert_int_equal(sys, EROFS);
	assert_int_equal(phases, 1);
	assert_true(told && left);
	assert_int_equal(removed, 1);
	assert_true(clean);
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
	        cmocka_unit_test(test_leftover_in_use),
	        cmocka_unit_test(test_leftover_checks_the_name),
	        cmocka_unit_test(test_run_in_a_vanished_folder),
	        cmocka_unit_test(test_run_without_its_folder),
	        cmocka_unit_test(test_run_file_size_limit),
	        cmocka_unit_test(test_run_read_only),
	        cmocka_unit_test(test_run_becomes_read_only),
	        cmocka_unit_test(test_run_full),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
