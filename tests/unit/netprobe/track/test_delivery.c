#include "netprobe/track/delivery.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define MS INT64_C(1000000)

struct box {
	struct outbox b;
	struct fates f;
	size_t left;
	uint32_t serial;
	int64_t ns;
	uint64_t frame;
};

static int set_up(void **state)
{
	static struct box x;
	x = (struct box){.left = 1u << 20};
	*state = &x;
	return 0;
}

static int tear_down(void **state)
{
	struct box *x = *state;
	outbox_free(&x->b, &x->left);
	fates_free(&x->f);
	assert_int_equal(x->left, 1u << 20);
	return 0;
}

static void send_sized(struct box *x, uint32_t seq, uint32_t packets, uint32_t size,
                       bool resend)
{
	struct sent_datagram d = {.call = 1,
	                          .seq = seq,
	                          .serial = ++x->serial,
	                          .packets = packets,
	                          .size = size,
	                          .df = true,
	                          .resend = resend,
	                          .ns = x->ns += MS,
	                          .frame = ++x->frame};
	assert_true(outbox_sent(&x->b, &x->f, &d, &x->left));
}

static const struct fate *fate_of(const struct box *x, uint32_t size)
{
	for (uint32_t i = 0; i < x->f.n; i++)
		if (x->f.list[i].size_min <= size && x->f.list[i].size_max >= size)
			return &x->f.list[i];
	fail_msg("no entry for size %u", size);
	return NULL;
}

static void test_delivered_in_order(void **state)
{
	struct box *x = *state;
	for (uint32_t i = 1; i <= 100; i++) {
		send_sized(x, i, 1, 1444, false);
		if (i % 2 == 0)
			outbox_acked(&x->b, &x->f, 1, i + 1, 0, NULL, 9, 0);
	}
	assert_int_equal(fate_of(x, 1444)->sent, 100);
	assert_int_equal(fate_of(x, 1444)->delivered, 100);
	assert_int_equal(fate_of(x, 1444)->lost, 0);
	assert_int_equal(fate_of(x, 1444)->df, 100);
	assert_int_equal(x->b.n, 0);
}

static void test_acks_of_another_call_do_not_count(void **state)
{
	struct box *x = *state;
	send_sized(x, 1, 1, 1444, false);
	outbox_acked(&x->b, &x->f, 2, 2, 0, NULL, 9, 0);
	assert_int_equal(fate_of(x, 1444)->delivered, 0);
}

/* A jumbogram is lost, its packets go again one by one; what came behind is soft
 * acked. */
static void test_jumbogram_lost(void **state)
{
	static const uint8_t soft[] = {0, 0, 1};
	struct box *x = *state;
	send_sized(x, 1, 2, 2856, false);
	send_sized(x, 3, 1, 1440, false);
	outbox_acked(&x->b, &x->f, 1, 1, 3, soft, 9, 0);
	assert_int_equal(fate_of(x, 1440)->delivered, 1);
	x->ns += 250 * MS;
	send_sized(x, 1, 1, 1440, true);
	send_sized(x, 2, 1, 1440, true);
	outbox_acked(&x->b, &x->f, 1, 4, 0, NULL, 9, 0);
	assert_int_equal(fate_of(x, 2856)->lost, 1);
	assert_int_equal(fate_of(x, 2856)->delivered, 0);
	assert_int_equal(fate_of(x, 2856)->first_lost_frame, 1);
	assert_int_equal(fate_of(x, 1440)->delivered, 3);
	assert_int_equal(fate_of(x, 1440)->lost, 0);
	assert_int_equal(x->f.timeouts, 1);
	assert_true(x->f.stalled_ns >= 250 * MS);
}

static void test_needless_resend(void **state)
{
	struct box *x = *state;
	send_sized(x, 1, 1, 1444, false);
	x->ns += 30 * MS;
	send_sized(x, 1, 1, 1444, true);
	assert_int_equal(fate_of(x, 1444)->lost, 1);
	outbox_acked(&x->b, &x->f, 1, 2, 0, NULL, 2, x->serial);
	assert_int_equal(fate_of(x, 1444)->lost, 0);
	assert_int_equal(fate_of(x, 1444)->needless, 1);
	assert_int_equal(fate_of(x, 1444)->delivered, 2);
}

static void test_hasty_resends_are_one_loss(void **state)
{
	struct box *x = *state;
	send_sized(x, 1, 1, 1444, false);
	for (int i = 0; i < 10; i++)
		send_sized(x, 1, 1, 1444, true);
	assert_int_equal(fate_of(x, 1444)->lost, 1);
	x->ns += 300 * MS;
	send_sized(x, 1, 1, 1444, true);
	assert_int_equal(fate_of(x, 1444)->lost, 2);
}

