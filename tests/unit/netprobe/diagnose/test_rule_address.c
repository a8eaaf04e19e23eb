#include "tests/support/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void ask_and_answer(struct scene *s, uint32_t replies_at)
{
	s->server = "10.0.1.1";
	scene_data(s, TO_SERVER, 1, 100);
	for (uint32_t seq = 1; seq <= 20; seq++) {
		s->server = "10.0.0.1";
		s->at = replies_at;
		uint32_t serial = scene_data(s, TO_CLIENT, seq, 1444);
		s->server = "10.0.1.1";
		s->at = 0;
		scene_ack(s, TO_SERVER, seq + 1, 9, serial);
	}
}

static void test_replies_from_another_address(void **state)
{
	struct scene *s = *state;
	ask_and_answer(s, 0);
	scene_expect(s, "D10");
	scene_has(
	        scene_find(s, FIND_OTHER_ADDRESS)->text,
	        "client 10.0.0.2 asks the server at 10.0.1.1 and gets its replies from "
	        "10.0.0.1");
}

static void test_replies_by_another_interface(void **state)
{
	struct scene *s = *state;
	s->ifaces = 2;
	s->iface[0].mtu = 1500;
	s->iface[1].mtu = 9180;
	ask_and_answer(s, 1);
	scene_expect(s, "D11");
	scene_has(scene_find(s, FIND_ASYMMETRIC_PATH)->text,
	          "asks the server at 10.0.1.1 (eth0, MTU 1500) and gets its replies "
	          "from "
	          "10.0.0.1 (atm0, MTU 9180)");
}

/* A file server that registers one address (VL RegisterAddrs, 532). */
static void test_address_left_out_of_netinfo(void **state)
{
	struct scene *s = *state;
	uint8_t args[4 + 44 + 4 + 4 + 4] = {0, 0, 2, 20};
	/* opcode, uuid as 11 words, spare, count, addresses */
	args[4 + 44 + 4 + 3] = 1;
	static const uint8_t addr[] = {10, 0, 1, 1};
	memcpy(args + 4 + 44 + 4 + 4, addr, sizeof addr);
	struct rx_header h = {.epoch = 0x90000009u,
	                      .cid = 0x2000,
	                      .call = 1,
	                      .seq = 1,
	                      .serial = 1,
	                      .type = RX_DATA,
	                      .flags = RX_CLIENT | RX_LAST,
	                      .service = 52};
	s->client = "10.0.0.1";
	s->client_port = 7005;
	s->server = "10.0.9.9";
	s->server_port = 7003;
	scene_packet(s, TO_SERVER, &h, args, sizeof args);
	s->client = "10.0.0.2";
	s->client_port = 7001;
	s->server_port = 7000;
	ask_and_answer(s, 0);
	scene_expect(s, "D26");
	scene_has(scene_find(s, FIND_NETINFO_SPLIT)->remedy,
	          "put 10.0.0.1 into NetInfo");
}

static void test_connection_that_changes_its_port(void **state)
{
	struct scene *s = *state;
	scene_bulk(s, TO_SERVER, 1, 10, 100);
	s->client_port = 40001;
	scene_bulk(s, TO_SERVER, 11, 10, 100);
	scene_expect(s, "D16");
	const struct finding *f = scene_find(s, FIND_NAT_REBINDING);
	scene_has(f->text, "go on from port 40001 after port 7001");
	assert_int_equal(f->first_frame, 21);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        SCENE_TEST(test_replies_from_another_address),
	        SCENE_TEST(test_replies_by_another_interface),
	        SCENE_TEST(test_address_left_out_of_netinfo),
	        SCENE_TEST(test_connection_that_changes_its_port),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
