#include "src/lab/lab.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

struct tree {
	char top[64];
	char script[160];
};

static int tree_make(void **state)
{
	struct tree *t = calloc(1, sizeof(*t));
	char dir[128];
	FILE *f;

	strcpy(t->top, "/tmp/cellbench-test-XXXXXX");
	assert_non_null(mkdtemp(t->top));
	snprintf(dir, sizeof(dir), "%s/src", t->top);
	assert_int_equal(mkdir(dir, 0755), 0);
	snprintf(dir, sizeof(dir), "%s/src/lab", t->top);
	assert_int_equal(mkdir(dir, 0755), 0);
	snprintf(t->script, sizeof(t->script), "%s/lab.sh", dir);
	f = fopen(t->script, "w");
	assert_non_null(f);
	fclose(f);
	*state = t;
	return 0;
}

static int tree_remove(void **state)
{
	struct tree *t = *state;
	char dir[128];

	unlink(t->script);
	snprintf(dir, sizeof(dir), "%s/src/lab", t->top);
	rmdir(dir);
	snprintf(dir, sizeof(dir), "%s/src", t->top);
	rmdir(dir);
	rmdir(t->top);
	free(t);
	return 0;
}

static void finds_the_script_above_any_build_folder(void **state)
{
	static const char *const below[] = {"/build/bin/cellbench",
	                                    "/build/san-address/bin/cellbench",
	                                    "/cellbench"};
	struct tree *t = *state;

	for (size_t i = 0; i < sizeof(below) / sizeof(below[0]); i++) {
		char exe[256], path[256];
		struct err e = {0};

		snprintf(exe, sizeof(exe), "%s%s", t->top, below[i]);
		assert_int_equal(lab_script(exe, path, sizeof(path), &e), 0);
		assert_string_equal(path, t->script);
	}
}

static void says_so_where_there_is_no_script(void **state)
{
	char path[256];
	struct err e = {0};

	(void)state;
	if (lab_script("/cellbench", path, sizeof(path), &e) == 0)
		skip(); /* an installed cellbench has one */
	memset(&e, 0, sizeof(e));
	assert_int_equal(lab_script("/proc/1/cellbench", path, sizeof(path), &e), -1);
	assert_int_equal(e.code, ERR_ENVIRONMENT);
	assert_non_null(strstr(e.text, "/proc/1/cellbench"));
	assert_non_null(strstr(e.text, "make install"));
}

static void a_small_buffer_is_not_overrun(void **state)
{
	struct tree *t = *state;
	char exe[256], path[16];
	struct err e = {0};

	snprintf(exe, sizeof(exe), "%s/build/bin/cellbench", t->top);
	assert_int_equal(lab_script(exe, path, 8, &e), -1);
	assert_int_equal(e.code, ERR_ENVIRONMENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(finds_the_script_above_any_build_folder,
	                                        tree_make, tree_remove),
	        cmocka_unit_test(says_so_where_there_is_no_script),
	        cmocka_unit_test_setup_teardown(a_small_buffer_is_not_overrun,
	                                        tree_make, tree_remove),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
