#include "netprobe/track/candidate.h"
#include "src/base/rng.h"
#include "tests/support/pkt_build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { CLIENT_END, SERVER_END };

static struct rx_header data(uint8_t flags, uint32_t serial)
{
	return (struct rx_header){.epoch = 0x90000001,
	                          .cid = 0x1000,
	                          .call = 1,
	                          .seq = 1,
	                          .serial = serial,
	                          .type = RX_DATA,
	                          .flags = flags,
	                          .service = 4711};
}

static bool take(struct candidate *c, unsigned from, struct rx_header h)
{
	static const uint8_t body[64];
	return candidate_take(c, from, &h, body, sizeof body, sizeof body);
}

static void test_key_is_the_same_both_ways(void **state)
{
	(void)state;
	struct addr a = {.b = {1}}, b = {.b = {2}};
	bool high;
	struct candidate_key x = candidate_key_of(&a, 9000, &b, 5, &high);
	assert_false(high);
	struct candidate_key y = candidate_key_of(&b, 5, &a, 9000, &high);
	assert_true(high);
	assert_memory_equal(&x, &y, sizeof x);
	x = candidate_key_of(&a, 9000, &a, 5, &high);
	assert_true(high);
	y = candidate_key_of(&a, 5, &a, 9000, &high);
	assert_false(high);
	assert_memory_equal(&x, &y, sizeof x);
}

static void test_request_and_reply(void **state)
{
	(void)state;
	struct candidate c = {0};
	assert_false(take(&c, CLIENT_END, data(RX_CLIENT, 1)));
	assert_true(take(&c, SERVER_END, data(0, 1)));
	assert_true(c.accepted);
}

static void test_growing_serials_of_one_side(void **state)
{
	(void)state;
	struct candidate c = {0};
	assert_false(take(&c, CLIENT_END, data(RX_CLIENT, 7)));
	assert_false(take(&c, CLIENT_END, data(RX_CLIENT, 7))); /* captured twice */
	assert_true(take(&c, CLIENT_END, data(RX_CLIENT, 8)));
}

static void test_contradictions_prove_nothing(void **state)
{
	(void)state;
	static const struct {
		unsigned from;
		uint8_t flags;
		uint32_t serial;
		uint16_t service;
		uint32_t cid, epoch;
	} second[] = {
	        {SERVER_END, RX_CLIENT, 1, 4711, 0x1000, 0x90000001}, /* two clients */
	        {CLIENT_END, 0, 8, 4711, 0x1000, 0x90000001}, /* changed sides */
	        {CLIENT_END, RX_CLIENT, 6, 4711, 0x1000, 0x90000001}, /* serial falls */
	        {CLIENT_END, RX_CLIENT, 90000, 4711, 0x1000, 0x90000001}, /* jumps */
	        {SERVER_END, 0, 1, 4712, 0x1000, 0x90000001},
	        {SERVER_END, 0, 1, 4711, 0x2000, 0x90000001},
	        {SERVER_END, 0, 1, 4711, 0x1000, 0x90000002},
	        {SERVER_END, 0, 0, 4711, 0x1000, 0x90000001},
	};
	for (size_t i = 0; i < sizeof second / sizeof *second; i++) {
		struct candidate c = {0};
		take(&c, CLIENT_END, data(RX_CLIENT, 7));
		struct rx_header h = data(second[i].flags, second[i].serial);
		h.service = second[i].service;
		h.cid = second[i].cid;
		h.epoch = second[i].epoch;
		assert_false(take(&c, second[i].from, h));
	}
}

static void test_connections_interleaved(void **state)
{
	(void)state;
	struct candidate c = {0};
	for (uint32_t i = 0; i < CANDIDATE_CONNS; i++) {
		struct rx_header h = data(RX_CLIENT, 1);
		h.cid = 0x1000 * (i + 1);
		assert_false(take(&c, CLIENT_END, h));
	}
	struct rx_header h = data(0, 1);
	h.cid = 0x1002; /* another channel of the first */
	assert_true(take(&c, SERVER_END, h));
}

