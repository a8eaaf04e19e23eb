#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/workload/tree_shape.h"
#include "tests/support/bench_run.h"

static void test_tree_shape_is_the_same_for_a_seed(void **state)
{
	(void)state;
	struct tree_shape a, b, c;
	assert_int_equal(tree_shape_init(&a, 1, 1000), 0);
	assert_int_equal(tree_shape_init(&b, 1, 1000), 0);
	assert_int_equal(tree_shape_init(&c, 2, 1000), 0);
	assert_int_equal(a.ndirs, b.ndirs);
	assert_memory_equal(a.files, b.files, a.nfiles * sizeof *a.files);
	assert_memory_equal(a.dirs, b.dirs, a.ndirs * sizeof *a.dirs);
	assert_memory_not_equal(a.files, c.files, a.nfiles * sizeof *a.files);
	/* wherever it runs */
	assert_int_equal(a.bytes, 14201312);
	tree_shape_fini(&a);
	tree_shape_fini(&b);
	tree_shape_fini(&c);
}

static int by_size(const void *a, const void *b)
{
	const struct tree_file *x = a, *y = b;
	return x->size < y->size ? -1 : x->size > y->size;
}

/* Like source trees: most files small, folders several deep, none lost. */
static void test_tree_shape_is_realistic(void **state)
{
	(void)state;
	struct tree_shape t;
	uint32_t deepest = 0, files = 0;
	assert_int_equal(tree_shape_init(&t, 3, 5000), 0);
	for (uint32_t d = 0; d < t.ndirs; d++) {
		assert_true(d == 0 || t.dirs[d].parent < d);
		assert_int_equal(t.dirs[d].first, files);
		files += t.dirs[d].files;
		deepest = t.dirs[d].depth > deepest ? t.dirs[d].depth : deepest;
	}
	assert_int_equal(files, 5000);
	assert_in_range(deepest, 4, TREE_DEPTH - 1);
	qsort(t.files, t.nfiles, sizeof *t.files, by_size);
	assert_in_range(t.files[t.nfiles / 2].size, 3600, 4600); /* median */
	assert_in_range(t.bytes / t.nfiles, 9000, 14000);        /* mean */
	tree_shape_fini(&t);
	for (uint32_t n = 1; n < 30; n++) {
		assert_int_equal(tree_shape_init(&t, n, n), 0);
		tree_shape_fini(&t);
	}
}

static void test_tree_steps(void **state)
{
	const struct engine_ops *engines[] = {&engine_null, &engine_posix};
	static const char *const names[] = {"checkout", "tag", "untag", "release"};
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct bench_run b;
		bench_run_init(&b, engines[i], &workload_tree);
		b.c.passes = 2; /* a second round begins where the first ended */
		bench_run_execute(&b);
		if (b.result < 0)
			fail_msg("%s", b.e.text);
		assert_int_equal(b.r.nphases, 4);
		for (size_t k = 0; k < 4; k++) {
			assert_string_equal(b.r.phases[k].name, names[k]);
			assert_int_equal(b.r.phases[k].npasses, 2);
			assert_int_equal(b.r.phases[k].operations, 80);
			assert_false(b.r.phases[k].failed);
		}
		/* a tag adds a line to each of 40 files, an untag reads it */
		assert_true(b.r.phases[1].bytes > b.r.phases[0].bytes);
		assert_int_equal(b.r.phases[1].bytes, b.r.phases[2].bytes);
		assert_true(bench_run_is_clean(b.dir));
		bench_run_clear(&b);
	}
}

/* One that fails is shown as failed, and the others keep their figures. */
static void test_tree_failed_step(void **state)
{
	(void)state;
	struct bench_run b;
	bench_run_init(&b, &engine_null, &workload_tree);
	struct null_options *o = &b.c.engine_options.null;
	o->fail_op = ENGINE_UNLINK;
	o->fail_at = 7; /* the first step that deletes is the release */
	o->fail_errno = EIO;
	bench_run_execute(&b);
	assert_int_equal(b.result, -1);
	assert_int_equal(b.e.code, ERR_PARTIAL);
	assert_int_equal(b.r.status, RUN_COMPLETE);
	assert_int_equal(b.r.nphases, 4);
	for (size_t k = 0; k < 3; k++) {
		assert_false(b.r.phases[k].failed);
		assert_int_equal(b.r.phases[k].operations, 40);
	}
	assert_true(b.r.phases[3].failed);
	assert_non_null(strstr(b.r.phases[3].failure, "Input/output error"));
	assert_int_equal(b.r.phases[3].operations, 0);
	struct run back; /* and the record knows it */
	assert_int_equal(run_load(&back, b.r.dir, &b.e), 0);
	assert_true(back.phases[3].failed && !back.phases[2].failed);
	assert_string_equal(back.phases[3].failure, b.r.phases[3].failure);
	run_fini(&back);
	bench_run_clear(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_tree_shape_is_the_same_for_a_seed),
	        cmocka_unit_test(test_tree_shape_is_realistic),
	        cmocka_unit_test(test_tree_steps),
	        cmocka_unit_test(test_tree_failed_step),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
