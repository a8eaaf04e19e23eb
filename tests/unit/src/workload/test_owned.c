#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/workload/owned.h"
#include "tests/support/tmpdir.h"

static void test_owned_kinds(void **state)
{
	(void)state;
	static const struct {
		const char *path;
		enum owned kind;
	} rows[] = {
	        {"data", OWNED_FILE},
	        {"data/x", OWNED_NOT},
	        {"Data", OWNED_NOT},
	        {"files", OWNED_DIR},
	        {"files/00012", OWNED_DIR},
	        {"files/0000000012", OWNED_FILE},
	        {"files/00012/abc0000000012", OWNED_FILE},
	        {"files/notes", OWNED_NOT},
	        {"files/my thesis.tex", OWNED_NOT},
	        {"many", OWNED_DIR},
	        {"many/m00001", OWNED_FILE},
	        {"many/m00001.bak", OWNED_NOT},
	        {"tree/work/d3/f00017.c", OWNED_FILE},
	        {"tree/work/d3/CVS", OWNED_DIR},
	        {"tree/work/d3/CVS/Entries.Backup", OWNED_FILE},
	        {"tree/repository/d3/f00017.c,v", OWNED_FILE},
	        {"tree/repository/d3/,f00017.c,", OWNED_FILE},
	        {"tree/work/main.c", OWNED_NOT},
	        {"tree/work/d", OWNED_NOT},
	        {"command", OWNED_ANYTHING},
	        {"other", OWNED_NOT},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (owned_kind(rows[i].path) != rows[i].kind)
			fail_msg("%s is %d", rows[i].path, owned_kind(rows[i].path));
}

static void make(const char *dir, const char *name)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%s", dir, name);
	if (name[strlen(name) - 1] == '/') {
		assert_int_equal(mkdir(path, 0755), 0);
	} else {
		int fd = open(path, O_CREAT | O_WRONLY, 0644);
		assert_true(fd >= 0);
		close(fd);
	}
}

static bool has(const char *dir, const char *name)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%s", dir, name);
	return access(path, F_OK) == 0;
}

static int remove_in(const char *dir, bool strict, char foreign[4096])
{
	struct engine en;
	struct engine_options o = {.dir = dir};
	struct err e = {0};
	assert_int_equal(engine_start(&en, &engine_posix, &o, NULL), 0);
	int r = owned_remove(&en, dir, strict, foreign, 4096, &e);
	engine_stop(&en);
	return r;
}

static void test_owned_remove_all(void **state)
{
	(void)state;
	char *dir = tmpdir_make(), foreign[4096];
	make(dir, "data");
	make(dir, "files/");
	make(dir, "files/00000/");
	make(dir, "files/00000/0000000001x");
	make(dir, "command/");
	make(dir, "command/anything at all");
	assert_int_equal(remove_in(dir, true, foreign), 0);
	assert_int_equal(rmdir(dir), 0);
	tmpdir_remove(dir);
}

/* Strict: nothing at all is touched.  Else ours goes, the other stays. */
static void test_owned_foreign_stays(void **state)
{
	(void)state;
	char *dir = tmpdir_make(), foreign[4096];
	make(dir, "data");
	make(dir, "many/");
	make(dir, "many/m00001");
	make(dir, "many/letter.txt");
	assert_int_equal(remove_in(dir, true, foreign), 1);
	assert_non_null(strstr(foreign, "/many/letter.txt"));
	assert_true(has(dir, "data") && has(dir, "many/m00001"));
	assert_int_equal(remove_in(dir, false, foreign), 1);
	assert_false(has(dir, "data") || has(dir, "many/m00001"));
	assert_true(has(dir, "many/letter.txt"));
	tmpdir_remove(dir);
}

/* A link where a folder of ours should be leads to what is not ours. */
static void test_owned_links_are_not_followed(void **state)
{
	(void)state;
	char *dir = tmpdir_make(), *other = tmpdir_make(), foreign[4096], path[4096];
	make(other, "m00001");
	make(other, "precious");
	snprintf(path, sizeof path, "%s/many", dir);
	assert_int_equal(symlink(other, path), 0);
	assert_int_equal(remove_in(dir, false, foreign), 1);
	assert_true(has(other, "m00001"));
	make(dir, "command/");
	snprintf(path, sizeof path, "%s/command/link", dir);
	assert_int_equal(symlink(other, path), 0);
	assert_int_equal(remove_in(dir, false, foreign), 1);
	assert_false(has(dir, "command"));
	assert_true(has(other, "m00001") && has(other, "precious"));
	tmpdir_remove(dir);
	tmpdir_remove(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_owned_kinds),
	        cmocka_unit_test(test_owned_remove_all),
	        cmocka_unit_test(test_owned_foreign_stays),
	        cmocka_unit_test(test_owned_links_are_not_followed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
