#include "tests/support/capture_build.h"

#include <archive.h>
#include <archive_entry.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define S INT64_C(1000000000)

/* Opens n captures together and reads them. */
static struct capture_read read_together(struct capture *c, size_t n,
                                         const char *filter)
{
	char path[CAPTURE_PATHS][64];
	const char *paths[CAPTURE_PATHS];
	assert_true(n <= CAPTURE_PATHS);
	for (size_t i = 0; i < n; i++)
		paths[i] = capture_path(&c[i], path[i]);
	struct capture_read r = capture_read_paths(paths, n, filter);
	for (size_t i = 0; i < n; i++)
		capture_close_path(path[i]);
	return r;
}

static void several_files_come_merged_by_time(void **state)
{
	struct capture c[3];
	(void)state;
	for (size_t i = 0; i < 3; i++)
		capture_pcap(&c[i], CAPTURE_NANO, i == 1, 0, LINK_ETHERNET);
	for (uint32_t i = 0; i < 12; i++)
		capture_packet(&c[i % 3], i, 0, 4, 4, (uint8_t)i);
	/* same times: the file named first goes first */
	capture_packet(&c[2], 20, 0, 4, 4, 102);
	capture_packet(&c[0], 20, 0, 4, 4, 100);
	struct capture_read r = read_together(c, 3, NULL);
	assert_int_equal(r.end, SOURCE_END);
	assert_int_equal(r.frames, 14);
	for (uint32_t i = 0; i < 12; i++) {
		assert_int_equal(r.frame[i].time_ns, i * S);
		assert_int_equal(r.first_byte[i], i);
		assert_int_equal(r.frame[i].number, i + 1);
		assert_int_equal(r.frame[i].iface, i % 3);
	}
	assert_int_equal(r.first_byte[12], 100);
	assert_int_equal(r.first_byte[13], 102);
	assert_int_equal(source_iface(r.source, 2)->file, 2);
	source_close(r.source);
	for (size_t i = 0; i < 3; i++)
		capture_free(&c[i]);
}

/* A file's own order is kept, also where its times go backwards. */
static void one_file_is_never_reordered(void **state)
{
	static const uint32_t times[] = {5, 3, 9, 1, 4};
	static const uint8_t order[] = {0, 1, 100, 2, 3, 4, 101};
	struct capture c[2];
	(void)state;
	capture_pcap(&c[0], CAPTURE_MICRO, false, 0, LINK_ETHERNET);
	capture_pcap(&c[1], CAPTURE_MICRO, false, 0, LINK_ETHERNET);
	for (uint8_t i = 0; i < 5; i++)
		capture_packet(&c[0], times[i], 0, 4, 4, i);
	capture_packet(&c[1], 6, 0, 4, 4, 100);
	capture_packet(&c[1], 10, 0, 4, 4, 101);
	struct capture_read r = read_together(c, 2, NULL);
	assert_int_equal(r.frames, 7);
	for (size_t i = 0; i < 7; i++)
		assert_int_equal(r.first_byte[i], order[i]);
	source_close(r.source);
	capture_free(&c[0]);
	capture_free(&c[1]);
}

/* Ring files: the interface goes on in the next file.  Two points captured at the
 * same time stay apart, also under one name. */
static void interfaces_of_ring_files_are_one(void **state)
{
	struct capture c[3] = {0};
	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		capture_section(&c[i], false);
		capture_iface(&c[i], LINK_ETHERNET, 0, "en0", 9);
		capture_enhanced(&c[i], 0, 100 * i, 4, 4, (uint8_t)i);
		capture_statistics(&c[i], 0, NULL, 7, 1);
	}
	struct capture_read r = read_together(c, 3, NULL);
	assert_int_equal(r.frames, 3);
	assert_int_equal(source_iface_count(r.source), 1);
	assert_int_equal(source_iface(r.source, 0)->received, 21);
	source_close(r.source);
	capture_enhanced(&c[0], 0, 250, 4, 4, 9); /* overlaps the other two */
	r = read_together(c, 3, NULL);
	assert_int_equal(r.frames, 4);
	assert_int_equal(source_iface_count(r.source), 2);
	assert_int_equal(r.frame[0].iface, 0);
	assert_int_equal(r.frame[1].iface, 1);
	assert_int_equal(r.frame[2].iface, 1);
	assert_int_equal(r.frame[3].iface, 0);
	/* two of one name: their files part them */
	const char *one = source_iface(r.source, 0)->name;
	const char *two = source_iface(r.source, 1)->name;
	assert_string_equal(strchr(one, ':'), ":en0");
	assert_string_equal(strchr(two, ':'), ":en0");
	assert_string_not_equal(one, two);
	source_close(r.source);
	for (size_t i = 0; i < 3; i++)
		capture_free(&c[i]);
}

