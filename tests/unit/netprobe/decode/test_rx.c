#include "netprobe/decode/rx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A header on the wire, with room behind it. */
struct wire {
	uint8_t b[64];
};

static struct wire wire_of(uint32_t epoch, uint32_t cid, uint32_t call, uint32_t seq,
                           unsigned type, unsigned flags)
{
	const uint32_t word[5] = {epoch, cid, call, seq, 0x00000102};
	struct wire w = {.b = {0}};
	for (unsigned i = 0; i < 20; i++)
		w.b[i] = (uint8_t)(word[i / 4] >> (24 - 8 * (i % 4)));
	w.b[20] = (uint8_t)type;
	w.b[21] = (uint8_t)flags;
	w.b[27] = 1;
	return w;
}

static enum rx_verdict verdict(const struct wire *w, size_t len)
{
	struct rx_header h;
	return rx_header_decode(w->b, len, len, &h);
}

static void test_fields(void **state)
{
	(void)state;
	static const uint8_t bytes[28] = {0x9b, 0x0c, 0x0d, 0x0e, 0x51, 0x02, 0x03,
	                                  0x06, 0,    0,    1,    2,    0,    0,
	                                  0,    7,    0,    0,    9,    8,    1,
	                                  0x25, 1,    2,    0xab, 0xcd, 0x09, 0xc4};
	struct rx_header h;
	assert_int_equal(rx_header_decode(bytes, 28, 28, &h), RX_OK);
	assert_int_equal(h.epoch, 0x9b0c0d0e);
	assert_int_equal(h.cid, 0x51020306);
	assert_int_equal(h.call, 0x102);
	assert_int_equal(h.seq, 7);
	assert_int_equal(h.serial, 0x908);
	assert_int_equal(h.type, RX_DATA);
	assert_int_equal(h.flags, RX_CLIENT | RX_LAST | RX_JUMBO);
	assert_int_equal(h.user_status, 1);
	assert_int_equal(h.security, 2);
	assert_int_equal(h.spare, 0xabcd);
	assert_int_equal(h.service, 2500);
}

static void test_lengths(void **state)
{
	(void)state;
	struct wire w = wire_of(0x80000001, 4, 1, 1, RX_DATA, RX_CLIENT);
	struct rx_header h;
	assert_int_equal(rx_header_decode(w.b, 27, 27, &h), RX_SHORT);
	assert_int_equal(rx_header_decode(w.b, 0, 0, &h), RX_SHORT);
	assert_int_equal(rx_header_decode(w.b, 27, 1444, &h), RX_SNAPPED);
	assert_int_equal(rx_header_decode(w.b, 28, 1444, &h), RX_OK);
	/* more captured than the datagram is long: the surplus does not count */
	assert_int_equal(rx_header_decode(w.b, 64, 20, &h), RX_SHORT);
}

/* What real Rx sends, one row a kind. */
static void test_accepts(void **state)
{
	(void)state;
	static const struct {
		uint32_t epoch, cid, call, seq;
		unsigned type, flags;
	} row[] = {
	        {0x80000001, 4, 1, 1, RX_DATA, RX_CLIENT | RX_REQUEST_ACK},
	        {0x36a12345, 7, 9, 33, RX_DATA, RX_LAST | RX_MORE},
	        {0x80000001, 4, 1, 5, RX_DATA, RX_JUMBO | RX_MORE},
	        {999, 0, 0, 0, RX_VERSION, RX_LAST},             /* keep-alive */
	        {999, 0, 3, 0, RX_VERSION, RX_CLIENT | RX_LAST}, /* query */
	        {999, 0, 8, 0, RX_DEBUG, RX_CLIENT | RX_LAST},
	        {999, 0, 8, 0, RX_DEBUG, RX_LAST},
	        {0x80000001, 4, 2, 0, RX_BUSY, 0},
	        {0x80000001, 4, 0, 0, RX_ABORT, 0}, /* of the connection */
	        {0x80000001, 4, 3, 0, RX_ABORT, RX_CLIENT},
	        {0x80000001, 4, 3, 0, RX_ACKALL, RX_CLIENT},
	        {0x80000001, 4, 0, 0, RX_CHALLENGE, 0},
	        {0x80000001, 4, 0, 0, RX_RESPONSE, RX_CLIENT},
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct wire w = wire_of(row[i].epoch, row[i].cid, row[i].call,
		                        row[i].seq, row[i].type, row[i].flags);
		assert_int_equal(verdict(&w, 28), RX_OK);
	}
	/* a service upgrade asked for by kAFS; rxgk of AuriStor */
	struct wire w = wire_of(0x80000001, 4, 1, 1, RX_DATA, RX_CLIENT);
	w.b[22] = 1;
	w.b[23] = 6;
	assert_int_equal(verdict(&w, 60), RX_OK);
}

static void test_accepts_acks(void **state)
{
	(void)state;
	struct wire w = wire_of(0x80000001, 4, 1, 0, RX_ACK, RX_CLIENT | RX_SLOW_START);
	for (unsigned reason = 1; reason <= 9; reason++) {
		w.b[44] = (uint8_t)reason;
		assert_int_equal(verdict(&w, 64), RX_OK);
	}
	/* Transarc's Rx of 1999 put the seq of the packet acked into the header */
	w = wire_of(0x36a12345, 4, 326, 2, RX_ACK, 0x21);
	w.b[44] = 3;
	assert_int_equal(verdict(&w, 64), RX_OK);
	w.b[44] = 0;
	assert_int_equal(verdict(&w, 64), RX_NOT_RX);
	w.b[44] = 200;
	assert_int_equal(verdict(&w, 64), RX_NOT_RX);
	/* reason not captured: cannot refuse */
	struct rx_header h;
	assert_int_equal(rx_header_decode(w.b, 40, 66, &h), RX_OK);
}

