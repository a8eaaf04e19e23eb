#include "netprobe/track/series.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define ROWS (1u << 20) /* that the table holds */

/* Rows begin at multiples of the interval, before 1970 too, and hold it to its end. */
static void test_rows(void **state)
{
	(void)state;
	static const struct {
		int64_t at, begin;
	} rows[] = {{-1, -10}, {-10, -10}, {0, 0}, {9, 0}, {10, 10}, {25, 20}};
	struct series s;
	assert_int_equal(series_init(&s, 10), 0);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_int_equal(series_at(&s, 0, TO_SERVER, rows[i].at)->key.begin_ns,
		                 rows[i].begin);
	size_t n;
	const struct series_row **list = series_sorted(&s, &n);
	assert_int_equal(n, 4);
	assert_int_equal(list[0]->key.begin_ns, -10);
	assert_int_equal(list[3]->key.begin_ns, 20);
	free(list);
	assert_int_equal(series_evicted(&s), 0);
	series_free(&s);
	assert_int_equal(series_evicted(&s), 0);
}

/* A table that is full forgets, and says so. */
static void test_full(void **state)
{
	(void)state;
	struct series s;
	assert_int_equal(series_init(&s, 1), 0);
	for (int64_t t = 0; t < ROWS + 5; t++)
		assert_non_null(series_at(&s, 0, TO_CLIENT, t));
	assert_int_equal(series_evicted(&s), 5);
	series_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_rows),
	        cmocka_unit_test(test_full),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
