#include "netprobe/decode/rx_security.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define RESPONSE_FIXED 56u

static void put(uint8_t *bytes, size_t at, uint32_t v)
{
	for (unsigned i = 0; i < 4; i++)
		bytes[at + i] = (uint8_t)(v >> (24 - 8 * i));
}

static void test_challenge(void **state)
{
	(void)state;
	uint8_t bytes[RX_HEADER + 16] = {0};
	struct rx_header h = {.type = RX_CHALLENGE, .security = RX_KAD};
	struct rx_challenge c;
	put(bytes, RX_HEADER, 2);
	put(bytes, RX_HEADER + 4, 0x12345678);
	put(bytes, RX_HEADER + 8, 1);
	assert_true(rx_challenge_decode(&h, bytes, 44, 44, &c));
	assert_int_equal(c.version, 2);
	assert_int_equal(c.min_level, 1);
	for (size_t n = 0; n < 44; n++) {
		bool some = rx_challenge_decode(&h, bytes, n, 44, &c);
		assert_int_equal(some, n >= 32);
		if (some)
			assert_int_equal(c.min_level, n >= 40 ? 1 : -1);
	}
	/* the form before version 2: nonce and level alone */
	assert_true(rx_challenge_decode(&h, bytes + 4, 36, 36, &c));
	assert_int_equal(c.version, 0);
	assert_int_equal(c.min_level, 1);
	/* no level of rxkad */
	put(bytes, RX_HEADER + 8, 9);
	assert_true(rx_challenge_decode(&h, bytes, 44, 44, &c));
	assert_int_equal(c.min_level, -1);
	h.security = RX_GK;
	assert_true(rx_challenge_decode(&h, bytes, 28 + 20, 28 + 20, &c));
	assert_int_equal(c.min_level, -1);
}

static void test_response(void **state)
{
	(void)state;
	uint8_t bytes[RX_HEADER + RESPONSE_FIXED + 32] = {0};
	struct rx_header h = {.type = RX_RESPONSE, .security = RX_KAD};
	const size_t len = sizeof bytes;
	put(bytes, RX_HEADER, 2);
	put(bytes, RX_HEADER + 48, 256);
	put(bytes, RX_HEADER + 52, 32);
	for (size_t n = 0; n <= len; n++)
		assert_int_equal(rx_response_ticket(&h, bytes, n, len),
		                 n >= RX_HEADER + RESPONSE_FIXED ? 32 : 0);
	put(bytes, RX_HEADER + 52, 33); /* longer than the packet */
	assert_int_equal(rx_response_ticket(&h, bytes, len, len), 0);
	put(bytes, RX_HEADER + 52, 32);
	h.security = RX_GK;
	assert_int_equal(rx_response_ticket(&h, bytes, len, len), 0);
}

static struct rx_lengths lengths(uint64_t n, uint64_t off8, uint32_t largest)
{
	return (struct rx_lengths){.datagrams = n, .off8 = off8, .largest = largest};
}

#define KAD (1u << RX_KAD)

static void check(const struct rx_evidence *e, enum rx_level level, const char *text)
{
	char buf[200];
	assert_int_equal(rx_level_of(e), level);
	assert_string_equal(rx_evidence_text(e, 1, buf, sizeof buf), text);
	for (size_t n = 1; n < sizeof buf; n++) {
		char *cut = malloc(n);
		assert_non_null(cut);
		rx_evidence_text(e, 1, cut, n);
		assert_int_equal(strlen(cut), n <= strlen(text) ? n - 1 : strlen(text));
		free(cut);
	}
}

