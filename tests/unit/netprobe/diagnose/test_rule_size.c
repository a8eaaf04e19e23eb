#include "tests/support/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_healthy_transfers_are_silent(void **state)
{
	struct scene *s = *state;
	uint32_t seq = scene_bulk(s, TO_CLIENT, 1, 100, 1444);
	scene_bulk(s, TO_SERVER, 1, 100, 1444);
	/* one resend in a hundred is nothing */
	scene_data(s, TO_CLIENT, seq, 1444);
	scene_data(s, TO_CLIENT, seq, 1444);
	scene_ack(s, TO_SERVER, seq + 1, 9, 0);
	scene_expect(s, "");
}

/* DATA of 1444 with DF six times, acks only for packets of up to 1260. */
static void test_black_hole(void **state)
{
	struct scene *s = *state;
	uint32_t seq = scene_bulk(s, TO_CLIENT, 1, 5, 1260);
	scene_dead(s, TO_CLIENT, seq, 1444, 6);
	scene_expect(s, "D1");
	const struct finding *f = scene_find(s, FIND_BLACK_HOLE);
	scene_has(
	        f->text,
	        "IP length 1472 from 10.0.0.1 to 10.0.0.2 was sent 6 times and never "
	        "acknowledged, smaller ones were (up to IP length 1288, 5 datagrams)");
	scene_has(f->text, "DF set; no ICMP \"fragmentation needed\" seen");
	scene_has(f->text, "black hole between 1288 and 1472");
	scene_has(f->remedy, "-rxmaxmtu 1260 ");
	scene_has(f->remedy, "mtu 1288");
	assert_int_equal(f->first_frame, 11);
	assert_int_equal(f->severity, FINDING_ERROR);
}

static void test_black_hole_told_by_pings_alone(void **state)
{
	struct scene *s = *state;
	scene_dead(s, TO_CLIENT, 1, 1444, 5);
	scene_ack(s, TO_CLIENT, 1, 6, 0);
	scene_ack(s, TO_SERVER, 1, 7, s->serial[TO_CLIENT]);
	scene_expect(s, "D1");
	scene_has(scene_find(s, FIND_BLACK_HOLE)->remedy, "netprobe check");
}

/* Nothing is heard of the client after the loss: it may have been switched off. */
static void test_black_hole_or_a_receiver_that_is_gone(void **state)
{
	struct scene *s = *state;
	uint32_t seq = scene_bulk(s, TO_CLIENT, 1, 5, 1260);
	scene_dead(s, TO_CLIENT, seq, 1444, 6);
	scene_end(s);
	double gone = scene_find(s, FIND_BLACK_HOLE)->confidence;
	scene_has(scene_find(s, FIND_BLACK_HOLE)->text, "may simply be gone");
	struct scene *alive = scene_new();
	seq = scene_bulk(alive, TO_CLIENT, 1, 5, 1260);
	scene_dead(alive, TO_CLIENT, seq, 1444, 6);
	scene_ack(alive, TO_SERVER, seq, 6, 0);
	scene_end(alive);
	assert_true(scene_find(alive, FIND_BLACK_HOLE)->confidence > gone);
	scene_free(alive);
}

static void test_two_losses_are_no_black_hole(void **state)
{
	struct scene *s = *state;
	uint32_t seq = scene_bulk(s, TO_CLIENT, 1, 50, 1260);
	scene_dead(s, TO_CLIENT, seq, 1444, 2);
	scene_expect(s, "");
}

/* A capture that begins and ends in the middle: one way only. */
static void test_without_acks_nothing_is_said(void **state)
{
	struct scene *s = *state;
	for (uint32_t seq = 1; seq < 100; seq++)
		scene_data(s, TO_CLIENT, seq, 1444);
	scene_expect(s, "");
}

static void test_a_larger_size_that_passes_clears_the_smaller(void **state)
{
	struct scene *s = *state;
	scene_dead(s, TO_CLIENT, 1, 1440, 4);
	scene_ack(s, TO_SERVER, 2, 9, 0);
	scene_bulk(s, TO_CLIENT, 2, 20, 1444);
	scene_expect(s, "D14"); /* three long timeouts are still worth a word */
}

/* The end of a reply that nobody asks for: the command has ended. */
static void test_reply_to_a_command_that_has_gone(void **state)
{
	struct scene *s = *state;
	scene_bulk(s, TO_SERVER, 1, 1, 100);
	for (int i = 0; i < 8; i++) {
		struct rx_header h = {.epoch = 0x90000001u,
		                      .cid = 0x1000,
		                      .call = 1,
		                      .seq = 1,
		                      .serial = 10 + (uint32_t)i,
		                      .type = RX_DATA,
		                      .flags = RX_LAST,
		                      .service = 1};
		scene_packet(s, TO_CLIENT, &h, NULL, 1048);
		s->ns += 2000000000;
	}
	scene_expect(s, "");
}

