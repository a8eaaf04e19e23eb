#include "netprobe/source/live.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Drivers and libpcap let 32-bit counters wrap, and some go back. */
static void counters_step_by_what_they_grew(void **state)
{
	static const struct {
		uint32_t before, now, step;
	} cases[] = {
	        {0, 0, 0},
	        {5, 9, 4},
	        {UINT32_MAX, 2, 3},       /* wrapped */
	        {331, 41, 0},             /* back: not 4294967006 drops */
	        {0, UINT32_MAX - 289, 0}, /* "4294967006 packets dropped" */
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(live_counter_step(cases[i].before, cases[i].now),
		                 cases[i].step);
}

static void unknown_interface_is_the_environment(void **state)
{
	static const char *const names[] = {"no-such-if0"};
	struct err err = {0};
	const struct live_options o = {
	        .names = names, .n = 1, .snaplen = 400, .buffer_bytes = 1 << 20};
	(void)state;
	assert_null(live_open(&o, &err));
	assert_int_equal(err.code, ERR_ENVIRONMENT);
	assert_true(err.text[0] != '\0');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(counters_step_by_what_they_grew),
	        cmocka_unit_test(unknown_interface_is_the_environment),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
