#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/report/clients_text.h"

static char *text_of(const char *record)
{
	char *text = NULL;
	size_t n = 0;
	json_t *o = json_loads(record, 0, NULL);
	assert_non_null(o);
	FILE *f = open_memstream(&text, &n);
	assert_non_null(f);
	clients_text(o, f);
	assert_int_equal(fclose(f), 0);
	json_decref(o);
	return text;
}

static void test_clients_text_rates_fairness_and_who_died(void **state)
{
	(void)state;
	char *text = text_of(
	        "{\"phases\":[{\"name\":\"bulk-write\",\"cache\":\"cold\",\"ranks\":2,"
	        "\"unit\":\"KiB/s\",\"rate\":11130,\"rates\":[6600,5565],"
	        "\"jain\":0.9928,\"seconds\":0.368}],\"ranks\":["
	        "{\"host\":\"a\",\"end\":\"complete\"},"
	        "{\"host\":\"b\",\"end\":\"killed by signal 9\"}]}");
	assert_non_null(strstr(text, "cold/bulk-write        2  0.368  11130       5565"
	                             "      6600  KiB/s  0.993             -\n"));
	assert_non_null(strstr(text, "rank 1 on b: killed by signal 9\n"));
	assert_null(strstr(text, "rank 0"));
	free(text);
}

static void test_clients_text_of_nothing(void **state)
{
	(void)state;
	char *text = text_of("{}");
	assert_string_equal(text, "");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_clients_text_rates_fairness_and_who_died),
	        cmocka_unit_test(test_clients_text_of_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
