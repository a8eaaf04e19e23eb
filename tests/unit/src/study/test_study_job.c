/* Job files of studies: what they say, and what is wrong with them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/study/study_job.h"
#include "tests/support/tmpdir.h"

struct bench {
	char *dir, path[4096];
	struct study_job j;
	struct err e;
	int result;
};

static struct bench load(const char *text, char *const *sets, size_t nsets)
{
	struct bench b = {.dir = tmpdir_make()};
	snprintf(b.path, sizeof b.path, "%s/job-one.ini", b.dir);
	FILE *f = fopen(b.path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	b.result = study_job_load(&b.j, b.path, sets, nsets, &b.e);
	return b;
}

static void done(struct bench *b)
{
	study_job_fini(&b->j);
	tmpdir_remove(b->dir);
}

static const char whole[] = "; a comment\n"
                            "[study]\n"
                            "question = What is\n"
                            "    it?\n"
                            "repeats = 4\n"
                            "options = --seeks 10\n"
                            "[matrix]\n"
                            "link = ether, atm\n"
                            "server = default, jumbo\n"
                            "size = 1M , 512K\n"
                            "workload = quick\n"
                            "[matrix disk]\n"
                            "link = local\n"
                            "[server jumbo]\n"
                            "fileserver-options = -jumbo\n"
                            "setup = first \"a\n"
                            "    b\"\n"
                            "[workload quick]\n"
                            "workload = bonnie\n"
                            "options = --per-char none\n"
                            "    --request-size 16K\n"
                            "[link local]\n"
                            "dir = /tmp\n";

static void test_whole(void **state)
{
	(void)state;
	struct bench b = load(whole, NULL, 0);
	const struct study_job *j = &b.j;
	assert_string_equal(b.e.text, "");
	assert_int_equal(b.result, 0);
	assert_string_equal(j->name, "job-one");
	assert_string_equal(j->question, "What is it?");
	assert_int_equal(j->repeats, 4);
	assert_true(j->lab);
	assert_int_equal(j->matrix.n, 9);

	const struct cell *c = &j->matrix.cells[7]; /* atm, jumbo, 512K */
	assert_string_equal(c->value[AXIS_LINK], "atm");
	assert_string_equal(c->value[AXIS_SERVER], "jumbo");
	assert_string_equal(c->value[AXIS_SIZE], "512K");
	assert_string_equal(study_job_get(j, c, SET_WORKLOAD), "bonnie");
	assert_null(study_job_get(j, c, SET_DIR));
	char *options = study_job_all(j, c, SET_OPTIONS, " ");
	assert_string_equal(options, "--seeks 10 --per-char none --request-size 16K");
	free(options);
	/* a command keeps its lines */
	assert_string_equal(study_job_get(j, c, SET_SETUP), "first \"a\nb\"");
	assert_string_equal(study_job_get(j, &j->matrix.cells[8], SET_DIR), "/tmp");
	char *none = study_job_all(j, &j->matrix.cells[8], SET_SETUP, "\n");
	assert_string_equal(none, "");
	free(none);
	done(&b);
}

static void test_sets(void **state)
{
	(void)state;
	char *sets[] = {(char[]){"size=64K"}, (char[]){"repeats=1"}};
	struct bench b = load(whole, sets, 2);
	assert_int_equal(b.result, 0);
	assert_int_equal(b.j.repeats, 1);
	assert_int_equal(b.j.matrix.n, 5);
	assert_string_equal(b.j.matrix.cells[4].value[AXIS_SIZE], "64K");
	/* so that a study knows that it was another one */
	assert_non_null(strstr(b.j.text, "size=64K"));
	done(&b);

	char *wrong[] = {(char[]){"sizes=64K"}};
	b = load(whole, wrong, 1);
	assert_int_equal(b.result, -1);
	assert_non_null(strstr(b.e.text, "sizes"));
	done(&b);

	/* no line of the file is to blame */
	char *bad[] = {(char[]){"size=big"}};
	b = load(whole, bad, 1);
	assert_int_equal(b.result, -1);
	assert_int_equal(strncmp(b.e.text, "--set size: ", 12), 0);
	done(&b);
}

