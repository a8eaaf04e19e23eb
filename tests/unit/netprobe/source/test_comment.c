#include "netprobe/source/comment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static enum comment_kind parse(const char *text, struct source_iface *i,
                               struct source_mark *m)
{
	return comment_parse(text, strlen(text), i, m);
}

static void marks_come_back(void **state)
{
	static const struct source_mark marks[] = {
	        {.begin = true,
	         .id = 1,
	         .time_ns = 1700000000000000001,
	         .name = "putc"},
	        {.begin = false, .id = 4294967295u, .time_ns = -5},
	};
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		char text[256];
		struct source_mark m = {0};
		struct source_iface none = {0};
		assert_true(comment_format_mark(text, sizeof text, &marks[i]));
		assert_int_equal(parse(text, &none, &m), COMMENT_MARK);
		assert_int_equal(m.begin, marks[i].begin);
		assert_int_equal(m.id, marks[i].id);
		assert_int_equal(m.time_ns, marks[i].time_ns);
		assert_string_equal(m.name, marks[i].name);
	}
}

/* Times that no clock has do not make differences overflow. */
static void far_marks_are_clamped(void **state)
{
	struct source_mark m;
	struct source_iface none = {0};
	(void)state;
	assert_int_equal(parse("cellbench: begin 1 9223372036854775807 x", &none, &m),
	                 COMMENT_MARK);
	assert_int_equal(m.time_ns, TIME_MOST_NS);
	assert_int_equal(parse("cellbench: end 1 -9223372036854775808", &none, &m),
	                 COMMENT_MARK);
	assert_int_equal(m.time_ns, -TIME_MOST_NS);
}

static void facts_come_back(void **state)
{
	const struct source_iface in = {.mtu = 9180,
	                                .link = "atm-llc",
	                                .speed_bps = 149760000,
	                                .addresses = "10.0.0.1/24,fd00::1/64",
	                                .has_kernel = true,
	                                .kernel_packets = 1,
	                                .kernel_bytes = UINT64_MAX,
	                                .left_out_packets = 3,
	                                .left_out_bytes = 4};
	char text[1024];
	struct source_iface out = {0};
	struct source_mark m;
	(void)state;
	assert_true(comment_format_iface(text, sizeof text, &in));
	assert_string_equal(text, "cellbench: mtu=9180 link=atm-llc rate=149760000 "
	                          "addr=10.0.0.1/24,fd00::1/64");
	assert_int_equal(parse(text, &out, &m), COMMENT_FACTS);
	assert_false(out.has_kernel);
	assert_true(comment_format_counters(text, sizeof text, &in));
	assert_int_equal(parse(text, &out, &m), COMMENT_FACTS);
	assert_memory_equal(&in, &out, sizeof in);
}

/* Only what is told is set. */
static void parts_and_other_texts(void **state)
{
	struct source_iface out = {.mtu = 7};
	struct source_mark m = {.id = 9};
	char text[64];
	(void)state;
	assert_int_equal(parse("cellbench: rate=5", &out, &m), COMMENT_FACTS);
	assert_int_equal(out.mtu, 7);
	assert_int_equal(out.speed_bps, 5);
	assert_int_equal(parse("cellbench: mtu=99999999999", &out, &m), COMMENT_FACTS);
	assert_int_equal(out.mtu, UINT32_MAX);
	assert_int_equal(parse("cellbench: begin 1", &out, &m), COMMENT_OTHER);
	assert_int_equal(parse("cellbench: later=1", &out, &m), COMMENT_OTHER);
	assert_int_equal(parse("cellbench:", &out, &m), COMMENT_OTHER);
	assert_int_equal(parse("begin 1 2 x", &out, &m), COMMENT_OTHER);
	assert_int_equal(comment_parse("", 0, &out, &m), COMMENT_OTHER);
	assert_int_equal(m.id, 9);
	assert_false(comment_format_iface(text, 10, &out));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(marks_come_back),
	        cmocka_unit_test(far_marks_are_clamped),
	        cmocka_unit_test(facts_come_back),
	        cmocka_unit_test(parts_and_other_texts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
