#include "netprobe/expect/choice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct addr ip(const char *text)
{
	struct addr a;
	assert_true(addr_parse(text, &a));
	return a;
}

#include "netprobe/expect/kafs.h"

static void test_programs(void **state)
{
	(void)state;
	for (int p = 0; p < EXPECT_PROGRAMS; p++) {
		assert_non_null(expect_program_text((enum expect_program)p));
		assert_int_equal(expect_program_find(
		                         expect_program_name((enum expect_program)p)),
		                 p);
	}
	assert_int_equal(expect_program_find("bosserver"), -1);
}

static const struct rx_trailer server_1500 = {4, 1444, 1444, 32, 1};
static const struct rx_trailer server_9180 = {4, 8588, 8588, 32, 6};
static const struct rx_trailer kafs_9180 = {4, 65160, 9124, 255, 0};

/* Who, the link's MTU, the route's, and the peer -> what goes out. */
static const struct {
	enum expect_program program;
	enum expect_release release;
	uint32_t mtu, route;
	const struct rx_trailer *peer;
	uint32_t w0, w1, w3, udp, crypt_udp;
	bool df;
} rows[] = {
        {EXPECT_CLIENT, EXPECT_18, 1500, 0, &server_1500, 5692, 1444, 4, 1444, 1436,
         true},
        {EXPECT_CLIENT, EXPECT_16, 1500, 0, &server_1500, 5692, 1444, 4, 1444, 1436,
         false},
        /* only 1.8 asks the route */
        {EXPECT_CLIENT, EXPECT_18, 9180, 1500, &server_9180, 5692, 1444, 4, 5688, 1436,
         true},
        {EXPECT_CLIENT, EXPECT_16, 9180, 1500, &server_9180, 15604, 8524, 6, 8520, 1436,
         false},
        {EXPECT_KERNEL, EXPECT_18, 9180, 1500, &server_9180, 15604, 8524, 6, 8520, 1436,
         true},
        {EXPECT_SERVER, EXPECT_18, 9180, 0, NULL, 8588, 8588, 6, 1444, 1436, true},
        {EXPECT_KAFS, EXPECT_18, 1500, 1500, &server_1500, 5692, 1444, 4, 1440, 1440,
         true},
        {EXPECT_KAFS, EXPECT_18, 9180, 9180, &server_9180, 5692, 9124, 4, 1440, 1440,
         true},
        {EXPECT_KAFS, EXPECT_18, 1280, 1280, &server_1500, 5692, 1224, 4, 1252, 1252,
         true},
        /* route not told: by the interface that the peer is on */
        {EXPECT_KAFS, EXPECT_18, 9180, 0, &server_9180, 5692, 9124, 4, 1440, 1440,
         true},
        {EXPECT_KAFS, EXPECT_18, 1280, 0, &server_1500, 5692, 1224, 4, 1252, 1252,
         true},
        {EXPECT_KAFS_PROBING, EXPECT_18, 9180, 0, &kafs_9180, 65160, 9124, 0, 8520,
         8520, true},
        {EXPECT_AURISTOR, EXPECT_18, 1400, 0, &server_9180, 1344, 1344, 0, 1344, 1344,
         true},
        {EXPECT_KAFS_PROBING, EXPECT_18, 9180, 9180, &server_9180, 1444, 1444, 0, 1440,
         1440, true},
        {EXPECT_KAFS_PROBING, EXPECT_18, 9180, 9180, &kafs_9180, 65160, 9124, 0, 8520,
         8520, true},
        {EXPECT_KAFS_PROBING, EXPECT_18, 65536, 65536, &kafs_9180, 65160, 65480, 0,
         65160, 65160, true},
        {EXPECT_AURISTOR, EXPECT_18, 9180, 9180, &server_9180, 1444, 1444, 0, 1444,
         1444, true},
        {EXPECT_AURISTOR, EXPECT_18, 1400, 1400, &server_9180, 1344, 1344, 0, 1344,
         1344, true},
};

static void test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct expect_iface f = {ip("10.77.2.1"), 24, rows[i].mtu};
		struct expect_host h = {{.program = rows[i].program}, &f, 1};
		struct expect_case c = {.host = &h,
		                        .release = rows[i].release,
		                        .peer = ip("10.77.2.12"),
		                        .route_mtu = rows[i].route,
		                        .trailer = rows[i].peer};
		struct expect_choice x;
		expect_choose(&c, &x);
		assert_int_equal(x.own.trailer.max_receive, rows[i].w0);
		assert_int_equal(x.own.trailer.interface, rows[i].w1);
		assert_int_equal(x.own.trailer.packets, rows[i].w3);
		assert_int_equal(x.size[EXPECT_CLEAR].udp_payload, rows[i].udp);
		assert_int_equal(x.size[EXPECT_CLEAR].ip_len, rows[i].udp + 28);
		assert_int_equal(x.size[EXPECT_RXKAD_CRYPT].udp_payload,
		                 rows[i].crypt_udp);
		assert_int_equal(x.df, rows[i].df);
		assert_int_equal(x.uncertain, rows[i].program == EXPECT_AURISTOR);
	}
}

/* The way out of those that ask the routing table: the kernel's word, the longest
 * prefix, the only interface; else nothing is known. */
