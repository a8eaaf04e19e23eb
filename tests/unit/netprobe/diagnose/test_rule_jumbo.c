#include "tests/support/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_more_packets_than_the_receiver_takes(void **state)
{
	struct scene *s = *state;
	s->trailer[TO_SERVER] = (struct rx_trailer){4, 8588, 8588, 32, 2};
	s->trailer[TO_CLIENT] = (struct rx_trailer){4, 8588, 8588, 32, 6};
	scene_bulk(s, TO_CLIENT, 1, 10, 5688);
	scene_bulk(s, TO_SERVER, 1, 1, 100);
	scene_expect(s, "D7");
	const struct finding *f = scene_find(s, FIND_JUMBOGRAMS_REFUSED);
	scene_has(f->text,
	          "10 jumbograms of up to 4 packets to 10.0.0.2, which takes 2");
	assert_int_equal(f->severity, FINDING_ERROR);
}

/* -nojumbo before 1.4.8: takes one packet, sends four. */
static void test_sender_that_takes_none_itself(void **state)
{
	struct scene *s = *state;
	s->trailer[TO_CLIENT] = (struct rx_trailer){4, 1444, 1444, 32, 1};
	s->cut_mtu = 1500;
	scene_bulk(s, TO_SERVER, 1, 1, 100);
	scene_bulk(s, TO_CLIENT, 1, 10, 5688);
	scene_end(s);
	const struct finding *f = scene_find(s, FIND_JUMBOGRAMS_REFUSED);
	scene_has(f->text, "announces 1 packet a datagram itself");
	assert_int_equal(f->severity, FINDING_WARNING);
}

static void test_jumbograms_to_another_subnet(void **state)
{
	struct scene *s = *state;
	s->iface[0].addresses = "10.0.0.1/30";
	s->iface[0].mtu = 9180;
	s->client = "10.0.7.2";
	s->trailer[TO_CLIENT] = (struct rx_trailer){4, 15604, 8524, 32, 6};
	s->trailer[TO_SERVER] = (struct rx_trailer){4, 15604, 8524, 32, 6};
	scene_bulk(s, TO_SERVER, 1, 1, 100);
	scene_bulk(s, TO_CLIENT, 1, 10, 5688);
	scene_expect(s, "D8");
	scene_has(scene_find(s, FIND_JUMBOGRAMS_ROUTED)->text, "up to IP length 5716");
}

static void test_jumbograms_on_one_network_are_fine(void **state)
{
	struct scene *s = *state;
	s->iface[0].addresses = "10.0.0.1/24";
	s->iface[0].mtu = 9180;
	s->trailer[TO_CLIENT] = (struct rx_trailer){4, 8588, 8588, 32, 6};
	s->trailer[TO_SERVER] = (struct rx_trailer){4, 15604, 8524, 32, 6};
	scene_bulk(s, TO_CLIENT, 1, 100, 8520);
	scene_bulk(s, TO_SERVER, 1, 100, 8520);
	scene_expect(s, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        SCENE_TEST(test_more_packets_than_the_receiver_takes),
	        SCENE_TEST(test_sender_that_takes_none_itself),
	        SCENE_TEST(test_jumbograms_to_another_subnet),
	        SCENE_TEST(test_jumbograms_on_one_network_are_fine),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
