#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/engine/engine.h"
#include "tests/support/tmpdir.h"
#include "tests/support/virtual_clock.h"

/* Every engine must pass the same tests: state is the engine's ops. */
struct place {
	struct engine en;
	char *dir;
};

static struct place enter(void **state)
{
	const struct engine_ops *ops = *state;
	struct place p = {.dir = tmpdir_make()};
	struct engine_options o = {.dir = p.dir, .run_dir = p.dir};
	struct err e = {0};
	assert_int_equal(engine_start(&p.en, ops, &o, &e), 0);
	return p;
}

static void leave(struct place *p)
{
	engine_stop(&p->en);
	tmpdir_remove(p->dir);
}

static const char *below(const struct place *p, const char *name)
{
	static char path[4096];
	snprintf(path, sizeof path, "%s/%s", p->dir, name);
	return path;
}

static void test_engine_reads_what_was_written(void **state)
{
	struct place p = enter(state);
	const struct engine_ops *o = p.en.ops;
	char buf[8] = "";
	int h = o->open(p.en.st, below(&p, "f"), O_CREAT | O_EXCL | O_RDWR, 0644);
	assert_true(h >= 0);
	assert_int_equal(engine_write_full(&p.en, h, "abcdef", 6), 6);
	assert_int_equal(o->pwrite(p.en.st, h, "XY", 2, 1), 2);
	assert_int_equal(o->seek(p.en.st, h, -2, SEEK_END), 4);
	assert_int_equal(engine_read_full(&p.en, h, buf, 8), 2);
	assert_memory_equal(buf, "ef", 2);
	assert_int_equal(o->seek(p.en.st, h, -6, SEEK_CUR), 0);
	assert_int_equal(engine_read_full(&p.en, h, buf, 6), 6);
	assert_memory_equal(buf, "aXYdef", 6);
	assert_int_equal(o->pread(p.en.st, h, buf, 8, 6), 0);
	assert_int_equal(o->fsync(p.en.st, h), 0);
	assert_int_equal(o->close(p.en.st, h), 0);
	leave(&p);
}

static int count_name(void *ctx, const char *name)
{
	int *n = ctx;
	assert_true(strcmp(name, "g") == 0 || strcmp(name, "d") == 0);
	++*n;
	return 0;
}

static void test_engine_names(void **state)
{
	struct place p = enter(state);
	const struct engine_ops *o = p.en.ops;
	char from[4096];
	struct stat s;
	int n = 0;
	snprintf(from, sizeof from, "%s", below(&p, "f"));
	assert_int_equal(o->stat(p.en.st, from, &s), -ENOENT);
	assert_int_equal(o->open(p.en.st, from, O_RDONLY, 0), -ENOENT);
	o->close(p.en.st, o->open(p.en.st, from, O_CREAT | O_WRONLY, 0644));
	assert_int_equal(o->open(p.en.st, from, O_CREAT | O_EXCL | O_WRONLY, 0644),
	                 -EEXIST);
	assert_int_equal(o->rename(p.en.st, from, below(&p, "g")), 0);
	assert_int_equal(o->mkdir(p.en.st, below(&p, "d"), 0755), 0);
	assert_int_equal(o->mkdir(p.en.st, below(&p, "d"), 0755), -EEXIST);
	assert_int_equal(o->readdir(p.en.st, p.dir, count_name, &n), 0);
	assert_int_equal(n, 2);
	assert_int_equal(o->stat(p.en.st, below(&p, "d"), &s), 0);
	assert_true(S_ISDIR(s.st_mode));
	assert_int_equal(o->rmdir(p.en.st, p.dir), -ENOTEMPTY);
	assert_int_equal(o->rmdir(p.en.st, below(&p, "d")), 0);
	assert_int_equal(o->unlink(p.en.st, below(&p, "g")), 0);
	assert_int_equal(o->unlink(p.en.st, below(&p, "g")), -ENOENT);
	leave(&p);
}

