#include "netprobe/expect/fingerprint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct {
	struct rx_trailer t;
	enum sender sender;
	uint32_t frags, mtu;
	bool at_least, remote;
} rows[] = {
        {{4, 1444, 1444, 16, 1}, SENDER_OPENAFS, 1, 1500, false, true},
        {{4, 1444, 1444, 32, 1}, SENDER_OPENAFS, 1, 1500, false, true},
        {{4, 5692, 1444, 32, 4}, SENDER_OPENAFS, 4, 1500, false, true},
        {{4, 5692, 1444, 63, 4}, SENDER_KAFS, 0, 1500, false, true},
        {{4, 5692, 1444, 255, 4}, SENDER_KAFS, 0, 1500, false, true},
        {{4, 5692, 8944, 255, 4}, SENDER_KAFS, 0, 9000, false, false},
        {{4, 1444, 1444, 255, 0}, SENDER_KAFS_PROBING, 0, 1500, true, true},
        {{4, 65160, 8944, 128, 0}, SENDER_KAFS_PROBING, 0, 9000, false, false},
        {{4, 8588, 8588, 32, 6}, SENDER_OPENAFS, 1, 8644, true, false},
        {{4, 15604, 8524, 16, 6}, SENDER_OPENAFS, 4, 8580, true, false},
        {{4, 4296, 4296, 32, 3}, SENDER_OPENAFS, 1, 4352, false, false},
        {{4, 15604, 4276, 32, 6}, SENDER_OPENAFS, 4, 4332, true, false},
        {{4, 1260, 1260, 32, 1}, SENDER_OPENAFS, 1, 1316, false, false},
        {{4, 1444, 1444, 32, 4}, SENDER_OPENAFS, 4, 1500, false, true},
        /* by rule, not by row */
        {{4, 9000, 9000, 32, 6}, SENDER_OPENAFS, 1, 9056, false, false},
        {{4, 1344, 1344, 32, 1}, SENDER_OPENAFS, 1, 1400, false, false},
        {{4, 4414, 4414, 32, 3}, SENDER_OPENAFS, 1, 4470, false, false},
        {{4, 5692, 1436, 32, 4}, SENDER_OPENAFS, 4, 1492, false, false},
        {{4, 8524, 2860, 32, 6}, SENDER_OPENAFS, 4, 2916, true, false},
        /* seen once: a client whose probe of 1568 came through */
        {{4, 5692, 1568, 32, 4}, SENDER_GROWN, 0, 0, false, false},
        {{4, 1444, 1444, 1024, 1}, SENDER_AURISTOR, 0, 1500, false, true},
        /* a server of 1999 */
        {{3, 1472, 1472, 16, 0}, SENDER_OLD_AFS, 0, 1500, false, false},
        {{3, 5692, 1444, 15, 0}, SENDER_OLD_AFS, 0, 1500, false, true},
        {{2, 1444, 1444, 0, 0}, SENDER_OLD_AFS, 0, 1500, false, true},
        {{0, 0, 0, 0, 0}, SENDER_OLD_AFS, 0, 0, false, false},
        {{4, 1444, 4, 32, 1}, SENDER_ABSURD, 0, 0, false, false},
        {{4, 1444, 1444, 0, 1}, SENDER_ABSURD, 0, 0, false, false},
};

static void test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct fingerprint f = trailer_fingerprint(&rows[i].t);
		print_message("%u,%u,%u,%u: %s\n", rows[i].t.max_receive,
		              rows[i].t.interface, rows[i].t.window, rows[i].t.packets,
		              f.text);
		assert_int_equal(f.sender, rows[i].sender);
		assert_int_equal(f.frags, rows[i].frags);
		assert_int_equal(f.mtu, rows[i].mtu);
		assert_int_equal(f.mtu_at_least, rows[i].at_least);
		assert_int_equal(f.may_be_remote, rows[i].remote);
		assert_non_null(f.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
