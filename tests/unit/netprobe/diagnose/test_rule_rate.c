#include "tests/support/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_loss(void **state)
{
	struct scene *s = *state;
	uint32_t seq = 1;
	for (int i = 0; i < 20; i++) {
		scene_data(s, TO_CLIENT, seq, i % 2 ? 1444 : 1000);
		s->ns += 30000000;
		seq = scene_bulk(s, TO_CLIENT, seq, 1, i % 2 ? 1444 : 1000);
		seq = scene_bulk(s, TO_CLIENT, seq, 10, i % 2 ? 1444 : 1000);
	}
	scene_expect(s, "D14");
	const struct finding *f = scene_find(s, FIND_LOSS);
	scene_has(f->text, "20 of 240 DATA datagrams were sent again");
	scene_has(f->remedy, "behind this point");
}

/* What is sent again was never seen here the first time. */
static void test_loss_before_the_capture(void **state)
{
	struct scene *s = *state;
	uint32_t seq = 1;
	for (int i = 0; i < 20; i++) {
		s->serial[TO_CLIENT]++; /* seq goes by unseen */
		scene_data(s, TO_CLIENT, seq + 1, 1444);
		scene_bulk(s, TO_CLIENT, seq, 1, 1444);
		scene_ack(s, TO_SERVER, seq + 2, 9, 0);
		seq = scene_bulk(s, TO_CLIENT, seq + 2, 10, 1444);
	}
	scene_expect(s, "D14");
	scene_has(scene_find(s, FIND_LOSS)->remedy, "before this point");
}

/* A storm of resends for one packet is one loss. */
static void test_resends_for_every_ack_are_one_loss(void **state)
{
	struct scene *s = *state;
	scene_bulk(s, TO_CLIENT, 1, 20, 1444);
	for (int i = 0; i < 15; i++)
		scene_data(s, TO_CLIENT, 21, 1444);
	scene_ack(s, TO_SERVER, 22, 9, 0);
	scene_bulk(s, TO_CLIENT, 22, 20, 1444);
	scene_expect(s, "");
}

/* Resends of what had arrived: acks say "duplicate". */
static void test_needless_resends_are_no_loss(void **state)
{
	struct scene *s = *state;
	uint32_t seq = 1;
	for (int i = 0; i < 30; i++) {
		scene_data(s, TO_CLIENT, seq, 1444);
		s->ns += 50000000;
		uint32_t again = scene_data(s, TO_CLIENT, seq, 1444);
		scene_ack(s, TO_SERVER, ++seq, 2, again);
	}
	scene_expect(s, "");
}

/* A window of 32 packets always on the way: each ack, 20 ms after its packet, lets the
 * next one go. */
static void slide(struct scene *s, uint32_t packets)
{
	uint32_t first = s->serial[TO_CLIENT] + 1;
	s->step_ns = 20000000 / 64;
	for (uint32_t i = 0; i < packets; i++) {
		if (i >= 32)
			scene_ack(s, TO_SERVER, i - 30, 9, first + i - 32);
		scene_data(s, TO_CLIENT, i + 1, 1444);
	}
}

static void test_window_limited(void **state)
{
	struct scene *s = *state;
	slide(s, 2000);
	scene_expect(s, "D13");
	const struct finding *f = scene_find(s, FIND_WINDOW_LIMITED);
	/* 32 x 1416 / 20 ms = 2212 KiB/s */
	scene_has(f->text, "32 packets x 1416 bytes");
	scene_has(f->text, "= 22");
}

/* As OpenAFS really sends: the window at once, then nothing until its acks come back.
 */
static void test_window_limited_in_bursts(void **state)
{
	struct scene *s = *state;
	uint32_t seq = 1;
	s->step_ns = 10000;
	for (int round = 0; round < 100; round++) {
		uint32_t first = s->serial[TO_CLIENT] + 1;
		for (uint32_t i = 0; i < 32; i++)
			scene_data(s, TO_CLIENT, seq + i, 1444);
		s->ns += 20000000 - 32 * s->step_ns;
		for (uint32_t i = 2; i <= 32; i += 2)
			scene_ack(s, TO_SERVER, seq + i, 9, first + i - 1);
		seq += 32;
	}
	scene_expect(s, "D13");
	const struct finding *f = scene_find(s, FIND_WINDOW_LIMITED);
	scene_has(f->text, "32 packets x 1416 bytes");
	scene_has(f->text, "KiB/s at most a call; seen: 22");
}

/* Behind a slow link the window is full too, but of packets in its queue: the first
 * ones were there in 1 ms. */
