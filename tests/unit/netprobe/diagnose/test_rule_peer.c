#include "tests/support/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_fragmented_response(void **state)
{
	struct scene *s = *state;
	struct rx_header h = {.epoch = 0x90000001u,
	                      .cid = 0x1000,
	                      .serial = 1,
	                      .type = RX_CHALLENGE,
	                      .security = 2,
	                      .service = 1};
	static const uint8_t challenge[16] = {0, 0, 0, 2};
	scene_packet(s, TO_CLIENT, &h, challenge, sizeof challenge);
	h.type = RX_RESPONSE;
	h.flags = RX_CLIENT;
	s->cut_mtu = 1500;
	scene_packet(s, TO_SERVER, &h, NULL, 6000);
	scene_end(s);
	const struct finding *f = scene_find(s, FIND_RESPONSE_FRAGMENTED);
	assert_int_equal(f->severity, FINDING_INFO);
	scene_has(f->text, "up to 6028 bytes, 1 of 1 in fragments");
}

static void test_fragmented_response_that_never_arrives(void **state)
{
	struct scene *s = *state;
	struct rx_header c = {.epoch = 0x90000001u,
	                      .cid = 0x1000,
	                      .type = RX_CHALLENGE,
	                      .security = 2,
	                      .service = 1};
	struct rx_header r = c;
	r.type = RX_RESPONSE;
	r.flags = RX_CLIENT;
	static const uint8_t challenge[16] = {0, 0, 0, 2};
	s->cut_mtu = 1500;
	for (uint32_t i = 1; i < 5; i++) {
		c.serial = r.serial = i;
		scene_packet(s, TO_CLIENT, &c, challenge, sizeof challenge);
		scene_packet(s, TO_SERVER, &r, NULL, 6000);
		s->ns += 2000000000;
	}
	scene_end(s);
	const struct finding *f = scene_find(s, FIND_RESPONSE_FRAGMENTED);
	assert_int_equal(f->severity, FINDING_ERROR);
	scene_has(f->text, "repeated its challenge 3 times");
}

static void test_absurd_trailers(void **state)
{
	static const struct rx_trailer absurd[] = {
	        {4, 27, 1444, 32, 1}, {4, 0, 0, 0, 0}, {4, UINT32_MAX, 1444, 32, 1}};
	for (size_t i = 0; i < 3; i++) {
		struct scene *s = scene_new();
		scene_bulk(s, TO_CLIENT, 1, 5, 1444);
		s->trailer[TO_SERVER] = absurd[i];
		scene_bulk(s, TO_CLIENT, 6, 2, 1444);
		scene_expect(s, "D18");
		scene_has(scene_find(s, FIND_ABSURD_TRAILER)->text,
		          "2 acks from 10.0.0.2");
		scene_free(s);
	}
	(void)state;
}

/* nAcks of 255 in a body that holds none. */
static void test_acks_that_contradict_their_length(void **state)
{
	struct scene *s = *state;
	scene_bulk(s, TO_CLIENT, 1, 5, 1444);
	struct rx_header h = {.epoch = 0x90000001u,
	                      .cid = 0x1000,
	                      .call = 1,
	                      .serial = 100,
	                      .type = RX_ACK,
	                      .flags = RX_CLIENT,
	                      .service = 1};
	uint8_t body[37] = {[16] = 9, [17] = 255};
	scene_packet(s, TO_SERVER, &h, body, sizeof body);
	scene_expect(s, "D18");
	scene_has(scene_find(s, FIND_ABSURD_TRAILER)->text,
	          "contradict their own length");
}

static void test_old_peer_by_its_words(void **state)
{
	struct scene *s = *state;
	s->trailer[TO_SERVER] = (struct rx_trailer){3, 5692, 1472, 32, 0};
	scene_bulk(s, TO_CLIENT, 1, 5, 1444);
	scene_expect(s, "D21");
	scene_has(scene_find(s, FIND_OLD_PEER)->text, "3 of four sizes");
}

