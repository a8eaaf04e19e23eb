#include "netprobe/track/flow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static struct rx_trailer trailer(uint32_t max, uint32_t interface, uint32_t window,
                                 uint32_t packets)
{
	return (struct rx_trailer){.words = 4,
	                           .max_receive = max,
	                           .interface = interface,
	                           .window = window,
	                           .packets = packets};
}

static void test_flow_trailer_most_frequent(void **state)
{
	(void)state;
	struct flow_side s = {0};
	struct rx_trailer first = trailer(1444, 1444, 16, 1);
	struct rx_trailer later = trailer(1444, 1444, 32, 1);
	assert_null(flow_trailer(&s));
	flow_note_trailer(&s, &first, 3);
	flow_note_trailer(&s, &later, 4);
	assert_int_equal(flow_trailer(&s)->window, 32); /* the wider on a tie */
	flow_note_trailer(&s, &first, 5);
	assert_int_equal(flow_trailer(&s)->window, 16);
	assert_int_equal(s.trailers, 2);
	assert_int_equal(s.trailer[0].acks, 2);
	assert_int_equal(s.trailer[1].first_frame, 4);
}

static void test_flow_trailer_absurd_is_never_used(void **state)
{
	(void)state;
	struct flow_side s = {0};
	struct rx_trailer absurd[] = {trailer(0, 1444, 32, 1), trailer(1444, 27, 32, 1),
	                              trailer(0xffffffff, 1444, 32, 1)};
	for (size_t i = 0; i < 3; i++)
		flow_note_trailer(&s, &absurd[i], i);
	assert_int_equal(s.absurd_trailers, 3);
	assert_null(flow_trailer(&s));
}

static void test_flow_trailers_are_bounded(void **state)
{
	(void)state;
	struct flow_side s = {0};
	for (uint32_t i = 0; i < 20; i++) {
		struct rx_trailer t = trailer(1444 + i, 1444, 32, 1);
		flow_note_trailer(&s, &t, i);
	}
	assert_int_equal(s.trailers, FLOW_TRAILERS);
	assert_int_equal(s.other_trailers, 20 - FLOW_TRAILERS);
	struct rx_trailer none = {0};
	flow_note_trailer(&s, &none, 21);
	assert_int_equal(s.acks_without_trailer, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_flow_trailer_most_frequent),
	        cmocka_unit_test(test_flow_trailer_absurd_is_never_used),
	        cmocka_unit_test(test_flow_trailers_are_bounded),
	};
	return cmocka_run_group_tests_name("track/flow", tests, NULL, NULL);
}
