#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/cache/cold.h"
#include "tests/support/tmpdir.h"

struct place {
	char *dir;
	char file[4096], log[4096];
	struct engine en;
	struct cache_place p;
};

static struct place enter(const struct engine_ops *ops)
{
	struct place t = {.dir = tmpdir_make()};
	struct engine_options o = {.dir = t.dir};
	assert_int_equal(engine_start(&t.en, ops, &o, NULL), 0);
	return t;
}

/* Three files of 64 KiB, two of them in a folder. */
static void fill(struct place *t)
{
	static const char *const names[] = {"a", "d/b", "d/c"};
	const struct engine_ops *o = t->en.ops;
	char *bytes = calloc(1, 65536);
	snprintf(t->file, sizeof t->file, "%s/d", t->dir);
	assert_int_equal(o->mkdir(t->en.st, t->file, 0755), 0);
	for (size_t i = 0; i < 3; i++) {
		snprintf(t->file, sizeof t->file, "%s/%s", t->dir, names[i]);
		int h = o->open(t->en.st, t->file, O_CREAT | O_WRONLY, 0644);
		assert_int_equal(engine_write_full(&t->en, h, bytes, 65536), 65536);
		o->close(t->en.st, h);
	}
	free(bytes);
	snprintf(t->log, sizeof t->log, "%s/log", t->dir);
	t->p = (struct cache_place){.engine = &t->en, .dir = t->dir};
}

static void leave(struct place *t)
{
	engine_stop(&t->en);
	tmpdir_remove(t->dir);
}

static void test_cold_apply_drops_every_file(void **state)
{
	(void)state;
	struct place t = enter(&engine_posix);
	struct cache_config c = {0};
	struct engine_drop drop;
	bool all;
	char text[128];
	fill(&t);
	assert_true(cache_residency(&t.p, &all, text, sizeof text));
	assert_true(all);
	assert_string_equal(text, "48 of 48 pages resident");
	cold_apply(&c, &t.p, &drop);
	if (!drop.proven && drop.after == 48)
		skip(); /* tmpfs */
	assert_true(drop.proven);
	assert_string_equal(drop.proof,
	                    "3 files: 48 of 48 pages resident before, 0 after");
	assert_true(cache_residency(&t.p, &all, text, sizeof text));
	assert_false(all);
	t.p.names = true; /* their names are still known to the kernel */
	cold_apply(&c, &t.p, &drop);
	assert_false(drop.proven);
	leave(&t);
}

static void test_cold_apply_command(void **state)
{
	(void)state;
	struct place t = enter(&engine_posix);
	struct cache_config c = {.method = COLD_COMMAND};
	struct engine_drop drop;
	fill(&t);
	/* a command that does nothing is found out */
	c.command = "test -d \"$CELLBENCH_DIR/d\"";
	cold_apply(&c, &t.p, &drop);
	assert_false(drop.proven);
	assert_non_null(strstr(drop.proof, "exit code 0; 48 of 48 pages resident"));
	/* one that drops is believed */
	c.command = "for f in \"$CELLBENCH_DIR\"/a \"$CELLBENCH_DIR\"/d/*; do "
	            "dd if=\"$f\" iflag=nocache count=0 2>/dev/null; done";
	cold_apply(&c, &t.p, &drop);
	if (drop.after == 48)
		skip();
	assert_true(drop.proven);
	c.command = "echo 'no mount' >&2; exit 9";
	t.p.log = t.log;
	cold_apply(&c, &t.p, &drop);
	assert_false(drop.proven);
	assert_string_equal(drop.proof, "it failed: exit code 9: no mount");
	leave(&t);
}

static void test_cold_apply_none_claims_nothing(void **state)
{
	(void)state;
	struct place t = enter(&engine_null);
	struct cache_config c = {.method = COLD_NONE};
	struct engine_drop drop;
	fill(&t);
	cold_apply(&c, &t.p, &drop);
	assert_false(drop.proven);
	c.method = COLD_ENGINE;
	t.p.names = true; /* the null engine has no cache of names either */
	cold_apply(&c, &t.p, &drop);
	assert_true(drop.proven);
	leave(&t);
}

/* A stand-in for the fs of a kernel client: it is called in the folder, and believed if
 * the pages are gone after it. */
