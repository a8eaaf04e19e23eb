#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "src/base/quantity.h"

static void test_size_good(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		uint64_t bytes;
	} rows[] = {
	        {"0", 0},          {"8192", 8192},
	        {"64K", 65536},    {"64k", 65536},
	        {"32M", 33554432}, {"1GiB", 1u << 30},
	        {"7b", 7},         {"2T", UINT64_C(2) << 40},
	        {"1KiB", 1024},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint64_t bytes = 1;
		struct err e = {0};
		assert_int_equal(size_parse(rows[i].text, &bytes, &e), 0);
		assert_int_equal(bytes, rows[i].bytes);
	}
}

static void test_size_bad(void **state)
{
	(void)state;
	static const char *const rows[] = {"",
	                                   "M",
	                                   "-1",
	                                   " 1",
	                                   "+5",
	                                   "1.5M",
	                                   "1 M",
	                                   "12Q",
	                                   "1MB",
	                                   "1M ",
	                                   "99999999999999999999",
	                                   "9000000T",
	                                   "0x10"};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint64_t bytes;
		struct err e = {0};
		assert_int_equal(size_parse(rows[i], &bytes, &e), -1);
		assert_int_equal(e.code, ERR_USAGE);
		assert_non_null(strstr(e.text, rows[i]));
	}
}

static void test_duration(void **state)
{
	(void)state;
	int64_t ns;
	struct err e = {0};
	assert_int_equal(duration_parse("20us", &ns, &e), 0);
	assert_int_equal(ns, 20000);
	assert_int_equal(duration_parse("3s", &ns, &e), 0);
	assert_int_equal(ns, INT64_C(3000000000));
	assert_int_equal(duration_parse("3", &ns, &e), -1);
	assert_int_equal(e.code, ERR_USAGE);
}

static void test_number(void **state)
{
	(void)state;
	uint64_t n;
	struct err e = {0};
	assert_int_equal(number_parse("4000", "--seeks", 1, 5000, &n, &e), 0);
	assert_int_equal(n, 4000);
	assert_int_equal(number_parse("0", "--seeks", 1, 5000, &n, NULL), -1);
	assert_int_equal(number_parse("5001", "--seeks", 1, 5000, &n, NULL), -1);
	assert_int_equal(number_parse("12k", "--seeks", 1, 50000, &n, &e), -1);
	assert_non_null(strstr(e.text, "--seeks"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_size_good),
	        cmocka_unit_test(test_size_bad),
	        cmocka_unit_test(test_duration),
	        cmocka_unit_test(test_number),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