/* Each mistake is told with file, line and key. */
static void test_mistakes(void **state)
{
	(void)state;
	static const struct mistake {
		const char *text, *place, *why;
	} mistakes[] = {
	        {"[study]\nrepeat = 3\n[matrix]\nlink = atm\n",
	         ":2: repeat:", "no setting"},
	        {"[study]\nrepeats = many\n", ":2: repeats:", "many"},
	        {"[study]\norder = backwards\n", ":2: order:", "backwards"},
	        {"[study]\nlab = perhaps\n", ":2: lab:", "yes or no"},
	        {"[study]\npublished = atm-1996\n", ":2: published:", "atm-1996"},
	        {"[study]\noptions = --seeks 1 --sekes 2\n", ":2: options:", "--sekes"},
	        {"[study]\noptions = --seeks 1\n  --sekes 2\n",
	         ":3: options:", "--sekes"},
	        {"[matrix]\nlinks = atm\n", ":2: links:", "no axis"},
	        {"[matrix]\nsize = 1M, big\n", ":2: size:", "big"},
	        {"[matrix]\nclients = 0\n", ":2: clients:", "0"},
	        {"[matrix]\ncache = tepid\n", ":2: cache:", "tepid"},
	        {"[matrix]\nlink = atm\nsize = 1M\nlink = ether\n",
	         ":4: link:", "twice (line 2)"},
	        {"\n\n[matrix]\nserver = default, jumbo\n",
	         ":4: server:", "[server jumbo]"},
	        {"[matrix]\nlink = atm\n[server x]\ncolour = red\n",
	         ":4: colour:", "no setting"},
	        {"[matrix]\nlink = atm\n[workload x]\nworkload = bonny\n",
	         ":4: workload:", "bonny"},
	        {"[matrix]\nlink = atm\n[link x]\nengine = ftp\n",
	         ":4: engine:", "ftp"},
	        {"[martix]\nlink = atm\n", ":2: link:", "[martix]"},
	        {"[size 1M]\nhost = x\n", ":2: host:", "[size 1M]"},
	        {"[matrix]\nlink\n", ":2: line:", "KEY = VALUE"},
	        {"[matrix]\nlink = ,\n", ":2: link:", "no value"},
	        {"[study]\nrepeats = 2\n", "", "no section [matrix]"},
	        {"", "", "no section [matrix]"},
	};
	for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
		struct bench b = load(mistakes[i].text, NULL, 0);
		assert_int_equal(b.result, -1);
		assert_int_equal(b.e.code, ERR_USAGE);
		if (!strstr(b.e.text, b.path) || !strstr(b.e.text, mistakes[i].place) ||
		    !strstr(b.e.text, mistakes[i].why))
			fail_msg("%zu: wanted '%s … %s' in '%s'", i, mistakes[i].place,
			         mistakes[i].why, b.e.text);
		done(&b);
	}
}

static void test_files(void **state)
{
	(void)state;
	struct study_job j;
	struct err e = {0};
	assert_int_equal(study_job_load(&j, "/nonexistent/job.ini", NULL, 0, &e), -1);
	assert_non_null(strstr(e.text, "/nonexistent/job.ini"));
	study_job_fini(&j);

	char text[512] = "[study]\nquestion = ";
	size_t n = strlen(text);
	memset(text + n, 'x', 300);
	struct bench b = load(text, NULL, 0);
	assert_int_equal(b.result, -1);
	assert_non_null(strstr(b.e.text, ":2: line: is longer"));
	done(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_whole),
	        cmocka_unit_test(test_sets),
	        cmocka_unit_test(test_mistakes),
	        cmocka_unit_test(test_files),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
