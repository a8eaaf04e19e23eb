#include "netprobe/track/conn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define EPOCH 0x90000001u
#define CID 0x1000u

static const struct addr server_a = {.b = {[10] = 0xff, 0xff, 10, 77, 1, 1}};

static struct rx_header data(uint32_t call, uint32_t seq, uint32_t serial)
{
	return (struct rx_header){.epoch = EPOCH,
	                          .cid = CID,
	                          .call = call,
	                          .seq = seq,
	                          .serial = serial,
	                          .type = RX_DATA};
}

static struct conn_news take(struct conn *c, uint32_t call, uint32_t seq,
                             uint32_t serial, uint32_t packets)
{
	struct rx_header h = data(call, seq, serial);
	return conn_take(c, TO_CLIENT, &h, packets, 0, &server_a);
}

/* As the tracker does it: the serial first, then the call. */
static struct conn_news take_data(struct conn *c, struct call *call, uint32_t seq,
                                  uint32_t serial, uint32_t packets)
{
	struct rx_header h = data(1, seq, serial);
	struct conn_news n = conn_take(c, TO_CLIENT, &h, packets, 0, &server_a);
	if (n.copy)
		return n;
	enum call_verdict v =
	        call_take_data(call, TO_CLIENT, &h, packets, 1, false, n.newest, 1);
	n.resend = v == CALL_RESEND;
	n.recovered = v == CALL_RECOVERED;
	conn_remember(c, TO_CLIENT, &h, n.resend, n.recovered);
	return n;
}

/* One row: a packet taken in turn, and what it must be found to be. */
struct step {
	uint32_t seq, serial, packets;
	bool copy, resend, recovered;
};

static void run_steps(const struct step *steps, size_t n)
{
	struct conn c = {0};
	struct call call = {0};
	for (size_t i = 0; i < n; i++) {
		const struct step *s = &steps[i];
		struct conn_news news =
		        take_data(&c, &call, s->seq, s->serial, s->packets);
		if (news.copy != s->copy || news.resend != s->resend ||
		    news.recovered != s->recovered)
			fail_msg("step %zu: copy %d resend %d recovered %d", i,
			         news.copy, news.resend, news.recovered);
	}
}

static void test_conn_resend_has_new_serial(void **state)
{
	(void)state;
	static const struct step steps[] = {
	        {1, 10, 1, false, false, false},
	        {2, 11, 1, false, false, false},
	        {1, 12, 1, false, true, false},
	        {3, 13, 1, false, false, false},
	};
	run_steps(steps, 4);
}

static void test_conn_same_serial_is_a_copy(void **state)
{
	(void)state;
	static const struct step steps[] = {
	        {1, 10, 1, false, false, false},
	        {1, 10, 1, true, false, false},
	        {1, 11, 1, false, true, false},
	        {1, 11, 1, true, true, false}, /* the copy of a resend is one too */
	};
	run_steps(steps, 4);
}

static void test_conn_gap_filled_later_by_new_serial(void **state)
{
	(void)state;
	/* seq 2 went by unseen and comes again behind 3: sent again */
	static const struct step steps[] = {
	        {1, 10, 1, false, false, false},
	        {3, 12, 1, false, false, false},
	        {2, 13, 1, false, false, true},
	};
	run_steps(steps, 3);
}

static void test_conn_reordered_is_no_resend(void **state)
{
	(void)state;
	static const struct step steps[] = {
	        {1, 10, 1, false, false, false},
	        {3, 12, 1, false, false, false},
	        {2, 11, 1, false, false, false},
	};
	run_steps(steps, 3);
}

static void test_conn_jumbogram_then_single_resends(void **state)
{
	(void)state;
	static const struct step steps[] = {
	        {1, 10, 4, false, false, false}, {5, 14, 4, false, false, false},
	        {3, 18, 1, false, true, false},  {9, 19, 4, false, false, false},
	        {9, 19, 4, true, false, false},
	};
	run_steps(steps, 5);
}

static void test_conn_wraps_around(void **state)
{
	(void)state;
	static const struct step steps[] = {
	        {0xfffffffe, 0xffffffff, 1, false, false, false},
	        {0xffffffff, 1, 1, false, false, false},
	        {0xfffffffe, 2, 1, false, true, false},
	};
	run_steps(steps, 3);
}

static void test_conn_counts_missed_serials(void **state)
{
	(void)state;
	struct conn c = {0};
	assert_int_equal(take(&c, 1, 1, 10, 1).missed, 0);
	assert_int_equal(take(&c, 1, 5, 14, 1).missed, 3);  /* 11, 12, 13 */
	assert_int_equal(take(&c, 1, 3, 12, 1).missed, -1); /* only late */
	assert_int_equal(take(&c, 1, 6, 15, 4).missed, 0);
	assert_int_equal(take(&c, 1, 10, 19, 1).missed, 0);
}