static void test_cold_apply_fs(void **state)
{
	(void)state;
	struct place t = enter(&engine_posix);
	struct cache_config c = {.method = COLD_FS};
	struct engine_drop drop;
	char script[4200], path[8400], *was = strdup(getenv("PATH"));
	fill(&t);
	snprintf(script, sizeof script, "%s/fs", t.dir);
	FILE *f = fopen(script, "w");
	fprintf(f,
	        "#!/bin/sh\ntest \"$*\" = 'flushvolume -path .' || exit 9\n"
	        "for f in a d/*; do dd if=$f iflag=nocache count=0 2>/dev/null; done\n"
	        "dd if=$0 iflag=nocache count=0 2>/dev/null\n"
	        "test ! -e broken || { echo 'Function not implemented' >&2; exit 1; "
	        "}\n");
	fclose(f);
	chmod(script, 0755);
	snprintf(path, sizeof path, "%s:%s", t.dir, was);
	setenv("PATH", path, 1);
	t.p.file = t.file; /* the last one: the script itself stays in use */
	t.p.log = t.log;
	cold_apply(&c, &t.p, &drop);
	struct engine_drop broken;
	snprintf(script, sizeof script, "%s/broken", t.dir);
	close(open(script, O_CREAT | O_WRONLY, 0644));
	cold_apply(&c, &t.p, &broken);
	setenv("PATH", was, 1);
	free(was);
	assert_string_equal(drop.means, "fs flushvolume");
	assert_non_null(strstr(drop.proof, "exit code 0; "));
	assert_int_equal(drop.proven, drop.after == 0); /* on tmpfs they stay */
	assert_false(broken.proven);
	assert_string_equal(broken.proof,
	                    "it failed: exit code 1: Function not implemented");
	leave(&t);
}

static unsigned own_cache(void *st)
{
	(void)st;
	return ENGINE_OWN_CACHE;
}

/* A client whose data do not leave with the kernel's pages: only a command reaches it.
 */
static void test_cold_apply_own_cache(void **state)
{
	(void)state;
	struct engine_ops ops = engine_posix;
	ops.caps_here = own_cache;
	struct place t = enter(&ops);
	struct cache_config c = {0};
	struct engine_drop drop;
	fill(&t);
	cold_apply(&c, &t.p, &drop);
	assert_false(drop.proven);
	t.p.file = t.file; /* the last one */
	cold_apply(&c, &t.p, &drop);
	if (drop.after > 0)
		skip(); /* tmpfs */
	assert_false(drop.proven);
	assert_non_null(strstr(drop.proof, "the client's own cache is not reached"));
	c.method = COLD_COMMAND;
	c.command = ":";
	cold_apply(&c, &t.p, &drop);
	assert_true(drop.proven);
	leave(&t);
}

static void test_cold_server_is_told_apart(void **state)
{
	(void)state;
	struct place t = enter(&engine_posix);
	struct cache_config c = {0};
	char text[160];
	fill(&t);
	cold_server(&c, &t.p, text, sizeof text);
	assert_string_equal(text, "not touched");
	c.server_command = "exit 2";
	cold_server(&c, &t.p, text, sizeof text);
	assert_string_equal(text, "exit 2: exit code 2");
	leave(&t);
}

static void test_cold_drop_caches(void **state)
{
	(void)state;
	struct place t = enter(&engine_posix);
	struct cache_config c = {.method = COLD_DROP_CACHES};
	struct engine_drop drop;
	fill(&t);
	t.p.names = true;
	cold_apply(&c, &t.p, &drop);
	if (access("/proc/sys/vm/drop_caches", W_OK) < 0)
		assert_false(drop.proven);
	else if (drop.after == 48)
		skip();
	else
		assert_true(drop.proven);
	leave(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_cold_apply_drops_every_file),
	        cmocka_unit_test(test_cold_apply_command),
	        cmocka_unit_test(test_cold_apply_fs),
	        cmocka_unit_test(test_cold_apply_own_cache),
	        cmocka_unit_test(test_cold_apply_none_claims_nothing),
	        cmocka_unit_test(test_cold_server_is_told_apart),
	        cmocka_unit_test(test_cold_drop_caches),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
