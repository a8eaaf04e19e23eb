#include "src/base/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_find(void **state)
{
	(void)state;
	static const struct name rows[] = {
	        {7, "seven"}, {UINT32_MAX, "last"}, {0, "zero"}};
	assert_string_equal(NAME_FIND(rows, 7), "seven");
	assert_string_equal(NAME_FIND(rows, 0), "zero");
	assert_string_equal(NAME_FIND(rows, UINT32_MAX), "last");
	assert_null(NAME_FIND(rows, 1));
	assert_null(name_find(rows, 0, 7));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_find)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