static void marks_keep_their_place_among_files(void **state)
{
	struct capture c[2] = {0};
	(void)state;
	capture_section(&c[0], false);
	capture_iface(&c[0], LINK_ETHERNET, 0, "en0", 9);
	capture_enhanced(&c[0], 0, 10, 4, 4, 0);
	capture_statistics(&c[0], 0, "cellbench: begin 1 20 x", 0, 0);
	capture_enhanced(&c[0], 0, 30, 4, 4, 0);
	capture_section(&c[1], false);
	capture_iface(&c[1], LINK_ETHERNET, 0, "en1", 9);
	for (uint64_t t = 11; t < 41; t += 8) /* 11, 19, 27, 35 */
		capture_enhanced(&c[1], 0, t, 4, 4, 1);
	struct capture_read r = read_together(c, 2, NULL);
	assert_int_equal(r.frames, 6);
	assert_int_equal(r.marks, 1);
	assert_int_equal(r.frames_before[0], 1); /* behind its file's frame */
	source_close(r.source);
	capture_free(&c[0]);
	capture_free(&c[1]);
}

/* The mark tells of a moment behind frames that follow it in its file: they come in
 * their turn all the same. */
static void marks_hold_no_frames_back(void **state)
{
	static const uint8_t order[] = {0, 1, 0, 1, 0, 1};
	struct capture c[2] = {0};
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		capture_section(&c[i], false);
		capture_iface(&c[i], LINK_ETHERNET, 0, i ? "en1" : "en0", 9);
	}
	for (uint64_t t = 10; t < 40; t += 10) {
		capture_enhanced(&c[0], 0, t, 4, 4, 0);
		capture_statistics(&c[0], 0, "cellbench: begin 1 1000 x", 0, 0);
		capture_enhanced(&c[1], 0, t + 3, 4, 4, 1);
	}
	struct capture_read r = read_together(c, 2, NULL);
	assert_int_equal(r.frames, 6);
	for (size_t i = 0; i < 6; i++)
		assert_int_equal(r.first_byte[i], order[i]);
	source_close(r.source);
	capture_free(&c[0]);
	capture_free(&c[1]);
}

static void cut_of_one_file_leaves_the_others(void **state)
{
	struct capture c[2];
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		capture_pcap(&c[i], CAPTURE_MICRO, false, 0, LINK_ETHERNET);
		capture_packet(&c[i], 1, 0, 40, 40, 0);
		capture_packet(&c[i], 2, 0, 40, 40, 0);
	}
	c[0].n -= 3;
	struct capture_read r = read_together(c, 2, NULL);
	assert_int_equal(r.end, SOURCE_END);
	assert_int_equal(r.frames, 3);
	assert_int_equal(source_cut_count(r.source), 1);
	assert_int_equal(source_cut(r.source, 0)->frames, 1);
	source_close(r.source);
	capture_free(&c[0]);
	capture_free(&c[1]);
}

/* An Ethernet frame with an IPv4 UDP header to port 7000 or 53. */
static void put_udp(struct capture *c, uint32_t sec, unsigned port)
{
	uint8_t f[42] = {[12] = 8, [14] = 0x45, [17] = 28, [23] = 17};
	f[36] = (uint8_t)(port >> 8);
	f[37] = (uint8_t)port;
	capture_packet(c, sec, 0, sizeof f, sizeof f, 0);
	memcpy(c->bytes + c->n - sizeof f, f, sizeof f);
}

