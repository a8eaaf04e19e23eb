#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/run/run.h"
#include "tests/support/tmpdir.h"

static struct run make(const char *dir)
{
	struct run r;
	struct err e = {0};
	if (run_init(&r, dir, &e) < 0)
		fail_msg("%s", e.text);
	strcpy(r.engine, "null");
	strcpy(r.workload, "bonnie");
	r.size = 1 << 20;
	r.seed = 42;
	json_object_set_new(r.facts, "host", json_pack("{s:s}", "name", "h"));
	return r;
}

static struct run_phase phase(int id)
{
	struct run_phase p = {.id = id,
	                      .cold_proven = true,
	                      .cold_means = "by",
	                      .cold_proof = "shown",
	                      .begin_ns = 1700000000000000001,
	                      .end_ns = 1700000002000000001,
	                      .call_ns = 1500000000,
	                      .stored_ns = 2000000000,
	                      .cpu_ns = 500000000,
	                      .bytes = 4 << 20,
	                      .operations = 256,
	                      .verified = true};
	snprintf(p.name, sizeof p.name, "phase-%d", id);
	strcpy(p.cache, "cold");
	return p;
}

static void test_run_figures(void **state)
{
	(void)state;
	struct run_phase p = phase(1);
	assert_true(run_phase_kib_s(&p) == 2048);
	assert_true((int)run_phase_kib_s_call(&p) == 2730);
	assert_true(run_phase_cpu(&p) == 25);
	assert_true(run_phase_ops_s(&p) == 128);
	assert_false(run_phase_short(&p));
	p.stored_ns = RUN_SHORT_NS - 1;
	assert_true(run_phase_short(&p));
	p.stored_ns = 0;
	assert_true(run_phase_kib_s(&p) == 0);
}

static void test_run_round_trip(void **state)
{
	(void)state;
	char *dir = tmpdir_make();
	struct run r = make(dir), back;
	struct err e = {0};
	struct run_phase p = phase(1);
	run_add_phase(&r, &p);
	run_add_problem(&r, "the probe died");
	r.status = RUN_INTERRUPTED;
	assert_int_equal(run_save(&r, &e), 0);
	assert_int_equal(run_load(&back, dir, &e), 0);
	assert_int_equal(back.nphases, 1);
	assert_memory_equal(&back.phases[0], &p, sizeof p);
	assert_int_equal(back.status, RUN_INTERRUPTED);
	assert_int_equal(back.seed, 42);
	json_t *a = run_json(&r), *b = run_json(&back);
	assert_true(json_equal(a, b));
	assert_true(json_is_true(json_object_get(
	        json_array_get(json_object_get(a, "phases"), 0), "verified")));
	json_decref(a);
	json_decref(b);
	run_fini(&r);
	run_fini(&back);
	tmpdir_remove(dir);
}

static void test_run_refuses_a_used_folder(void **state)
{
	(void)state;
	char *dir = tmpdir_make();
	struct run r = make(dir), second;
	struct err e = {0};
	assert_int_equal(run_save(&r, &e), 0);
	assert_int_equal(run_init(&second, dir, &e), -1);
	assert_int_equal(e.code, ERR_USAGE);
	run_fini(&r);
	run_fini(&second);
	tmpdir_remove(dir);
}

static void test_run_load_bad(void **state)
{
	(void)state;
	static const char *const texts[] = {"", "{", "[]", "{\"schema\":\"x/1\"}", "7"};
	char *dir = tmpdir_make(), path[4096];
	struct run r;
	struct err e = {0};
	assert_int_equal(run_load(&r, dir, &e), -1);
	assert_int_equal(e.code, ERR_USAGE);
	run_fini(&r);
	snprintf(path, sizeof path, "%s/run.json", dir);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		FILE *f = fopen(path, "w");
		fputs(texts[i], f);
		fclose(f);
		assert_int_equal(run_load(&r, dir, NULL), -1);
		run_fini(&r);
	}
	tmpdir_remove(dir);
}

/* Saves without end, one phase more each time, until it is killed. */
static void save_for_ever(const char *dir)
{
	struct run r;
	if (run_init(&r, dir, NULL) < 0)
		_exit(1);
	for (int id = 1;; id++) {
		struct run_phase p = phase(id);
		if (run_add_phase(&r, &p) < 0 || run_save(&r, NULL) < 0)
			_exit(1);
		if (id == 1 && write(STDOUT_FILENO, "", 0) < 0)
			_exit(1);
	}
}

static void test_run_survives_kill(void **state)
{
	(void)state;
	for (int round = 0; round < 30; round++) {
		char *dir = tmpdir_make(), path[4096];
		snprintf(path, sizeof path, "%s/run.json", dir);
		pid_t pid = fork();
		if (pid == 0)
			save_for_ever(dir);
		while (access(path, F_OK) < 0)
			usleep(1000);
		usleep((useconds_t)(round * 977 % 20000));
		assert_int_equal(kill(pid, SIGKILL), 0);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
		struct run r;
		struct err e = {0};
		if (run_load(&r, dir, &e) < 0)
			fail_msg("%s", e.text);
		assert_true(r.nphases >= 1);
		for (size_t i = 0; i < r.nphases; i++) {
			struct run_phase p = phase((int)i + 1);
			assert_memory_equal(&r.phases[i], &p, sizeof p);
		}
		assert_int_equal(r.status, RUN_RUNNING);
		run_fini(&r);
		tmpdir_remove(dir);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_run_figures),
	        cmocka_unit_test(test_run_round_trip),
	        cmocka_unit_test(test_run_refuses_a_used_folder),
	        cmocka_unit_test(test_run_load_bad),
	        cmocka_unit_test(test_run_survives_kill),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
