#include "netprobe/track/conn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define EPOCH 0x90000001u
#define CID 0x1000u

static const struct addr server_a = { .b = { [10] = 0xff, 0xff, 10, 77, 1, 1 } };

static struct rx_header data(uint32_t call, uint32_t seq, uint32_t serial)
{
	return (struct rx_header){ .epoch = EPOCH,
				   .cid = CID,
				   .call = call,
				   .seq = seq,
				   .serial = serial,
				   .type = RX_DATA };
}

static struct conn_news take(struct conn *c, uint32_t call, uint32_t seq, uint32_t serial,
			     uint32_t packets)
{
	struct rx_header h = data(call, seq, serial);
	return conn_take(c, TO_CLIENT, &h, packets, 0, &server_a);
}

/* One row: a packet taken in turn, and what it must be found to be. */
struct step {
	uint32_t call, seq, serial, packets;
	bool copy, resend, recovered;
};

static void run_steps(const struct step *steps, size_t n)
{
	struct conn c = { 0 };
	for (size_t i = 0; i < n; i++) {
		const struct step *s = &steps[i];
		struct conn_news news = take(&c, s->call, s->seq, s->serial, s->packets);
		if (news.copy != s->copy || news.resend != s->resend ||
		    news.recovered != s->recovered)
			fail_msg("step %zu: copy %d resend %d recovered %d", i, news.copy,
				 news.resend, news.recovered);
	}
}

static void test_conn_resend_has_new_serial(void **state)
{
	(void)state;
	static const struct step steps[] = {
		{ 1, 1, 10, 1, false, false, false },
		{ 1, 2, 11, 1, false, false, false },
		{ 1, 1, 12, 1, false, true, false },
		{ 1, 3, 13, 1, false, false, false },
	};
	run_steps(steps, 4);
}

static void test_conn_same_serial_is_a_copy(void **state)
{
	(void)state;
	static const struct step steps[] = {
		{ 1, 1, 10, 1, false, false, false },
		{ 1, 1, 10, 1, true, false, false },
		{ 1, 1, 11, 1, false, true, false },
		{ 1, 1, 11, 1, true, true, false }, /* the copy of a resend is one too */
	};
	run_steps(steps, 4);
}

static void test_conn_gap_filled_later_by_new_serial(void **state)
{
	(void)state;
	/* seq 2 went by unseen and comes again behind 3: sent again */
	static const struct step steps[] = {
		{ 1, 1, 10, 1, false, false, false },
		{ 1, 3, 12, 1, false, false, false },
		{ 1, 2, 13, 1, false, false, true },
	};
	run_steps(steps, 3);
}

static void test_conn_reordered_is_no_resend(void **state)
{
	(void)state;
	static const struct step steps[] = {
		{ 1, 1, 10, 1, false, false, false },
		{ 1, 3, 12, 1, false, false, false },
		{ 1, 2, 11, 1, false, false, false },
	};
	run_steps(steps, 3);
}

static void test_conn_jumbogram_then_single_resends(void **state)
{
	(void)state;
	static const struct step steps[] = {
		{ 1, 1, 10, 4, false, false, false },
		{ 1, 5, 14, 4, false, false, false },
		{ 1, 3, 18, 1, false, true, false },
		{ 1, 9, 19, 4, false, false, false },
		{ 1, 9, 19, 4, true, false, false },
	};
	run_steps(steps, 5);
}

static void test_conn_next_call_begins_anew(void **state)
{
	(void)state;
	static const struct step steps[] = {
		{ 1, 1, 10, 1, false, false, false },
		{ 2, 1, 11, 1, false, false, false },
		{ 1, 1, 12, 1, false, false, false }, /* a call that is over */
		{ 2, 2, 13, 1, false, false, false },
	};
	run_steps(steps, 4);
}

static void test_conn_wraps_around(void **state)
{
	(void)state;
	static const struct step steps[] = {
		{ 1, 0xfffffffe, 0xffffffff, 1, false, false, false },
		{ 1, 0xffffffff, 1, 1, false, false, false },
		{ 1, 0xfffffffe, 2, 1, false, true, false },
	};
	run_steps(steps, 3);
}

static void test_conn_counts_missed_serials(void **state)
{
	(void)state;
	struct conn c = { 0 };
	take(&c, 1, 1, 10, 1);
	take(&c, 1, 5, 14, 1); /* 11, 12, 13 did not come by */
	assert_int_equal(c.side[TO_CLIENT].missed, 3);
	take(&c, 1, 3, 12, 1); /* one of them was only late */
	assert_int_equal(c.side[TO_CLIENT].missed, 2);
}

static void test_conn_copy_on_other_interface(void **state)
{
	(void)state;
	struct conn c = { 0 };
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_conn_resend_has_new_serial),
		cmocka_unit_test(test_conn_same_serial_is_a_copy),
		cmocka_unit_test(test_conn_gap_filled_later_by_new_serial),
		cmocka_unit_test(test_conn_reordered_is_no_resend),
		cmocka_unit_test(test_conn_jumbogram_then_single_resends),
		cmocka_unit_test(test_conn_next_call_begins_anew),
		cmocka_unit_test(test_conn_wraps_around),
		cmocka_unit_test(test_conn_counts_missed_serials),
		cmocka_unit_test(test_conn_copy_on_other_interface),
		cmocka_unit_test(test_conn_key_ignores_address_of_new_epochs),
	};
	return cmocka_run_group_tests_name("track/conn", tests, NULL, NULL);
}
