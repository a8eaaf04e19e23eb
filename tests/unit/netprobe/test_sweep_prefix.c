/* Captures cut at any byte: whole frames before the cut are analysed, one cut is told,
 * and sums add up. */
#include "tests/support/sweep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#define DENSE 300u              /* sections, interfaces */
#define READ_BYTES (512u << 10) /* stream.c's BLOCK_BYTES */
#define SMALL (200u << 10)      /* captures below this have every byte swept */

/* Cuts of a capture besides those around blocks; frames of large captures in which the
 * report is looked at, one in so many; bytes at which the reader is.  Opening a file is
 * dear under the address sanitizer. */
#ifdef __SANITIZE_ADDRESS__
#define CUTS_EACH 50u
#define LARGE_EVERY 64u
#define READER_EVERY 128u
#else
#define CUTS_EACH 200u
#define LARGE_EVERY 8u
#define READER_EVERY 1u
#endif
#define SHAPES 256u
#define FRAME_HEAD 30u /* of pcapng 28 bytes in front of the data */
#define FRAME_TAIL 8u  /* padding and the length once more */

static bool is_near_read(size_t n)
{
	return n > READ_BYTES / 2 && (n + 100) % READ_BYTES < 200;
}

static void check_cut(const struct sweep_capture *s, size_t n, uint64_t frames,
                      bool whole, bool has_header)
{
	char what[200];
	struct analysis a;
	struct err err = {0};
	snprintf(what, sizeof what, "%.80s cut at byte %zu", s->name, n);
	if (sweep_analyse(&s->file, n, &a, &err) != 0) {
		if (has_header || err.code != ERR_USAGE || !err.text[0])
			fail_msg("%s: %s", what, err.text);
		return;
	}
	if (!has_header)
		fail_msg("%s: no header, but a report", what);
	sweep_check(&a, what);
	if (a.result.frames != frames)
		fail_msg("%s: %llu frames, expected %llu", what,
		         (unsigned long long)a.result.frames,
		         (unsigned long long)frames);
	if (source_cut_count(a.source) != !whole)
		fail_msg("%s: %zu cuts told", what, source_cut_count(a.source));
	assert_int_equal(analysis_exit_code(&a) == ERR_PARTIAL, !whole);
	analysis_free(&a);
}

/* Is the report to be made of the file up to byte n, which lies in this frame's block?
 */
static bool is_looked_at(const struct sweep_capture *s, size_t n, size_t begin,
                         size_t end, uint64_t frames)
{
	size_t step = s->file.n / CUTS_EACH | 1;
	bool in_turn = s->file.n < SMALL || frames % LARGE_EVERY == 0;
	return n < DENSE || n % step == 0 || is_near_read(n) ||
	       (in_turn && (n == begin || n == begin + 1 + frames % (end - begin)));
}

/* The report of the file up to the cut: every byte of the beginning and around what is
 * read at once, then at steps that hit all remainders; in front of every frame and at a
 * byte of it that is another each time (of large captures, of every eighth). */
static void every_cut_keeps_what_is_whole(void **state)
{
	static struct sweep_capture list[SWEEP_CAPTURES];
	(void)state;
	size_t captures = sweep_load(list);
	for (size_t i = 0; i < captures; i++) {
		const struct sweep_capture *s = &list[i];
		size_t begin = 0, end;
		uint64_t frames = 0;
		bool is_frame;
		for (; (end = sweep_block_end(&s->file, begin, &is_frame)) != 0;
		     begin = end) {
			for (size_t n = begin; n < end; n++)
				if (is_looked_at(s, n, begin, end, frames))
					check_cut(s, n, frames, n == begin, begin > 0);
			frames += is_frame;
		}
		assert_int_equal(begin, s->file.n);
		check_cut(s, begin, frames, true, true);
	}
	sweep_free(list, captures);
}

/* A file of what comes before the first frame and of one frame, in a memory file whose
 * end is moved from byte to byte. */
