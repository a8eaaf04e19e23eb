#include "tests/support/capture_build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define S INT64_C(1000000000)

static void link_types_and_snap_lengths_of_interfaces_differ(void **state)
{
	(void)state;
	for (int big = 0; big < 2; big++) {
		struct capture c = {0};
		capture_section(&c, big);
		capture_iface(&c, LINK_ETHERNET, 0, "en0", 9);
		capture_iface(&c, LINK_ATM_RFC1483, UINT32_MAX, "at0", 9);
		capture_iface(&c, LINK_RAW, 96, NULL, 9);
		capture_enhanced(&c, 0, 1, 60, 60, 1);
		capture_enhanced(&c, 1, 2, 61, 9188, 2);
		capture_enhanced(&c, 2, 3, 300, 300, 3);
		struct capture_read r = capture_read(&c);
		assert_int_equal(r.end, SOURCE_END);
		assert_int_equal(r.frames, 3);
		assert_int_equal(r.frame[0].link_type, LINK_ETHERNET);
		assert_int_equal(r.frame[1].link_type, LINK_ATM_RFC1483);
		assert_int_equal(r.frame[1].wirelen, 9188);
		assert_int_equal(r.frame[2].link_type, LINK_RAW);
		assert_int_equal(r.frame[2].iface, 2);
		assert_int_equal(r.frame[2].time_ns, 3);
		assert_string_equal(source_iface(r.source, 1)->name, "at0");
		assert_non_null(strstr(source_iface(r.source, 2)->name, "#0"));
		assert_int_equal(source_note_count(r.source), 0);
		source_close(r.source);
		capture_free(&c);
	}
}

static void times_of_every_resolution(void **state)
{
	static const struct {
		uint8_t code;
		uint64_t units;
		int64_t ns;
	} cases[] = {
	        {6, 1700000000123456, 1700000000123456000},
	        {9, 1700000000123456789, 1700000000123456789},
	        {3, 1700000000123, 1700000000123000000},
	        {12, 5123456789012345678, 5123456789012345},
	        {0x80 | 10, 3 << 10 | 512, 3 * S + S / 2},
	        {0x80 | 32, UINT64_C(7) << 32 | UINT64_C(1) << 31, 7 * S + S / 2},
	        {0x80 | 127, UINT64_MAX, 0},
	        {127, UINT64_MAX, 0},
	        {6, UINT64_MAX - 999999, -1000000000}, /* negative, widened */
	        /* never so far apart that a difference does not fit */
	        {9, INT64_MAX, INT64_MAX / 2},
	        {9, (uint64_t)INT64_MIN, -(INT64_MAX / 2)},
	        {0, UINT64_MAX / 2, INT64_MAX / 2},
	        {6, 5000000000000000, INT64_MAX / 2},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct capture c = {0};
		capture_section(&c, false);
		capture_iface(&c, LINK_ETHERNET, 0, "x", cases[i].code);
		capture_enhanced(&c, 0, cases[i].units, 4, 4, 0);
		struct capture_read r = capture_read(&c);
		assert_int_equal(r.frames, 1);
		assert_int_equal(r.frame[0].time_ns, cases[i].ns);
		source_close(r.source);
		capture_free(&c);
	}
}

static void offsets_shift_the_time(void **state)
{
	struct capture c = {0};
	(void)state;
	capture_section(&c, true);
	capture_block(&c, 1);
	capture_u32(&c, LINK_ETHERNET << 16);
	capture_u32(&c, 0);
	capture_u16(&c, 14);
	capture_u16(&c, 8);
	capture_u64(&c, (uint64_t)-3600);
	capture_block_end(&c);
	capture_enhanced(&c, 0, UINT64_C(7200000001), 4, 4, 0); /* microseconds */
	struct capture_read r = capture_read(&c);
	assert_int_equal(r.frame[0].time_ns, 3600 * S + 1000);
	source_close(r.source);
	capture_free(&c);
}

