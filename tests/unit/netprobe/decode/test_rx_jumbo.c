#include "netprobe/decode/rx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct rx_header jumbo = {.seq = 100,
                                       .serial = 900,
                                       .type = RX_DATA,
                                       .flags = RX_JUMBO | RX_MORE,
                                       .spare = 0x1111};

static void test_full_sizes(void **state)
{
	(void)state;
	static const struct {
		size_t udp;
		uint32_t packets, data;
	} row[] = {
	        {2856, 2, 2824},
	        {4272, 3, 4236},
	        {5688, 4, 5648},
	        {7104, 5, 7060},
	        {8520, 6, 8472},
	        {9936, 7, 9884},
	        {11352, 8, 11296},
	        {65160, 46, 64952},
	        /* the last packet empty, of one byte, and larger than 1412 */
	        {1444, 2, 1412},
	        {1445, 2, 1413},
	        {2859, 2, 2827},
	        {2860, 3, 2824},
	        {65507, 47, 65295},
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct rx_jumbo j = rx_jumbo_measure(&jumbo, row[i].udp);
		assert_false(j.malformed);
		assert_int_equal(j.packets, row[i].packets);
		assert_int_equal(j.data_bytes, row[i].data);
	}
}

static void test_no_room(void **state)
{
	(void)state;
	for (size_t udp = 0; udp < 28 + 1416; udp++) {
		struct rx_jumbo j = rx_jumbo_measure(&jumbo, udp);
		assert_true(j.malformed);
		assert_int_equal(j.packets, 1);
		assert_int_equal(j.data_bytes, udp > 28 ? udp - 28 : 0);
	}
	assert_true(rx_jumbo_measure(&jumbo, 28 + 47 * 1416).malformed);
}

static void test_single(void **state)
{
	(void)state;
	struct rx_header h = {.seq = 3, .serial = 8, .type = RX_DATA};
	struct rx_jumbo j = rx_jumbo_measure(&h, 1444);
	assert_int_equal(j.packets, 1);
	assert_int_equal(j.data_bytes, 1416);
	/* AFS 3.4a: one packet larger than any MTU, no flag */
	j = rx_jumbo_measure(&h, 5692);
	assert_int_equal(j.packets, 1);
	assert_int_equal(j.data_bytes, 5664);
	assert_false(j.malformed);
	/* the same bit on an ack means slow start */
	struct rx_header ack = {.type = RX_ACK, .flags = RX_SLOW_START};
	assert_int_equal(rx_jumbo_measure(&ack, 4000).packets, 1);
	uint8_t b[1444] = {0};
	struct rx_data d = rx_jumbo_packet(&h, b, sizeof b, 1444, 0);
	assert_int_equal(d.seq, 3);
	assert_int_equal(d.serial, 8);
	assert_int_equal(d.offset, 28);
	assert_int_equal(d.len, 1416);
	assert_true(d.flags_known);
}

static void test_packets(void **state)
{
	(void)state;
	static uint8_t b[4000];
	b[28 + 1412] = RX_JUMBO | RX_CLIENT;
	b[28 + 1412 + 2] = 0x22;
	b[28 + 1412 + 3] = 0x33;
	b[28 + 1416 + 1412] = RX_LAST;
	const size_t udp = 28 + 1416 + 1416 + 700;
	assert_int_equal(rx_jumbo_measure(&jumbo, udp).packets, 3);

	struct rx_data d = rx_jumbo_packet(&jumbo, b, sizeof b, udp, 0);
	assert_int_equal(d.flags, RX_JUMBO | RX_MORE);
	assert_int_equal(d.spare, 0x1111);
	assert_int_equal(d.len, 1412);
	d = rx_jumbo_packet(&jumbo, b, sizeof b, udp, 1);
	assert_int_equal(d.seq, 101);
	assert_int_equal(d.serial, 901);
	assert_int_equal(d.offset, 28 + 1416);
	assert_int_equal(d.len, 1412);
	assert_int_equal(d.flags, RX_JUMBO | RX_CLIENT);
	assert_int_equal(d.spare, 0x2233);
	d = rx_jumbo_packet(&jumbo, b, sizeof b, udp, 2);
	assert_int_equal(d.offset, 28 + 2832);
	assert_int_equal(d.len, 700);
	assert_int_equal(d.flags, RX_LAST);
	assert_true(d.flags_known);
}

/* Exactly as many bytes as captured are in the buffer, so that a sanitizer sees
 * any read beyond them. */
static void test_every_snap(void **state)
{
	(void)state;
	const size_t udp = 4272;
	for (size_t cap = 28; cap <= udp; cap++) {
		uint8_t *b = calloc(1, cap);
		assert_non_null(b);
		uint32_t sum = 0;
		for (uint32_t i = 0; i < 3; i++) {
			struct rx_data d = rx_jumbo_packet(&jumbo, b, cap, udp, i);
			assert_int_equal(d.flags_known, i == 0 || cap >= 28 + i * 1416);
			assert_int_equal(d.seq, 100 + i);
			sum += d.len;
		}
		assert_int_equal(sum, rx_jumbo_measure(&jumbo, udp).data_bytes);
		free(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_full_sizes), cmocka_unit_test(test_no_room),
	        cmocka_unit_test(test_single),     cmocka_unit_test(test_packets),
	        cmocka_unit_test(test_every_snap),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
