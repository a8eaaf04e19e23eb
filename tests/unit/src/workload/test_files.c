#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "src/workload/files.h"
#include "tests/support/bench_run.h"

static struct bench_run prepare(const struct engine_ops *engine)
{
	struct bench_run b;
	bench_run_init(&b, engine, &workload_bonnie);
	b.c.workload_options.phases = "seq-create,seq-stat,seq-delete,random-create,"
	                              "random-stat,random-delete";
	b.c.workload_options.files = 100;
	return b;
}

static void assert_good(const struct bench_run *b)
{
	if (b->result < 0)
		fail_msg("%s", b->e.text);
}

static void test_files_are_created_seen_and_deleted(void **state)
{
	const struct engine_ops *engines[] = {&engine_null, &engine_posix};
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct bench_run b = prepare(engines[i]);
		b.c.workload_options.file_max = 3000;
		b.c.workload_options.file_min = 1000;
		b.c.workload_options.dirs = 3;
		bench_run_execute(&b);
		assert_good(&b);
		assert_int_equal(b.r.nphases, 6);
		for (size_t k = 0; k < 6; k++) {
			assert_int_equal(b.r.phases[k].operations, 100);
			assert_int_equal(b.r.phases[k].latency.count, 100);
		}
		uint64_t bytes = b.r.phases[0].bytes;
		assert_in_range(bytes, 100 * 1000, 100 * 3000);
		assert_true(bytes > 100 * 1700 && bytes < 100 * 2300);
		assert_int_equal(b.r.phases[1].bytes, bytes); /* all was read back */
		assert_int_equal(b.r.phases[4].bytes, bytes);
		assert_int_equal(b.r.phases[2].bytes, 0);
		assert_true(bench_run_is_clean(b.dir));
		bench_run_clear(&b);
	}
}

static void test_files_phases_need_no_other(void **state)
{
	(void)state;
	struct bench_run b = prepare(&engine_posix);
	b.c.workload_options.phases = "random-delete,seq-stat";
	b.c.passes = 3;
	bench_run_execute(&b);
	assert_good(&b);
	assert_int_equal(b.r.nphases, 2);
	assert_int_equal(b.r.phases[0].operations, 300);
	assert_int_equal(b.r.phases[1].operations, 300);
	assert_true(bench_run_is_clean(b.dir));
	bench_run_clear(&b);
}

/* Dropping data does not make names cold, and the record does not claim it. */
static void test_files_names_are_not_proven_cold(void **state)
{
	(void)state;
	struct bench_run b = prepare(&engine_posix);
	b.c.workload_options.file_max = 10;
	bench_run_execute(&b);
	assert_good(&b);
	assert_false(bench_run_phase(&b, "seq-stat")->cold_proven);
	assert_non_null(strstr(bench_run_phase(&b, "seq-stat")->cold_proof,
	                       "names and attributes stay cached"));
	bench_run_clear(&b);
}

static void test_files_failure_names_the_file(void **state)
{
	(void)state;
	struct bench_run b = prepare(&engine_null);
	struct null_options *o = &b.c.engine_options.null;
	o->fail_op = ENGINE_UNLINK;
	o->fail_at = 42;
	o->fail_errno = EIO;
	bench_run_execute(&b);
	assert_int_equal(b.e.code, ERR_PARTIAL);
	assert_non_null(strstr(b.e.text, "cold/seq-delete: deleting"));
	assert_non_null(strstr(b.e.text, "/files/0000000029"));
	assert_int_equal(b.r.nphases, 2);
	bench_run_clear(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_files_are_created_seen_and_deleted),
	        cmocka_unit_test(test_files_phases_need_no_other),
	        cmocka_unit_test(test_files_names_are_not_proven_cold),
	        cmocka_unit_test(test_files_failure_names_the_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