static void test_way_out(void **state)
{
	(void)state;
	static const struct {
		const char *peer;
		size_t ifaces;
		uint32_t route, link_mtu, interface;
		const char *says;
	} rows_out[] = {
	        {"10.77.2.12", 3, 0, 1400, 1344, "by 10.77.2.1/24, MTU 1400"},
	        {"10.77.9.12", 3, 0, 9000, 8944, "by 10.77.0.1/16, MTU 9000"},
	        {"10.99.0.1", 3, 0, 1500, 1444, "not known"},
	        {"10.99.0.1", 1, 0, 9180, 9124, "the only interface"},
	        {"10.77.2.12", 3, 1300, 1300, 1244, "as the kernel has it"},
	};
	for (size_t i = 0; i < sizeof rows_out / sizeof *rows_out; i++) {
		const struct expect_iface f[] = {{ip("10.50.0.1"), 16, 9180},
		                                 {ip("10.77.2.1"), 24, 1400},
		                                 {ip("10.77.0.1"), 16, 9000}};
		struct expect_host h = {
		        {.program = EXPECT_KAFS}, f, rows_out[i].ifaces};
		struct expect_case c = {.host = &h,
		                        .peer = ip(rows_out[i].peer),
		                        .route_mtu = rows_out[i].route};
		struct expect_choice x;
		struct expect_step step[EXPECT_STEPS];
		expect_choose(&c, &x);
		assert_int_equal(x.own.link_mtu, rows_out[i].link_mtu);
		assert_int_equal(x.own.trailer.interface, rows_out[i].interface);
		assert_true(expect_steps(&c, &x, step) > 0);
		if (!strstr(step[0].text, rows_out[i].says))
			fail_msg("'%s' not in '%s'", rows_out[i].says, step[0].text);
	}
}

/* As seen in the lab: on MTU 1492 with four fragments 1436 becomes 1440. */
static void test_grown(void **state)
{
	(void)state;
	static const struct rx_trailer joins = {4, 5692, 1436, 32, 4};
	static const struct rx_trailer single = {4, 1436, 1436, 32, 1};
	struct expect_iface f = {ip("10.77.2.12"), 24, 1492};
	struct expect_host h = {{.program = EXPECT_CLIENT}, &f, 1};
	struct expect_case c = {.host = &h, .peer = ip("10.77.2.1"), .trailer = &joins};
	struct expect_choice x;
	expect_choose(&c, &x);
	assert_int_equal(x.own.trailer.interface, 1436);
	assert_int_equal(x.grown, 1440);
	c.trailer = &single;
	expect_choose(&c, &x);
	assert_int_equal(x.grown, 0);
	f.mtu = 1500;
	c.trailer = &joins;
	expect_choose(&c, &x);
	assert_int_equal(x.grown, 0);
}

static struct rx_trailer likely(enum expect_program p, uint32_t mtu, const char *peer)
{
	struct expect_iface f = {ip("10.77.2.1"), 24, mtu};
	struct expect_host h = {{.program = p}, &f, 1};
	struct expect_case c = {.host = &h, .peer = ip(peer)};
	struct expect_choice x;
	expect_choose(&c, &x);
	return expect_likely_peer(&c, &x);
}

static void test_likely_peer(void **state)
{
	(void)state;
	struct rx_trailer t = likely(EXPECT_SERVER, 9180, "10.77.2.12");
	assert_int_equal(t.max_receive, 15604);
	assert_int_equal(t.packets, 6);
	t = likely(EXPECT_KERNEL, 1500, "10.77.2.12");
	assert_int_equal(t.max_receive, 1444);
	assert_int_equal(t.packets, 1);
	/* on another subnet the peer, too, keeps to Ethernet's size */
	t = likely(EXPECT_CLIENT, 9180, "10.77.9.12");
	assert_int_equal(t.max_receive, 1444);
	t = likely(EXPECT_KERNEL, 9180, "10.77.9.12");
	assert_int_equal(t.packets, 1);
	t = likely(EXPECT_CLIENT, 1280, "10.77.2.12");
	assert_int_equal(t.interface, 1224);
}

static const char *step_text(const struct expect_step *step, size_t n,
                             const char *label)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(step[i].label, label) == 0)
			return step[i].text;
	return "";
}

static void test_steps(void **state)
{
	(void)state;
	struct expect_iface f = {ip("10.77.2.1"), 24, 9180};
	struct expect_host h = {{.program = EXPECT_KERNEL}, &f, 1};
	struct expect_case c = {.host = &h, .peer = ip("10.9.9.9")};
	struct expect_choice x;
	struct expect_step step[EXPECT_STEPS];
	expect_choose(&c, &x);
	size_t n = expect_steps(&c, &x, step);
	assert_non_null(strstr(step_text(step, n, "interface"), "same class"));
	assert_non_null(strstr(step_text(step, n, "size"), "9180 - 56 = 9124"));
	assert_non_null(strstr(step_text(step, n, "size"), "= 8524"));
	assert_non_null(
	        strstr(step_text(step, n, "announces"), "(15604, 8524, 32, 6)"));
	h.config.program = EXPECT_SERVER;
	expect_choose(&c, &x);
	n = expect_steps(&c, &x, step);
	assert_non_null(strstr(step_text(step, n, "interface"), "no subnet"));
	assert_string_equal(step_text(step, n, "size"), "1444");
	/* every program has its lines, with and without a peer */
	for (int p = 0; p < EXPECT_PROGRAMS; p++) {
		h.config.program = (enum expect_program)p;
		c.trailer = p & 1 ? &kafs_9180 : NULL;
		expect_choose(&c, &x);
		n = expect_steps(&c, &x, step);
		assert_in_range(n, 2, EXPECT_STEPS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_programs),    cmocka_unit_test(test_rows),
	        cmocka_unit_test(test_likely_peer), cmocka_unit_test(test_grown),
	        cmocka_unit_test(test_steps),       cmocka_unit_test(test_way_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
