#include "netprobe/track/call.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void data(struct call *c, enum way way, uint32_t seq, uint32_t bytes, bool last,
                 int64_t ns)
{
	struct rx_header h = {.seq = seq, .type = RX_DATA, .service = 1};
	call_take_data(c, way, &h, 1, bytes, last, true, ns);
}

static void test_call_times(void **state)
{
	(void)state;
	struct call c = {.number = 1};
	assert_int_equal(call_duration_ns(&c), -1);
	data(&c, TO_SERVER, 1, 32, true, 100);
	assert_int_equal(call_first_byte_ns(&c), -1);
	data(&c, TO_CLIENT, 1, 1416, false, 150);
	data(&c, TO_CLIENT, 2, 500, true, 180);
	assert_int_equal(call_duration_ns(&c), 80);
	assert_int_equal(call_first_byte_ns(&c), 50);
	assert_int_equal(call_end_of(&c, CALL_REPLACED), CALL_REPLIED);
	data(&c, TO_CLIENT, 2, 500, true, 900); /* a resend changes neither */
	assert_int_equal(call_duration_ns(&c), 80);
	assert_int_equal(c.way[TO_CLIENT].data_bytes, 1916);
	assert_int_equal(c.way[TO_CLIENT].resends, 1);
}

static void test_call_seen_in_part_has_no_duration(void **state)
{
	(void)state;
	struct call c = {.number = 1};
	data(&c, TO_CLIENT, 7, 1416, false, 150); /* the capture began in the middle */
	data(&c, TO_CLIENT, 8, 500, true, 180);
	assert_int_equal(call_duration_ns(&c), -1);
	assert_int_equal(c.way[TO_CLIENT].flight,
	                 0); /* what is on the way is unknown */
}

static void ack(struct call *c, enum way way, uint32_t first)
{
	const struct rx_ack a = {.first = first};
	call_take_ack(c, way, &a);
}

/* What the receiver has and never came by. */
static void test_unseen(void **state)
{
	(void)state;
	struct call c = {.number = 1};
	const struct call_way *w = &c.way[TO_CLIENT];
	ack(&c, TO_CLIENT, 90); /* nothing came by yet: where it begins is not known */
	data(&c, TO_CLIENT, 100, 1416, false, 1);
	ack(&c, TO_CLIENT, 101);
	assert_int_equal(w->unseen, 0);
	data(&c, TO_CLIENT, 104, 1416, false, 2);
	ack(&c, TO_CLIENT, 101); /* 101 to 103 may be lost */
	assert_int_equal(w->unseen, 0);
	ack(&c, TO_CLIENT, 105);
	assert_int_equal(w->unseen, 3);
	ack(&c, TO_CLIENT, 105); /* told again */
	ack(&c, TO_CLIENT, 103); /* an old one */
	assert_int_equal(w->unseen, 3);
	data(&c, TO_CLIENT, 102, 1416, false, 3); /* late, once and twice */
	data(&c, TO_CLIENT, 102, 1416, false, 4);
	assert_int_equal(w->unseen, 2);
	ack(&c, TO_CLIENT, 107); /* beyond all that came by */
	assert_int_equal(w->unseen, 4);
	data(&c, TO_CLIENT, 106, 1416, false, 5);
	assert_int_equal(w->unseen, 3);
	ack(&c, TO_CLIENT, 500000); /* not to be believed */
	assert_int_equal(w->unseen, 3);
}

static void put32(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> (24 - 8 * i));
}

static void test_call_fetch_tells_file_bytes(void **state)
{
	(void)state;
	struct call c = {.number = 1, .service = AFS_FS};
	struct rx_header h = {.seq = 1, .type = RX_DATA, .service = 1};
	uint8_t request[32] = {0}, reply[8] = {0};
	put32(request, 65537); /* FetchData64 */
	put32(request + 20, 4096);
	put32(request + 28, 1048576);
	put32(reply + 4, 1000000); /* the file ends before what was asked for */
	uint64_t bytes;
	call_read_first(&c, TO_SERVER, &h, request, sizeof request, sizeof request);
	assert_true(c.has_opcode && c.has_range);
	assert_int_equal(c.range.offset, 4096);
	assert_int_equal(c.range.length, 1048576);
	assert_false(call_file_bytes(&c, &bytes));
	call_read_first(&c, TO_CLIENT, &h, reply, sizeof reply, 1416);
	assert_true(call_file_bytes(&c, &bytes));
	assert_int_equal(bytes, 0); /* announced, but none went by */
	data(&c, TO_CLIENT, 1, 508, false, 1);
	call_file_bytes(&c, &bytes);
	assert_int_equal(bytes, 500); /* 8 of the 508 are the count */
	data(&c, TO_CLIENT, 2, 1000000, true, 2);
	call_file_bytes(&c, &bytes);
	assert_int_equal(bytes, 1000000); /* and what is behind the file is not of it */
}

static void test_call_encrypted_request_is_hidden(void **state)
{
	(void)state;
	struct call c = {.number = 1, .service = AFS_FS};
	struct rx_header h = {.seq = 1, .type = RX_DATA, .service = 1};
	const uint8_t request[] = {0x9f, 0x11, 0xc0, 0x7e, 1, 2, 3, 4};
	call_read_first(&c, TO_SERVER, &h, request, sizeof request, 40);
	assert_true(c.hidden);
	assert_false(c.has_opcode);
}

static void test_call_flight_and_window(void **state)
{
	(void)state;
	struct call c = {.number = 1};
	static const uint8_t soft[] = {1, 1, 0, 1};
	for (uint32_t seq = 1; seq <= 10; seq++)
		data(&c, TO_CLIENT, seq, 1416, false, seq);
	assert_int_equal(c.way[TO_CLIENT].flight, 10);
	struct rx_ack a = {
	        .first = 4, .n = 4, .acks = soft, .trailer = {4, 1444, 1444, 32, 1}};
	call_take_ack(&c, TO_CLIENT, &a);
	assert_int_equal(c.way[TO_CLIENT].acked, 5); /* 3 hard, 4 and 5 soft */
	assert_int_equal(c.way[TO_CLIENT].window, 32);
	a.first = 2; /* an old ack takes nothing back */
	call_take_ack(&c, TO_CLIENT, &a);
	assert_int_equal(c.way[TO_CLIENT].acked, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_unseen),
	        cmocka_unit_test(test_call_times),
	        cmocka_unit_test(test_call_seen_in_part_has_no_duration),
	        cmocka_unit_test(test_call_fetch_tells_file_bytes),
	        cmocka_unit_test(test_call_encrypted_request_is_hidden),
	        cmocka_unit_test(test_call_flight_and_window),
	};
	return cmocka_run_group_tests_name("track/call", tests, NULL, NULL);
}
