/* What pcapng tells of packets that are not in it, and of when it was captured. */
#include "tests/support/capture_build.h"

#include "netprobe/frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { STARTTIME = 2, ENDTIME, IFRECV, IFDROP, FILTERACCEPT, OSDROP, USRDELIV };

static void begin(struct capture *c, bool big)
{
	capture_section(c, big);
	capture_iface(c, LINK_ETHERNET, 0, "en0", 9);
}

/* A packet of 4 bytes with epb_dropcount. */
static void packet(struct capture *c, uint64_t lost_before)
{
	capture_block(c, 6);
	capture_u32(c, 0);
	capture_u64(c, 0);
	capture_u32(c, 4);
	capture_u32(c, 4);
	capture_u32(c, 0);
	capture_u16(c, 4);
	capture_u16(c, 8);
	capture_u64(c, lost_before);
	capture_u32(c, 0);
	capture_block_end(c);
}

/* A statistics block with one counter. */
static void counter(struct capture *c, unsigned code, uint64_t value)
{
	capture_block(c, 5);
	capture_u32(c, 0);
	capture_u64(c, 0);
	capture_u16(c, code);
	capture_u16(c, 8);
	if (code == STARTTIME || code == ENDTIME) {
		capture_u32(c, (uint32_t)(value >> 32));
		capture_u32(c, (uint32_t)value);
	} else {
		capture_u64(c, value);
	}
	capture_u32(c, 0);
	capture_block_end(c);
}

static struct source_iface read_all(struct capture *c)
{
	struct capture_read r = capture_read(c);
	assert_non_null(r.source);
	assert_int_equal(source_iface_count(r.source), 1);
	struct source_iface i = *source_iface(r.source, 0);
	source_close(r.source);
	capture_free(c);
	return i;
}

static void lost_before_packets(void **state)
{
	(void)state;
	for (int big = 0; big < 2; big++) {
		struct capture c = {0};
		begin(&c, big);
		packet(&c, 0);
		packet(&c, 5);
		packet(&c, 2);
		packet(&c, UINT64_MAX); /* garbage */
		struct source_iface i = read_all(&c);
		assert_true(i.has_dropped);
		assert_int_equal(i.dropped, 7);
	}
}

/* None lost is told as little as before. */
static void nothing_lost(void **state)
{
	struct capture c = {0};
	(void)state;
	begin(&c, false);
	packet(&c, 0);
	struct source_iface i = read_all(&c);
	assert_int_equal(i.dropped, 0);
}

/* The same losses told twice, with the packets and at the end, count once. */
static void told_twice(void **state)
{
	struct capture c = {0};
	(void)state;
	begin(&c, false);
	packet(&c, 5);
	counter(&c, OSDROP, 3);
	counter(&c, IFDROP, 4);
	packet(&c, 2);
	counter(&c, OSDROP, 3); /* sums since the start */
	struct source_iface i = read_all(&c);
	assert_int_equal(i.ifdropped, 4);
	assert_int_equal(i.dropped, 3);

	c = (struct capture){0};
	begin(&c, false);
	packet(&c, 9); /* more than the counters know */
	counter(&c, OSDROP, 3);
	counter(&c, IFDROP, 4);
	i = read_all(&c);
	assert_int_equal(i.dropped, 5);
}

static void passed_the_filter_and_did_not_arrive(void **state)
{
	struct capture c = {0};
	(void)state;
	begin(&c, false);
	packet(&c, 0);
	counter(&c, IFRECV, 100);
	counter(&c, FILTERACCEPT, 50);
	counter(&c, USRDELIV, 44);
	struct source_iface i = read_all(&c);
	assert_true(i.has_dropped);
	assert_int_equal(i.dropped, 6);

	c = (struct capture){0};
	begin(&c, false);
	packet(&c, 0);
	counter(&c, FILTERACCEPT, 50);
	counter(&c, USRDELIV, 44);
	counter(&c, OSDROP, 0); /* the system itself says: none */
	assert_int_equal(read_all(&c).dropped, 0);

	c = (struct capture){0};
	begin(&c, false);
	packet(&c, 0);
	counter(&c, FILTERACCEPT, 50);
	assert_false(read_all(&c).has_dropped);
}

/* Sections and files of one interface add up. */
static void sections_add_up(void **state)
{
	struct capture c = {0};
	(void)state;
	for (int s = 0; s < 3; s++) {
		begin(&c, s & 1);
		packet(&c, 5);
		counter(&c, OSDROP, 2);
		packet(&c, 1);
	}
	assert_int_equal(read_all(&c).dropped, 18);
}

/* The old block tells it in 16 bits; all ones is "not known". */
static void old_packet_blocks(void **state)
{
	static const unsigned drops[] = {3, 0xffff, 4};
	struct capture c = {0};
	(void)state;
	begin(&c, false);
	for (size_t i = 0; i < 3; i++) {
		capture_block(&c, 2);
		capture_u16(&c, 0);
		capture_u16(&c, drops[i]);
		capture_u64(&c, 0);
		capture_u32(&c, 4);
		capture_u32(&c, 4);
		capture_u32(&c, 0);
		capture_block_end(&c);
	}
	assert_int_equal(read_all(&c).dropped, 7);
}

static void when_it_ran(void **state)
{
	const uint64_t start = UINT64_C(1700000000000000001);
	(void)state;
	for (int big = 0; big < 2; big++) {
		struct capture c = {0};
		begin(&c, big);
		packet(&c, 0);
		counter(&c, STARTTIME, start);
		counter(&c, ENDTIME, start + 50);
		counter(&c, STARTTIME, start + 10);
		counter(&c, ENDTIME, start + 20);
		struct source_iface i = read_all(&c);
		assert_int_equal(i.from_ns, start);
		assert_int_equal(i.until_ns, start + 50);
		assert_false(i.has_dropped);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(lost_before_packets),
	        cmocka_unit_test(nothing_lost),
	        cmocka_unit_test(told_twice),
	        cmocka_unit_test(passed_the_filter_and_did_not_arrive),
	        cmocka_unit_test(sections_add_up),
	        cmocka_unit_test(old_packet_blocks),
	        cmocka_unit_test(when_it_ran),
	};
	return cmocka_run_group_tests_name("source/pcapng_iface", tests, NULL, NULL);
}
