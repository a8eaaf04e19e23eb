#include "netprobe/check/expectation.h"

#include "tests/support/tmpdir.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static int load(struct expectations *e, const char *text, struct err *err)
{
	char *dir = tmpdir_make();
	char path[4096];
	snprintf(path, sizeof path, "%s/wanted", dir);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	*err = (struct err){0};
	int rc = expectations_load(e, path, err);
	tmpdir_remove(dir);
	return rc;
}

static const struct expectation *of(const struct expectations *e, const char *text)
{
	struct addr a;
	assert_true(addr_parse(text, &a));
	return expectations_for(e, &a);
}

static void test_longest(void **state)
{
	(void)state;
	struct expectations e;
	struct err err;
	assert_int_equal(
	        load(&e,
	             "# what we have\n0.0.0.0/0 mtu=1500\n"
	             "10.0.0.0/8\tpath=1400 # all\n\n10.77.2.0/23 mtu=9180 path=9180 "
	             "rx=8520\n10.77.2.7 mtu=4352\nfd00::/60 mtu=9000\n",
	             &err),
	        0);
	assert_int_equal(e.n, 5);
	assert_int_equal(of(&e, "192.0.2.1")->mtu, 1500);
	assert_int_equal(of(&e, "10.1.1.1")->path, 1400);
	assert_int_equal(of(&e, "10.77.3.255")->rx, 8520);
	assert_int_equal(of(&e, "10.77.2.7")->mtu, 4352);
	assert_int_equal(of(&e, "10.77.2.7")->line, 6);
	assert_int_equal(of(&e, "10.77.4.0")->path, 1400);
	assert_int_equal(of(&e, "fd00:0:0:f::1")->mtu, 9000);
	assert_null(of(&e, "fd00:0:0:10::1")); /* 0.0.0.0/0 is IPv4 only */
	expectations_free(&e);
}

static void test_mistakes(void **state)
{
	(void)state;
	static const struct {
		const char *text, *said;
	} rows[] = {
	        {"\n\n\n\n\n\n10.0.0.0/8 mut=9\n", "wanted:7: 'mut'"},
	        {"10.0.0.0/33 mtu=1500\n", "wanted:1: "},
	        {"ten/8 mtu=1500\n", "'ten'"},
	        {"10.0.0.0/8\n", "nothing is stated"},
	        {"10.0.0.0/8 mtu\n", "mtu=N"},
	        {"10.0.0.0/8 mtu=9k\n", "wanted:1: "},
	        {"10.0.0.0/8 mtu=67\n", "68"},
	        {"10.0.0.0/8 rx=-1\n", "wanted:1: "},
	        {"# nothing\n", "states nothing"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct expectations e;
		struct err err;
		assert_int_equal(load(&e, rows[i].text, &err), -1);
		assert_int_equal(err.code, ERR_USAGE);
		if (!strstr(err.text, rows[i].said))
			fail_msg("%s", err.text);
	}
	struct expectations e;
	struct err err = {0};
	assert_int_equal(expectations_load(&e, "/no/such/file", &err), -1);
	assert_int_equal(err.code, ERR_USAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_longest),
	        cmocka_unit_test(test_mistakes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