/* Ids count from 0 again; the same name goes on, no name is another one. */
static void sections_restart_the_interfaces(void **state)
{
	struct capture c = {0};
	(void)state;
	capture_section(&c, false);
	capture_iface(&c, LINK_ETHERNET, 0, "en0", 6);
	capture_iface(&c, LINK_ETHERNET, 0, NULL, 6);
	capture_enhanced(&c, 0, 1, 4, 4, 0);
	capture_enhanced(&c, 1, 2, 4, 4, 0);
	capture_statistics(&c, 0, NULL, 10, 1);
	capture_section(&c, true);
	capture_iface(&c, LINK_RAW, 0, "at0", 9);
	capture_iface(&c, LINK_ETHERNET, 0, "en0", 9);
	capture_iface(&c, LINK_ETHERNET, 0, NULL, 9);
	capture_enhanced(&c, 0, 3000, 4, 4, 0);
	capture_enhanced(&c, 1, 4000, 4, 4, 0);
	capture_enhanced(&c, 2, 5000, 4, 4, 0);
	capture_statistics(&c, 1, NULL, 5, 2);
	struct capture_read r = capture_read(&c);
	static const uint32_t iface[] = {0, 1, 2, 0, 3};
	assert_int_equal(r.frames, 5);
	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(r.frame[i].iface, iface[i]);
		assert_int_equal(r.frame[i].time_ns, (i + 1) * 1000);
	}
	assert_int_equal(r.frame[2].link_type, LINK_RAW);
	assert_int_equal(source_iface_count(r.source), 4);
	assert_int_equal(source_iface(r.source, 0)->received, 15);
	assert_int_equal(source_iface(r.source, 0)->dropped, 3);
	source_close(r.source);
	capture_free(&c);
}

static void old_and_simple_packet_blocks(void **state)
{
	struct capture c = {0};
	(void)state;
	capture_section(&c, false);
	capture_iface(&c, LINK_ETHERNET, 6, "en0", 6);
	capture_enhanced(&c, 0, 77, 4, 4, 1);
	capture_block(&c, 2); /* obsolete: interface and drops in 16 bits */
	capture_u16(&c, 0);
	capture_u16(&c, 3);
	capture_u32(&c, 0);
	capture_u32(&c, 88);
	capture_u32(&c, 5);
	capture_u32(&c, 50);
	capture_put(&c, "\2\2\2\2\2\0\0\0", 8);
	capture_option(&c, 2, "\2\0\0\0", 4); /* flags: going out */
	capture_block_end(&c);
	capture_block(&c, 3); /* simple: cut by the snap length of interface 0 */
	capture_u32(&c, 1514);
	capture_put(&c, "\3\3\3\3\3\3\0\0", 8);
	capture_block_end(&c);
	capture_block(&c, 3); /* and one not cut */
	capture_u32(&c, 3);
	capture_put(&c, "\4\4\4\0", 4);
	capture_block_end(&c);
	struct capture_read r = capture_read(&c);
	assert_int_equal(r.frames, 4);
	assert_int_equal(r.frame[1].time_ns, 88000);
	assert_int_equal(r.frame[1].caplen, 5);
	assert_int_equal(r.frame[1].wirelen, 50);
	assert_int_equal(r.frame[1].direction, DIR_OUT);
	assert_int_equal(r.frame[2].caplen, 6);
	assert_int_equal(r.frame[2].wirelen, 1514);
	assert_int_equal(r.frame[2].time_ns, 88000);
	assert_int_equal(r.frame[3].caplen, 3);
	assert_int_equal(r.first_byte[3], 4);
	assert_true(capture_noted(&r, "without a time"));
	source_close(r.source);
	capture_free(&c);
}

static void directions_of_enhanced_packets(void **state)
{
	static const uint8_t expected[] = {DIR_UNKNOWN, DIR_IN, DIR_OUT, DIR_UNKNOWN};
	struct capture c = {0};
	(void)state;
	capture_section(&c, true);
	capture_iface(&c, LINK_ETHERNET, 0, "en0", 6);
	for (unsigned way = 0; way < 4; way++) {
		capture_block(&c, 6);
		capture_u32(&c, 0);
		capture_u64(&c, way);
		capture_u32(&c, 3);
		capture_u32(&c, 3);
		capture_put(&c, "abc", 4);
		capture_comment(&c, "as the draft has it");
		capture_u16(&c, 2);
		capture_u16(&c, 4);
		capture_u32(&c, way);
		capture_u32(&c, 0);
		capture_block_end(&c);
	}
	struct capture_read r = capture_read(&c);
	assert_int_equal(r.frames, 4);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(r.frame[i].direction, expected[i]);
	source_close(r.source);
	capture_free(&c);
}