struct short_file {
	int fd;
	char path[64];
	size_t head, n;
};

static void append(struct short_file *f, const struct capture *c, size_t begin,
                   size_t end)
{
	assert_int_equal(pwrite(f->fd, c->bytes + begin, end - begin, (off_t)f->n),
	                 end - begin);
	f->n += end - begin;
}

/* The reader, where the file ends with byte n. */
static void check_reader(const struct sweep_capture *s, const struct short_file *f,
                         size_t n)
{
	const char *paths[] = {f->path};
	struct err err = {0};
	struct frame frame;
	struct source_mark mark;
	uint64_t frames = 0;
	assert_int_equal(ftruncate(f->fd, (off_t)n), 0);
	struct source *source = source_open_files(paths, 1, &err);
	if (!source)
		fail_msg("%s: %s", s->name, err.text);
	enum source_event e;
	while ((e = source_next(source, &frame, &mark, &err)) != SOURCE_END &&
	       e != SOURCE_ERROR)
		frames += e == SOURCE_FRAME;
	bool whole = n == f->n, cut = !whole && n > f->head;
	if (e != SOURCE_END || frames != whole || source_cut_count(source) != cut ||
	    (cut && source_cut(source, 0)->offset != f->head) ||
	    source_note_count(source) != 0)
		fail_msg("%s: frame of %zu bytes cut to %zu: %llu frames, %zu cuts",
		         s->name, f->n - f->head, n - f->head,
		         (unsigned long long)frames, source_cut_count(source));
	source_close(source);
}

/* Blocks and captured bytes as long as these were before. */
struct shapes {
	uint32_t seen[SHAPES];
	size_t n;
};

static bool is_new(struct shapes *s, size_t block, uint32_t caplen)
{
	uint32_t shape = (uint32_t)block << 16 | caplen;
	for (size_t i = 0; i < s->n; i++)
		if (s->seen[i] == shape)
			return false;
	assert_true(s->n < SHAPES && caplen < 1u << 16);
	s->seen[s->n++] = shape;
	return true;
}

/* What a cut frame does to the report depends on the frames before it, which the sweep
 * above has, and on what the reader makes of the rest: here for every byte of every
 * frame of small captures; of large ones for the bytes around the data (of which the
 * reader sees nothing but their number), and for all bytes where that number is new. */
static void every_byte_of_frames(void **state)
{
	static struct sweep_capture list[SWEEP_CAPTURES];
	(void)state;
	size_t captures = sweep_load(list);
	for (size_t i = 0; i < captures; i++) {
		const struct capture *c = &list[i].file;
		struct short_file f = {.fd = memfd_create("short", MFD_CLOEXEC)};
		struct shapes shapes = {.n = 0};
		assert_true(f.fd >= 0);
		snprintf(f.path, sizeof f.path, "/proc/self/fd/%d", f.fd);
		size_t begin = 0, end;
		bool is_frame, is_head = true;
		for (; (end = sweep_block_end(c, begin, &is_frame)) != 0; begin = end) {
			is_head = is_head && !is_frame;
			if (!is_frame && !is_head)
				continue;
			f.n = f.head;
			append(&f, c, begin, end);
			if (is_head) {
				f.head = f.n;
				continue;
			}
			bool all = c->n < SMALL ||
			           is_new(&shapes, end - begin, sweep_caplen(c, begin));
			for (size_t n = f.n; n > f.head; n--)
				if ((begin + n) % READER_EVERY == 0 &&
				    (all || f.n - n <= FRAME_TAIL ||
				     n - f.head <= FRAME_HEAD))
					check_reader(&list[i], &f, n);
		}
		close(f.fd);
	}
	sweep_free(list, captures);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_cut_keeps_what_is_whole),
	        cmocka_unit_test(every_byte_of_frames),
	};
	return cmocka_run_group_tests_name("sweep_prefix", tests, NULL, NULL);
}
