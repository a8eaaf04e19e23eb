#include "netprobe/decode/rx_debug.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define PEER (RX_HEADER + 132)

static const struct rx_header answer = {.epoch = 999, .type = RX_VERSION};

static bool version_of(const void *text, size_t cap, size_t len,
                       char out[RX_VERSION_TEXT])
{
	uint8_t bytes[RX_HEADER + 80] = {0};
	memcpy(bytes + RX_HEADER, text, cap);
	return rx_version_decode(&answer, bytes, RX_HEADER + cap, RX_HEADER + len, out);
}

static void test_version(void **state)
{
	(void)state;
	char text[RX_VERSION_TEXT];
	char wire[65] = " OpenAFS 1.8.9-1+deb12u1-debian 2024-12-25";
	assert_true(version_of(wire, 65, 65, text));
	assert_string_equal(text, " OpenAFS 1.8.9-1+deb12u1-debian 2024-12-25");
	/* cut by the capture */
	assert_true(version_of(wire, 8, 65, text));
	assert_string_equal(text, " OpenAFS");
	assert_false(version_of(wire, 0, 65, text));
	/* what would play with a terminal is shown, not sent */
	assert_true(version_of("a\x1b[31m\\\xc3\n b  ", 13, 13, text));
	assert_string_equal(text, "a\\x1b[31m\\\\\\xc3\\x0a b");
	/* the longest there can be */
	memset(wire, 0x01, sizeof wire);
	assert_true(version_of(wire, 65, 65, text));
	assert_int_equal(strlen(text), 4 * 65);
	/* bytes beyond the 65 are none of it */
	uint8_t longer[70];
	memset(longer, 'x', sizeof longer);
	assert_true(version_of(longer, 70, 70, text));
	assert_int_equal(strlen(text), 65);
}

static void test_no_version(void **state)
{
	(void)state;
	char text[RX_VERSION_TEXT];
	uint8_t bytes[RX_HEADER + 1] = {0};
	/* a keep-alive for NATs: one zero byte */
	assert_false(rx_version_decode(&answer, bytes, 29, 29, text));
	struct rx_header h = answer;
	bytes[RX_HEADER] = 'x';
	assert_true(rx_version_decode(&h, bytes, 29, 29, text));
	h.flags = RX_CLIENT; /* a question */
	assert_false(rx_version_decode(&h, bytes, 29, 29, text));
	h = answer;
	h.type = RX_DEBUG;
	assert_false(rx_version_decode(&h, bytes, 29, 29, text));
}

static void put(uint8_t *bytes, size_t at, uint32_t v, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		bytes[RX_HEADER + at + i] = (uint8_t)(v >> (8 * (n - 1 - i)));
}

static void build_peer(uint8_t bytes[PEER])
{
	memset(bytes, 0xee, PEER);
	put(bytes, 0, 0x0a4d020c, 4);
	put(bytes, 4, 7001, 2);
	put(bytes, 6, 8588, 2);     /* ifMTU */
	put(bytes, 24, 12 << 3, 4); /* rtt */
	put(bytes, 40, 1000, 4);    /* nSent */
	put(bytes, 44, 7, 4);       /* reSends */
	put(bytes, 60, 8524, 2);    /* natMTU */
	put(bytes, 62, 8600, 2);    /* maxMTU */
	put(bytes, 64, 6, 2);       /* maxDgramPackets */
	put(bytes, 66, 5, 2);       /* ifDgramPackets */
	put(bytes, 68, 1440, 2);    /* MTU */
	put(bytes, 70, 32, 2);      /* cwind */
	put(bytes, 72, 4, 2);       /* nDgramPackets */
	put(bytes, 76, 1, 4);       /* bytesSent, high word first */
	put(bytes, 80, 2, 4);
	put(bytes, 84, 0, 4);
	put(bytes, 88, 3, 4);
}

static void test_peer(void **state)
{
	(void)state;
	uint8_t bytes[PEER];
	char text[ADDR_TEXT];
	struct rx_header h = {.epoch = 999, .type = RX_DEBUG, .call = 5};
	struct rx_debug_peer p;
	build_peer(bytes);
	assert_true(rx_debug_peer_decode(&h, bytes, PEER, PEER, &p));
	assert_string_equal(addr_format(&p.host, text), "10.77.2.12");
	assert_int_equal(p.port, 7001);
	assert_int_equal(p.if_mtu, 8588);
	assert_int_equal(p.nat_mtu, 8524);
	assert_int_equal(p.max_mtu, 8600);
	assert_int_equal(p.max_packets, 6);
	assert_int_equal(p.if_packets, 5);
	assert_int_equal(p.mtu, 1440);
	assert_int_equal(p.cwind, 32);
	assert_int_equal(p.packets, 4);
	assert_int_equal(p.rtt_ms, 12);
	assert_int_equal(p.sent, 1000);
	assert_int_equal(p.resends, 7);
	assert_true(p.bytes_sent == 0x100000002u);
	assert_int_equal(p.bytes_received, 3);
}

static void test_no_peer(void **state)
{
	(void)state;
	uint8_t bytes[PEER + 4] = {0};
	struct rx_header h = {.epoch = 999, .type = RX_DEBUG, .call = 5};
	struct rx_debug_peer p;
	build_peer(bytes);
	/* the lengths of the other answers, and of no answer */
	const size_t others[] = {0, 28, 36, 28 + 56, 28 + 176, PEER - 1, PEER + 4};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		assert_false(rx_debug_peer_decode(
		        &h, bytes, others[i] < PEER ? others[i] : PEER, others[i], &p));
	h.flags = RX_CLIENT;
	assert_false(rx_debug_peer_decode(&h, bytes, PEER, PEER, &p));
	h.flags = 0;
	put(bytes, 0, 0xffffffff, 4); /* no such record */
	assert_false(rx_debug_peer_decode(&h, bytes, PEER, PEER, &p));
}

static void test_peer_cut(void **state)
{
	(void)state;
	uint8_t bytes[PEER];
	struct rx_header h = {.epoch = 999, .type = RX_DEBUG};
	build_peer(bytes);
	for (size_t n = 0; n <= PEER; n++) {
		uint8_t *copy = malloc(n ? n : 1);
		assert_non_null(copy);
		memcpy(copy, bytes, n);
		struct rx_debug_peer p;
		bool some = rx_debug_peer_decode(&h, copy, n, PEER, &p);
		free(copy);
		assert_int_equal(some, n >= RX_HEADER + 74);
		if (some)
			assert_int_equal(p.packets, 4);
		if (some && n < RX_HEADER + 84)
			assert_true(p.bytes_sent == 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_version),  cmocka_unit_test(test_no_version),
	        cmocka_unit_test(test_peer),     cmocka_unit_test(test_no_peer),
	        cmocka_unit_test(test_peer_cut),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
