#include "netprobe/expect/link.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t wire(const char *kind, uint32_t ip_len)
{
	return link_wire_bytes(link_kind_find(kind), ip_len, 0);
}

/* Megabits of data a second, in hundredths, as tables print them. */
static long ceiling(const char *kind, uint64_t bps, uint32_t data, uint32_t udp,
                    uint32_t mtu)
{
	const struct link_kind *k = link_kind_find(kind);
	return lround(link_ceiling_bytes_per_s(k, bps, data, udp, mtu) * 8 / 1e4);
}

static void test_atm_cells(void **state)
{
	(void)state;
	static const struct {
		uint32_t ip, llc, vcmux;
	} row[] = {
	        {40, 2, 1},       {81, 3, 2},       {84, 3, 2},       {93, 3, 3},
	        {128, 3, 3},      {1464, 31, 31},   {1468, 31, 31},   {1472, 31, 31},
	        {1473, 32, 31},   {1500, 32, 32},   {4300, 90, 90},   {5716, 120, 120},
	        {8548, 179, 179}, {8616, 180, 180}, {9180, 192, 192},
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		assert_int_equal(wire("atm-llc", row[i].ip), row[i].llc * 53);
		assert_int_equal(wire("atm-vcmux", row[i].ip), row[i].vcmux * 53);
	}
	/* 1500 + 24 + 8 = 1532 and 1500 + 16 + 8 = 1524: 32 cells each */
	assert_int_equal(wire("atm-bridged", 1500), 32 * 53);
	assert_int_equal(wire("atm-lane", 1500), 32 * 53);
	assert_int_equal(wire("atm-bridged-fcs", 1500), 32 * 53);
	assert_int_equal(wire("atm-bridged", 1505), 33 * 53);
	assert_int_equal(wire("atm-lane", 1512), 32 * 53);
	assert_int_equal(wire("atm-lane", 1513), 33 * 53);
}

static void test_ethernet(void **state)
{
	(void)state;
	assert_int_equal(wire("ethernet", 1472), 1510);
	assert_int_equal(wire("ethernet", 1464), 1502);
	assert_int_equal(wire("ethernet", 8548), 8586);
	assert_int_equal(wire("ethernet", 1500), 1538);
	/* the shortest frame: 64 bytes and 20 of preamble and gap, tag or not */
	assert_int_equal(wire("ethernet", 20), 84);
	assert_int_equal(wire("ethernet", 46), 84);
	assert_int_equal(wire("ethernet", 47), 85);
	assert_int_equal(wire("ethernet-vlan", 20), 84);
	assert_int_equal(wire("ethernet-vlan", 1500), 1542);
	assert_int_equal(wire("ethernet-pppoe", 20), 84);
	assert_int_equal(wire("ethernet-pppoe", 1492), 1538);
	assert_int_equal(wire("fddi", 4352), 4388);
}

static void test_fragments(void **state)
{
	(void)state;
	static const struct {
		uint32_t ip, mtu, n, first, last;
	} row[] = {
	        {1472, 1500, 1, 1472, 1472},  {2884, 1500, 2, 1500, 1404},
	        {4300, 1500, 3, 1500, 1340},  {5716, 1500, 4, 1500, 1276},
	        {8548, 1500, 6, 1500, 1148},  {8616, 1500, 6, 1500, 1216},
	        {16412, 1500, 12, 1500, 132}, {12112, 1500, 9, 1500, 272},
	        {4300, 4352, 1, 4300, 4300},  {5716, 4352, 2, 4348, 1388},
	        {8548, 4352, 2, 4348, 4220},  {8616, 4352, 2, 4348, 4288},
	        {16412, 4352, 4, 4348, 3428}, {12112, 4352, 3, 4348, 3456},
	        {8616, 9000, 1, 8616, 8616},  {16412, 9000, 2, 8996, 7436},
	        {16412, 9180, 2, 9180, 7252}, {12112, 9180, 2, 9180, 2952},
	        {5716, 0, 1, 5716, 5716},
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		uint32_t n = link_fragments(4, row[i].ip, row[i].mtu);
		assert_int_equal(n, row[i].n);
		assert_int_equal(link_fragment_len(4, row[i].ip, row[i].mtu, 0),
		                 row[i].first);
		assert_int_equal(link_fragment_len(4, row[i].ip, row[i].mtu, n - 1),
		                 row[i].last);
		assert_int_equal(link_fragment_len(4, row[i].ip, row[i].mtu, n), 0);
	}
	assert_int_equal(link_fragments(4, 1500, 27), 0);
	assert_int_equal(link_fragments(4, 1500, 1), 0);
	assert_int_equal(link_fragments(6, 1500, 55), 0);
}

