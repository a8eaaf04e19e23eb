/* The record of a study: order of its runs, going on, the limit; what the probe saw. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/study/study.h"
#include "src/study/study_lab.h"
#include "src/study/study_wire.h"
#include "tests/support/tmpdir.h"

struct bench {
	char *dir, path[4096], out[4096];
	struct study_job j;
	struct err e;
};

static const char text[] = "[study]\nrepeats = 3\n"
                           "[matrix]\nlink = ether, atm\nsize = 1M, 2M\n"
                           "[link here]\ndir = \"$HOME\"\n"
                           "[client c]\nclient-options = -stat 100\n";

static struct bench load(const char *job)
{
	struct bench b = {.dir = tmpdir_make()};
	snprintf(b.path, sizeof b.path, "%s/j.ini", b.dir);
	snprintf(b.out, sizeof b.out, "%s/out/study", b.dir);
	FILE *f = fopen(b.path, "w");
	assert_non_null(f);
	fputs(job, f);
	fclose(f);
	assert_int_equal(study_job_load(&b.j, b.path, NULL, 0, &b.e), 0);
	return b;
}

static void done(struct bench *b)
{
	study_job_fini(&b->j);
	tmpdir_remove(b->dir);
}

static void test_order(void **state)
{
	(void)state;
	struct bench b = load(text);
	struct study s;
	size_t n;
	assert_int_equal(study_plan_only(&s, &b.j, &b.e), 0);
	struct study_step *steps = study_steps(&s, false, &n);
	assert_int_equal(n, 12);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(steps[i].cell, i % 4);
		assert_int_equal(steps[i].repeat, i / 4);
	}
	free(steps);
	/* with a limit the first two runs are of both links and both sizes */
	steps = study_steps(&s, true, &n);
	assert_int_equal(n, 12);
	assert_int_equal(steps[0].cell, 0);
	assert_int_equal(steps[1].cell, 3);
	assert_int_equal(steps[3].repeat, 0);
	assert_int_equal(steps[4].repeat, 1);
	free(steps);
	study_fini(&s);
	done(&b);
}

static void test_goes_on(void **state)
{
	(void)state;
	struct bench b = load(text);
	struct study s, other;
	size_t n;
	assert_int_equal(study_open(&s, &b.j, b.out, &b.e), 0);
	s.cells[2].runs[0] = (struct study_run){STUDY_DONE, 8, 0.5, ""};
	s.cells[3].runs[1] = (struct study_run){STUDY_FAILED, 4, 0, "why \"not\""};
	assert_int_equal(study_save(&s, &b.e), 0);

	/* two at a time would spoil each other's record */
	assert_int_equal(study_open(&other, &b.j, b.out, &b.e), -1);
	assert_non_null(strstr(b.e.text, "at work"));
	study_fini(&other);
	b.e = (struct err){0};
	study_fini(&s);

	assert_int_equal(study_open(&s, &b.j, b.out, &b.e), 0);
	assert_int_equal(s.cells[2].runs[0].status, STUDY_DONE);
	assert_float_equal(s.cells[2].runs[0].load, 0.5, 1e-6);
	assert_string_equal(s.cells[3].runs[1].why, "why \"not\"");
	struct study_step *steps = study_steps(&s, false, &n);
	assert_int_equal(n, 10);
	assert_int_equal(steps[2].cell, 3); /* of cell 2 the first run is there */
	free(steps);
	/* measured runs replace the guess */
	assert_float_equal(study_estimate(&s, 2), 8, 1e-9);
	study_fini(&s);

	struct bench changed = load("[matrix]\nlink = atm\n");
	assert_int_equal(study_open(&s, &changed.j, b.out, &b.e), -1);
	assert_non_null(strstr(b.e.text, "another job"));
	study_fini(&s);
	done(&changed);
	done(&b);
}

