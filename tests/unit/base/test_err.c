#include "src/base/err.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_first_wins(void **state)
{
	(void)state;
	struct err e = {0};
	assert_int_equal(err_set(&e, ERR_USAGE, "%s is missing", "x.pcap"), -1);
	assert_int_equal(err_set(&e, ERR_ENVIRONMENT, "later"), -1);
	assert_int_equal(err_sys(&e, ENOENT, "later still"), -1);
	assert_int_equal(e.code, ERR_USAGE);
	assert_int_equal(e.sys, 0);
	assert_string_equal(e.text, "x.pcap is missing");
}

static void test_sys(void **state)
{
	(void)state;
	struct err e = {0};
	assert_int_equal(err_sys(&e, ENOENT, "open %s", "file"), -1);
	assert_int_equal(e.code, ERR_ENVIRONMENT);
	assert_int_equal(e.sys, ENOENT);
	assert_string_equal(e.text, "open file: No such file or directory");
}

static void test_prefix(void **state)
{
	(void)state;
	struct err e = {0};
	assert_int_equal(err_prefix(&e, "nothing"), -1);
	assert_int_equal(e.code, ERR_NONE);
	assert_string_equal(e.text, "");
	err_sys(&e, EACCES, "open");
	err_prefix(&e, "reading %d", 7);
	assert_string_equal(e.text, "reading 7: open: Permission denied");
	assert_int_equal(e.code, ERR_ENVIRONMENT);
	assert_int_equal(e.sys, EACCES);
}

static void test_null(void **state)
{
	(void)state;
	assert_int_equal(err_set(NULL, ERR_USAGE, "x"), -1);
	assert_int_equal(err_sys(NULL, ENOENT, "x"), -1);
	assert_int_equal(err_prefix(NULL, "x"), -1);
}

/* Text longer than there is room for is cut, and ends with a NUL. */
static void test_long_text(void **state)
{
	(void)state;
	char longer[2000];
	memset(longer, 'a', sizeof longer - 1);
	longer[sizeof longer - 1] = 0;
	for (size_t n = 490; n < 530; n++) {
		struct err e = {0};
		err_sys(&e, ENOENT, "%.*s", (int)n, longer);
		assert_in_range(strlen(e.text), 490, sizeof e.text - 1);
		err_prefix(&e, "%.*s", (int)n, longer);
		assert_in_range(strlen(e.text), 490, sizeof e.text - 1);
	}
	struct err e = {0};
	err_set(&e, ERR_USAGE, "%s", longer);
	assert_int_equal(strlen(e.text), sizeof e.text - 1);
	err_prefix(&e, "%s", longer);
	assert_int_equal(strlen(e.text), sizeof e.text - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_first_wins), cmocka_unit_test(test_sys),
	        cmocka_unit_test(test_prefix),     cmocka_unit_test(test_null),
	        cmocka_unit_test(test_long_text),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
