#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "src/run/json_text.h"

static void test_json_text_keeps_what_it_says(void **state)
{
	(void)state;
	static const char *const same[][2] = {
	        {"{\"a\":[1,-2.5e9,3]}", "{\n  \"a\": [1, -2500000000.0, 3]\n}"},
	        {"[[1,2],[3,4]]", "[[1, 2], [3, 4]]"},
	        {"[[1,2],[],[\"3\"]]", NULL},
	        {"[]", "[]"},
	        {"[[],[]]", NULL},
	        {"[null,true,1]", NULL},
	        {"{\"a [1, 2]\":\"[ 1,\\n 2] \\\"[3 , 4]\\\" \\\\\",\"b\":[7]}", NULL},
	};
	for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
		json_t *o = json_loads(same[i][0], 0, NULL);
		assert_non_null(o);
		char *text = json_text(o);
		json_t *back = json_loads(text, 0, NULL);
		assert_true(json_equal(o, back));
		if (same[i][1])
			assert_string_equal(text, same[i][1]);
		free(text);
		json_decref(back);
		json_decref(o);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_json_text_keeps_what_it_says),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
