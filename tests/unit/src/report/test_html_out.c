#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "src/report/html_out.h"

#define LOST "\xef\xbf\xbd" /* U+FFFD */

static const struct {
	const char *in, *out;
} texts[] = {
        {"", ""},
        {"eth0", "eth0"},
        {"<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)&gt;"},
        {"\"'&", "&quot;&#39;&amp;"},
        {"&lt;", "&amp;lt;"},
        {"M\xc3\xbcnchen \xe2\x82\xac \xf0\x9f\x98\x80",
         "M\xc3\xbcnchen \xe2\x82\xac \xf0\x9f\x98\x80"},
        /* control characters, but for ends of lines and tabs */
        {"a\x01\x1b[31mb\n\tc\x7f", "a" LOST LOST "[31mb\n\tc" LOST},
        {"a\xc2\x9f", "a" LOST},
        /* U+202E, U+2066: what follows would be shown backwards */
        {"a\xe2\x80\xae"
         "b\xe2\x81\xa6",
         "a" LOST "b" LOST},
        /* no UTF-8: lone, cut, overlong, surrogate, beyond the last */
        {"\x80"
         "a",
         LOST "a"},
        {"\xc3", LOST},
        {"\xe2\x82", LOST LOST},
        {"\xc0\xbc", LOST LOST},
        {"\xed\xa0\x80", LOST LOST LOST},
        {"\xf4\x90\x80\x80", LOST LOST LOST LOST},
        {"\xff<", LOST "&lt;"},
};

static void test_text(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		char *text;
		size_t n;
		struct html h = {.out = open_memstream(&text, &n)};
		html_text(&h, texts[i].in);
		fclose(h.out);
		assert_string_equal(text, texts[i].out);
		free(text);
	}
}

static void test_json_in_script(void **state)
{
	(void)state;
	static const char hostile[] = "</script><!--&\"\\\xe2\x80\xa8";
	char *text;
	size_t n;
	json_t *o = json_pack("{s:s}", hostile, hostile);
	FILE *f = open_memstream(&text, &n);
	assert_int_equal(html_json(f, o), 0);
	fclose(f);
	assert_null(strpbrk(text, "<>&"));
	for (size_t i = 0; i < n; i++)
		assert_in_range(text[i], 0x20, 0x7e);
	json_t *back = json_loads(text, 0, NULL);
	assert_true(json_equal(o, back));
	json_decref(back);
	json_decref(o);
	free(text);
}

static void test_json_text_of_any_bytes(void **state)
{
	(void)state;
	json_t *good = html_json_text("\xc3\xbc"), *bad = html_json_text("a\xff");
	assert_string_equal(json_string_value(good), "\xc3\xbc");
	assert_string_equal(json_string_value(bad), "a?");
	json_decref(good);
	json_decref(bad);
}

static void test_numbers(void **state)
{
	(void)state;
#define THIN "\xe2\x80\xaf"
	char out[HTML_NUMBER];
	assert_string_equal(html_number(out, 0, 0), "0");
	assert_string_equal(html_number(out, 999, 0), "999");
	assert_string_equal(html_number(out, 1000, 0), "1" THIN "000");
	assert_string_equal(html_number(out, -1234567.891, 2),
	                    "-1" THIN "234" THIN "567.89");
	assert_string_equal(html_number(out, -123, 0), "-123");
	assert_string_equal(html_number(out, 0.1234, 3), "0.123");
	assert_string_equal(html_number(out, 1e300, 1), "1e+300");
}

static void test_table_rows(void **state)
{
	(void)state;
	static const char *const heads[] = {"Name", "Rate|KiB/s"};
	char *text;
	size_t n;
	struct html h = {.out = open_memstream(&text, &n)};
	struct html_table t;
	html_table_begin(&t, &h, NULL, heads, 2, 1);
	html_cell(&t, "%s", "<a>");
	html_cell_number(&t, 1234, 0);
	html_cell(&t, "b");
	html_cell(&t, "-");
	html_table_end(&t);
	fclose(h.out);
	assert_non_null(strstr(text, "Rate<small>KiB/s</small>"));
	assert_non_null(strstr(text,
	                       "<tr><th scope=\"row\" class=\"text \">&lt;a&gt;</th>"
	                       "<td class=\"\">1\xe2\x80\xaf"
	                       "234</td></tr>"));
	assert_non_null(strstr(text, ">b</th><td class=\"\">-</td></tr>\n</tbody>"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_text),
	        cmocka_unit_test(test_json_in_script),
	        cmocka_unit_test(test_json_text_of_any_bytes),
	        cmocka_unit_test(test_numbers),
	        cmocka_unit_test(test_table_rows),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
