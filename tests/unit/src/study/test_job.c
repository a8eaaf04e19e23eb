#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/run/config.h"
#include "src/study/job.h"
#include "tests/support/tmpdir.h"

/* A job file with this text, read. */
struct bench {
	char *dir;
	char path[4096];
	struct job j;
	struct err e;
	int result;
};

static struct bench load(const char *text)
{
	struct bench b = {.dir = tmpdir_make()};
	snprintf(b.path, sizeof b.path, "%s/j.ini", b.dir);
	FILE *f = fopen(b.path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	b.result = job_load(&b.j, b.path, &b.e);
	return b;
}

static void done(struct bench *b)
{
	job_fini(&b->j);
	tmpdir_remove(b->dir);
}

/* A section may have another value than [global], and steps add up. */
static void test_job_what_may_be_there_twice(void **state)
{
	(void)state;
	struct bench b =
	        load("[global]\nsize = 1M\n[run a]\nsize = 2M\n[run b]\nsize = "
	             "3M\nstep = a=true\nstep = b=true\n[run]\n[run]\n");
	if (b.result < 0)
		fail_msg("%s", b.e.text);
	assert_int_equal(b.j.n, 4);
	done(&b);
}

/* The command line of section i, its words parted by '|'. */
static void assert_line(const struct job *j, size_t i, bool has_dir,
                        const char *expected)
{
	char *argv[] = {(char[]){"run"},       (char[]){"--job"},
	                (char[]){"j.ini"},     (char[]){"--job=j.ini"},
	                (char[]){"--seeks=9"}, NULL};
	char text[1024] = "";
	int n;
	char **words = job_argv(j, i, 5, argv, has_dir, &n);
	assert_non_null(words);
	for (int k = 0; k < n; k++) {
		strcat(text, k ? "|" : "");
		strcat(text, words[k]);
	}
	assert_null(words[n]);
	assert_string_equal(text, expected);
	free(words);
}

static void test_job_sections(void **state)
{
	(void)state;
	struct bench b = load("# comment\n"
	                      "[global]\n"
	                      "engine = null\n"
	                      "memcache = no\n"
	                      "dir = /d\n"
	                      "\n"
	                      "[run]\n"
	                      "size = 8M\n"
	                      "[run]\n"
	                      "size = 16M ; larger\n"
	                      "memcache = yes\n"
	                      "[run third]\n"
	                      "dir = /e\n"
	                      "null-delay = write=1ms,\n"
	                      "   read=2us\n");
	assert_int_equal(b.result, 0);
	assert_int_equal(b.j.n, 3);
	assert_string_equal(b.j.sections[2].name, "third");
	assert_int_equal(b.j.sections[2].line, 12);
	assert_line(&b.j, 0, false, "run|--engine=null|/d|--size=8M|--seeks=9");
	assert_line(&b.j, 1, true, "run|--engine=null|--size=16M|--memcache|--seeks=9");
	assert_line(&b.j, 2, false,
	            "run|--engine=null|/e|--null-delay=write=1ms,read=2us|--seeks=9");
	done(&b);
}

static void test_job_steps_and_long_values(void **state)
{
	(void)state;
	struct bench b = load("[run]\n"
	                      "workload = command\n"
	                      "step = one=cvs -Q checkout\n"
	                      " module\n"
	                      "step = two=true\n");
	assert_int_equal(b.result, 0);
	assert_line(&b.j, 0, false,
	            "run|--workload=command|--step=one=cvs -Q checkout module|--step="
	            "two=true|--seeks=9");
	done(&b);
}

/* Each mistake is told with file, line and key. */
static void test_job_mistakes(void **state)
{
	(void)state;
	static const struct mistake {
		const char *text, *where, *what;
	} mistakes[] = {
	        {"[run]\nsizee = 1M\n", ":2: ", "sizee: no option"},
	        {"[run]\n\nsize = 1Q\n", ":3: ", "size: '1Q'"},
	        {"[run]\nsize = 1M\nengine = afz\n", ":3: ", "engine: no engine 'afz'"},
	        {"[run]\nmemcache = maybe\n", ":2: ", "memcache: takes yes or no"},
	        {"[run]\njob = other.ini\n", ":2: ", "job: no option"},
	        {"[run]\nhelp = yes\n", ":2: ", "help: no option"},
	        {"size = 1M\n[run]\n", ":1: ", "size: stands before"},
	        {"[run]\n[rum]\n", ":2: ", "no section [rum]"},
	        {"[run a/b]\n", ":1: ", "cannot be the name"},
	        {"[run ..]\n", ":1: ", "'..' cannot be the name"},
	        {"[run .. ]\n", ":1: ", "'..' cannot be the name"},
	        {"[run a]\n[run b]\n[run a ]\n",
	         ":3: ", "[run a] is there twice (line 1)"},
	        {"[run]\nsize = 1M\nseeks = 1\nsize = 2M\n",
	         ":4: ", "size: is there twice"},
	        {"[global]\nsize = 1M\nsize = 2M\n", ":3: ", "size: is there twice"},
	        {"[run]\nmemcache = yes\nmemcache = yes\n",
	         ":3: ", "memcache: is there twice"},
	        {"[run\n", ":1: ", "heading"},
	        {"[run]\nsize\n", ":2: ", "neither"},
	        {"[run]\ndir = --help\n", ":2: ", "dir: '--help' is no folder"},
	        {"[run]\nmemcache = yes\n more\n", ":3: ", "memcache: cannot go on"},
	        {"[run]\ncache = cold,\n lukewarm\n", ":", "cache: "},
	        {"[global]\nsize = 1M\n", "", "has no section [run]"},
	        {"", "", "has no section [run]"},
	};
	for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
		struct bench b = load(mistakes[i].text);
		char where[4200];
		snprintf(where, sizeof where, "%s%s", b.path, mistakes[i].where);
		assert_int_equal(b.result, -1);
		assert_int_equal(b.e.code, ERR_USAGE);
		if (!strstr(b.e.text, where) || !strstr(b.e.text, mistakes[i].what))
			fail_msg("%s: %s", mistakes[i].text, b.e.text);
		done(&b);
	}
}