static void test_end_of_a_reply_is_lost_only_if_asked_for(void **state)
{
	struct box *x = *state;
	struct sent_datagram d = {
	        .call = 1, .seq = 1, .packets = 1, .size = 1000, .reply_end = true};
	for (int i = 0; i < 4; i++) {
		d.serial++;
		d.resend = i > 0;
		d.ns += 300 * MS;
		d.frame++;
		assert_true(outbox_sent(&x->b, &x->f, &d, &x->left));
	}
	assert_int_equal(fate_of(x, 1000)->lost, 0);
	assert_int_equal(x->f.timeouts, 0);
	/* a ping of the client: it waits */
	outbox_acked(&x->b, &x->f, 1, 1, 0, NULL, 9, 0);
	assert_int_equal(fate_of(x, 1000)->lost, 3);
	assert_int_equal(x->f.timeouts, 3);
	assert_int_equal(fate_of(x, 1000)->first_lost_frame, 1);
	assert_int_equal(fate_of(x, 1000)->last_lost_frame, 3);
}

/* It comes again: a client that had not had it acknowledges it, one that had says so.
 */
static void test_end_of_a_reply_is_lost_if_its_resend_is_news(void **state)
{
	struct box *x = *state;
	for (unsigned reason = 1; reason <= 2; reason++) {
		struct sent_datagram d = {.call = reason,
		                          .seq = 1,
		                          .packets = 1,
		                          .size = 100,
		                          .reply_end = true};
		for (int i = 0; i < 2; i++) {
			d.serial++;
			d.resend = i > 0;
			d.ns += 300 * MS;
			d.frame++;
			assert_true(outbox_sent(&x->b, &x->f, &d, &x->left));
		}
		outbox_acked(&x->b, &x->f, reason, 2, 0, NULL, reason, d.serial);
		assert_int_equal(fate_of(x, 100)->lost, 1);
		assert_int_equal(fate_of(x, 100)->delivered, reason == 1 ? 1 : 3);
		assert_int_equal(x->f.timeouts, 1);
	}
}

static void test_next_call_implies_delivery(void **state)
{
	struct box *x = *state;
	send_sized(x, 1, 1, 1444, false);
	struct sent_datagram d = {
	        .call = 2, .seq = 1, .serial = 9, .packets = 1, .size = 1444};
	assert_true(outbox_sent(&x->b, &x->f, &d, &x->left));
	assert_int_equal(fate_of(x, 1444)->delivered, 1);
	outbox_drop(&x->b);
	assert_int_equal(fate_of(x, 1444)->delivered, 1);
}

static void test_sizes_share_entries_when_there_are_too_many(void **state)
{
	struct box *x = *state;
	for (uint32_t i = 0; i < 500; i++)
		send_sized(x, i + 1, 1, 100 + 2 * i, false);
	assert_true(x->f.n <= FATES_MAX);
	uint64_t sent = 0;
	for (uint32_t i = 0; i < x->f.n; i++)
		sent += x->f.list[i].sent;
	assert_int_equal(sent, 500);
	assert_int_equal(x->f.list[0].size_min, 100);
	assert_true(x->f.list[0].size_max < FATE_SMALL);
}

/* A window beyond all bounds, and no memory for it. */
static void test_bounds(void **state)
{
	struct box *x = *state;
	for (uint32_t i = 1; i <= 5000; i++)
		send_sized(x, i, 1, 1444, false);
	assert_true(x->b.n <= 256);
	outbox_acked(&x->b, &x->f, 1, 5001, 0, NULL, 9, 0);
	assert_int_equal(x->b.n, 0);
	assert_int_equal(fate_of(x, 1444)->sent, 5000);
	struct outbox poor = {0};
	size_t nothing = 0;
	struct sent_datagram d = {.call = 1, .seq = 1, .packets = 1, .size = 1444};
	assert_true(outbox_sent(&poor, &x->f, &d, &nothing));
	assert_int_equal(poor.n, 0);
}

static void test_numbers_that_wrap(void **state)
{
	struct box *x = *state;
	for (uint32_t i = 0; i < 40; i++) {
		send_sized(x, UINT32_MAX - 20 + i, 1, 1444, false);
		outbox_acked(&x->b, &x->f, 1, UINT32_MAX - 20 + i + 1, 0, NULL, 9, 0);
	}
	assert_int_equal(fate_of(x, 1444)->delivered, 40);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
	        TEST(test_delivered_in_order),
	        TEST(test_acks_of_another_call_do_not_count),
	        TEST(test_jumbogram_lost),
	        TEST(test_needless_resend),
	        TEST(test_hasty_resends_are_one_loss),
	        TEST(test_end_of_a_reply_is_lost_only_if_asked_for),
	        TEST(test_end_of_a_reply_is_lost_if_its_resend_is_news),
	        TEST(test_next_call_implies_delivery),
	        TEST(test_sizes_share_entries_when_there_are_too_many),
	        TEST(test_bounds),
	        TEST(test_numbers_that_wrap),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
