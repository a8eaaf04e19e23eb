#include "netprobe/track/circuit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void counts_each_circuit_and_direction(void **state)
{
	struct circuits c = {0};
	(void)state;
	circuits_add(&c, 0x00000064, true);
	circuits_add(&c, 0x00030064, false);
	circuits_add(&c, 0x00000064, false);
	circuits_add(&c, 0x00000064, true);
	assert_int_equal(c.n, 2);
	assert_int_equal(c.list[0].vpi, 0);
	assert_int_equal(c.list[0].vci, 100);
	assert_int_equal(c.list[0].from_host, 2);
	assert_int_equal(c.list[0].to_host, 1);
	assert_int_equal(c.list[1].vpi, 3);
	assert_int_equal(c.list[1].to_host, 1);
}

static void more_than_there_is_room_for_are_counted_together(void **state)
{
	struct circuits c = {0};
	(void)state;
	for (uint32_t vci = 1; vci <= CIRCUITS_MAX + 5; vci++)
		circuits_add(&c, vci, false);
	circuits_add(&c, 1, false);
	assert_int_equal(c.n, CIRCUITS_MAX);
	assert_int_equal(c.other, 5);
	assert_int_equal(c.list[0].to_host, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(counts_each_circuit_and_direction),
	        cmocka_unit_test(more_than_there_is_room_for_are_counted_together),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