static void test_probes_without_an_answer(void **state)
{
	struct scene *s = *state;
	scene_bulk(s, TO_CLIENT, 1, 5, 1444);
	for (int i = 0; i < 3; i++) {
		scene_ack_full(s, TO_SERVER, 6, 6, 0, NULL, 0, 1000);
		scene_ack(s, TO_CLIENT, 1, 7, s->serial[TO_SERVER]);
		scene_ack_full(s, TO_SERVER, 6, 6, 0, NULL, 0, 3000);
		s->ns += 2000000000;
	}
	scene_expect(s, "D22");
	scene_has(scene_find(s, FIND_PROBE_UNANSWERED)->text,
	          "3 pings of IP length 3093 got no answer, those up to 1093 did");
}

static void test_probes_that_are_answered(void **state)
{
	struct scene *s = *state;
	scene_bulk(s, TO_CLIENT, 1, 5, 1444);
	for (int i = 0; i < 3; i++) {
		scene_ack_full(s, TO_SERVER, 6, 6, 0, NULL, 0, 1000);
		scene_ack(s, TO_CLIENT, 1, 7, s->serial[TO_SERVER]);
	}
	scene_expect(s, "");
}

static void test_checksums(void **state)
{
	struct scene *s = *state;
	s->checksum = SCENE_BAD_CHECKSUM;
	scene_bulk(s, TO_CLIENT, 1, 5, 1444);
	scene_expect(s, "D23 D23"); /* both ends */
	assert_int_equal(scene_find(s, FIND_CHECKSUM)->severity, FINDING_WARNING);
	const struct finding *f = scene_find(s, FIND_CHECKSUM);
	scene_has(f->text,
	          "5 of 5 UDP packets from 10.0.0.1 that were looked at have a wrong");
	/* a wrong sum is no sum switched off */
	scene_has(f->remedy, "look for a firewall, NAT or driver");
	assert_null(strstr(f->remedy, "switch UDP checksums on"));
}

/* What arrives damaged is dropped and comes again: that is no other loss. */
static void test_damage_explains_loss(void **state)
{
	struct scene *s = *state;
	uint32_t seq = 1;
	for (int i = 0; i < 20; i++) {
		s->checksum = SCENE_BAD_CHECKSUM;
		scene_data(s, TO_CLIENT, seq, 1444);
		s->checksum = SCENE_CHECKSUM;
		s->ns += 30000000;
		seq = scene_bulk(s, TO_CLIENT, seq, 11, 1444);
	}
	scene_expect(s, "D23");
	scene_has(scene_find(s, FIND_CHECKSUM)->text,
	          "20 of 240 DATA datagrams had to be sent again");
	scene_has(scene_find(s, FIND_CHECKSUM)->remedy, "and not their checksum");
}

static void test_checksums_switched_off(void **state)
{
	struct scene *s = *state;
	s->checksum = SCENE_NO_CHECKSUM;
	scene_bulk(s, TO_CLIENT, 1, 5, 1444);
	scene_expect(s, "D23 D23");
	assert_int_equal(scene_find(s, FIND_CHECKSUM)->severity, FINDING_INFO);
	const struct finding *f = scene_find(s, FIND_CHECKSUM);
	scene_has(f->text, "UDP without checksums");
	assert_string_equal(f->remedy, "switch UDP checksums on at 10.0.0.1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        SCENE_TEST(test_fragmented_response),
	        SCENE_TEST(test_fragmented_response_that_never_arrives),
	        SCENE_TEST(test_absurd_trailers),
	        SCENE_TEST(test_acks_that_contradict_their_length),
	        SCENE_TEST(test_old_peer_by_its_words),
	        SCENE_TEST(test_probes_without_an_answer),
	        SCENE_TEST(test_probes_that_are_answered),
	        SCENE_TEST(test_checksums),
	        SCENE_TEST(test_damage_explains_loss),
	        SCENE_TEST(test_checksums_switched_off),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
