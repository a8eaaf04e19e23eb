#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "src/cache/cold.h"
#include "tests/support/tmpdir.h"

static void write_file(const struct engine *en, const char *path)
{
	char *bytes = calloc(1, 1 << 20);
	int h = en->ops->open(en->st, path, O_CREAT | O_WRONLY, 0644);
	assert_int_equal(engine_write_full(en, h, bytes, 1 << 20), 1 << 20);
	en->ops->close(en->st, h);
	free(bytes);
}

static void drop_in(const char *dir, struct engine_drop *out)
{
	struct engine en;
	struct engine_options o = {.dir = dir};
	char path[4096];
	snprintf(path, sizeof path, "%s/f", dir);
	assert_int_equal(engine_start(&en, &engine_posix, &o, NULL), 0);
	write_file(&en, path);
	cold_make(&en, path, out);
	engine_stop(&en);
}

/* Where the folder for tests is not on a disk, this cannot be shown. */
static void test_cold_posix_proves_by_residency(void **state)
{
	(void)state;
	char *dir = tmpdir_make();
	struct engine_drop drop;
	drop_in(dir, &drop);
	tmpdir_remove(dir);
	if (!drop.proven && strstr(drop.proof, "256 after"))
		skip();
	assert_true(drop.proven);
	assert_non_null(
	        strstr(drop.proof, "256 of 256 pages resident before, 0 after"));
}

static void test_cold_tmpfs_is_not_cold(void **state)
{
	(void)state;
	if (access("/dev/shm", W_OK) < 0)
		skip();
	char dir[] = "/dev/shm/cellbench-test-XXXXXX";
	struct engine_drop drop;
	char path[64];
	assert_non_null(mkdtemp(dir));
	drop_in(dir, &drop);
	snprintf(path, sizeof path, "%s/f", dir);
	unlink(path);
	rmdir(dir);
	assert_false(drop.proven);
	assert_non_null(strstr(drop.proof, "256 after"));
}

static void test_cold_missing_file(void **state)
{
	(void)state;
	struct engine en;
	struct engine_options o = {.dir = "/x"};
	struct engine_drop drop;
	assert_int_equal(engine_start(&en, &engine_null, &o, NULL), 0);
	cold_make(&en, "/x/none", &drop);
	assert_true(drop.proven);
	engine_stop(&en);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_cold_posix_proves_by_residency),
	        cmocka_unit_test(test_cold_tmpfs_is_not_cold),
	        cmocka_unit_test(test_cold_missing_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
