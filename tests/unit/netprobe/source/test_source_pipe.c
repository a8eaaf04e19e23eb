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

struct feeder {
	const struct capture *c;
	int fd;
	size_t step;
};

static void *feed(void *ctx)
{
	const struct feeder *f = ctx;
	for (size_t at = 0; at < f->c->n;) {
		size_t n = f->c->n - at < f->step ? f->c->n - at : f->step;
		ssize_t done = write(f->fd, f->c->bytes + at, n);
		if (done <= 0)
			break;
		at += (size_t)done;
	}
	close(f->fd);
	return NULL;
}

static void pipes_stream_in_pieces_of_any_size(void **state)
{
	static const size_t steps[] = {1, 7, 4096, 1u << 20};
	struct capture c;
	(void)state;
	capture_pcap(&c, CAPTURE_MICRO, false, 0, LINK_ETHERNET);
	for (uint32_t i = 0; i < 60; i++)
		capture_packet(&c, i, 0, 300 + i, 1514, (uint8_t)i);
	capture_packet(&c, 60, 0, 3u << 20, 3u << 20, 60);
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		int fds[2];
		char path[64];
		pthread_t thread;
		if (steps[i] < 100)
			c.n -= 3u << 20; /* too slow by single bytes: cut it instead */
		assert_int_equal(pipe(fds), 0);
		struct feeder f = {.c = &c, .fd = fds[1], .step = steps[i]};
		assert_int_equal(pthread_create(&thread, NULL, feed, &f), 0);
		snprintf(path, sizeof path, "/proc/self/fd/%d", fds[0]);
		const char *paths[] = {path};
		struct capture_read r = capture_read_paths(paths, 1, NULL);
		assert_int_equal(r.end, SOURCE_END);
		assert_int_equal(r.frames, steps[i] < 100 ? 60 : 61);
		assert_int_equal(source_cut_count(r.source), steps[i] < 100);
		source_close(r.source);
		pthread_join(thread, NULL);
		close(fds[0]);
		if (steps[i] < 100)
			c.n += 3u << 20;
	}
	capture_free(&c);
}

/* A frame comes out as soon as it is in; stopping ends the wait for more. */
static void a_waiting_source_can_be_stopped(void **state)
{
	struct capture c;
	int fds[2];
	char path[64];
	(void)state;
	capture_pcap(&c, CAPTURE_MICRO, false, 0, LINK_ETHERNET);
	capture_packet(&c, 1, 0, 60, 60, 0);
	capture_put(&c, "half", 4);
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], c.bytes, c.n), c.n);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fds[0]);
	const char *paths[] = {path};
	struct err err = {0};
	struct frame f;
	struct source_mark m;
	struct source *s = source_open_files(paths, 1, &err);
	assert_non_null(s);
	assert_int_equal(source_next(s, &f, &m, &err), SOURCE_FRAME);
	source_stop(s);
	assert_int_equal(source_next(s, &f, &m, &err), SOURCE_END);
	assert_int_equal(source_cut_count(s), 0);
	source_close(s);
	close(fds[0]);
	close(fds[1]);
	capture_free(&c);
}

/* A reader with other things to do is never held up by a pipe at rest, neither after a
 * frame nor after blocks that hold none. */
static void a_yielding_source_does_not_wait(void **state)
{
	struct capture c;
	int fds[2];
	char path[64];
	(void)state;
	capture_section(&c, false);
	capture_iface(&c, LINK_ETHERNET, 0, NULL, 0);
	capture_enhanced(&c, 0, 1, 60, 60, 0);
	size_t before = c.n;
	capture_block(&c, 0x0bad); /* of a kind unknown here */
	capture_block_end(&c);
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], c.bytes, before), before);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fds[0]);
	const char *paths[] = {path};
	struct err err = {0};
	struct frame f;
	struct source_mark m;
	struct source *s = source_open_files(paths, 1, &err);
	assert_non_null(s);
	source_yield(s);
	assert_true(source_wait(s, 5000));
	assert_int_equal(source_next(s, &f, &m, &err), SOURCE_FRAME);
	assert_false(source_wait(s, 1));
	assert_int_equal(write(fds[1], c.bytes + before, c.n - before), c.n - before);
	assert_true(source_wait(s, 5000));
	assert_int_equal(source_next(s, &f, &m, &err), SOURCE_NOTHING);
	assert_false(source_wait(s, 1));
	close(fds[1]);
	assert_true(source_wait(s, 5000));
	assert_int_equal(source_next(s, &f, &m, &err), SOURCE_END);
	source_close(s);
	close(fds[0]);
	capture_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(pipes_stream_in_pieces_of_any_size),
	        cmocka_unit_test(a_waiting_source_can_be_stopped),
	        cmocka_unit_test(a_yielding_source_does_not_wait),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
