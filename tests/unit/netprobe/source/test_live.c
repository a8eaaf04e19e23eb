#include "netprobe/source/live.h"

#include "netprobe/source/filter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

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

/* The place of a mistake is told as it is for files. */
static void filter_tells_the_place(void **state)
{
	static const char *const bad[] = {"udp and prot 7000", "udp and", "nonsense"};
	static const char *const names[] = {"lo"};
	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct err live = {0}, file = {0};
		const struct live_options o = {.names = names,
		                               .n = 1,
		                               .filter = bad[i],
		                               .filter_plain = bad[i],
		                               .snaplen = 400,
		                               .buffer_bytes = 1 << 20};
		assert_null(filter_new(bad[i], LINK_ETHERNET, &file));
		assert_null(live_open(&o, &live));
		if (live.code == ERR_ENVIRONMENT)
			skip(); /* no privilege here */
		assert_int_equal(live.code, ERR_USAGE);
		assert_memory_equal(live.text, "filter for lo: ", 15);
		assert_string_equal(live.text + 15, file.text + strlen("filter: "));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(counters_step_by_what_they_grew),
	        cmocka_unit_test(unknown_interface_is_the_environment),
	        cmocka_unit_test(filter_tells_the_place),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
