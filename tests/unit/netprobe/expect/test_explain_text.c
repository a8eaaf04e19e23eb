/* The sentence, whatever it is about; test_explain.c has those of all reasons. */
#include "netprobe/expect/explain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct rx_trailer server_1500 = {4, 1444, 1444, 32, 1};
static const struct rx_trailer server_9180 = {4, 8588, 8588, 32, 6};
static const struct rx_trailer client_1500 = {4, 5692, 1444, 32, 4};
static const struct rx_trailer client_9180 = {4, 15604, 8524, 32, 6};
static const struct rx_trailer kafs_old = {4, 5692, 1444, 255, 4};
static const struct rx_trailer kafs_new = {4, 1444, 1444, 255, 0};
static const struct rx_trailer absurd = {4, 0, 7, 32, 1};

/* A buffer of any size ends with a NUL and is never overrun. */
static void test_cut_text(void **state)
{
	(void)state;
	char whole[400];
	struct explanation x;
	const struct explain_input in = {.from_server = true,
	                                 .sender = &server_9180,
	                                 .receiver = &client_9180,
	                                 .sender_mtu = 9180,
	                                 .largest = 8520,
	                                 .dominant = 8520,
	                                 .packets = 6,
	                                 .datagrams = 300,
	                                 .pieces = 1};
	expect_explain(&in, &x);
	explain_text(&in, &x, whole, sizeof whole);
	for (size_t size = 0; size < 220; size++) {
		char *buf = malloc(size ? size : 1);
		assert_non_null(buf);
		explain_text(&in, &x, buf, size);
		if (size > 0)
			assert_memory_equal(buf, whole, strlen(buf));
		if (size > 0 && size <= strlen(whole))
			assert_int_equal(strlen(buf), size - 1);
		free(buf);
	}
}

/* Every combination of what may be missing gives a reason and a sentence. */
static void test_missing(void **state)
{
	(void)state;
	static const struct rx_trailer none = {0, 0, 0, 0, 0};
	const struct rx_trailer *t[] = {NULL,         &server_1500, &server_9180,
	                                &client_9180, &kafs_new,    &kafs_old,
	                                &none,        &absurd,      &client_1500};
	const uint32_t size[] = {0, 28, 60, 1436, 1440, 1444, 2856, 5688, 8520, 65507};
	for (size_t a = 0; a < 9; a++)
		for (size_t b = 0; b < 9; b++)
			for (size_t s = 0; s < 10; s++)
				for (uint32_t packets = 0; packets < 8; packets++) {
					struct explain_input in = {.sender = t[a],
					                           .receiver = t[b],
					                           .largest = size[s],
					                           .packets = packets,
					                           .datagrams = 100,
					                           .sender_mtu = 1500};
					struct explanation x;
					char text[400];
					expect_explain(&in, &x);
					assert_in_range(x.reason, 0,
					                EXPLAIN_REASONS - 1);
					explain_text(&in, &x, text, sizeof text);
					assert_true(strlen(text) > 10);
					assert_non_null(explain_reason_id(x.reason));
				}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_cut_text),
	        cmocka_unit_test(test_missing),
	};
	return cmocka_run_group_tests_name("expect/explain_text", tests, NULL, NULL);
}
