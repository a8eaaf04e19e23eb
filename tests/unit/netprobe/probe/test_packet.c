#include "netprobe/probe/packet.h"

#include "netprobe/decode/rx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_rx(void **state)
{
	(void)state;
	uint8_t p[200] = {0};
	struct rx_header h;
	uint32_t id;
	char version[66] = "";
	probe_packet_fill(PROBE_RX, false, p, sizeof p, 0xabcd, 77);
	assert_int_equal(rx_header_decode(p, sizeof p, sizeof p, &h), RX_OK);
	assert_int_equal(h.epoch, 999);
	assert_int_equal(h.cid, 0);
	assert_int_equal(h.type, RX_VERSION);
	assert_int_equal(h.flags, RX_CLIENT);
	for (size_t i = RX_HEADER; i < sizeof p; i++)
		assert_int_equal(p[i], 0);
	/* a question is no answer */
	assert_false(
	        probe_packet_answer(PROBE_RX, false, p, sizeof p, 0xabcd, &id, NULL));
	p[21] = 0;
	memset(p + 28, 0, 65);
	memcpy(p + 28, "OpenAFS \x01 1.8.9", 15);
	assert_true(probe_packet_answer(PROBE_RX, false, p, 93, 0xabcd, &id, version));
	assert_int_equal(id, 77);
	assert_string_equal(version, "OpenAFS ? 1.8.9");
	assert_false(probe_packet_answer(PROBE_RX, false, p, 93, 0xabce, &id, NULL));
	for (size_t n = 0; n < 28; n++)
		assert_false(
		        probe_packet_answer(PROBE_RX, false, p, n, 0xabcd, &id, NULL));
	memset(p + 28, 'x', 172); /* without an end */
	assert_true(probe_packet_answer(PROBE_RX, false, p, 200, 0xabcd, &id, version));
	assert_int_equal(strlen(version), 65);
}

static void test_others(void **state)
{
	(void)state;
	uint8_t p[64] = {0};
	uint32_t id, sum = 0;
	probe_packet_fill(PROBE_UDP, false, p, sizeof p, 7, 0xffff);
	assert_true(probe_packet_answer(PROBE_UDP, false, p, 64, 7, &id, NULL));
	assert_int_equal(id, 0xffff);
	assert_false(probe_packet_answer(PROBE_UDP, false, p, 3, 7, &id, NULL));
	memset(p, 0, sizeof p);
	probe_packet_fill(PROBE_ICMP, false, p, sizeof p, 7, 9);
	for (size_t i = 0; i < sizeof p; i += 2)
		sum += (uint32_t)(p[i] << 8 | p[i + 1]);
	assert_int_equal((sum & 0xffff) + (sum >> 16), 0xffff);
	assert_int_equal(p[0], 8);
	assert_false(probe_packet_answer(PROBE_ICMP, false, p, 64, 7, &id, NULL));
	p[0] = 0;
	assert_true(probe_packet_answer(PROBE_ICMP, false, p, 64, 7, &id, NULL));
	assert_int_equal(id, 9);
	memset(p, 0, sizeof p);
	probe_packet_fill(PROBE_ICMP, true, p, sizeof p, 7, 9);
	assert_int_equal(p[0], 128);
	p[0] = 129;
	assert_true(probe_packet_answer(PROBE_ICMP, true, p, 64, 7, &id, NULL));
	assert_false(probe_packet_answer(PROBE_ICMP, true, p, 11, 7, &id, NULL));
}

static void test_methods(void **state)
{
	(void)state;
	for (int m = PROBE_RX; m <= PROBE_ICMP; m++)
		assert_int_equal(
		        probe_method_find(probe_method_name((enum probe_method)m)), m);
	assert_int_equal(probe_method_find("tcp"), -1);
	struct probe_target t = {.method = PROBE_RX};
	assert_true(addr_parse("10.0.0.1", &t.peer));
	assert_int_equal(probe_smallest(&t), 56);
	t.method = PROBE_ICMP;
	assert_int_equal(probe_smallest(&t), 32);
	assert_true(addr_parse("fd00::1", &t.peer));
	assert_int_equal(probe_smallest(&t), 52);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_rx),
	        cmocka_unit_test(test_others),
	        cmocka_unit_test(test_methods),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
