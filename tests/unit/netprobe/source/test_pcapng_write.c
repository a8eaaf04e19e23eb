#include "netprobe/source/pcapng_write.h"

#include "tests/support/capture_build.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static struct pcapng_writer *open_writer(char path[64], struct err *err)
{
	int fd = memfd_create("capture", MFD_CLOEXEC);
	assert_true(fd >= 0);
	snprintf(path, 64, "/proc/self/fd/%d", fd);
	struct pcapng_writer *w = pcapng_writer_new(dup(fd), path, "test", err);
	assert_non_null(w);
	return w;
}

static void what_is_written_is_read(void **state)
{
	char path[64];
	struct err err = {0};
	const uint8_t bytes[] = "0123456789";
	const struct source_iface ifaces[] = {
	        {.name = "en0",
	         .link_type = LINK_ETHERNET,
	         .snaplen = 400,
	         .mtu = 1500,
	         .filter = "udp",
	         .link = "ethernet",
	         .speed_bps = 100000000,
	         .addresses = "10.0.0.1/24",
	         .description = "the server's"},
	        {.name = "at0", .link_type = LINK_RAW, .mtu = 9180, .link = "atm-llc"},
	};
	const struct source_iface counters = {.has_received = true,
	                                      .received = 2,
	                                      .has_dropped = true,
	                                      .dropped = 1,
	                                      .has_ifdropped = true,
	                                      .ifdropped = 9,
	                                      .has_kernel = true,
	                                      .kernel_packets = 5,
	                                      .kernel_bytes = 500};
	const struct source_mark mark = {
	        .begin = true, .id = 3, .time_ns = 77, .name = "rewrite"};
	(void)state;
	struct pcapng_writer *w = open_writer(path, &err);
	pcapng_write_iface(w, &ifaces[0]);
	pcapng_write_iface(w, &ifaces[1]);
	for (uint32_t n = 0; n < 6; n++)
		pcapng_write_frame(w,
		                   &(struct frame){.bytes = bytes,
		                                   .caplen = n,
		                                   .wirelen = 1514,
		                                   .time_ns = 1700000000123456789 + n,
		                                   .iface = n % 2,
		                                   .direction = (uint8_t)(n % 3)});
	pcapng_write_statistics(w, 0, &counters, 78, 0, &mark);
	pcapng_write_statistics(w, 1, &counters, 79, 5, NULL);
	assert_int_equal(pcapng_writer_close(w, &err), 0);
	const char *paths[] = {path};
	struct capture_read r = capture_read_paths(paths, 1, NULL);
	assert_int_equal(r.end, SOURCE_END);
	assert_int_equal(r.frames, 6);
	for (uint32_t n = 0; n < 6; n++) {
		assert_int_equal(r.frame[n].caplen, n);
		assert_int_equal(r.frame[n].wirelen, 1514);
		assert_int_equal(r.frame[n].time_ns, 1700000000123456789 + n);
		assert_int_equal(r.frame[n].iface, n % 2);
		assert_int_equal(r.frame[n].direction, n % 3);
	}
	assert_int_equal(r.marks, 1);
	assert_string_equal(r.mark[0].name, "rewrite");
	const struct source_iface *i = source_iface(r.source, 0);
	assert_string_equal(i->name, "en0");
	assert_string_equal(i->filter, "udp");
	assert_string_equal(i->description, "the server's");
	assert_string_equal(i->addresses, "10.0.0.1/24");
	assert_int_equal(i->speed_bps, 100000000);
	assert_int_equal(i->received, 2);
	assert_int_equal(i->dropped, 1);
	assert_int_equal(i->ifdropped, 9);
	assert_int_equal(i->kernel_bytes, 500);
	assert_int_equal(source_iface(r.source, 1)->link_type, LINK_RAW);
	assert_int_equal(source_note_count(r.source), 0);
	assert_int_equal(source_cut_count(r.source), 0);
	source_close(r.source);
	capture_close_path(path);
}

static void many_frames_pass_the_buffer(void **state)
{
	char path[64];
	static uint8_t bytes[70000];
	struct err err = {0};
	(void)state;
	struct pcapng_writer *w = open_writer(path, &err);
	pcapng_write_iface(w, &(struct source_iface){.name = "x", .link_type = 1});
	for (uint32_t n = 0; n < 400; n++) {
		memset(bytes, (int)n, sizeof bytes);
		pcapng_write_frame(w, &(struct frame){.bytes = bytes,
		                                      .caplen = n * 1009 % 70000,
		                                      .wirelen = 70000});
	}
	assert_int_equal(pcapng_writer_close(w, &err), 0);
	const char *paths[] = {path};
	struct capture_read r = capture_read_paths(paths, 1, NULL);
	assert_int_equal(r.frames, 400);
	assert_int_equal(r.frame[63].caplen, 63 * 1009);
	assert_int_equal(r.first_byte[63], 63);
	assert_int_equal(source_note_count(r.source), 0);
	source_close(r.source);
	capture_close_path(path);
}

static void full_device_is_told(void **state)
{
	struct err err = {0};
	(void)state;
	struct pcapng_writer *w = pcapng_writer_new(open("/dev/full", O_WRONLY),
	                                            "/dev/full", "test", &err);
	assert_non_null(w);
	for (uint32_t n = 0; n < 100000; n++)
		pcapng_write_frame(
		        w, &(struct frame){.bytes = (const uint8_t *)"x", .caplen = 1});
	assert_int_equal(pcapng_writer_close(w, &err), -1);
	assert_int_equal(err.code, ERR_ENVIRONMENT);
	assert_non_null(strstr(err.text, "/dev/full"));
}

/* A write that stops in the middle of a block leaves whole blocks only. */
static void cut_short_it_ends_with_a_whole_block(void **state)
{
	char path[64];
	static uint8_t bytes[100];
	struct err err = {0};
	struct rlimit old, limit;
	(void)state;
	struct pcapng_writer *w = open_writer(path, &err);
	getrlimit(RLIMIT_FSIZE, &old);
	limit = (struct rlimit){.rlim_cur = 5001, .rlim_max = old.rlim_max};
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	pcapng_write_iface(w, &(struct source_iface){.name = "x", .link_type = 1});
	for (uint32_t n = 0; n < 100; n++)
		pcapng_write_frame(w, &(struct frame){.bytes = bytes,
		                                      .caplen = sizeof bytes,
		                                      .wirelen = sizeof bytes});
	int rc = pcapng_writer_flush(w, &err);
	setrlimit(RLIMIT_FSIZE, &old);
	struct err again = {0};
	int closed = pcapng_writer_close(w, &again);
	struct stat st;
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(rc, -1);
	assert_int_equal(closed, -1);
	assert_in_range(st.st_size, 5001 - 132, 5001);
	const char *paths[] = {path};
	struct capture_read r = capture_read_paths(paths, 1, NULL);
	assert_int_equal(r.end, SOURCE_END);
	assert_in_range(r.frames, 30, 40);
	assert_int_equal(source_cut_count(r.source), 0);
	source_close(r.source);
	capture_close_path(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(what_is_written_is_read),
	        cmocka_unit_test(many_frames_pass_the_buffer),
	        cmocka_unit_test(full_device_is_told),
	        cmocka_unit_test(cut_short_it_ends_with_a_whole_block),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