static void test_job_long_line(void **state)
{
	(void)state;
	char text[400] = "[run]\noutput = ";
	memset(text + strlen(text), 'x', 300);
	struct bench b = load(text);
	assert_int_equal(b.result, -1);
	assert_non_null(strstr(b.e.text, ":2: the line is longer"));
	done(&b);
}

static void test_job_missing_file(void **state)
{
	(void)state;
	struct job j;
	struct err e = {0};
	assert_int_equal(job_load(&j, "/nonexistent/j.ini", &e), -1);
	assert_int_equal(e.code, ERR_USAGE);
	job_fini(&j);
}

/* The examples must be what `cellbench run` takes; the tests run in the top folder. */
static void test_job_examples(void **state)
{
	(void)state;
	glob_t found;
	char *argv[] = {(char[]){"run"}, NULL};
	assert_int_equal(glob("doc/examples/*.ini", 0, NULL, &found), 0);
	assert_true(found.gl_pathc >= 5);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct job j;
		struct err e = {0};
		if (job_load(&j, found.gl_pathv[i], &e) < 0)
			fail_msg("%s", e.text);
		for (size_t k = 0; k < j.n; k++) {
			struct run_config c;
			int n;
			char **words = job_argv(&j, k, 1, argv, false, &n);
			assert_non_null(words);
			if (config_words(&c, n, words, &e) < 0 ||
			    (!c.volume && config_check(&c, &e) < 0))
				fail_msg("%s: %s", found.gl_pathv[i], e.text);
			free(words);
		}
		job_fini(&j);
	}
	globfree(&found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_job_sections),
	        cmocka_unit_test(test_job_steps_and_long_values),
	        cmocka_unit_test(test_job_mistakes),
	        cmocka_unit_test(test_job_what_may_be_there_twice),
	        cmocka_unit_test(test_job_long_line),
	        cmocka_unit_test(test_job_missing_file),
	        cmocka_unit_test(test_job_examples),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