static void test_a_queue_is_no_long_way(void **state)
{
	struct scene *s = *state;
	s->step_ns = 500000;
	scene_bulk(s, TO_CLIENT, 1, 10, 1444);
	uint32_t first = s->serial[TO_CLIENT] + 1;
	s->step_ns = 20000000 / 64;
	for (uint32_t i = 0; i < 4000; i++) {
		if (i >= 32)
			scene_ack(s, TO_SERVER, i - 20, 9, first + i - 32);
		scene_data(s, TO_CLIENT, i + 11, 1444);
	}
	scene_expect(s, "");
}

/* On a short way a full window is no limit worth a word. */
static void test_window_full_on_a_short_way(void **state)
{
	struct scene *s = *state;
	uint32_t first = s->serial[TO_CLIENT] + 1;
	s->step_ns = 10000;
	for (uint32_t i = 0; i < 60000; i++) {
		if (i >= 32)
			scene_ack(s, TO_SERVER, i - 30, 9, first + i - 32);
		scene_data(s, TO_CLIENT, i + 1, 1444);
	}
	scene_expect(s, "");
}

/* A program that takes 16 packets every 50 ms: the sender fills the window at once,
 * every second packet is acknowledged, none is read. */
static void test_application_limited(void **state)
{
	struct scene *s = *state;
	uint8_t soft[32];
	memset(soft, 1, sizeof soft);
	uint32_t sent = 0, read = 0;
	s->step_ns = 20000;
	for (int i = 0; i < 60; i++) {
		while (sent < read + 32) {
			uint32_t serial = scene_data(s, TO_CLIENT, ++sent, 1444);
			if (sent % 2)
				scene_ack_full(s, TO_SERVER, read + 1, 9, serial, soft,
				               sent - read, 0);
		}
		s->ns += 50000000;
		read += 16;
		scene_ack_full(s, TO_SERVER, read + 1, 8, 0, soft, sent - read, 0);
	}
	scene_expect(s, "D15");
	scene_has(scene_find(s, FIND_APPLICATION_LIMITED)->text,
	          "the program on the client is slower than the network (4");
}

/* Datagrams of 1444 take 1510 bytes of Ethernet, 120.8 us at 100 Mb/s. */
static void bulk_at(struct scene *s, int64_t ns_a_datagram)
{
	s->iface[0].kind = link_kind_find("ethernet");
	s->iface[0].rate_bps = 100000000;
	s->step_ns = ns_a_datagram / 2; /* its ack is a frame too */
	scene_bulk(s, TO_CLIENT, 1, 20000, 1444);
}

static void test_link_limited(void **state)
{
	struct scene *s = *state;
	bulk_at(s, 121000);
	scene_expect(s, "D29");
	const struct finding *f = scene_find(s, FIND_LINK_LIMITED);
	scene_has(f->text,
	          "of the 11447 KiB/s that the link carries in datagrams of 1444");
	scene_has(f->remedy, "a faster link");
}

/* Nothing for a minute, then other calls: the rate is that of the transfers. */
static void test_link_limited_and_idle(void **state)
{
	struct scene *s = *state;
	bulk_at(s, 121000);
	for (int i = 0; i < 60; i++) {
		s->call++;
		s->ns += 1000000000;
		scene_bulk(s, TO_CLIENT, 1, 1, 200);
	}
	scene_expect(s, "D29");
	scene_has(scene_find(s, FIND_LINK_LIMITED)->text, "99.");
}

static void test_more_than_the_link_carries_is_explained(void **state)
{
	struct scene *s = *state;
	bulk_at(s, 119500);
	scene_expect(s, "D29");
	scene_has(scene_find(s, FIND_LINK_LIMITED)->text,
	          "101.1 % of the 11447 KiB/s that the link carries in datagrams of "
	          "1444; more than all of it, as a shaper lets bursts pass");
}

static void test_half_a_link_is_no_limit(void **state)
{
	struct scene *s = *state;
	bulk_at(s, 242000);
	scene_expect(s, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        SCENE_TEST(test_loss),
	        SCENE_TEST(test_loss_before_the_capture),
	        SCENE_TEST(test_resends_for_every_ack_are_one_loss),
	        SCENE_TEST(test_needless_resends_are_no_loss),
	        SCENE_TEST(test_window_limited),
	        SCENE_TEST(test_window_limited_in_bursts),
	        SCENE_TEST(test_a_queue_is_no_long_way),
	        SCENE_TEST(test_window_full_on_a_short_way),
	        SCENE_TEST(test_application_limited),
	        SCENE_TEST(test_link_limited),
	        SCENE_TEST(test_link_limited_and_idle),
	        SCENE_TEST(test_more_than_the_link_carries_is_explained),
	        SCENE_TEST(test_half_a_link_is_no_limit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
