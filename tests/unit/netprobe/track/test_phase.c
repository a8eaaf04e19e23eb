#include "netprobe/track/phase.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_phase_is_told_by_time(void **state)
{
	(void)state;
	struct phases p = {0};
	assert_int_equal(phases_at(&p, 5), 0);
	phases_begin(&p, 1, "cold/block-output", 100);
	assert_int_equal(phases_at(&p, 99), 0);
	assert_int_equal(phases_at(&p, 100), 1);
	assert_int_equal(phases_at(&p, 1000), 1); /* still open */
	phases_end(&p, 1, 200);
	assert_int_equal(phases_at(&p, 200), 1);
	assert_int_equal(phases_at(&p, 201), 0);
	phases_begin(&p, 2, "cold/rewrite", 300);
	assert_int_equal(phases_at(&p, 301), 2);
	assert_int_equal(phases_at(&p, 150), 1); /* a frame that came late */
	assert_string_equal(p.list[1].name, "cold/rewrite");
	phases_clear(&p);
}

static void test_phase_ignores_nonsense(void **state)
{
	(void)state;
	struct phases p = {0};
	phases_end(&p, 7, 10);
	phases_begin(&p, 0, "x", 10);
	assert_int_equal(p.count, 0);
	char name[200];
	memset(name, 'n', sizeof name - 1);
	name[sizeof name - 1] = 0;
	phases_begin(&p, 1, name, 10);
	assert_int_equal(strlen(p.list[0].name), sizeof p.list[0].name - 1);
	phases_clear(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_phase_is_told_by_time),
	        cmocka_unit_test(test_phase_ignores_nonsense),
	};
	return cmocka_run_group_tests_name("track/phase", tests, NULL, NULL);
}
