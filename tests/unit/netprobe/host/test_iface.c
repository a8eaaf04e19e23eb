#include "netprobe/host/iface.h"

#include <net/if.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void the_loopback_is_there(void **state)
{
	struct err err = {0};
	struct host_iface *list;
	struct host_counters c = {.rx_packets = UINT64_MAX};
	size_t n;
	(void)state;
	struct host *h = host_open(&err);
	assert_non_null(h);
	assert_int_equal(host_ifaces(h, &list, &n, &err), 0);
	const struct host_iface *lo = host_iface_find(list, n, "lo");
	assert_non_null(lo);
	assert_true(lo->loopback);
	assert_int_equal(lo->index, if_nametoindex("lo"));
	assert_true(lo->mtu >= 1280);
	assert_null(host_iface_find(list, n, "no-such-if0"));
	assert_int_equal(host_counters(h, lo->index, &c, &err), 0);
	assert_true(c.rx_packets != UINT64_MAX);
	assert_int_equal(c.rx_packets, c.tx_packets); /* as the loopback does */
	assert_int_equal(host_counters(h, 0x7ffffff0, &c, &err), -1);
	assert_int_equal(err.code, ERR_ENVIRONMENT);
	free(list);
	host_close(h);
}

static void names_are_listed_for_messages(void **state)
{
	const struct host_iface list[] = {{.name = "lo", .up = true},
	                                  {.name = "eth1"},
	                                  {.name = "at0", .up = true}};
	char text[64], small[8];
	(void)state;
	assert_string_equal(host_iface_names(list, 3, text, sizeof text),
	                    "lo, eth1 (down), at0");
	assert_string_equal(host_iface_names(list, 3, small, sizeof small), "lo, eth");
	assert_string_equal(host_iface_names(list, 0, text, sizeof text), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_loopback_is_there),
	        cmocka_unit_test(names_are_listed_for_messages),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