/* Unknown blocks are passed over; those that Wireshark numbers are counted. */
static void other_blocks_are_skipped(void **state)
{
	static const uint32_t types[] = {4, 10, 0x80000001, 0xbad};
	struct capture c = {0};
	(void)state;
	capture_section(&c, false);
	capture_iface(&c, LINK_ETHERNET, 0, "en0", 6);
	for (size_t i = 0; i < 4; i++) {
		capture_block(&c, types[i]);
		/* more than a buffer of the reader holds */
		for (int k = 0; k < 200000; k++)
			capture_u64(&c, 0x0606060606060606);
		capture_block_end(&c);
		capture_enhanced(&c, 0, i, 4, 4, (uint8_t)i);
	}
	struct capture_read r = capture_read(&c);
	assert_int_equal(r.frames, 4);
	assert_int_equal(r.frame[2].number, 3);
	assert_int_equal(r.frame[3].number, 5); /* behind a custom block */
	assert_int_equal(r.first_byte[3], 3);
	source_close(r.source);
	capture_free(&c);
}

static void unknown_interface_is_left_out_and_counted(void **state)
{
	struct capture c = {0};
	(void)state;
	capture_section(&c, false);
	capture_enhanced(&c, 0, 1, 4, 4, 0);
	capture_iface(&c, LINK_ETHERNET, 0, "en0", 6);
	capture_enhanced(&c, 0, 2, 4, 4, 0);
	capture_enhanced(&c, 7, 3, 4, 4, 0);
	capture_statistics(&c, 9, NULL, 1, 1);
	capture_enhanced(&c, 0, 4, 4, 4, 0);
	struct capture_read r = capture_read(&c);
	assert_int_equal(r.end, SOURCE_END);
	assert_int_equal(r.frames, 2);
	assert_int_equal(r.frame[1].number, 4);
	assert_true(capture_noted(&r, "2 times, first in frame 1"));
	source_close(r.source);
	capture_free(&c);
}

static void marks_come_in_file_order(void **state)
{
	struct capture c = {0};
	(void)state;
	capture_section(&c, false);
	capture_iface(&c, LINK_ETHERNET, 0, "en0", 6);
	capture_enhanced(&c, 0, 1, 4, 4, 0);
	capture_statistics(&c, 0, "cellbench: begin 1 1700000000000000001 read.cold", 4,
	                   0);
	capture_enhanced(&c, 0, 2, 4, 4, 0);
	capture_enhanced(&c, 0, 3, 4, 4, 0);
	capture_statistics(&c, 0, "cellbench: end 1 1700000000000000002", 9, 1);
	capture_statistics(&c, 0, "someone else's comment", UINT64_MAX, UINT64_MAX);
	struct capture_read r = capture_read(&c);
	assert_int_equal(r.frames, 3);
	assert_int_equal(r.marks, 2);
	assert_true(r.mark[0].begin);
	assert_int_equal(r.mark[0].id, 1);
	assert_int_equal(r.mark[0].time_ns, 1700000000000000001);
	assert_string_equal(r.mark[0].name, "read.cold");
	assert_int_equal(r.frames_before[0], 1);
	assert_false(r.mark[1].begin);
	assert_int_equal(r.mark[1].time_ns, 1700000000000000002);
	assert_int_equal(r.frames_before[1], 3);
	/* the counters are sums since the start */
	assert_true(source_iface(r.source, 0)->has_dropped);
	assert_false(source_iface(r.source, 0)->has_ifdropped);
	assert_int_equal(source_iface(r.source, 0)->received, 9);
	assert_int_equal(source_iface(r.source, 0)->dropped, 1);
	source_close(r.source);
	capture_free(&c);
}