static void test_commands(void **state)
{
	(void)state;
	struct bench b = load("[matrix]\nlink = atm\nclients = 1, 4\nclient = c\n"
	                      "cache = cold+warm\n"
	                      "[matrix x]\nlink = here\n"
	                      "[client c]\nclient-options = -stat 100\n"
	                      "[link here]\ndir = \"$HOME\"\nengine = posix\n");
	struct study s;
	assert_int_equal(study_plan_only(&s, &b.j, &b.e), 0);
	char *one = study_command(&s, &(struct study_step){0, 0}, 77);
	assert_non_null(strstr(one, "--hosts atm --via '"));
	assert_non_null(strstr(one, "lab exec {}'"));
	assert_non_null(strstr(one, "--server-pid 77 -- "));
	assert_non_null(strstr(one, "--cache cold,warm"));
	assert_non_null(strstr(one, "--client-options '-stat 100'"));
	assert_null(strstr(one, "mpirun"));
	free(one);
	char *four = study_command(&s, &(struct study_step){1, 0}, 0);
	assert_ptr_equal(strstr(four, "mpirun"), four);
	assert_non_null(strstr(four, " -n 4 "));
	assert_non_null(strstr(four, "--hosts atm,atm2,atm3,atm4"));
	free(four);
	char *here = study_command(&s, &(struct study_step){2, 0}, 77);
	assert_null(strstr(here, "--volume"));
	assert_null(strstr(here, "--probe"));
	assert_null(strstr(here, "--server-pid"));
	assert_string_equal(here + strlen(here) - 8, " \"$HOME\"");
	free(here);
	char *up = study_lab_up_command(&s, s.cells[0].c);
	assert_non_null(strstr(up, "lab up --clients 4"));
	free(up);
	char *quoted = study_quote("it's");
	assert_string_equal(quoted, "'it'\\''s'");
	free(quoted);
	study_fini(&s);
	done(&b);
}

static const char probe_text[] =
        "{\"phases\":[{\"id\":1,\"interfaces\":[{\"name\":\"eth0\","
        "\"to_server\":{\"rx_data_bytes\":10,\"rx_datagrams\":1,\"rx_types\":{\"ACK\":"
        "40}},"
        "\"to_client\":{\"rx_data_bytes\":9000,\"rx_datagrams\":6,\"fragments\":4,"
        "\"resends\":1,\"dominant_datagram\":1444,\"dominant_share\":0.9,"
        "\"share_of_ceiling\":0.8,\"seconds\":1,\"ceiling_bytes_per_s\":1024}}]},"
        "{\"id\":2,\"interfaces\":[{\"name\":\"eth0\","
        "\"to_server\":{\"rx_types\":{\"ACK\":2}},"
        "\"to_client\":{\"rx_data_bytes\":1000,\"rx_datagrams\":1,\"fragments\":1,"
        "\"dominant_datagram\":1444,\"share_of_ceiling\":0.4,\"seconds\":3}}]},"
        "{\"id\":3,\"interfaces\":[{\"name\":\"eth0\","
        "\"to_client\":{\"rx_data_bytes\":5,\"rx_datagrams\":5}}]}]}";

static void test_wire(void **state)
{
	(void)state;
	json_t *probe = json_loads(probe_text, 0, NULL);
	json_t *marks = json_loads("[{\"name\":\"cold/read\",\"id\":1},"
	                           "{\"name\":\"cold/read#2\",\"id\":2},"
	                           "{\"name\":\"cold/reader\",\"id\":3}]",
	                           0, NULL);
	assert_non_null(probe);
	json_t *w = study_wire(probe, marks, "cold", "read");
	assert_string_equal(json_string_value(json_object_get(w, "direction")),
	                    "to_client");
	static const struct {
		const char *key;
		double value;
	} wanted[] = {{"rx_data_bytes", 10000}, {"datagrams", 7}, {"fragments", 5},
	              {"resends", 1},           {"acks", 42},     {"datagram", 1444},
	              {"share_of_ceiling", 0.5}};
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		assert_float_equal(json_number_value(json_object_get(w, wanted[i].key)),
		                   wanted[i].value, 1e-9);
	json_decref(w);
	assert_null(study_wire(probe, marks, "warm", "read"));
	assert_null(study_wire(NULL, marks, "cold", "read"));

	json_t *timed = json_loads(
	        "[{\"name\":\"cold/read\",\"begin_ns\":10,\"end_ns\":20}]", 0, NULL);
	json_t *calls = json_loads("[{\"begin_ns\":9,\"operation\":\"A\"},"
	                           "{\"begin_ns\":10,\"operation\":\"A\"},"
	                           "{\"begin_ns\":19,\"operation\":\"A\"},"
	                           "{\"begin_ns\":20,\"operation\":\"B\"}]",
	                           0, NULL);
	json_t *counts = study_calls(calls, timed, "cold", "read");
	assert_int_equal(json_object_size(counts), 1);
	assert_int_equal(json_integer_value(json_object_get(counts, "A")), 2);
	json_decref(counts);
	json_decref(calls);
	json_decref(timed);
	json_decref(marks);
	json_decref(probe);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_order),
	        cmocka_unit_test(test_goes_on),
	        cmocka_unit_test(test_commands),
	        cmocka_unit_test(test_wire),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
