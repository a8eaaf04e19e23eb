#include "netprobe/decode/rx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BODY (RX_HEADER + 18)

static void put32(uint8_t *p, uint32_t v)
{
	for (unsigned i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> (24 - 8 * i));
}

/* An ack of n soft acks (every third missing) and these trailer words; returns its
 * length.  The three odd bytes hold rubbish, as before OpenAFS 1.6.15. */
static size_t build(uint8_t *b, unsigned n, const uint32_t *word, unsigned words)
{
	memset(b, 0, BODY);
	b[20] = RX_ACK;
	b[29] = 8;
	b[31] = 3;
	put32(b + 32, 17);
	put32(b + 36, 16);
	put32(b + 40, 4711);
	b[44] = 9;
	b[45] = (uint8_t)n;
	for (unsigned i = 0; i < n; i++)
		b[BODY + i] = i % 3 != 2;
	memset(b + BODY + n, 0xee, 3);
	for (unsigned i = 0; i < words; i++)
		put32(b + BODY + n + 3 + 4 * i, word[i]);
	return BODY + n + 3 + 4 * words;
}

static const uint32_t default_client[4] = {5692, 1444, 32, 4};

static void test_trailer_at_every_n(void **state)
{
	(void)state;
	for (unsigned n = 0; n <= 255; n++) {
		uint8_t b[400];
		size_t len = build(b, n, default_client, 4);
		assert_int_equal(len, 65 + n); /* the length an OpenAFS ack has */
		struct rx_ack a;
		assert_true(rx_ack_decode(b, len, len, &a));
		assert_false(a.snapped || a.malformed);
		assert_int_equal(a.n, n);
		assert_ptr_equal(a.acks, b + BODY);
		assert_int_equal(a.trailer.words, 4);
		assert_int_equal(a.trailer.max_receive, 5692);
		assert_int_equal(a.trailer.interface, 1444);
		assert_int_equal(a.trailer.window, 32);
		assert_int_equal(a.trailer.packets, 4);
		assert_int_equal(a.padding, 0);
	}
}

static void test_body(void **state)
{
	(void)state;
	uint8_t b[400];
	size_t len = build(b, 5, default_client, 4);
	struct rx_ack a;
	assert_true(rx_ack_decode(b, len, len, &a));
	assert_int_equal(a.buffers, 8);
	assert_int_equal(a.skew, 3);
	assert_int_equal(a.first, 17);
	assert_int_equal(a.previous, 16);
	assert_int_equal(a.serial, 4711);
	assert_int_equal(a.reason, 9);
	assert_int_equal(a.acks[2], 0);
	assert_int_equal(a.acks[3], 1);
}

static void test_fewer_words(void **state)
{
	(void)state;
	for (unsigned words = 0; words <= 4; words++) {
		uint8_t b[400];
		size_t len = build(b, 7, default_client, words);
		struct rx_ack a;
		assert_true(rx_ack_decode(b, len, len, &a));
		assert_int_equal(a.trailer.words, words);
		assert_int_equal(a.trailer.interface, words > 1 ? 1444 : 0);
		assert_int_equal(a.trailer.packets, words > 3 ? 4 : 0);
		assert_true(rx_trailer_plausible(&a.trailer));
	}
	/* nothing behind the soft acks, not even the three odd bytes */
	uint8_t b[400];
	build(b, 7, default_client, 0);
	for (unsigned pad = 0; pad < 3; pad++) {
		struct rx_ack a;
		assert_true(rx_ack_decode(b, BODY + 7 + pad, BODY + 7 + pad, &a));
		assert_int_equal(a.trailer.words, 0);
		assert_false(a.malformed);
	}
}

static void test_probe_padding(void **state)
{
	(void)state;
	static uint8_t b[9000];
	size_t len = build(b, 0, default_client, 4);
	struct rx_ack a;
	assert_true(rx_ack_decode(b, 1568, 1568, &a));
	assert_int_equal(a.padding, 1568 - len);
	assert_int_equal(a.trailer.words, 4);
	/* padding that was not captured is known from the length all the same */
	assert_true(rx_ack_decode(b, len, 1568, &a));
	assert_int_equal(a.padding, 1568 - len);
	assert_false(a.snapped);
}

static void test_n_beyond_datagram(void **state)
{
	(void)state;
	uint8_t b[400];
	build(b, 10, default_client, 0);
	struct rx_ack a;
	for (size_t len = BODY; len < BODY + 10; len++) {
		assert_true(rx_ack_decode(b, len, len, &a));
		assert_true(a.malformed);
		assert_false(a.snapped);
		assert_null(a.acks);
		assert_int_equal(a.trailer.words, 0);
	}
	assert_true(rx_ack_decode(b, BODY + 10, BODY + 10, &a));
	assert_false(a.malformed);
}

/* Exactly the captured bytes are there to be read. */
static void test_every_snap(void **state)
{
	(void)state;
	uint8_t whole[400];
	size_t len = build(whole, 12, default_client, 4);
	for (size_t cap = 0; cap <= len; cap++) {
		uint8_t *b = malloc(cap ? cap : 1);
		assert_non_null(b);
		memcpy(b, whole, cap);
		struct rx_ack a;
		bool fixed = rx_ack_decode(b, cap, len, &a);
		assert_int_equal(fixed, cap >= BODY);
		assert_int_equal(a.snapped, cap < len);
		assert_false(a.malformed);
		if (fixed) {
			assert_int_equal(a.acks != NULL, cap >= BODY + 12);
			size_t words = cap < BODY + 15 ? 0 : (cap - BODY - 15) / 4;
			assert_int_equal(a.trailer.words, words);
		}
		free(b);
	}
}

static void test_too_short(void **state)
{
	(void)state;
	uint8_t b[BODY] = {0};
	for (size_t len = 0; len < BODY; len++) {
		struct rx_ack a;
		assert_false(rx_ack_decode(b, len, len, &a));
		assert_false(a.snapped);
	}
}

static void test_plausible(void **state)
{
	(void)state;
	static const struct {
		struct rx_trailer t;
		bool plausible;
	} row[] = {
	        {{4, 5692, 1444, 32, 4}, true},
	        {{4, 15604, 8524, 16, 6}, true},
	        {{4, 65160, 1444, 255, 0}, true},
	        {{4, 1444, 1444, 65535, 1}, true},
	        {{4, 520, 520, 1, 1}, true},
	        {{4, 519, 1444, 32, 4}, false},
	        {{4, 5692, 0, 32, 4}, false},
	        {{4, 5692, 65536, 32, 4}, false},
	        {{4, 0xffffffff, 1444, 32, 4}, false},
	        {{4, 5692, 1444, 0, 4}, false},
	        {{4, 5692, 1444, 65536, 4}, false},
	        {{4, 5692, 1444, 32, 48}, false},
	        {{2, 5692, 1444, 0, 0}, true},
	        {{2, 5692, 100, 0, 0}, false},
	        {{0, 0, 0, 0, 0}, true},
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		assert_int_equal(rx_trailer_plausible(&row[i].t), row[i].plausible);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_trailer_at_every_n),
	        cmocka_unit_test(test_body),
	        cmocka_unit_test(test_fewer_words),
	        cmocka_unit_test(test_probe_padding),
	        cmocka_unit_test(test_n_beyond_datagram),
	        cmocka_unit_test(test_every_snap),
	        cmocka_unit_test(test_too_short),
	        cmocka_unit_test(test_plausible),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