static void interface_facts(void **state)
{
	struct capture c = {0};
	(void)state;
	capture_section(&c, true);
	capture_block(&c, 1);
	capture_u32(&c, LINK_ETHERNET << 16);
	capture_u32(&c, 400);
	capture_option(&c, 2, "at0", 3);
	capture_option(&c, 3, "to the\nswitch", 13);
	capture_option(&c, 11, "\0udp port 7000", 14);
	capture_u16(&c, 8);
	capture_u16(&c, 8);
	capture_u64(&c, 155520000);
	capture_comment(&c, "cellbench: mtu=9180 link=atm-llc rate=149760000 "
	                    "addr=10.77.2.1/24,fd00::1/64 later=1");
	capture_option(&c, 0, "", 0);
	capture_block_end(&c);
	capture_iface(&c, LINK_ETHERNET, 0, "en0", 9);
	capture_statistics(&c, 0,
	                   "cellbench: kernel_packets=452 kernel_bytes=84504 "
	                   "left_out_packets=70 left_out_bytes=9940",
	                   382, 0);
	struct capture_read r = capture_read(&c);
	assert_int_equal(source_iface_count(r.source), 2);
	const struct source_iface *i = source_iface(r.source, 0);
	assert_string_equal(i->description, "to the?switch");
	assert_string_equal(i->filter, "udp port 7000");
	assert_string_equal(i->link, "atm-llc");
	assert_string_equal(i->addresses, "10.77.2.1/24,fd00::1/64");
	assert_int_equal(i->mtu, 9180);
	assert_int_equal(i->snaplen, 400);
	assert_int_equal(i->speed_bps, 149760000); /* not that of the line */
	assert_true(i->has_kernel);
	assert_int_equal(i->kernel_packets, 452);
	assert_int_equal(i->kernel_bytes, 84504);
	assert_int_equal(i->left_out_packets, 70);
	assert_int_equal(i->left_out_bytes, 9940);
	assert_false(source_iface(r.source, 1)->has_kernel);
	source_close(r.source);
	capture_free(&c);
}

/* Addresses as options, from other programs. */
static void addresses_of_other_programs(void **state)
{
	struct capture c = {0};
	(void)state;
	capture_section(&c, false);
	capture_block(&c, 1);
	capture_u32(&c, LINK_ETHERNET);
	capture_u32(&c, 0);
	capture_option(&c, 4, "\x0a\x4d\x01\x02\xff\xff\xff\0", 8);
	capture_option(&c, 5, "\xfd\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x09\x40", 17);
	capture_block_end(&c);
	struct capture_read r = capture_read(&c);
	assert_string_equal(source_iface(r.source, 0)->addresses,
	                    "10.77.1.2/24,fd00::9/64");
	source_close(r.source);
	capture_free(&c);
}

static void broken_blocks_end_the_file_or_are_noted(void **state)
{
	struct capture c = {0};
	(void)state;
	capture_section(&c, false);
	capture_iface(&c, LINK_ETHERNET, 0, "en0", 6);
	capture_enhanced(&c, 0, 1, 4, 4, 0);
	c.bytes[c.n - 4] ^= 1; /* the second length */
	capture_block(&c, 1);  /* an option that says more than there is */
	capture_u32(&c, LINK_ETHERNET);
	capture_u32(&c, 0);
	capture_u16(&c, 2);
	capture_u16(&c, 400);
	capture_block_end(&c);
	capture_enhanced(&c, 1, 2, 4, 4, 0);
	size_t bad = c.n;
	capture_block(&c, 6); /* more captured than the block holds */
	capture_u32(&c, 0);
	capture_u64(&c, 0);
	capture_u32(&c, 4000);
	capture_u32(&c, 4000);
	capture_block_end(&c);
	capture_enhanced(&c, 0, 3, 4, 4, 0);
	struct capture_read r = capture_read(&c);
	assert_int_equal(r.end, SOURCE_END);
	assert_int_equal(r.frames, 2);
	assert_true(capture_noted(&r, "two lengths"));
	assert_true(capture_noted(&r, "option"));
	assert_int_equal(source_cut_count(r.source), 1);
	assert_int_equal(source_cut(r.source, 0)->offset, bad);
	source_close(r.source);
	capture_free(&c);
}