/* Whatever the MTU: pieces hold exactly the payload, none is over the MTU, all but
 * the last carry a multiple of 8. */
static void test_fragment_sums(void **state)
{
	(void)state;
	for (unsigned family = 4; family <= 6; family += 2) {
		uint32_t whole = family == 6 ? 40 : 20, piece = family == 6 ? 48 : 20;
		for (uint32_t mtu = 68; mtu < 3000; mtu += 7)
			for (uint32_t ip = whole + 1; ip < 20000; ip += 333) {
				uint32_t n = link_fragments(family, ip, mtu), sum = 0;
				assert_true(n >= 1);
				for (uint32_t i = 0; i < n; i++) {
					uint32_t len =
					        link_fragment_len(family, ip, mtu, i);
					uint32_t body = len - (n == 1 ? whole : piece);
					assert_in_range(len, 1, mtu);
					assert_true(i == n - 1 || body % 8 == 0);
					sum += body;
				}
				assert_int_equal(sum, ip - whole);
			}
	}
}

static void test_ceilings(void **state)
{
	(void)state;
	const uint64_t oc3 = link_rate_find("oc3c"), oc12 = link_rate_find("oc12c");
	const uint64_t ds3 = link_rate_find("ds3-plcp"),
	               fast = link_rate_find("ethernet-100");
	static const struct {
		uint32_t data, udp, mtu;
		long oc3c, oc12c, ds3;
	} atm[] = {
	        {1416, 1444, 9180, 12907, 51628, 3508},
	        {1400, 1436, 9180, 12761, 51044, 3468},
	        {8472, 8520, 9180, 13374, 53495, 3635},
	        {5648, 5688, 9180, 13299, 53198, 3615},
	        {8472, 8520, 1500, 12940, 51760, 3517},
	};
	for (size_t i = 0; i < sizeof atm / sizeof *atm; i++) {
		assert_int_equal(
		        ceiling("atm-llc", oc3, atm[i].data, atm[i].udp, atm[i].mtu),
		        atm[i].oc3c);
		assert_int_equal(
		        ceiling("atm-llc", oc12, atm[i].data, atm[i].udp, atm[i].mtu),
		        atm[i].oc12c);
		assert_int_equal(
		        ceiling("atm-llc", ds3, atm[i].data, atm[i].udp, atm[i].mtu),
		        atm[i].ds3);
	}
	/* 100 Mb/s: hundredths of Mb/s are the efficiency in 1/10000 */
	assert_int_equal(ceiling("ethernet", fast, 1416, 1444, 1500), 9377);
	assert_int_equal(ceiling("ethernet", fast, 1400, 1436, 1500), 9321);
	assert_int_equal(ceiling("ethernet", fast, 5648, 5688, 1500), 9528);
	assert_int_equal(ceiling("ethernet", fast, 8472, 8520, 9000), 9867);
	assert_int_equal(ceiling("ethernet", fast, 1444, 1472, 1500), 9389);
	assert_int_equal(ceiling("ethernet", fast, 1444, 1472, 20), 0);
	/* what a jumbogram of 6 costs more in cells when it is cut to 1500 */
	assert_int_equal(link_train_bytes(link_kind_find("atm-llc"), 4, 8548, 1500),
	                 185 * 53);
}

static void test_rates(void **state)
{
	(void)state;
	assert_int_equal(link_rate_find("oc3c") / 424, 353207);
	assert_int_equal(link_rate_find("oc12c") / 424, 1412830);
	assert_int_equal(link_rate_find("ds3-plcp") / 424, 96000);
	assert_int_equal(link_rate_find("ds3") / 424, 104268);
	assert_int_equal(link_rate_find("e3") / 424, 80000);
	assert_int_equal(link_rate_find("e3-plcp") / 424, 72000);
	assert_int_equal(link_rate_find("nothing"), 0);
}

