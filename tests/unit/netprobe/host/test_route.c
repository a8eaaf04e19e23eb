/* Routes as the kernel gives them, in a namespace of the test's own. */
#include "netprobe/host/route.h"

#include "tests/support/netns.h"

#include <net/if.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct addr ip(const char *text)
{
	struct addr a;
	assert_true(addr_parse(text, &a));
	return a;
}

static struct host_route ask(struct host *h, const char *dst, const char *src, int oif)
{
	struct err err = {0};
	struct host_route r;
	struct addr d = ip(dst), s;
	if (src)
		s = ip(src);
	if (host_route_get(h, &d, src ? &s : NULL, oif, &r, &err) != 0)
		fail_msg("%s", err.text);
	return r;
}

static struct host *two_links(void)
{
	netns_enter();
	netns_run(
	        "ip link add nic1 type veth peer name far1 && ip link add nic2 mtu "
	        "9000 type veth peer name far2 && ip link set far1 up && ip link set "
	        "far2 up &&"
	        "ip link set nic1 up && ip link set nic2 up &&"
	        "ip address add 10.1.0.1/24 dev nic1 && ip address add 10.2.0.1/24 dev "
	        "nic2 &&"
	        "ip route add default via 10.1.0.254 &&"
	        "ip route add 10.3.0.0/16 via 10.2.0.254 mtu lock 4000 &&"
	        "ip route add unreachable 10.4.0.0/16 &&"
	        "ip route add blackhole 10.5.0.0/16 && ip route add prohibit "
	        "10.6.0.0/16");
	struct err err = {0};
	struct host *h = host_open(&err);
	assert_non_null(h);
	return h;
}

/* The default route's interface is not the answer to everything. */
static void test_way_out(void **state)
{
	(void)state;
	struct host *h = two_links();
	struct host_route r = ask(h, "192.0.2.1", NULL, 0);
	struct addr a = ip("10.1.0.1"), via = ip("10.1.0.254");
	assert_int_equal(r.kind, HOST_ROUTE_UNICAST);
	assert_int_equal(r.iface, if_nametoindex("nic1"));
	assert_true(r.has_source && r.has_gateway);
	assert_int_equal(addr_compare(&r.source, &a), 0);
	assert_int_equal(addr_compare(&r.gateway, &via), 0);
	assert_int_equal(r.mtu, 0);
	assert_int_equal(r.path_mtu, 0);
	r = ask(h, "10.2.0.9", NULL, 0);
	assert_int_equal(r.iface, if_nametoindex("nic2"));
	assert_false(r.has_gateway);
	assert_int_equal(r.table, 254);
	r = ask(h, "10.3.7.7", NULL, 0);
	assert_int_equal(r.iface, if_nametoindex("nic2"));
	assert_int_equal(r.mtu, 4000);
	assert_true(r.mtu_locked);
	r = ask(h, "10.2.0.1", NULL, 0);
	assert_int_equal(r.kind, HOST_ROUTE_LOCAL);
	host_close(h);
}

static void test_no_way(void **state)
{
	(void)state;
	struct host *h = two_links();
	assert_int_equal(ask(h, "10.4.0.1", NULL, 0).kind, HOST_ROUTE_UNREACHABLE);
	assert_int_equal(ask(h, "10.5.0.1", NULL, 0).kind, HOST_ROUTE_BLACKHOLE);
	assert_int_equal(ask(h, "10.6.0.1", NULL, 0).kind, HOST_ROUTE_PROHIBIT);
	assert_int_equal(ask(h, "2001:db8::1", NULL, 0).kind, HOST_ROUTE_NONE);
	netns_run("ip route del default");
	assert_int_equal(ask(h, "192.0.2.1", NULL, 0).kind, HOST_ROUTE_NONE);
	for (int k = 0; k <= HOST_ROUTE_OTHER; k++)
		assert_non_null(host_route_kind_text((enum host_route_kind)k));
	host_close(h);
}

/* Source and interface may be asked for; rules by source count. */
static void test_from(void **state)
{
	(void)state;
	struct host *h = two_links();
	struct err err = {0};
	struct host_rule *rules;
	size_t n;
	assert_int_equal(host_rules(h, &rules, &n, &err), 0);
	assert_int_equal(n, 0);
	free(rules);
	netns_run("ip route add default via 10.2.0.254 table 77 &&"
	          "ip rule add from 10.2.0.1 lookup 77 priority 500");
	assert_int_equal(ask(h, "192.0.2.1", "10.1.0.1", 0).iface,
	                 if_nametoindex("nic1"));
	struct host_route r = ask(h, "192.0.2.1", "10.2.0.1", 0);
	assert_int_equal(r.iface, if_nametoindex("nic2"));
	assert_int_equal(r.table, 77);
	assert_int_equal(ask(h, "192.0.2.1", NULL, (int)if_nametoindex("nic2")).iface,
	                 if_nametoindex("nic2"));
	assert_int_equal(host_rules(h, &rules, &n, &err), 0);
	assert_int_equal(n, 1);
	assert_int_equal(rules[0].priority, 500);
	assert_non_null(strstr(rules[0].text, "10.2.0.1"));
	free(rules);
	host_close(h);
}

static void test_ip6(void **state)
{
	(void)state;
	struct host *h = two_links();
	netns_run("ip -6 address add 2001:db8:1::1/64 dev nic2 nodad &&"
	          "ip -6 route add 2001:db8:9::/48 via 2001:db8:1::2 mtu 1400");
	struct host_route r = ask(h, "2001:db8:9::5", NULL, 0);
	struct addr own = ip("2001:db8:1::1");
	assert_int_equal(r.iface, if_nametoindex("nic2"));
	assert_int_equal(r.mtu, 1400);
	assert_int_equal(addr_compare(&r.source, &own), 0);
	host_close(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_way_out),
	        cmocka_unit_test(test_no_way),
	        cmocka_unit_test(test_from),
	        cmocka_unit_test(test_ip6),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