static void test_null_delay_and_failure(void **state)
{
	(void)state;
	struct engine_options o = {
	        .dir = "/x",
	        .null = {.delay_ns[ENGINE_WRITE] = 2 * NS_PER_MS,
	                 .fail_op = ENGINE_WRITE,
	                 .fail_at = 101,
	                 .fail_errno = ENOSPC,
	                 .flip = true,
	                 .flip_at = 3},
	};
	struct engine en;
	char buf[5] = "";
	virtual_clock_start();
	assert_int_equal(engine_start(&en, &engine_null, &o, NULL), 0);
	int h = en.ops->open(en.st, "/x/f", O_CREAT | O_RDWR, 0);
	int64_t t = clock_mono_ns();
	for (int i = 0; i < 100; i++)
		assert_int_equal(en.ops->write(en.st, h, "abcde", 5), 5);
	t = clock_mono_ns() - t;
	assert_in_range(t, 199 * NS_PER_MS, 206 * NS_PER_MS);
	assert_int_equal(en.ops->write(en.st, h, "abcde", 5), -ENOSPC);
	assert_int_equal(en.ops->write(en.st, h, "abcde", 5), 5);
	assert_int_equal(en.ops->pread(en.st, h, buf, 5, 0), 5);
	assert_memory_equal(buf, "abc\x9b", 4); /* 'd' inverted */
	assert_int_equal(buf[4], 'e');
	engine_stop(&en);
}

static void test_engine_find(void **state)
{
	(void)state;
	assert_ptr_equal(engine_find("posix"), &engine_posix);
	assert_null(engine_find("tape"));
}

static ssize_t write_nothing(void *st, int handle, const void *buf, size_t n)
{
	(void)st;
	(void)handle;
	(void)buf;
	(void)n;
	return 0;
}

static void test_engine_write_of_nothing_ends(void **state)
{
	(void)state;
	const struct engine_ops ops = {.write = write_nothing};
	const struct engine en = {.ops = &ops};
	assert_int_equal(engine_write_full(&en, 1, "abc", 3), -EIO);
	assert_int_equal(engine_write_full(&en, 1, "", 0), 0);
}

/* Names are looked up from the folder that was entered, wherever it is by now; others
 * and those of a folder whose name begins alike are not. */
static void test_engine_enters_a_folder(void **state)
{
	struct place p = enter(state);
	const struct engine_ops *o = p.en.ops;
	char in[4096], out[4096], alike[4096];
	struct stat s;
	snprintf(in, sizeof in, "%.2000s/in/f", p.dir);
	snprintf(out, sizeof out, "%.2000s/g", p.dir);
	snprintf(alike, sizeof alike, "%.2000s/in2", p.dir);
	assert_int_equal(o->mkdir(p.en.st, below(&p, "in"), 0755), 0);
	o->enter(p.en.st, below(&p, "in"));
	assert_int_equal(o->rename(p.en.st, below(&p, "in"), alike), 0);
	int h = o->open(p.en.st, in, O_CREAT | O_EXCL | O_WRONLY, 0644);
	assert_true(h >= 0);
	assert_int_equal(o->close(p.en.st, h), 0);
	assert_int_equal(o->stat(p.en.st, in, &s), 0);
	assert_int_equal(o->stat(p.en.st, below(&p, "in2/f"), &s), 0);
	assert_int_equal(o->stat(p.en.st, below(&p, "in3/f"), &s), -ENOENT);
	assert_int_equal(o->rename(p.en.st, in, out), 0); /* out of it */
	assert_int_equal(o->rename(p.en.st, out, in), 0);
	assert_int_equal(o->unlink(p.en.st, in), 0);
	strcpy(strrchr(in, '/'), "/d");
	assert_int_equal(o->mkdir(p.en.st, in, 0755), 0);
	assert_int_equal(o->rmdir(p.en.st, in), 0);
	o->enter(p.en.st, NULL);
	assert_int_equal(o->stat(p.en.st, in, &s), -ENOENT);
	o->enter(p.en.st, below(&p, "none")); /* then nothing is below it */
	assert_int_equal(o->mkdir(p.en.st, below(&p, "none/d"), 0755), -ENOENT);
	leave(&p);
}

int main(void)
{
	struct engine_ops posix = engine_posix, null = engine_null;
	const struct CMUnitTest tests[] = {
	        {"posix data", test_engine_reads_what_was_written, NULL, NULL, &posix},
	        {"null data", test_engine_reads_what_was_written, NULL, NULL, &null},
	        {"posix names", test_engine_names, NULL, NULL, &posix},
	        {"null names", test_engine_names, NULL, NULL, &null},
	        {"posix folder", test_engine_enters_a_folder, NULL, NULL, &posix},
	        cmocka_unit_test(test_null_delay_and_failure),
	        cmocka_unit_test(test_engine_find),
	        cmocka_unit_test(test_engine_write_of_nothing_ends),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