static void test_levels(void **state)
{
	(void)state;
	check(&(struct rx_evidence){.classes = 1}, RX_LEVEL_NONE,
	      "none: rxnull protects nothing");
	check(&(struct rx_evidence){.classes = KAD,
	                            .readable = 3,
	                            .sent = {lengths(3, 2, 44), lengths(90, 90, 1444)}},
	      RX_LEVEL_CLEAR, "clear: requests readable, full packets 1444");
	check(&(struct rx_evidence){.classes = KAD,
	                            .hidden = 2,
	                            .tried = 2,
	                            .sent = {lengths(2, 0, 52), lengths(357, 0, 1436)}},
	      RX_LEVEL_CRYPT,
	      "crypt: requests unreadable, full packets 1436, all 359 lengths of both "
	      "ways multiples of 8");
	/* one length tells: crypt fills up to 8 */
	check(&(struct rx_evidence){.classes = KAD,
	                            .hidden = 2,
	                            .sent = {lengths(2, 1, 64), lengths(98, 97, 1440)}},
	      RX_LEVEL_AUTH,
	      "auth: requests unreadable, full packets 1440, 98 of 100 lengths of both "
	      "ways no multiples of 8");
	check(&(struct rx_evidence){.classes = KAD,
	                            .hidden = 2,
	                            .tried = 2,
	                            .plain = 2,
	                            .sent = {lengths(2, 0, 68), lengths(2, 0, 68)}},
	      RX_LEVEL_AUTH,
	      "auth: requests readable but for their first 8 bytes, all 4 lengths of "
	      "both ways multiples of 8");
	/* too little to tell auth from crypt */
	check(&(struct rx_evidence){.classes = KAD,
	                            .hidden = 1,
	                            .sent = {lengths(1, 0, 52), lengths(1, 0, 36)}},
	      RX_LEVEL_UNKNOWN,
	      "auth or crypt: requests unreadable, all 2 lengths of both ways "
	      "multiples "
	      "of 8");
	check(&(struct rx_evidence){.classes = KAD,
	                            .hidden = 1,
	                            .challenged = true,
	                            .challenge = {2, 2}},
	      RX_LEVEL_CRYPT,
	      "crypt: requests unreadable, the challenge asks at least crypt");
	check(&(struct rx_evidence){.classes = KAD | 1,
	                            .readable = 1,
	                            .hidden = 5,
	                            .sent = {lengths(6, 0, 60), lengths(60, 0, 1436)}},
	      RX_LEVEL_CRYPT,
	      "crypt: 1 requests readable, 5 not, full packets 1436, all 66 lengths of "
	      "both ways multiples of 8");
	/* the middle of calls only */
	check(&(struct rx_evidence){.classes = KAD, .sent[1] = lengths(40, 0, 1436)},
	      RX_LEVEL_CRYPT,
	      "crypt: no request seen from its first packet, full packets 1436, all 40 "
	      "lengths of both ways multiples of 8");
	check(&(struct rx_evidence){.classes = KAD, .sent[1] = lengths(40, 3, 1440)},
	      RX_LEVEL_UNKNOWN,
	      "unknown: no request seen from its first packet, full packets 1440, 3 of "
	      "40 lengths of both ways no multiples of 8");
	check(&(struct rx_evidence){.classes = 1u << RX_KAD_CRYPT}, RX_LEVEL_CRYPT,
	      "crypt: security index 3 always encrypts, no request seen from its first "
	      "packet");
	check(&(struct rx_evidence){.classes = 1u << RX_GK,
	                            .hidden = 4,
	                            .sent = {lengths(4, 0, 60), lengths(4, 0, 60)}},
	      RX_LEVEL_UNKNOWN,
	      "auth or crypt: requests unreadable, all 8 lengths of both ways "
	      "multiples "
	      "of 8");
	struct rx_lengths joined = lengths(40, 40, 5688);
	joined.joined = 30;
	check(&(struct rx_evidence){.classes = KAD, .readable = 2, .sent[1] = joined},
	      RX_LEVEL_CLEAR, "clear: requests readable, jumbograms up to 5688");
}

static void test_requests(void **state)
{
	(void)state;
	struct rx_evidence e = {.classes = KAD};
	uint8_t data[32];
	memset(data, 0xa5, sizeof data);
	rx_evidence_request(&e, data, 3, false); /* not even an opcode */
	assert_int_equal(e.readable + e.hidden, 0);
	rx_evidence_request(&e, data, 32, true);
	assert_int_equal(e.readable, 1);
	rx_evidence_request(&e, data, 32, false);
	assert_int_equal(e.hidden, 1);
	assert_int_equal(e.tried, 1);
	assert_int_equal(e.plain, 0);
	/* an argument that is a small number, behind the encrypted 8 bytes */
	put(data, 28, 4);
	rx_evidence_request(&e, data, 31, false);
	assert_int_equal(e.plain, 0);
	rx_evidence_request(&e, data, 32, false);
	assert_int_equal(e.plain, 1);
	rx_evidence_request(&e, data, 8, false);
	assert_int_equal(e.hidden, 4);
	assert_int_equal(e.tried, 3);
	/* an opcode that the service's table does not have is readable all the same */
	put(data, 0, 65600);
	rx_evidence_request(&e, data, 4, false);
	assert_int_equal(e.readable, 2);
}

static void test_merge(void **state)
{
	(void)state;
	struct rx_evidence e = {.classes = 1, .sent[0] = lengths(1, 1, 60)};
	const struct rx_evidence more = {
	        .classes = KAD,
	        .hidden = 2,
	        .tried = 2,
	        .sent = {lengths(2, 0, 52), lengths(9, 0, 1436)},
	        .challenged = true,
	        .challenge = {2, 0}};
	rx_evidence_merge(&e, &more);
	assert_int_equal(e.classes, KAD | 1);
	assert_int_equal(e.hidden, 2);
	assert_int_equal(e.tried, 2);
	assert_int_equal(e.sent[0].datagrams, 3);
	assert_int_equal(e.sent[0].off8, 1);
	assert_int_equal(e.sent[0].largest, 60);
	assert_int_equal(e.sent[1].largest, 1436);
	assert_true(e.challenged);
	assert_int_equal(e.challenge.version, 2);
	char text[40];
	assert_string_equal(rx_classes_text(e.classes, text, sizeof text),
	                    "rxnull, rxkad");
	assert_string_equal(rx_classes_text(0, text, sizeof text), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_challenge), cmocka_unit_test(test_response),
	        cmocka_unit_test(test_levels),    cmocka_unit_test(test_requests),
	        cmocka_unit_test(test_merge),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