static void impossible_block_lengths(void **state)
{
	static const uint32_t lengths[] = {0, 8, 11, 20u << 20, UINT32_MAX};
	(void)state;
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		struct capture c = {0};
		capture_section(&c, false);
		capture_iface(&c, LINK_ETHERNET, 0, "en0", 6);
		capture_enhanced(&c, 0, 1, 4, 4, 0);
		capture_u32(&c, 6);
		capture_u32(&c, lengths[i]);
		capture_u64(&c, 0);
		struct capture_read r = capture_read(&c);
		assert_int_equal(r.end, SOURCE_END);
		assert_int_equal(r.frames, 1);
		assert_int_equal(source_cut_count(r.source), 1);
		source_close(r.source);
		capture_free(&c);
	}
}

static void every_prefix_keeps_the_whole_records(void **state)
{
	struct capture c = {0};
	uint64_t before = 0;
	size_t first = 0;
	(void)state;
	capture_section(&c, true);
	first = c.n;
	capture_iface(&c, LINK_ETHERNET, 0, "en0", 9);
	capture_enhanced(&c, 0, 1, 21, 40, 1);
	capture_statistics(&c, 0, "cellbench: begin 1 5 x", 1, 0);
	capture_enhanced(&c, 0, 2, 22, 40, 2);
	capture_section(&c, false);
	capture_iface(&c, LINK_RAW, 0, NULL, 9);
	capture_enhanced(&c, 0, 3, 23, 40, 3);
	capture_block(&c, 0xbad);
	capture_u64(&c, 1);
	capture_block_end(&c);
	for (size_t n = 0; n <= c.n; n++) {
		char path[64];
		const char *paths[] = {capture_path_n(&c, n, path)};
		struct capture_read r = capture_read_paths(paths, 1, NULL);
		if (n < first) {
			assert_null(r.source);
			assert_int_equal(r.err.code, ERR_USAGE);
		} else {
			assert_int_equal(r.end, SOURCE_END);
			assert_true(r.frames >= before);
			assert_true(source_cut_count(r.source) <= 1);
			before = r.frames;
		}
		source_close(r.source);
		capture_close_path(path);
	}
	assert_int_equal(before, 3);
	capture_free(&c);
}

/* Every byte set to every kind of value: no crash, and an end. */
static void damaged_bytes_do_no_harm(void **state)
{
	static const uint8_t values[] = {0, 1, 0x7f, 0x80, 0xff};
	struct capture c = {0};
	(void)state;
	capture_section(&c, false);
	capture_iface(&c, LINK_ETHERNET, 0, "en0", 9);
	capture_enhanced(&c, 0, 1, 21, 40, 1);
	capture_statistics(&c, 0, "cellbench: begin 1 5 x", 1, 0);
	capture_enhanced(&c, 0, 2, 22, 40, 2);
	for (size_t at = 0; at < c.n; at++) {
		uint8_t kept = c.bytes[at];
		for (size_t v = 0; v < sizeof values; v++) {
			c.bytes[at] = values[v];
			struct capture_read r = capture_read(&c);
			assert_true(!r.source || r.end == SOURCE_END);
			assert_true(r.frames <= 2);
			source_close(r.source);
		}
		c.bytes[at] = kept;
	}
	capture_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(link_types_and_snap_lengths_of_interfaces_differ),
	        cmocka_unit_test(times_of_every_resolution),
	        cmocka_unit_test(offsets_shift_the_time),
	        cmocka_unit_test(sections_restart_the_interfaces),
	        cmocka_unit_test(old_and_simple_packet_blocks),
	        cmocka_unit_test(directions_of_enhanced_packets),
	        cmocka_unit_test(other_blocks_are_skipped),
	        cmocka_unit_test(unknown_interface_is_left_out_and_counted),
	        cmocka_unit_test(marks_come_in_file_order),
	        cmocka_unit_test(interface_facts),
	        cmocka_unit_test(addresses_of_other_programs),
	        cmocka_unit_test(broken_blocks_end_the_file_or_are_noted),
	        cmocka_unit_test(impossible_block_lengths),
	        cmocka_unit_test(every_prefix_keeps_the_whole_records),
	        cmocka_unit_test(damaged_bytes_do_no_harm),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
