#include "netprobe/track/tally.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static void test_tally_merge_adds_and_spans(void **state)
{
	(void)state;
	struct tally a = {.first_ns = 50, .last_ns = 60, .ip_packets = 2, .resends = 1};
	struct tally b = {.first_ns = 40, .last_ns = 55, .ip_packets = 3, .df = 3};
	struct tally none = {0};
	sizes_add(&a.ip_lengths, 1472, 2);
	sizes_add(&b.ip_lengths, 1472, 3);
	tally_merge(&a, &b);
	tally_merge(&a, &none);
	assert_int_equal(a.first_ns, 40);
	assert_int_equal(a.last_ns, 60);
	assert_int_equal(a.ip_packets, 5);
	assert_int_equal(a.resends, 1);
	assert_int_equal(a.df, 3);
	assert_int_equal(sizes_count(&a.ip_lengths, 1472), 5);
	tally_clear(&a);
	tally_clear(&b);
	assert_int_equal(a.ip_packets, 0);
}

static void test_tally_slices_by_phase(void **state)
{
	(void)state;
	struct slices s = {0};
	slices_get(&s, 0)->ip_packets = 1;
	slices_get(&s, 2)->ip_packets = 10;
	slices_get(&s, 0)->ip_packets += 1;
	struct tally all = {0}, two = {0}, three = {0};
	slices_sum(&s, &all);
	slices_sum_phase(&s, 2, &two);
	slices_sum_phase(&s, 3, &three);
	assert_int_equal(all.ip_packets, 12);
	assert_int_equal(two.ip_packets, 10);
	assert_int_equal(three.ip_packets, 0);
	slices_clear(&s);
	assert_null(s.list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_tally_merge_adds_and_spans),
	        cmocka_unit_test(test_tally_slices_by_phase),
	};
	return cmocka_run_group_tests_name("track/tally", tests, NULL, NULL);
}
