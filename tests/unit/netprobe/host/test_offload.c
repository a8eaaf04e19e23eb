/* Offloads of every link that frames pass through, in a namespace of the test's own. */
#include "netprobe/host/offload.h"

#include "netprobe/host/iface.h"
#include "tests/support/netns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static unsigned of(const char *name)
{
	struct err err = {0};
	unsigned flags;
	assert_int_equal(host_offloads(name, &flags, &err), 0);
	return flags;
}

static void test_flags(void **state)
{
	(void)state;
	netns_enter();
	netns_run("ip link add v0 type veth peer name v1");
	netns_run("ethtool -K v0 tso off gso off gro off >/dev/null");
	netns_run("ethtool -K v1 tso on gso on gro on >/dev/null");
	assert_int_equal(of("v0") & (HOST_GRO | HOST_GSO | HOST_TSO), 0);
	assert_int_equal(of("v1") & (HOST_GRO | HOST_GSO | HOST_TSO),
	                 HOST_GRO | HOST_GSO | HOST_TSO);
	netns_run("ethtool -K v1 rx-udp-gro-forwarding on >/dev/null");
	assert_true(of("v1") & HOST_UDP_GRO);
	struct err err = {0};
	unsigned flags;
	assert_int_equal(host_offloads("nosuch0", &flags, &err), -1);
	assert_int_equal(err.code, ERR_ENVIRONMENT);
	assert_non_null(strstr(err.text, "nosuch0"));
}

static void test_names(void **state)
{
	char text[64], small[6];
	(void)state;
	assert_string_equal(host_offload_names(HOST_GRO | HOST_TSO, text, sizeof text),
	                    "gro tso");
	assert_string_equal(host_offload_names(0, text, sizeof text), "-");
	assert_string_equal(host_offload_names(HOST_UDP_GRO, text, sizeof text),
	                    "udp-gro");
	assert_string_equal(
	        host_offload_names(HOST_GRO | HOST_TSO, small, sizeof small), "gro t");
}

static bool has(const struct host_iface *list, const size_t *at, size_t n,
                const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(list[at[i]].name, name) == 0)
			return true;
	return false;
}

/* A macvlan on a bridge of two ports: all four are looked at. */
static void test_members(void **state)
{
	(void)state;
	netns_enter();
	netns_run(
	        "ip link add name br0 type bridge && ip link add p1 type veth peer "
	        "name far1 &&"
	        "ip link add p2 type veth peer name far && ip link add other type veth "
	        "peer name far3 &&"
	        "ip link set p1 master br0 && ip link set p2 master br0 && ip link set "
	        "dev br0 up &&"
	        "ip link add link br0 name v7 type macvlan");
	struct err err = {0};
	struct host_iface *list;
	size_t n, at[8];
	struct host *h = host_open(&err);
	assert_int_equal(host_ifaces(h, &list, &n, &err), 0);
	const struct host_iface *v7 = host_iface_find(list, n, "v7");
	assert_string_equal(v7->kind, "macvlan");
	assert_int_equal(v7->parent, host_iface_find(list, n, "br0")->index);
	assert_int_equal(host_iface_find(list, n, "p2")->parent, 0);
	assert_ptr_equal(host_iface_by_index(list, n, v7->index), v7);
	assert_null(host_iface_by_index(list, n, 9999));
	size_t used = host_iface_members(list, n, (size_t)(v7 - list), at, 8);
	assert_int_equal(used, 4);
	assert_true(has(list, at, used, "v7") && has(list, at, used, "br0"));
	assert_true(has(list, at, used, "p1") && has(list, at, used, "p2"));
	assert_int_equal(host_iface_members(list, n, (size_t)(v7 - list), at, 2), 2);
	assert_int_equal(host_iface_members(list, n, 0, at, 0), 0);
	free(list);
	host_close(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_flags),
	        cmocka_unit_test(test_names),
	        cmocka_unit_test(test_members),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
