#include "netprobe/track/host.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct addr v4(uint32_t a)
{
	const uint8_t b[4] = {(uint8_t)(a >> 24), (uint8_t)(a >> 16), (uint8_t)(a >> 8),
	                      (uint8_t)a};
	return addr_from_v4(b);
}

static int set_up(void **state)
{
	*state = hosts_new();
	return *state ? 0 : -1;
}

static int tear_down(void **state)
{
	hosts_free(*state);
	return 0;
}

static void test_latest_version_counts(void **state)
{
	struct hosts *h = *state;
	struct addr a = v4(0x0a000001);
	assert_null(hosts_version_next(h, NULL));
	assert_true(hosts_take_version(h, &a, 7000, "old", 3));
	assert_true(hosts_take_version(h, &a, 7003, "other process", 4));
	assert_true(hosts_take_version(h, &a, 7000, "new", 9));
	const struct host_version *v = hosts_version_next(h, NULL);
	assert_string_equal(v->text, "other process");
	v = hosts_version_next(h, v);
	assert_string_equal(v->text, "new");
	assert_int_equal(v->frame, 9);
	assert_null(hosts_version_next(h, v));
}

static void test_whole_beats_cut(void **state)
{
	struct hosts *h = *state;
	struct addr a = v4(0x0a000001), other = v4(0x0a000002);
	struct disclosure d = {.kind = DISCLOSE_TELL_ME, .cut = true, .n = 1};
	d.iface[0].addr = a;
	assert_true(hosts_take_disclosure(h, &a, &d, 1));
	assert_int_equal(hosts_mtu(h, &a), 0);
	d.cut = false;
	d.iface[0].mtu = 9180;
	assert_true(hosts_take_disclosure(h, &a, &d, 2));
	assert_int_equal(hosts_mtu(h, &a), 9180);
	d.cut = true;
	d.iface[0].mtu = 0;
	assert_true(hosts_take_disclosure(h, &a, &d, 3));
	assert_int_equal(hosts_mtu(h, &a), 9180);
	assert_int_equal(hosts_mtu(h, &other), 0);
	const struct host_disclosure *e = hosts_disclosure_next(h, NULL);
	assert_int_equal(e->times, 3);
	assert_int_equal(e->frame, 2);
	/* an MTU of another of its interfaces is not this one's */
	d.cut = false;
	d.iface[0].addr = other;
	d.iface[0].mtu = 1500;
	assert_true(hosts_take_disclosure(h, &a, &d, 4));
	assert_int_equal(hosts_mtu(h, &a), 0);
}

static void test_third_party(void **state)
{
	struct hosts *h = *state;
	struct addr by = v4(0x0a000009), about = v4(0x0a000001);
	struct disclosure d = {.kind = DISCLOSE_GET_ADDRS, .third_party = true};
	assert_true(hosts_take_disclosure(h, &by, &d, 1)); /* about nobody */
	assert_null(hosts_disclosure_next(h, NULL));
	d.n = 1;
	d.iface[0].addr = about;
	assert_true(hosts_take_disclosure(h, &by, &d, 2));
	const struct host_disclosure *e = hosts_disclosure_next(h, NULL);
	assert_int_equal(addr_compare(&e->key.about, &about), 0);
	assert_int_equal(addr_compare(&e->by, &by), 0);
}

static void test_bounded(void **state)
{
	struct hosts *h = *state;
	struct rx_debug_peer p = {.mtu = 1444};
	struct addr a = v4(0x0a000001);
	for (uint32_t i = 0; i < 40000; i++) {
		p.host = v4(0x0b000000 + i);
		assert_true(hosts_take_peer(h, &a, 7000, &p, i + 1));
	}
	size_t n = 0;
	const struct host_peer *e = NULL;
	while ((e = hosts_peer_next(h, e)))
		n++;
	assert_in_range(n, 1, 39999);
	assert_int_equal(hosts_evicted(h), 40000 - n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(test_latest_version_counts, set_up,
	                                        tear_down),
	        cmocka_unit_test_setup_teardown(test_whole_beats_cut, set_up,
	                                        tear_down),
	        cmocka_unit_test_setup_teardown(test_third_party, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(test_bounded, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
