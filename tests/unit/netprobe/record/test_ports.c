#include "netprobe/record/ports.h"

#include "netprobe/source/filter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum shape {
	UDP_7000,
	UDP_7032,
	UDP_53,
	FIRST_FRAGMENT,
	LATER_FRAGMENT,
	LATER_FRAGMENT6,
	UNREACHABLE,
	ECHO,
	TOO_BIG6,
	NEIGHBOUR6,
	TCP_7000,
	ARP,
	SHAPES
};

static const bool wanted[SHAPES] = {
        [UDP_7000] = true,       [UDP_7032] = true,        [FIRST_FRAGMENT] = true,
        [LATER_FRAGMENT] = true, [LATER_FRAGMENT6] = true, [UNREACHABLE] = true,
        [TOO_BIG6] = true,
};

static void put_ip(uint8_t *ip, enum shape s)
{
	ip[0] = 0x45;
	ip[9] = s == TCP_7000 ? 6 : s == UNREACHABLE || s == ECHO ? 1 : 17;
	if (s == FIRST_FRAGMENT)
		ip[6] = 0x20;
	if (s == LATER_FRAGMENT)
		ip[7] = 185; /* at 1480: and no ports */
	unsigned port = s == UDP_7032 ? 7032 : s == UDP_53 ? 53 : 7000;
	if (s == UNREACHABLE || s == ECHO) {
		ip[20] = s == ECHO ? 8 : 3;
	} else if (s != LATER_FRAGMENT) {
		ip[22] = (uint8_t)(port >> 8);
		ip[23] = (uint8_t)port;
	}
}

static void put_ip6(uint8_t *ip, enum shape s)
{
	ip[0] = 0x60;
	ip[6] = s == LATER_FRAGMENT6 ? 44 : 58;
	ip[40] = s == TOO_BIG6 ? 2 : s == NEIGHBOUR6 ? 135 : 17;
}

/* Ethernet, a VLAN tag or none, and the packet. */
static struct frame make(uint8_t bytes[128], enum shape s, bool tagged)
{
	bool v6 = s == LATER_FRAGMENT6 || s == TOO_BIG6 || s == NEIGHBOUR6;
	uint8_t *type = bytes + 12;
	memset(bytes, 0, 128);
	if (tagged) {
		type[0] = 0x81;
		type[3] = 210;
		type += 4;
	}
	type[0] = v6 ? 0x86 : 0x08;
	type[1] = v6 ? 0xdd : s == ARP ? 6 : 0;
	if (v6)
		put_ip6(type + 2, s);
	else if (s != ARP)
		put_ip(type + 2, s);
	return (struct frame){.bytes = bytes,
	                      .caplen = 128,
	                      .wirelen = 128,
	                      .link_type = LINK_ETHERNET};
}

static void admits_what_tells_of_rx(void **state)
{
	char text[1024];
	uint8_t bytes[128];
	struct err err = {0};
	(void)state;
	assert_int_equal(record_filter(RECORD_PORTS_AFS, 1, text, sizeof text, &err),
	                 0);
	struct filter *f = filter_new(text, LINK_ETHERNET, &err);
	assert_non_null(f);
	for (enum shape s = 0; s < SHAPES; s++) {
		for (int tagged = 0; tagged < 2; tagged++) {
			struct frame frame = make(bytes, s, tagged);
			if (filter_match(f, &frame, &err) != wanted[s])
				fail_msg("shape %d, tagged %d", s, tagged);
		}
	}
	filter_free(f);
}

/* Raw IP links have no VLAN tags; the expression without them does. */
static void raw_links_have_a_filter_too(void **state)
{
	char text[1024];
	struct err err = {0};
	(void)state;
	assert_int_equal(record_filter("7000", 0, text, sizeof text, &err), 0);
	struct filter *f = filter_new(text, LINK_RAW, &err);
	assert_non_null(f);
	filter_free(f);
}

static void refuses_lists_that_are_none(void **state)
{
	static const char *const lists[] = {"",          ",",         "70000", "7000-",
	                                    "7x",        "7010-7000", "-7",    "0",
	                                    "7000 7001", "7000--7001"};
	char text[1024];
	(void)state;
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		struct err err = {0};
		assert_int_equal(record_filter(lists[i], 1, text, sizeof text, &err),
		                 -1);
		assert_int_equal(err.code, ERR_USAGE);
	}
	struct err err = {0};
	assert_int_equal(record_filter("7000", 1, text, 40, &err), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(admits_what_tells_of_rx),
	        cmocka_unit_test(raw_links_have_a_filter_too),
	        cmocka_unit_test(refuses_lists_that_are_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