static void test_refuses(void **state)
{
	(void)state;
	static const struct {
		uint32_t call, seq;
		unsigned type, flags, security;
	} row[] = {
	        {1, 1, 0, 0, 0},          {1, 1, 10, 0, 0},
	        {1, 0, 12, 0, 0},         {1, 0, 14, 0, 0},
	        {1, 0, 255, 0, 0},        {1, 0, RX_DATA, 0, 0},
	        {0, 1, RX_DATA, 0, 0},    {0, 0, RX_ACK, 0, 0},
	        {0, 0, RX_BUSY, 0, 0},    {1, 1, RX_BUSY, 0, 0},
	        {1, 1, RX_ABORT, 0, 0},   {0, 7, RX_CHALLENGE, 0, 0},
	        {1, 1, RX_DATA, 0x10, 0}, {1, 1, RX_DATA, 0x40, 0},
	        {1, 1, RX_DATA, 0x80, 0}, {1, 0, RX_ABORT, RX_JUMBO, 0},
	        {1, 1, RX_DATA, 0, 7},    {1, 1, RX_DATA, 0, 255},
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct wire w = wire_of(0x80000001, 4, row[i].call, row[i].seq,
		                        row[i].type, row[i].flags);
		w.b[23] = (uint8_t)row[i].security;
		assert_int_equal(verdict(&w, 28), RX_NOT_RX);
	}
}

/* The first bytes of datagrams of other protocols. */
static void test_refuses_others(void **state)
{
	(void)state;
	static const uint8_t dtls_hello[44] = {
	        /* handshake record, version fe ff */
	        0x16, 0xfe, 0xff, 0,    0,    0,    0,    0,    0,    0, 0,
	        0,    0x97, 0x01, 0,    0,    0x8b, 0,    0,    0,    0, 0,
	        0,    0,    0x8b, 0xfe, 0xff, 0x4c, 0x8e, 0x1a, 0x02, 7, 9};
	static const uint8_t dns_query[44] = {
	        0x12, 0x34, 1,   0,   0,   1,   0,   0,   0,   0,   0,
	        0,    3,    'w', 'w', 'w', 7,   'e', 'x', 'a', 'm', 'p',
	        'l',  'e',  3,   'c', 'o', 'm', 0,   0,   1,   0,   1};
	static const uint8_t ntp[48] = {0x23, 0, 6, 0xec};
	static const uint8_t vxlan_like[48] = {8, 0, 0, 0, 0, 0, 1, 0, 2, 2, 2, 2};
	struct rx_header h;
	assert_int_equal(rx_header_decode(dtls_hello, 44, 44, &h), RX_NOT_RX);
	assert_int_equal(rx_header_decode(dns_query, 44, 44, &h), RX_NOT_RX);
	assert_int_equal(rx_header_decode(ntp, 48, 48, &h), RX_NOT_RX);
	assert_int_equal(rx_header_decode(vxlan_like, 48, 48, &h), RX_NOT_RX);
}

/* The rate that rx.h states, with a generator of fixed seed. */
static void test_random_rate(void **state)
{
	(void)state;
	uint64_t x = UINT64_C(88172645463325252);
	unsigned passed = 0;
	const unsigned tries = 4000000;
	for (unsigned i = 0; i < tries; i++) {
		uint8_t b[48];
		for (unsigned k = 0; k < sizeof b; k += 8) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			uint64_t y = x * UINT64_C(0x2545f4914f6cdd1d);
			memcpy(b + k, &y, 8);
		}
		struct rx_header h;
		passed += rx_header_decode(b, sizeof b, sizeof b, &h) == RX_OK;
	}
	assert_in_range(passed, 1, tries / 50000);
}

static void test_abort(void **state)
{
	(void)state;
	uint8_t b[32] = {[28] = 0xff, 0xff, 0xff, 0xff};
	int32_t code = 0;
	assert_true(rx_abort_decode(b, 32, 32, &code));
	assert_int_equal(code, -1);
	assert_false(rx_abort_decode(b, 31, 32, &code));
	assert_false(rx_abort_decode(b, 32, 31, &code));
	assert_false(rx_abort_decode(b, 28, 28, &code));
	assert_false(rx_abort_decode(b, 0, 0, &code));
}

static void test_names(void **state)
{
	(void)state;
	assert_string_equal(rx_type_name(RX_VERSION), "VERSION");
	assert_string_equal(rx_reason_name(7), "PING_RESPONSE");
	assert_string_equal(rx_security_name(2), "rxkad");
	for (unsigned i = 0; i < 300; i++) {
		assert_non_null(rx_type_name(i));
		assert_non_null(rx_reason_name(i));
		assert_non_null(rx_security_name(i));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_fields),
	        cmocka_unit_test(test_lengths),
	        cmocka_unit_test(test_accepts),
	        cmocka_unit_test(test_accepts_acks),
	        cmocka_unit_test(test_refuses),
	        cmocka_unit_test(test_refuses_others),
	        cmocka_unit_test(test_random_rate),
	        cmocka_unit_test(test_abort),
	        cmocka_unit_test(test_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
