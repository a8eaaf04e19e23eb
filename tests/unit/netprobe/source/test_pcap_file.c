#include "tests/support/capture_build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define S INT64_C(1000000000)

static void reads_every_magic_in_both_orders(void **state)
{
	static const struct {
		uint32_t magic;
		uint32_t fraction;
		int64_t ns;
		uint8_t direction;
	} cases[] = {
	        {CAPTURE_MICRO, 123456, 123456000, DIR_UNKNOWN},
	        {CAPTURE_NANO, 123456789, 123456789, DIR_UNKNOWN},
	        {CAPTURE_MODIFIED, 999999, 999999000, DIR_OUT},
	};
	(void)state;
	for (size_t i = 0; i < 6; i++) {
		struct capture c;
		capture_pcap(&c, cases[i / 2].magic, i % 2, 65535, LINK_ETHERNET);
		capture_packet(&c, 1700000000, cases[i / 2].fraction, 60, 1514, 0xab);
		capture_packet(&c, 4000000000u, 0, 7, 7, 0xcd); /* after 2038 */
		struct capture_read r = capture_read(&c);
		assert_int_equal(r.end, SOURCE_END);
		assert_int_equal(r.frames, 2);
		assert_int_equal(r.frame[0].time_ns, 1700000000 * S + cases[i / 2].ns);
		assert_int_equal(r.frame[0].caplen, 60);
		assert_int_equal(r.frame[0].wirelen, 1514);
		assert_int_equal(r.frame[0].number, 1);
		assert_int_equal(r.frame[0].link_type, LINK_ETHERNET);
		assert_int_equal(r.frame[0].direction, cases[i / 2].direction);
		assert_int_equal(r.first_byte[0], 0xab);
		assert_int_equal(r.frame[1].time_ns, 4000000000 * S);
		assert_int_equal(r.frame[1].number, 2);
		assert_int_equal(r.first_byte[1], 0xcd);
		assert_int_equal(source_note_count(r.source), 0);
		assert_int_equal(source_cut_count(r.source), 0);
		assert_int_equal(source_iface_count(r.source), 1);
		source_close(r.source);
		capture_free(&c);
	}
}

/* Nanoseconds under a magic of microseconds. */
static void odd_fractions_are_noted_once(void **state)
{
	struct capture c;
	(void)state;
	capture_pcap(&c, CAPTURE_MICRO, false, 65535, LINK_ETHERNET);
	capture_packet(&c, 10, 999999, 4, 4, 0);
	capture_packet(&c, 11, 1000000, 4, 4, 0);
	capture_packet(&c, 12, 500000000, 4, 4, 0);
	capture_packet(&c, 13, UINT32_MAX, 4, 4, 0);
	struct capture_read r = capture_read(&c);
	assert_int_equal(r.frames, 4);
	assert_int_equal(r.frame[1].time_ns, 11 * S + 1000000);
	assert_int_equal(r.frame[2].time_ns, 12 * S + 500000000);
	assert_int_equal(r.frame[3].time_ns, 13 * S + 999999999);
	assert_int_equal(source_note_count(r.source), 1);
	assert_true(capture_noted(&r, "3 times, first in frame 2"));
	source_close(r.source);
	capture_free(&c);
}

/* The snap length of the header binds no one; sizes up to 16 MiB are taken. */
static void lengths_beyond_the_snap_length(void **state)
{
	struct capture c;
	(void)state;
	capture_pcap(&c, CAPTURE_MICRO, true, 96, LINK_ETHERNET);
	capture_packet(&c, 1, 0, 1514, 1514, 1);
	capture_packet(&c, 1, 0, 100, 60, 2);
	capture_packet(&c, 1, 0, 16u << 20, 16u << 20, 3);
	capture_packet(&c, 1, 0, 0, 0, 4);
	struct capture_read r = capture_read(&c);
	assert_int_equal(r.frames, 4);
	assert_int_equal(r.frame[0].caplen, 1514);
	assert_int_equal(r.frame[1].wirelen, 100); /* raised to what was captured */
	assert_int_equal(r.frame[2].caplen, 16u << 20);
	assert_int_equal(r.first_byte[2], 3);
	assert_int_equal(r.frame[3].caplen, 0);
	assert_true(capture_noted(&r, "first in frame 2"));
	assert_int_equal(source_cut_count(r.source), 0);
	source_close(r.source);
	capture_free(&c);
}

