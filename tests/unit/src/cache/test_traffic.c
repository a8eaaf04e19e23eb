#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "src/cache/traffic.h"

static const char dev[] =
        "Inter-|   Receive                                                |  Transmit\n"
        " face |bytes    packets errs drop fifo frame compressed multicast|bytes\n"
        "    lo: 1000000    10    0    0    0     0          0         0 1000000 10\n"
        "  odd: 7\n"
        "  atm0:33600000  4000    0    0    0     0          0         0  123456 99\n";

static void test_traffic_sums_interfaces(void **state)
{
	(void)state;
	char text[sizeof dev];
	memcpy(text, dev, sizeof dev);
	FILE *f = fmemopen(text, sizeof dev - 1, "r");
	struct traffic t = traffic_parse(f);
	assert_int_equal(t.received, 34600000);
	assert_int_equal(t.sent, 1123456);
	fclose(f);
}

static void test_traffic_never_falls(void **state)
{
	(void)state;
	struct traffic before = traffic_now(), none = {.received = -1};
	assert_true(before.received >= 0 && before.sent >= 0);
	struct traffic since = traffic_since(before);
	assert_true(since.received >= 0 && since.sent >= 0);
	assert_true(traffic_since(none).received < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_traffic_sums_interfaces),
	        cmocka_unit_test(test_traffic_never_falls),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
