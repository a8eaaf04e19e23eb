#include "netprobe/decode/icmp_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_names(void **state)
{
	(void)state;
	char buf[ICMP_NAME_TEXT];
	assert_string_equal(icmp_error_name(4, 3, 4, buf), "fragmentation needed");
	assert_string_equal(icmp_error_name(6, 2, 0, buf), "packet too big");
	assert_string_equal(icmp_error_name(4, 11, 1, buf), "reassembly time exceeded");
	assert_string_equal(icmp_error_name(6, 1, 4, buf), "port unreachable");
}

/* Every number has an answer that fits. */
static void test_unknown_by_number(void **state)
{
	(void)state;
	char buf[ICMP_NAME_TEXT];
	assert_string_equal(icmp_error_name(4, 3, 99, buf), "ICMP type 3 code 99");
	assert_string_equal(icmp_error_name(6, 255, 255, buf),
	                    "ICMPv6 type 255 code 255");
	for (unsigned type = 0; type < 256; type++)
		for (unsigned code = 0; code < 256; code++)
			assert_true(strlen(icmp_error_name(6, type, code, buf)) > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_names),
	        cmocka_unit_test(test_unknown_by_number),
	};
	return cmocka_run_group_tests_name("decode/icmp_name", tests, NULL, NULL);
}