static void test_conn_one_round_trip_a_datagram(void **state)
{
	(void)state;
	struct conn c = {0};
	uint32_t budget = 1;
	assert_int_equal(conn_time_acked(&c, TO_CLIENT, 5, 9), -1);
	assert_true(conn_time_sent(&c, TO_CLIENT, 10, 4, 100, &budget));
	assert_true(conn_time_sent(&c, TO_CLIENT, 14, 1, 110, &budget));
	assert_int_equal(conn_time_acked(&c, TO_CLIENT, 13, 150), 50);
	assert_int_equal(conn_time_acked(&c, TO_CLIENT, 12, 160), -1);
	assert_int_equal(conn_time_acked(&c, TO_CLIENT, 0, 160), -1);
	assert_int_equal(conn_time_acked(&c, TO_CLIENT, 15, 160), -1);
	assert_int_equal(conn_time_acked(&c, TO_CLIENT, 14, 160), 50);
	assert_false(conn_time_sent(&c, TO_SERVER, 1, 1, 100, &budget));
	conn_clear(&c);
}

static void test_conn_copy_on_other_interface(void **state)
{
	(void)state;
	struct conn c = {0};
	struct rx_header h = data(1, 1, 10);
	conn_take(&c, TO_CLIENT, &h, 1, 0, &server_a);
	struct conn_news n = conn_take(&c, TO_CLIENT, &h, 1, 1, &server_a);
	assert_true(n.copy && n.other_iface);
}

static void test_conn_key_ignores_address_of_new_epochs(void **state)
{
	(void)state;
	struct rx_header h = data(1, 1, 1);
	h.cid = CID | 3;
	struct conn_key k = conn_key_of(&h, &server_a, 7001, 7000);
	assert_int_equal(k.cid, CID);
	assert_int_equal(k.client_port, 0);
	h.epoch = 0x30000000;
	k = conn_key_of(&h, &server_a, 7001, 7000);
	assert_int_equal(k.client_port, 7001);
	assert_memory_equal(&k.client, &server_a, sizeof server_a);
}

static void requests_and_replies_of_two_files_are_one_connection(void **state)
{
	struct conn c = {0};
	(void)state;
	assert_ptr_equal(conn_at(&c, TO_SERVER, 0), &c);
	assert_ptr_equal(conn_at(&c, TO_CLIENT, 1), &c);
	assert_ptr_equal(conn_at(&c, TO_SERVER, 0), &c);
	assert_null(c.other);
	conn_clear(&c);
}

static void the_same_way_in_two_files_is_two_points(void **state)
{
	struct conn c = {.key = {.epoch = 5, .cid = 8}};
	(void)state;
	assert_ptr_equal(conn_at(&c, TO_SERVER, 0), &c);
	struct conn *other = conn_at(&c, TO_SERVER, 1);
	assert_ptr_equal(other, c.other);
	assert_int_equal(other->key.cid, 8);
	assert_true(other->again && !c.again);
	/* the reply comes by at the other point first */
	assert_ptr_equal(conn_at(&c, TO_CLIENT, 1), other);
	assert_ptr_equal(conn_at(&c, TO_CLIENT, 0), &c);
	assert_ptr_equal(conn_at(&c, TO_SERVER, 1), other);
	for (uint32_t file = 2; file < 100; file++)
		assert_non_null(conn_at(&c, TO_SERVER, file));
	unsigned n = 0;
	for (struct conn *i = &c; i; i = i->other)
		n++;
	assert_int_equal(n, CONN_POINTS);
	conn_clear(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(requests_and_replies_of_two_files_are_one_connection),
	        cmocka_unit_test(the_same_way_in_two_files_is_two_points),
	        cmocka_unit_test(test_conn_resend_has_new_serial),
	        cmocka_unit_test(test_conn_same_serial_is_a_copy),
	        cmocka_unit_test(test_conn_gap_filled_later_by_new_serial),
	        cmocka_unit_test(test_conn_reordered_is_no_resend),
	        cmocka_unit_test(test_conn_jumbogram_then_single_resends),
	        cmocka_unit_test(test_conn_wraps_around),
	        cmocka_unit_test(test_conn_counts_missed_serials),
	        cmocka_unit_test(test_conn_one_round_trip_a_datagram),
	        cmocka_unit_test(test_conn_copy_on_other_interface),
	        cmocka_unit_test(test_conn_key_ignores_address_of_new_epochs),
	};
	return cmocka_run_group_tests_name("track/conn", tests, NULL, NULL);
}