static void garbage_length_ends_the_file_cleanly(void **state)
{
	struct capture c;
	(void)state;
	capture_pcap(&c, CAPTURE_MICRO, false, 65535, LINK_ETHERNET);
	capture_packet(&c, 1, 0, 60, 60, 1);
	size_t bad = c.n;
	capture_u64(&c, 0);
	capture_u32(&c, (16u << 20) + 1);
	capture_u32(&c, 60);
	struct capture_read r = capture_read(&c);
	assert_int_equal(r.end, SOURCE_END);
	assert_int_equal(r.frames, 1);
	assert_int_equal(source_cut_count(r.source), 1);
	assert_int_equal(source_cut(r.source, 0)->offset, bad);
	assert_int_equal(source_cut(r.source, 0)->frames, 1);
	assert_non_null(strstr(source_cut(r.source, 0)->why, "16777217"));
	assert_non_null(strstr(source_cut(r.source, 0)->why, "16 MiB"));
	source_close(r.source);
	capture_free(&c);
}

static void cut_record_tells_offset_and_missing_bytes(void **state)
{
	struct capture c;
	(void)state;
	capture_pcap(&c, CAPTURE_MICRO, false, 65535, LINK_ETHERNET);
	capture_packet(&c, 1, 0, 60, 60, 1);
	capture_packet(&c, 1, 0, 60, 60, 1);
	c.n -= 10;
	struct capture_read r = capture_read(&c);
	assert_int_equal(r.end, SOURCE_END);
	assert_int_equal(r.frames, 1);
	const struct source_cut *cut = source_cut(r.source, 0);
	assert_int_equal(cut->offset, 24 + 76);
	assert_non_null(strstr(cut->why, "10 of 76 bytes are missing"));
	source_close(r.source);
	capture_free(&c);
}

static void every_prefix_keeps_the_whole_records(void **state)
{
	struct capture c;
	uint64_t before = 0;
	(void)state;
	capture_pcap(&c, CAPTURE_NANO, true, 65535, LINK_ETHERNET);
	for (uint32_t i = 0; i < 5; i++)
		capture_packet(&c, i, i, 20 + i, 40, (uint8_t)i);
	for (size_t n = 0; n <= c.n; n++) {
		char path[64];
		const char *paths[] = {capture_path_n(&c, n, path)};
		struct capture_read r = capture_read_paths(paths, 1, NULL);
		if (n < 24) {
			assert_null(r.source);
			assert_int_equal(r.err.code, ERR_USAGE);
		} else {
			assert_int_equal(r.end, SOURCE_END);
			assert_true(r.frames >= before);
			before = r.frames;
		}
		source_close(r.source);
		capture_close_path(path);
	}
	assert_int_equal(before, 5);
	capture_free(&c);
}