static void filters_frames_but_not_their_numbers(void **state)
{
	struct capture c;
	(void)state;
	capture_pcap(&c, CAPTURE_MICRO, false, 0, LINK_ETHERNET);
	for (uint32_t i = 0; i < 6; i++)
		put_udp(&c, i, i % 2 ? 53 : 7000);
	struct capture_read r = read_together(&c, 1, "udp port 7000");
	assert_int_equal(r.end, SOURCE_END);
	assert_int_equal(r.frames, 3);
	assert_int_equal(r.frame[0].number, 1);
	assert_int_equal(r.frame[2].number, 5);
	source_close(r.source);
	r = read_together(&c, 1, "udp port 7000 annd ip");
	assert_int_equal(r.err.code, ERR_USAGE);
	assert_non_null(strstr(r.err.text, "behind \"udp port 7000\""));
	source_close(r.source);
	capture_free(&c);
}

/* The expression is compiled anew for every link type that appears. */
static void filter_knows_the_link_type_of_each_frame(void **state)
{
	struct capture c = {0};
	uint8_t ip[28] = {0x45, 0, 0, 28, [9] = 17, [22] = 0x1b, [23] = 0x58};
	(void)state;
	capture_section(&c, false);
	capture_iface(&c, LINK_ETHERNET, 0, "en0", 9);
	capture_iface(&c, LINK_RAW, 0, "tun0", 9);
	capture_enhanced(&c, 0, 1, 60, 60, 0);
	capture_enhanced(&c, 1, 2, sizeof ip, sizeof ip, 0);
	memcpy(c.bytes + c.n - 4 - sizeof ip, ip, sizeof ip);
	struct capture_read r = read_together(&c, 1, "udp port 7000");
	assert_int_equal(r.end, SOURCE_END);
	assert_int_equal(r.frames, 1);
	assert_int_equal(r.frame[0].link_type, LINK_RAW);
	source_close(r.source);
	r = read_together(&c, 1, "ether host 00:00:00:00:00:00");
	assert_int_equal(r.end, SOURCE_ERROR); /* no such thing on raw IP */
	assert_int_equal(r.frames, 1);
	assert_int_equal(r.err.code, ERR_USAGE);
	source_close(r.source);
	capture_free(&c);
}

/* ---- compressed ---------------------------------------------------------- */

static struct capture compress(const struct capture *c, int filter)
{
	struct capture out = {.room = 2 * c->n + 4096};
	out.bytes = malloc(out.room);
	struct archive *a = archive_write_new();
	struct archive_entry *e = archive_entry_new();
	assert_non_null(out.bytes);
	assert_int_equal(archive_write_add_filter(a, filter), ARCHIVE_OK);
	archive_write_set_format_raw(a);
	archive_write_set_bytes_in_last_block(a, 1);
	archive_entry_set_pathname(e, "x");
	archive_entry_set_filetype(e, AE_IFREG);
	assert_int_equal(archive_write_open_memory(a, out.bytes, out.room, &out.n),
	                 ARCHIVE_OK);
	assert_int_equal(archive_write_header(a, e), ARCHIVE_OK);
	assert_int_equal(archive_write_data(a, c->bytes, c->n), c->n);
	assert_int_equal(archive_write_close(a), ARCHIVE_OK);
	archive_entry_free(e);
	archive_write_free(a);
	return out;
}

static void compressed_files_are_known_by_their_content(void **state)
{
	static const int filters[] = {ARCHIVE_FILTER_GZIP, ARCHIVE_FILTER_ZSTD,
	                              ARCHIVE_FILTER_LZ4, ARCHIVE_FILTER_XZ,
	                              ARCHIVE_FILTER_BZIP2};
	struct capture c;
	(void)state;
	capture_pcap(&c, CAPTURE_MICRO, false, 0, LINK_ETHERNET);
	for (uint32_t i = 0; i < 2000; i++)
		capture_packet(&c, i, 0, 1000, 1000, (uint8_t)i);
	for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
		struct capture z = compress(&c, filters[i]);
		assert_true(z.n < c.n / 4);
		struct capture_read r = capture_read(&z);
		assert_int_equal(r.end, SOURCE_END);
		assert_int_equal(r.frames, 2000);
		assert_int_equal(r.first_byte[63], 63);
		assert_int_equal(source_cut_count(r.source), 0);
		source_close(r.source);
		capture_free(&z);
	}
	capture_free(&c);
}

