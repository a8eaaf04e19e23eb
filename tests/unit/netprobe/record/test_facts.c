#include "netprobe/record/facts.h"

#include "tests/support/tmpdir.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char lab[] =
        "{\"hosts\": [{\"name\": \"c2\", \"interfaces\": ["
        "{\"name\": \"at0\", \"link\": \"atm-llc\", \"address\": \"10.77.2.2\","
        " \"mtu\": 9180, \"rate\": 149760000}]},"
        "{\"name\": \"fs\", \"interfaces\": ["
        "{\"name\": \"at0\", \"link\": \"atm-llc\", \"address\": \"10.77.2.1/24\","
        " \"mtu\": 9180, \"rate\": 149760000},"
        "{\"name\": \"en0\", \"link\": \"ethernet\", \"address\": \"10.77.1.1\","
        " \"mtu\": 1500, \"rate\": 0},"
        "{\"name\": \"at1\", \"link\": \"atm-llc\", \"address\": \"10.77.4.1\","
        " \"mtu\": 9180, \"rate\": 0}]}]}";

static const struct host_iface at0 = {.name = "at0",
                                      .ethernet = true,
                                      .mtu = 9180,
                                      .speed_bps = 10000000000,
                                      .addresses = "10.77.2.10/24,10.77.2.1/24"};

static void the_kernel_is_asked_first(void **state)
{
	struct source_iface f = {0};
	(void)state;
	record_facts(&at0, NULL, 0, NULL, &f);
	assert_string_equal(f.name, "at0");
	assert_int_equal(f.mtu, 9180);
	assert_string_equal(f.link, "ethernet");
	assert_int_equal(f.speed_bps, 10000000000);
	assert_string_equal(f.addresses, at0.addresses);
	const struct host_iface tun = {.name = "tun0", .mtu = 1400};
	struct source_iface g = {0};
	record_facts(&tun, NULL, 0, "/no/such/lab.json", &g);
	assert_string_equal(g.link, "");
}

static void the_lab_knows_its_own_links(void **state)
{
	char *dir = tmpdir_make();
	char path[4096];
	(void)state;
	snprintf(path, sizeof path, "%s/lab.json", dir);
	FILE *out = fopen(path, "w");
	assert_non_null(out);
	fputs(lab, out);
	fclose(out);
	struct source_iface f = {0};
	record_facts(&at0, NULL, 0, path, &f);
	assert_string_equal(f.link, "atm-llc");
	assert_int_equal(f.speed_bps, 149760000);
	/* same name, not its address: another machine's interface */
	struct host_iface other = at0;
	strcpy(other.addresses, "10.77.2.11/24");
	struct source_iface g = {0};
	record_facts(&other, NULL, 0, path, &g);
	assert_string_equal(g.link, "ethernet");
	/* without shaping a link has no rate, and no cells: a kind alone would be
	 * given its usual rate by who reads the capture */
	struct host_iface fast = at0;
	strcpy(fast.name, "at1");
	strcpy(fast.addresses, "10.77.4.1/24");
	struct source_iface u = {0};
	record_facts(&fast, NULL, 0, path, &u);
	assert_string_equal(u.link, "ethernet");
	assert_int_equal(u.speed_bps, 0);
	/* what the user says counts most */
	struct record_link link;
	struct err err = {0};
	assert_int_equal(record_link_parse("at0=atm-vcmux:ds3", &link, &err), 0);
	record_facts(&at0, &link, 1, path, &f);
	assert_string_equal(f.link, "atm-vcmux");
	assert_int_equal(f.speed_bps, 104268 * 424);
	tmpdir_remove(dir);
}

static void links_are_parsed(void **state)
{
	static const struct {
		const char *text;
		uint64_t rate;
	} good[] = {
	        {"en0=ethernet", 0},
	        {"en0=ethernet:100M", 100000000},
	        {"en0=ethernet:1.5G", 1500000000},
	        {"en0=ethernet:64k", 64000},
	        {"en0=atm-llc:oc3c", 149760000},
	        {"en0=atm-llc:149760000", 149760000},
	};
	static const char *const bad[] = {"en0",
	                                  "=ethernet",
	                                  "en0=",
	                                  "en0=token",
	                                  "en0=ethernet:",
	                                  "en0=ethernet:-5",
	                                  "en0=ethernet:5X",
	                                  "en0=ethernet:5Mb",
	                                  "a-name-of-sixteen=ethernet"};
	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		struct record_link l;
		struct err err = {0};
		assert_int_equal(record_link_parse(good[i].text, &l, &err), 0);
		assert_string_equal(l.iface, "en0");
		assert_int_equal(l.rate_bps, good[i].rate);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct record_link l;
		struct err err = {0};
		assert_int_equal(record_link_parse(bad[i], &l, &err), -1);
		assert_int_equal(err.code, ERR_USAGE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_kernel_is_asked_first),
	        cmocka_unit_test(the_lab_knows_its_own_links),
	        cmocka_unit_test(links_are_parsed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