static void what_is_no_capture_is_told_apart(void **state)
{
	static const struct {
		const char *bytes;
		size_t n;
		const char *text;
	} cases[] = {
	        {"", 0, "empty file"},
	        {"\xd4\xc3\xb2\xa1\2\0\4\0", 8, "cut inside its header"},
	        {"hello, world: this is a text", 28, "neither pcap nor pcapng"},
	        {"x", 1, "neither pcap nor pcapng"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct capture c = {0};
		capture_put(&c, cases[i].bytes, cases[i].n);
		struct capture_read r = capture_read(&c);
		assert_null(r.source);
		assert_int_equal(r.err.code, ERR_USAGE);
		assert_non_null(strstr(r.err.text, cases[i].text));
		capture_free(&c);
	}
	const char *paths[] = {"/nowhere/x.pcap", "/"};
	for (size_t i = 0; i < 2; i++) {
		struct capture_read r = capture_read_paths(paths + i, 1, NULL);
		assert_null(r.source);
		assert_int_equal(r.err.code, ERR_USAGE);
	}
}

static void header_alone_is_no_frames(void **state)
{
	struct capture c;
	(void)state;
	capture_pcap(&c, CAPTURE_MICRO, false, 0, LINK_ETHERNET);
	struct capture_read r = capture_read(&c);
	assert_int_equal(r.end, SOURCE_END);
	assert_int_equal(r.frames, 0);
	assert_int_equal(source_cut_count(r.source), 0);
	assert_int_equal(source_iface_count(r.source), 1);
	source_close(r.source);
	capture_free(&c);
}

static void link_types_and_their_aliases(void **state)
{
	static const struct {
		uint32_t told;
		uint16_t link;
	} cases[] = {
	        {1, LINK_ETHERNET},
	        {12, LINK_RAW},
	        {14, LINK_RAW},
	        {101, LINK_RAW},
	        {11, LINK_ATM_RFC1483},
	        {19, LINK_ATM_CLIP},
	        {106, LINK_ATM_CLIP},
	        {276, LINK_LINUX_SLL2},
	        {0x24000001, LINK_ETHERNET}, /* FCS length above the number */
	        {70000, UINT16_MAX},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct capture c;
		capture_pcap(&c, CAPTURE_MICRO, false, 0, cases[i].told);
		capture_packet(&c, 1, 0, 4, 4, 0);
		struct capture_read r = capture_read(&c);
		assert_int_equal(r.frame[0].link_type, cases[i].link);
		assert_int_equal(source_iface(r.source, 0)->link_type, cases[i].link);
		source_close(r.source);
		capture_free(&c);
	}
}

/* pcap 2.3: libpcap's own files have the lengths in the wrong order. */
static void old_versions_swap_the_lengths(void **state)
{
	struct capture c;
	(void)state;
	capture_pcap(&c, CAPTURE_MICRO, false, 65535, LINK_ETHERNET);
	c.bytes[6] = 3;
	capture_packet(&c, 1, 0, 60, 60, 1);
	size_t at = c.n;
	capture_packet(&c, 1, 0, 1514, 60, 2);
	c.n = at + 16 + 60;
	struct capture_read r = capture_read(&c);
	assert_int_equal(r.frames, 2);
	assert_int_equal(r.frame[1].caplen, 60);
	assert_int_equal(r.frame[1].wirelen, 1514);
	source_close(r.source);
	capture_free(&c);
}

/* 0x30303030 bytes on the wire, 4 captured: no sum takes that for a length. */
static void impossible_frame_length_is_not_taken(void **state)
{
	struct capture c = {0};
	(void)state;
	capture_pcap(&c, CAPTURE_MICRO, false, 0, LINK_ETHERNET);
	capture_packet(&c, 1, 0, 4, 0x30303030, 0);
	capture_packet(&c, 2, 0, 4, 524288, 0);
	struct capture_read r = capture_read(&c);
	assert_int_equal(r.frames, 2);
	assert_int_equal(r.frame[0].wirelen, 4);
	assert_int_equal(r.frame[1].wirelen, 524288);
	assert_true(capture_noted(&r, "impossible frame length"));
	source_close(r.source);
	capture_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(reads_every_magic_in_both_orders),
	        cmocka_unit_test(odd_fractions_are_noted_once),
	        cmocka_unit_test(lengths_beyond_the_snap_length),
	        cmocka_unit_test(impossible_frame_length_is_not_taken),
	        cmocka_unit_test(garbage_length_ends_the_file_cleanly),
	        cmocka_unit_test(cut_record_tells_offset_and_missing_bytes),
	        cmocka_unit_test(every_prefix_keeps_the_whole_records),
	        cmocka_unit_test(what_is_no_capture_is_told_apart),
	        cmocka_unit_test(header_alone_is_no_frames),
	        cmocka_unit_test(link_types_and_their_aliases),
	        cmocka_unit_test(old_versions_swap_the_lengths),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