static void test_tables(void **state)
{
	(void)state;
	size_t n;
	const struct link_kind *k = link_kinds(&n);
	assert_true(n >= 8);
	for (size_t i = 0; i < n; i++) {
		assert_ptr_equal(link_kind_find(k[i].name), &k[i]);
		assert_non_null(k[i].meaning);
		assert_true(k[i].usual_mtu >= 1280);
	}
	assert_null(link_kind_find("token-bus"));
	assert_string_equal(link_tunnel_between(1500, 1492)->name, "PPPoE");
	assert_string_equal(link_tunnel_between(1500, 1476)->name, "GRE");
	assert_string_equal(link_tunnel_between(1500, 1420)->name,
	                    "WireGuard over IPv6");
	assert_string_equal(link_tunnel_between(1500, 1460)->name,
	                    "DS-Lite (IPv4 in IPv6)");
	assert_null(link_tunnel_between(1500, 1500));
	assert_null(link_tunnel_between(1492, 1500));
}

/* What each tunnel adds, by its own document: an inner packet of 1400 is 1424 in GRE,
 * 1450 in VXLAN, 1472 in WireGuard (filled up to 1408 first), 1452 + 2 filled in ESP.
 */
static void test_tunnels_on_ethernet(void **state)
{
	(void)state;
	assert_int_equal(wire("gre", 1400), 1424 + 38);
	assert_int_equal(wire("vxlan", 1400), 1450 + 38);
	assert_int_equal(wire("vxlan", 20), 46 + 50 + 38);
	assert_int_equal(wire("wireguard", 1400), 1408 + 60 + 38);
	assert_int_equal(wire("wireguard", 1408), 1408 + 60 + 38);
	/* a packet as long as the MTU is not filled up: 1420 + 80 fits 1500 over IPv6
	 */
	const struct link_kind *wg = link_kind_find("wireguard");
	assert_int_equal(wire("wireguard", 1420), 1420 + 60 + 38);
	assert_int_equal(link_wire_bytes(wg, 1410, 1412), 1412 + 60 + 38);
	assert_int_equal(link_wire_bytes(wg, 1420, 9000), 1424 + 60 + 38);
	assert_int_equal(link_train_bytes(wg, 4, 8548, 1420),
	                 6 * (1420 + 98) + 160 + 98);
	assert_int_equal(wire("ipsec", 1446), 1448 + 52 + 38);
	assert_int_equal(wire("ipsec", 1447), 1452 + 52 + 38);
	assert_int_equal(wire("ipoib", 2044), 2044 + 38);
	assert_int_equal(wire("ipoib", 41), 44 + 38);
	assert_int_equal(wire("ipoib-cm", 2044), 2048 + 26);
	assert_int_equal(wire("ipoib-cm", 2048), 2052 + 2 * 26);
	size_t n;
	const struct link_rate *r = link_rates(&n);
	for (size_t i = 0; i < n; i++) {
		assert_non_null(link_kind_find(r[i].kind));
		assert_int_equal(link_rate_find(r[i].name), r[i].bps);
	}
}

static void test_link_rate_as_written(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		uint64_t rate;
	} rows[] = {{"100M", 100000000},
	            {"149.76M", 149760000},
	            {"10G", 10000000000},
	            {"56k", 56000},
	            {"1500", 1500},
	            {"oc3c", 149760000},
	            {"", 0},
	            {"M", 0},
	            {"-1M", 0},
	            {"0", 0},
	            {"nan", 0},
	            {"inf", 0},
	            {"1e30", 0},
	            {"100Mb", 0},
	            {"100T", 0}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_int_equal(link_rate_parse(rows[i].text), rows[i].rate);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_link_rate_as_written),
	        cmocka_unit_test(test_tunnels_on_ethernet),
	        cmocka_unit_test(test_atm_cells),
	        cmocka_unit_test(test_ethernet),
	        cmocka_unit_test(test_fragments),
	        cmocka_unit_test(test_fragment_sums),
	        cmocka_unit_test(test_ceilings),
	        cmocka_unit_test(test_rates),
	        cmocka_unit_test(test_tables),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
