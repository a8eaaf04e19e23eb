#include "netprobe/report/host_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

/* Reads a map with this content from a file that lives in memory. */
static int read_map(const char *content, struct host_map *m, struct err *err)
{
	char path[64];
	int fd = memfd_create("map", MFD_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, content, strlen(content)), strlen(content));
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	int rc = host_map_read(m, path, err);
	close(fd);
	return rc;
}

static const char *name_of(const struct host_map *m, const char *address)
{
	struct addr a;
	assert_true(addr_parse(address, &a));
	const struct host_map_entry *e = host_map_find(m, &a);
	return e ? m->names[e->name] : NULL;
}

static void test_good(void **state)
{
	(void)state;
	struct host_map m;
	struct err err = {0};
	assert_int_equal(read_map("# the cell\n"
	                          "\n"
	                          "afs1 10.77.2.1\t10.77.1.1 fd00::1 # both links\r\n"
	                          "  afs2 192.0.2.7\n"
	                          "client 10.77.1.11",
	                          &m, &err),
	                 0);
	assert_int_equal(m.n, 5);
	assert_int_equal(m.n_names, 3);
	assert_string_equal(name_of(&m, "10.77.1.1"), "afs1");
	assert_string_equal(name_of(&m, "10.77.2.1"), "afs1");
	assert_string_equal(name_of(&m, "fd00::1"), "afs1");
	assert_string_equal(name_of(&m, "192.0.2.7"), "afs2");
	assert_string_equal(name_of(&m, "10.77.1.11"), "client");
	assert_null(name_of(&m, "10.77.1.12"));
	host_map_free(&m);
	assert_int_equal(read_map("", &m, &err), 0);
	assert_null(name_of(&m, "10.77.1.12"));
	host_map_free(&m);
}

static void test_mistakes(void **state)
{
	(void)state;
	static const struct {
		const char *content, *line, *text;
	} rows[] = {
	        {"afs1 10.0.0.1\nafs2 10.0.0.300\n",
	         ":2: ", "'10.0.0.300' is no IPv4 or IPv6 address"},
	        {"# x\n\nafs1\n", ":3: ", "no address behind the name afs1"},
	        {"a 10.0.0.1\nb 10.0.0.2 10.0.0.1\n",
	         ":2: ", "the address 10.0.0.1 stands on line 1 already"},
	        {"a 10.0.0.1 10.0.0.1\n", ":1: ", "stands on line 1 already"},
	        {"a 10.0.0.1\nb 10.0.0.2\na 10.0.0.3\n",
	         ":3: ", "the host a has a line already"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct host_map m;
		struct err err = {0};
		assert_int_equal(read_map(rows[i].content, &m, &err), -1);
		assert_int_equal(err.code, ERR_USAGE);
		assert_non_null(strstr(err.text, rows[i].line));
		assert_non_null(strstr(err.text, rows[i].text));
		assert_int_equal(m.n, 0);
		assert_null(m.names);
	}
}

static void test_no_file(void **state)
{
	(void)state;
	struct host_map m;
	struct err err = {0};
	assert_int_equal(host_map_read(&m, "/nonexistent/map", &err), -1);
	assert_int_equal(err.code, ERR_USAGE);
	assert_non_null(strstr(err.text, "/nonexistent/map"));
	struct err again = {0};
	assert_int_equal(host_map_read(&m, "/", &again), -1);
	assert_int_equal(again.code, ERR_USAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_good),
	        cmocka_unit_test(test_mistakes),
	        cmocka_unit_test(test_no_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
