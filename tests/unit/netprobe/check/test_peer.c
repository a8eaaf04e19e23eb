#include "netprobe/check/peer.h"

#include "tests/support/tmpdir.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static void test_texts(void **state)
{
	(void)state;
	static const struct {
		const char *text, *shown;
	} rows[] = {
	        {"10.1.2.3", "10.1.2.3:7000"},
	        {"10.1.2.3:7001", "10.1.2.3:7001"},
	        {"fd00::1", "[fd00::1]:7000"},
	        {"[fd00::1]", "[fd00::1]:7000"},
	        {"[fd00::1]:7003", "[fd00::1]:7003"},
	        {"[10.1.2.4]:1", "10.1.2.4:1"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct peers p = {0};
		struct err err = {0};
		char text[PEER_TEXT];
		assert_int_equal(peers_add(&p, rows[i].text, &err), 0);
		assert_int_equal(p.n, 1);
		assert_string_equal(peer_format(&p.list[0], text), rows[i].shown);
		assert_int_equal(peers_add(&p, rows[i].text, &err), 0);
		assert_int_equal(p.n, 1); /* once is enough */
		peers_free(&p);
	}
}

static void test_mistakes(void **state)
{
	(void)state;
	static const char *const bad[] = {"",
	                                  ":7000",
	                                  "10.1.2.3:",
	                                  "10.1.2.3:0",
	                                  "10.1.2.3:65536",
	                                  "10.1.2.3:x",
	                                  "[fd00::1",
	                                  "[fd00::1]7000",
	                                  "[]:7000",
	                                  "no-such-host.invalid"};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct peers p = {0};
		struct err err = {0};
		assert_int_equal(peers_add(&p, bad[i], &err), -1);
		assert_int_equal(err.code, ERR_USAGE);
		assert_int_equal(p.n, 0);
		peers_free(&p);
	}
}

static char *file(char *dir, const char *text)
{
	static char path[4096];
	snprintf(path, sizeof path, "%s/list", dir);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	return path;
}

static void test_files(void **state)
{
	(void)state;
	char *dir = tmpdir_make();
	struct peers p = {0};
	struct err err = {0};
	assert_int_equal(
	        peers_add_file(&p,
	                       file(dir, "# all\n10.0.0.1  # one\n\n 10.0.0.2:7001\n"),
	                       &err),
	        0);
	assert_int_equal(p.n, 2);
	assert_int_equal(p.list[1].port, 7001);
	assert_int_equal(peers_add_file(&p, file(dir, "10.0.0.3\n10.0.0.4:x\n"), &err),
	                 -1);
	assert_non_null(strstr(err.text, "list:2: "));
	err = (struct err){0};
	assert_int_equal(peers_add_file(&p, "/no/such/file", &err), -1);
	assert_int_equal(err.code, ERR_USAGE);
	peers_free(&p);

	const char *db = ">a.example    #A\n10.1.0.1\t#one\n10.1.0.2 #two\n"
	                 ">b.example 10 #B\n[10.2.0.1] #clone\n";
	err = (struct err){0};
	assert_int_equal(peers_add_cellservdb(&p, file(dir, db), NULL, &err), 0);
	assert_int_equal(p.n, 3);
	assert_string_equal(p.list[0].name, "a.example");
	assert_int_equal(p.list[2].port, PEER_PORT_VL);
	peers_free(&p);
	assert_int_equal(peers_add_cellservdb(&p, file(dir, db), "b.example", &err), 0);
	assert_int_equal(p.n, 1);
	peers_free(&p);
	assert_int_equal(peers_add_cellservdb(&p, file(dir, db), "c.example", &err),
	                 -1);
	assert_non_null(strstr(err.text, "c.example"));
	err = (struct err){0};
	assert_int_equal(
	        peers_add_cellservdb(&p, file(dir, ">a\nten.one\n"), NULL, &err), -1);
	assert_non_null(strstr(err.text, ":2: 'ten.one'"));
	peers_free(&p);
	tmpdir_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_texts),
	        cmocka_unit_test(test_mistakes),
	        cmocka_unit_test(test_files),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
