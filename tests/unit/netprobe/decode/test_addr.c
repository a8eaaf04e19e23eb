#include "netprobe/decode/addr.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Parsed and printed again: RFC 5952 form. */
static void formats(void **state)
{
	static const struct {
		const char *in, *out;
		bool v4;
	} cases[] = {
	        {"10.77.1.1", "10.77.1.1", true},
	        {"255.255.255.255", "255.255.255.255", true},
	        {"0.0.0.0", "0.0.0.0", true},
	        {"::ffff:10.0.0.1", "10.0.0.1", true},
	        {"2001:DB8:0:0:0:0:0:1", "2001:db8::1", false},
	        {"2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1", false},
	        {"2001:0:0:1:0:0:0:1", "2001:0:0:1::1", false},
	        {"::", "::", false},
	        {"ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
	         "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct addr a;
		char buf[ADDR_TEXT];
		assert_true(addr_parse(cases[i].in, &a));
		assert_string_equal(addr_format(&a, buf), cases[i].out);
		assert_int_equal(addr_is_v4(&a), cases[i].v4);
	}
}

static void refuses(void **state)
{
	static const char *const cases[] = {
	        "",    "10.0.0", "10.0.0.256", "10.0.0.1/8", "fe80::1%eth0",
	        ":::", "host",   "1.2.3.4.5"};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct addr a;
		assert_false(addr_parse(cases[i], &a));
	}
}

static void orders(void **state)
{
	(void)state;
	struct addr low, high, six;
	assert_true(addr_parse("10.0.0.9", &low));
	assert_true(addr_parse("10.0.1.0", &high));
	assert_true(addr_parse("fd00::1", &six));
	assert_true(addr_compare(&low, &high) < 0);
	assert_true(addr_compare(&high, &low) > 0);
	assert_true(addr_compare(&low, &six) < 0);
	assert_int_equal(addr_compare(&six, &six), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(formats),
	        cmocka_unit_test(refuses),
	        cmocka_unit_test(orders),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
