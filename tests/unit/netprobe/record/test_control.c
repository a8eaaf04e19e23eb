#include "netprobe/record/control.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void say(int fd, const char *text)
{
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
}

static void lines_come_in_any_pieces(void **state)
{
	int fds[2];
	struct source_mark m;
	(void)state;
	assert_int_equal(pipe(fds), 0);
	struct control c = {.in = fds[0], .out = -1};
	say(fds[1], "begin 1 1700000000");
	control_fill(&c);
	assert_int_equal(control_next(&c, &m), CONTROL_NONE);
	say(fds[1], "000000001 putc.cold\nend 1 1700000000000000002\nfin");
	control_fill(&c);
	assert_int_equal(control_next(&c, &m), CONTROL_MARK);
	assert_true(m.begin);
	assert_int_equal(m.id, 1);
	assert_int_equal(m.time_ns, 1700000000000000001);
	assert_string_equal(m.name, "putc.cold");
	assert_int_equal(control_next(&c, &m), CONTROL_MARK);
	assert_false(m.begin);
	assert_int_equal(control_next(&c, &m), CONTROL_NONE);
	say(fds[1], "ish\n");
	control_fill(&c);
	assert_int_equal(control_next(&c, &m), CONTROL_FINISH);
	close(fds[1]);
	control_fill(&c);
	assert_int_equal(control_next(&c, &m), CONTROL_FINISH); /* end of file */
	close(fds[0]);
}

static void other_lines_are_refused(void **state)
{
	static const char *const lines[] = {
	        "\n",          "begin\n",         "begin 0 5 x\n",
	        "begin 1 5\n", "begin 1 5 a b\n", "end 1\n",
	        "end 1 5 x\n", "finish now\n",    "hello\n"};
	(void)state;
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		int fds[2];
		struct source_mark m;
		assert_int_equal(pipe(fds), 0);
		struct control c = {.in = fds[0], .out = -1};
		say(fds[1], lines[i]);
		control_fill(&c);
		assert_int_equal(control_next(&c, &m), CONTROL_BAD);
		assert_int_equal(strlen(c.bad), strlen(lines[i]) - 1);
		close(fds[0]);
		close(fds[1]);
	}
}

static void endless_line_is_refused(void **state)
{
	int fds[2];
	char text[600];
	struct source_mark m;
	(void)state;
	memset(text, 'x', sizeof text);
	assert_int_equal(pipe(fds), 0);
	struct control c = {.in = fds[0], .out = -1};
	assert_int_equal(write(fds[1], text, sizeof text), sizeof text);
	control_fill(&c);
	assert_int_equal(control_next(&c, &m), CONTROL_BAD);
	close(fds[0]);
	close(fds[1]);
}

static void answers_are_whole_lines(void **state)
{
	int fds[2];
	char text[2048];
	(void)state;
	assert_int_equal(pipe(fds), 0);
	const struct control c = {.in = -1, .out = fds[1]};
	assert_true(control_send(&c, "marked %u", 7u));
	assert_int_equal(read(fds[0], text, sizeof text), 9);
	assert_memory_equal(text, "marked 7\n", 9);
	memset(text, 'y', 1500);
	text[1500] = '\0';
	assert_true(control_send(&c, "error %s", text)); /* cut, but one line */
	ssize_t n = read(fds[0], text, sizeof text);
	assert_in_range(n, 1000, 1024);
	assert_int_equal(text[n - 1], '\n');
	close(fds[0]);
	close(fds[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(lines_come_in_any_pieces),
	        cmocka_unit_test(other_lines_are_refused),
	        cmocka_unit_test(endless_line_is_refused),
	        cmocka_unit_test(answers_are_whole_lines),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
