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
	        SCENE_TEST(test_packets_joined_by_an_offload),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