/* A server on 9180, a client on 1500, one network. */
static void test_mixed_mtu(void **state)
{
	struct scene *s = *state;
	s->trailer[TO_CLIENT] = (struct rx_trailer){4, 8588, 8588, 32, 6};
	s->iface[0].addresses = "10.0.0.1/24";
	uint32_t seq = scene_bulk(s, TO_CLIENT, 1, 10, 1440);
	for (int i = 0; i < 5; i++) {
		scene_data(s, TO_CLIENT, seq, 2856);
		s->ns += 250000000;
		seq = scene_bulk(s, TO_CLIENT, seq, 2, 1440);
	}
	scene_expect(s, "D24");
	const struct finding *f = scene_find(s, FIND_MIXED_MTU);
	scene_has(f->text, "IP length 2884");
	scene_has(f->text, "announces 1444, the size of MTU 1500");
	scene_has(f->remedy, "ip route replace 10.0.0.2 dev eth0 mtu 1500");
	scene_has(f->remedy, "-rxmaxfrags 1");
}

/* The same with a router between is a black hole. */
static void test_no_mixed_mtu_behind_a_router(void **state)
{
	struct scene *s = *state;
	s->ttl = 62;
	uint32_t seq = scene_bulk(s, TO_CLIENT, 1, 10, 1440);
	for (int i = 0; i < 5; i++) {
		scene_data(s, TO_CLIENT, seq, 2856);
		s->ns += 250000000;
		seq = scene_bulk(s, TO_CLIENT, seq, 2, 1440);
	}
	scene_expect(s, "D1");
}

/* Half of the datagrams of 1444 are lost, none of those of 1000. */
static void test_loss_grows_with_size(void **state)
{
	struct scene *s = *state;
	uint32_t seq = scene_bulk(s, TO_CLIENT, 1, 60, 1000);
	for (int i = 0; i < 20; i++) {
		scene_data(s, TO_CLIENT, seq, 1444);
		s->ns += 50000000;
		seq = scene_bulk(s, TO_CLIENT, seq, 1, 1444);
	}
	scene_expect(s, "D32");
	scene_has(scene_find(s, FIND_LOSS_BY_SIZE)->text,
	          "50.0 % of the datagrams beyond 1440");
}

/* Five per cent of the large ones, and too few small ones to compare with. */
static void test_too_few_small_ones_to_compare(void **state)
{
	struct scene *s = *state;
	uint32_t seq = scene_bulk(s, TO_CLIENT, 1, 40, 1000);
	for (int i = 0; i < 20; i++) {
		scene_data(s, TO_CLIENT, seq, 1444);
		s->ns += 50000000;
		seq = scene_bulk(s, TO_CLIENT, seq, 20, 1444);
	}
	scene_expect(s, "D14");
}

static void test_tunnel_named_by_what_passes(void **state)
{
	struct scene *s = *state;
	uint32_t seq = scene_bulk(s, TO_CLIENT, 1, 5, 1400);
	scene_dead(s, TO_CLIENT, seq, 1430, 6);
	scene_expect(s, "D1 D31");
	/* between 1428 and 1458 */
	scene_has(scene_find(s, FIND_TUNNEL)->text, "VXLAN or Geneve (1450)");
}

static void test_confidence_falls_with_the_capture(void **state)
{
	struct scene *s = *state;
	s->iface[0].has_dropped = true;
	s->iface[0].dropped = 1;
	uint32_t seq = scene_bulk(s, TO_CLIENT, 1, 5, 1260);
	scene_dead(s, TO_CLIENT, seq, 1444, 6);
	scene_expect(s, "D1 D20");
	const struct finding *f = scene_find(s, FIND_BLACK_HOLE);
	assert_true(f->confidence < 0.4);
	scene_has(f->doubt, "the capture lost");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        SCENE_TEST(test_healthy_transfers_are_silent),
	        SCENE_TEST(test_black_hole),
	        SCENE_TEST(test_black_hole_told_by_pings_alone),
	        SCENE_TEST(test_black_hole_or_a_receiver_that_is_gone),
	        SCENE_TEST(test_two_losses_are_no_black_hole),
	        SCENE_TEST(test_without_acks_nothing_is_said),
	        SCENE_TEST(test_a_larger_size_that_passes_clears_the_smaller),
	        SCENE_TEST(test_reply_to_a_command_that_has_gone),
	        SCENE_TEST(test_mixed_mtu),
	        SCENE_TEST(test_no_mixed_mtu_behind_a_router),
	        SCENE_TEST(test_loss_grows_with_size),
	        SCENE_TEST(test_too_few_small_ones_to_compare),
	        SCENE_TEST(test_tunnel_named_by_what_passes),
	        SCENE_TEST(test_confidence_falls_with_the_capture),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
