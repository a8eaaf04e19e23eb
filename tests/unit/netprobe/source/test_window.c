#include "netprobe/source/window.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#define S INT64_C(1000000000)

static void reads_moments(void **state)
{
	static const struct {
		const char *text;
		int kind;
		int64_t ns;
	} cases[] = {
	        {"2024-10-27T00:59:59Z", MOMENT_ABSOLUTE, 1729990799 * S},
	        {"2024-10-27T00:59:59", MOMENT_ABSOLUTE, 1729990799 * S},
	        {"2024-10-27 00:59:59.25", MOMENT_ABSOLUTE, 1729990799 * S + S / 4},
	        {"2024-10-27T02:59:59+02:00", MOMENT_ABSOLUTE, 1729990799 * S},
	        {"2024-10-26T19:29:59-0530", MOMENT_ABSOLUTE, 1729990799 * S},
	        {"2024-10-27T00:59", MOMENT_ABSOLUTE, 1729990740 * S},
	        {"2024-10-27", MOMENT_ABSOLUTE, 1729987200 * S},
	        {"1969-12-31T23:59:59.5Z", MOMENT_ABSOLUTE, -S / 2},
	        {"12.5", MOMENT_RELATIVE, 25 * S / 2},
	        {"0", MOMENT_RELATIVE, 0},
	        {"2024", MOMENT_RELATIVE, 2024 * S},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct moment m = {0};
		struct err err = {0};
		assert_int_equal(moment_parse(cases[i].text, "--from", &m, &err), 0);
		assert_int_equal(m.kind, cases[i].kind);
		assert_int_equal(m.ns, cases[i].ns);
	}
}

static void refuses_what_is_no_moment(void **state)
{
	static const char *const cases[] = {"",
	                                    "yesterday",
	                                    "-1",
	                                    "1e99",
	                                    "2024-10-27T00:59:59X",
	                                    "2024-10-27T00:59:59+99:00",
	                                    "2024-13-01",
	                                    "2024-10-27T",
	                                    "9999-01-01",
	                                    "12s"};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct moment m;
		struct err err = {0};
		assert_int_equal(moment_parse(cases[i], "--from", &m, &err), -1);
		assert_int_equal(err.code, ERR_USAGE);
		assert_non_null(strstr(err.text, "--from"));
	}
}

/* The zone of the machine changes nothing. */
static void zone_does_not_matter(void **state)
{
	struct moment m;
	struct err err;
	(void)state;
	setenv("TZ", "Europe/Berlin", 1);
	tzset();
	assert_int_equal(moment_parse("2024-10-27T02:30:00", "--to", &m, &err), 0);
	setenv("TZ", "UTC", 1);
	tzset();
	assert_int_equal(m.ns, 1729996200 * S);
}

static void holds_from_first_to_before_last(void **state)
{
	(void)state;
	struct window all = {0};
	assert_true(window_holds(&all, INT64_MIN));
	struct window w = {.from = {MOMENT_RELATIVE, S},
	                   .to = {MOMENT_RELATIVE, 3 * S}};
	assert_false(window_holds(&w, 100 * S));
	assert_true(window_holds(&w, 101 * S));
	assert_true(window_holds(&w, 103 * S - 1));
	assert_false(window_holds(&w, 103 * S));
	assert_false(window_holds(&w, 99 * S)); /* the zero stays */
	struct window b = {.from = {MOMENT_ABSOLUTE, 5}, .to = {MOMENT_RELATIVE, S}};
	assert_false(window_holds(&b, 4));
	assert_true(window_holds(&b, 5));
	assert_false(window_holds(&b, S + 4));
}

/* A little disorder or a single wrong time is not the end. */
static void over_when_surely_behind(void **state)
{
	(void)state;
	struct window w = {.to = {MOMENT_ABSOLUTE, 10 * S}};
	for (unsigned i = 0; i < 5000; i++)
		window_holds(&w, 10 * S + i % 1000); /* not far enough */
	assert_false(window_is_over(&w));
	for (unsigned i = 0; i < WINDOW_LATE_FRAMES - 1; i++)
		assert_false(window_holds(&w, 12 * S));
	assert_false(window_is_over(&w));
	assert_true(window_holds(&w, 9 * S));
	assert_false(window_is_over(&w));
	for (unsigned i = 0; i < WINDOW_LATE_FRAMES; i++)
		assert_false(window_holds(&w, 11 * S));
	assert_true(window_is_over(&w));
	struct window open = {.from = {MOMENT_ABSOLUTE, 0}};
	for (unsigned i = 0; i < 5000; i++)
		window_holds(&open, INT64_MAX);
	assert_false(window_is_over(&open));
	struct window latest = {.to = {MOMENT_ABSOLUTE, INT64_MAX - 1}};
	for (unsigned i = 0; i < 5000; i++)
		window_holds(&latest, INT64_MAX);
	assert_false(window_is_over(&latest));
}

static void emptiness(void **state)
{
	(void)state;
	struct window w = {.from = {MOMENT_RELATIVE, 5}, .to = {MOMENT_RELATIVE, 5}};
	assert_true(window_is_empty(&w));
	w.to.ns = 6;
	assert_false(window_is_empty(&w));
	w.to.kind = MOMENT_ABSOLUTE;
	w.to.ns = 0;
	assert_false(window_is_empty(&w));
	assert_false(window_is_empty(&(struct window){0}));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(reads_moments),
	        cmocka_unit_test(refuses_what_is_no_moment),
	        cmocka_unit_test(zone_does_not_matter),
	        cmocka_unit_test(holds_from_first_to_before_last),
	        cmocka_unit_test(over_when_surely_behind),
	        cmocka_unit_test(emptiness),
	};
	return cmocka_run_group_tests_name("source/window", tests, NULL, NULL);
}
