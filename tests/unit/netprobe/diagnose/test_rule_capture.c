#include "tests/support/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_captured_twice(void **state)
{
	struct scene *s = *state;
	for (uint32_t i = 0; i < 20; i++) {
		scene_data(s, TO_CLIENT, i + 1, 1444);
		s->serial[TO_CLIENT]--;
		scene_data(s, TO_CLIENT, i + 1, 1444);
		scene_ack(s, TO_SERVER, i + 2, 9, s->serial[TO_CLIENT]);
	}
	scene_expect(s, "D19");
	scene_has(scene_find(s, FIND_CAPTURED_TWICE)->text, "20 Rx datagrams");
}

static void test_dropped_by_the_capturer(void **state)
{
	struct scene *s = *state;
	s->iface[0].has_dropped = true;
	s->iface[0].dropped = 7;
	scene_bulk(s, TO_CLIENT, 1, 5, 1444);
	scene_expect(s, "D20");
}

static void test_dropped_by_the_interface(void **state)
{
	struct scene *s = *state;
	s->iface[0].ifdropped = 9;
	scene_bulk(s, TO_CLIENT, 1, 5, 1444);
	scene_expect(s, "D20");
	scene_has(scene_find(s, FIND_CAPTURE_DROPS)->text,
	          "lost 9 packets and has 10 (9 were lost by the interface itself)");
}

/* From seq on n packets pass that the capture misses: the receiver acknowledges them.
 */
static uint32_t missed(struct scene *s, uint32_t seq, uint32_t n)
{
	s->serial[TO_CLIENT] += n;
	return seq + n;
}

static void test_acknowledged_and_never_seen(void **state)
{
	struct scene *s = *state;
	uint32_t seq = scene_bulk(s, TO_CLIENT, 1, 10, 1444);
	seq = missed(s, seq, 4);
	scene_bulk(s, TO_CLIENT, seq, 10, 1444);
	scene_expect(s, "D20");
	const struct finding *f = scene_find(s, FIND_CAPTURE_DROPS);
	assert_int_equal(f->severity, FINDING_WARNING);
	scene_has(f->text, "4 Rx packets that never came by here were acknowledged");
	assert_int_equal(f->first_frame, 22); /* the ack behind the gap */
}

/* What lowers trust in every other conclusion about the interface, too. */
static void test_unseen_lowers_confidence(void **state)
{
	struct scene *s = *state;
	char doubt[120];
	uint32_t seq = scene_bulk(s, TO_CLIENT, 1, 10, 1444);
	scene_bulk(s, TO_CLIENT, missed(s, seq, 20), 10, 1444);
	scene_end(s);
	assert_true(iface_quality(&s->iface[0], doubt, sizeof doubt) < 0.6);
	scene_has(doubt, "the capture lost 33.3 %");
}

/* Lost on the way and sent again, however late: the receiver has the resend. */
static void test_lost_and_resent_is_no_miss(void **state)
{
	struct scene *s = *state;
	uint32_t seq = scene_bulk(s, TO_CLIENT, 1, 10, 1444);
	for (uint32_t i = 0; i < 8; i++)
		scene_data(s, TO_CLIENT, seq + 4 + i, 1444);
	for (uint32_t i = 0; i < 4; i++)
		scene_data(s, TO_CLIENT, seq + i, 1444);
	scene_ack(s, TO_SERVER, seq + 12, 9, s->serial[TO_CLIENT]);
	scene_end(s);
	assert_int_equal(s->found.of_kind[FIND_CAPTURE_DROPS], 0);
}

/* The capture shows the data behind their ack: disorder, nothing missed. */
static void test_data_behind_their_ack(void **state)
{
	struct scene *s = *state;
	uint32_t seq = scene_bulk(s, TO_CLIENT, 1, 10, 1444);
	for (uint32_t i = 0; i < 5; i++) {
		scene_ack(s, TO_SERVER, seq + 1, 9, s->serial[TO_CLIENT] + 1);
		scene_data(s, TO_CLIENT, seq++, 1444);
	}
	scene_expect(s, "");
}

/* A capture that begins in the middle of a call has missed nothing before. */
static void test_begun_in_the_middle(void **state)
{
	struct scene *s = *state;
	scene_ack(s, TO_SERVER, 500, 9, s->serial[TO_CLIENT]);
	scene_bulk(s, TO_CLIENT, 500, 10, 1444);
	scene_expect(s, "");
}

static void test_packets_joined_by_an_offload(void **state)
{
	struct scene *s = *state;
	s->iface[0].mtu = 1500;
	track_set_mtu(s->track, 0, 1500);
	scene_bulk(s, TO_CLIENT, 1, 5, 1444);
	scene_single(s, TO_CLIENT, 6, 14440);
	scene_expect(s, "D28");
	scene_has(scene_find(s, FIND_OFFLOAD)->remedy, "ethtool -K eth0 gro off");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        SCENE_TEST(test_captured_twice),
	        SCENE_TEST(test_dropped_by_the_capturer),
	        SCENE_TEST(test_dropped_by_the_interface),
	        SCENE_TEST(test_acknowledged_and_never_seen),
	        SCENE_TEST(test_unseen_lowers_confidence),
	        SCENE_TEST(test_lost_and_resent_is_no_miss),
	        SCENE_TEST(test_data_behind_their_ack),
	        SCENE_TEST(test_begun_in_the_middle),
	        SCENE_TEST(test_packets_joined_by_an_offload),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
