#include "tests/support/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_obeyed(void **state)
{
	struct scene *s = *state;
	uint32_t seq = scene_bulk(s, TO_CLIENT, 1, 5, 1000);
	scene_data(s, TO_CLIENT, seq, 1444);
	scene_too_big(s, TO_CLIENT, 1444, 1400);
	s->ns += 300000000;
	s->cut_mtu = 1400;
	scene_bulk(s, TO_CLIENT, seq, 1, 1444);
	s->cut_mtu = 0;
	scene_bulk(s, TO_CLIENT, seq + 1, 20, 1372);
	scene_end(s);
	const struct finding *f = scene_find(s, FIND_TOO_BIG_OBEYED);
	scene_has(f->text,
	          "10.9.9.9 says that datagrams from 10.0.0.1 to 10.0.0.2 are too "
	          "big (IP length 1472): the next hop carries 1400");
	scene_has(f->remedy, "-rxmaxmtu 1372");
	assert_int_equal(s->found.of_kind[FIND_BLACK_HOLE], 0);
	assert_int_equal(s->found.of_kind[FIND_TOO_BIG_IGNORED], 0);
}

static void test_ignored(void **state)
{
	struct scene *s = *state;
	uint32_t seq = scene_bulk(s, TO_CLIENT, 1, 5, 1000);
	for (int i = 0; i < 5; i++) {
		scene_data(s, TO_CLIENT, seq, 1444);
		scene_too_big(s, TO_CLIENT, 1444, 1420);
		s->ns += 400000000;
	}
	/* 1420 is what WireGuard over IPv6 leaves of 1500 */
	scene_expect(s, "D2b D31");
	const struct finding *f = scene_find(s, FIND_TOO_BIG_IGNORED);
	scene_has(f->text, "larger ones with DF set followed (up to IP length 1472)");
	scene_has(f->remedy, "-rxmaxmtu 1392");
}

static void test_without_mtu(void **state)
{
	struct scene *s = *state;
	uint32_t seq = scene_bulk(s, TO_CLIENT, 1, 5, 1000);
	for (int i = 0; i < 5; i++) {
		scene_data(s, TO_CLIENT, seq, 1444);
		scene_too_big(s, TO_CLIENT, 1444, 0);
		s->ns += 400000000;
	}
	scene_expect(s, "D2c");
}

/* The sender's kernel takes 552 and cuts everything: no route is to blame. */
static void test_without_mtu_the_sender_guesses(void **state)
{
	struct scene *s = *state;
	s->iface[0].mtu = 1500;
	s->iface[0].addresses = "10.0.0.1/24";
	uint32_t seq = scene_bulk(s, TO_CLIENT, 1, 1, 1444);
	scene_data(s, TO_CLIENT, seq, 1444);
	scene_too_big(s, TO_CLIENT, 1444, 0);
	s->ns += 400000000;
	s->cut_mtu = 552;
	scene_bulk(s, TO_CLIENT, seq, 50, 1444);
	scene_expect(s, "D2c");
	scene_has(
	        scene_find(s, FIND_TOO_BIG_WITHOUT_MTU)->text,
	        "so the sender has to guess: 50 of 52 DATA datagrams are in fragments");
}

/* File server and cache manager are client to each other on the same two ports. */
static void test_ignored_with_callbacks_on_the_same_ports(void **state)
{
	struct scene *s = *state;
	const char *server = s->server, *client = s->client;
	s->server = client, s->client = server;
	s->server_port = 7001, s->client_port = 7000;
	scene_bulk(s, TO_SERVER, 1, 3, 100);
	s->server = server, s->client = client;
	s->server_port = 7000, s->client_port = 7001;
	test_ignored(state);
}

/* An error that quotes a flow which is not in the capture says nothing about it. */
static void test_flow_not_seen(void **state)
{
	struct scene *s = *state;
	scene_bulk(s, TO_CLIENT, 1, 5, 1000);
	s->client = "10.8.8.8";
	scene_too_big(s, TO_CLIENT, 1444, 1400);
	scene_expect(s, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        SCENE_TEST(test_obeyed),
	        SCENE_TEST(test_ignored),
	        SCENE_TEST(test_ignored_with_callbacks_on_the_same_ports),
	        SCENE_TEST(test_without_mtu),
	        SCENE_TEST(test_without_mtu_the_sender_guesses),
	        SCENE_TEST(test_flow_not_seen),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
