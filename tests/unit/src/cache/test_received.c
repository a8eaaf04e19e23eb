#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "src/cache/received.h"

static const char dev[] =
        "Inter-|   Receive                                                |  Transmit\n"
        " face |bytes    packets errs drop fifo frame compressed multicast|bytes\n"
        "    lo: 1000000    10    0    0    0     0          0         0 1000000 10\n"
        "  atm0:33600000  4000    0    0    0     0          0         0  123456 99\n";

static void test_received_sums_interfaces(void **state)
{
	(void)state;
	char text[sizeof dev];
	memcpy(text, dev, sizeof dev);
	FILE *f = fmemopen(text, sizeof dev - 1, "r");
	assert_int_equal(received_parse(f), 34600000);
	fclose(f);
}

static void test_received_never_falls(void **state)
{
	(void)state;
	int64_t before = received_bytes();
	assert_true(before >= 0);
	assert_true(received_bytes() >= before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_received_sums_interfaces),
	        cmocka_unit_test(test_received_never_falls),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