static void cut_compressed_file_gives_what_is_whole(void **state)
{
	struct capture c;
	(void)state;
	capture_pcap(&c, CAPTURE_MICRO, false, 0, LINK_ETHERNET);
	uint32_t noise = 1;
	for (uint32_t i = 0; i < 4000; i++) {
		capture_packet(&c, i, 0, 1000, 1000, 0);
		for (size_t k = 0; k < 1000; k++)
			c.bytes[c.n - 1 - k] =
			        (uint8_t)((noise = noise * 1664525 + 1) >> 24);
	}
	struct capture z = compress(&c, ARCHIVE_FILTER_GZIP);
	z.n /= 2;
	struct capture_read r = capture_read(&z);
	assert_int_equal(r.end, SOURCE_END);
	assert_in_range(r.frames, 1500, 2500);
	assert_int_equal(source_cut_count(r.source), 1);
	assert_non_null(strstr(source_cut(r.source, 0)->why, "gzip"));
	source_close(r.source);
	capture_free(&z);
	/* and one that never was a gzip file */
	capture_put(&z, "\x1f\x8b\x08\xff\xff", 5);
	r = capture_read(&z);
	assert_null(r.source);
	assert_int_equal(r.err.code, ERR_USAGE);
	assert_non_null(strstr(r.err.text, "gzip"));
	capture_free(&z);
	/* something else compressed */
	struct capture text = {0};
	capture_put(&text, "this is a text, and no capture at all", 37);
	z = compress(&text, ARCHIVE_FILTER_GZIP);
	r = capture_read(&z);
	assert_null(r.source);
	assert_non_null(strstr(r.err.text, "neither"));
	capture_free(&z);
	capture_free(&text);
	capture_free(&c);
}

/* Large enough for the reading thread; every byte of every frame is right. */
static void large_files_come_whole(void **state)
{
	struct capture c;
	char path[64];
	(void)state;
	capture_pcap(&c, CAPTURE_NANO, false, 0, LINK_ETHERNET);
	uint32_t frames = 0;
	for (; c.n < 9u << 20; frames++)
		capture_packet(&c, frames, 0, frames * 37 % 3000 + 1, 3000,
		               (uint8_t)frames);
	const char *paths[] = {capture_path(&c, path)};
	struct err err = {0};
	struct source *s = source_open_files(paths, 1, &err);
	struct frame f;
	struct source_mark m;
	uint64_t done, total;
	for (uint32_t i = 0; i < frames; i++) {
		assert_int_equal(source_next(s, &f, &m, &err), SOURCE_FRAME);
		assert_int_equal(f.caplen, i * 37 % 3000 + 1);
		for (uint32_t k = 0; k < f.caplen; k++)
			if (f.bytes[k] != (uint8_t)i)
				fail_msg("frame %u, byte %u", i, k);
	}
	assert_int_equal(source_next(s, &f, &m, &err), SOURCE_END);
	source_progress(s, &done, &total);
	assert_int_equal(done, c.n);
	assert_int_equal(total, c.n);
	source_close(s);
	/* closing in the middle must not hang */
	s = source_open_files(paths, 1, &err);
	assert_int_equal(source_next(s, &f, &m, &err), SOURCE_FRAME);
	source_close(s);
	capture_close_path(path);
	capture_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(several_files_come_merged_by_time),
	        cmocka_unit_test(one_file_is_never_reordered),
	        cmocka_unit_test(interfaces_of_ring_files_are_one),
	        cmocka_unit_test(marks_keep_their_place_among_files),
	        cmocka_unit_test(marks_hold_no_frames_back),
	        cmocka_unit_test(cut_of_one_file_leaves_the_others),
	        cmocka_unit_test(filters_frames_but_not_their_numbers),
	        cmocka_unit_test(filter_knows_the_link_type_of_each_frame),
	        cmocka_unit_test(compressed_files_are_known_by_their_content),
	        cmocka_unit_test(cut_compressed_file_gives_what_is_whole),
	        cmocka_unit_test(large_files_come_whole),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