/* An ack with this trailer; true if it alone is enough. */
static bool ack_proves(struct rx_trailer t)
{
	static struct pkt p;
	struct candidate c = {0};
	struct rx_header h = data(0, 3), back;
	h.type = RX_ACK;
	h.seq = 0;
	pkt_begin(&p);
	pkt_rx(&p, &h);
	pkt_rx_ack(&p, &(struct rx_ack){.first = 1, .reason = 1, .trailer = t});
	assert_int_equal(rx_header_decode(p.bytes, p.len, p.len, &back), RX_OK);
	return candidate_take(&c, SERVER_END, &back, p.bytes, p.len, p.len);
}

static void test_ack_with_trailer(void **state)
{
	(void)state;
	assert_true(ack_proves((struct rx_trailer){4, 5692, 1444, 32, 4}));
	assert_false(ack_proves((struct rx_trailer){3, 5692, 1444, 32, 0}));
	assert_false(ack_proves((struct rx_trailer){4, 5692, 1444, 32, 4000}));
	assert_false(ack_proves((struct rx_trailer){4, 27, 1444, 32, 4}));
}

static void test_dtls_is_refused(void **state)
{
	(void)state;
	static const uint8_t dtls[] = {23, 0xfe, 0xfd, 0, 1},
	                     other[] = {23, 0xfe, 0xfc, 0, 1};
	assert_true(candidate_refuses(dtls, sizeof dtls));
	assert_false(candidate_refuses(dtls, 2));
	assert_false(candidate_refuses(other, sizeof other));
}

/* n datagrams of random bytes, made to look like a protocol by set; how often one
 * is taken for Rx. */
static unsigned taken(unsigned n, void (*set)(uint8_t *b, uint32_t i))
{
	struct rng r = rng_init(42);
	struct candidate c = {0};
	unsigned times = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint8_t b[64];
		for (size_t k = 0; k < sizeof b; k += 8) {
			uint64_t v = rng_next(&r);
			memcpy(b + k, &v, 8);
		}
		set(b, i);
		struct rx_header h;
		if (rx_header_decode(b, sizeof b, sizeof b, &h) == RX_OK)
			times += candidate_take(&c, i & 1, &h, b, sizeof b, sizeof b);
	}
	return times;
}

static void set_nothing(uint8_t *b, uint32_t i)
{
	(void)b;
	(void)i;
}

static void set_rtp(uint8_t *b, uint32_t i)
{
	static const uint8_t ssrc[] = {1, 2, 3, 4};
	b[0] = 0x80;
	b[1] = 0;
	b[2] = (uint8_t)(i >> 8);
	b[3] = (uint8_t)i;
	memcpy(b + 8, ssrc, 4);
}

static void set_quic(uint8_t *b, uint32_t i)
{
	(void)i;
	b[0] = 0x43;
	memset(b + 1, 0x55, 8); /* connection id */
}

/* Without its version bytes, so that only the evidence can refuse it. */
static void set_dtls_like(uint8_t *b, uint32_t i)
{
	static const uint8_t fixed[] = {23, 1, 1, 0, 1, 0, 0, 0};
	memcpy(b, fixed, 8);
	b[8] = (uint8_t)(i >> 16);
	b[9] = (uint8_t)(i >> 8);
	b[10] = (uint8_t)i;
	b[11] = 0;
}

static void set_dns(uint8_t *b, uint32_t i)
{
	static const uint8_t head[] = {1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3, 'w', 'w', 'w'};
	b[0] = (uint8_t)(i >> 8);
	b[1] = (uint8_t)i;
	memcpy(b + 2, head, sizeof head);
}

static void test_other_protocols_are_not_taken(void **state)
{
	(void)state;
	static void (*const sets[])(uint8_t *, uint32_t) = {
	        set_nothing, set_rtp, set_quic, set_dtls_like, set_dns};
	for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
		assert_int_equal(taken(1000000, sets[i]), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_key_is_the_same_both_ways),
	        cmocka_unit_test(test_request_and_reply),
	        cmocka_unit_test(test_growing_serials_of_one_side),
	        cmocka_unit_test(test_contradictions_prove_nothing),
	        cmocka_unit_test(test_connections_interleaved),
	        cmocka_unit_test(test_ack_with_trailer),
	        cmocka_unit_test(test_dtls_is_refused),
	        cmocka_unit_test(test_other_protocols_are_not_taken),
	};
	return cmocka_run_group_tests_name("track/candidate", tests, NULL, NULL);
}
