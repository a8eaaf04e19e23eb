#include "netprobe/expect/kernel.h"

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

static void test_match(void **state)
{
	(void)state;
	static const struct {
		const char *own;
		uint8_t bits;
		const char *peer;
		enum expect_match match;
	} rows[] = {
	        {"10.77.2.1", 24, "10.77.2.12", EXPECT_MATCH_SUBNET},
	        {"10.77.2.1", 24, "10.77.2.1", EXPECT_MATCH_SELF},
	        {"10.77.2.1", 24, "10.1.1.1", EXPECT_MATCH_CLASS}, /* all of 10/8 */
	        {"10.77.2.1", 24, "11.77.2.1", EXPECT_MATCH_NONE},
	        {"172.16.1.1", 24, "172.16.9.9", EXPECT_MATCH_CLASS},
	        {"172.16.1.1", 24, "172.17.1.2", EXPECT_MATCH_NONE},
	        {"192.168.4.1", 24, "192.168.5.1", EXPECT_MATCH_NONE},
	        /* a /16 of class C networks: the class is asked first */
	        {"192.168.4.1", 16, "192.168.5.1", EXPECT_MATCH_NONE},
	        {"192.168.4.1", 16, "192.168.4.9", EXPECT_MATCH_SUBNET},
	        {"10.77.2.1", 24, "fd00::1", EXPECT_MATCH_NONE},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct expect_iface f = {ip(rows[i].own), rows[i].bits, 1500};
		struct addr peer = ip(rows[i].peer);
		assert_int_equal(expect_class_match(&f, &peer), rows[i].match);
	}
}

static void test_size(void **state)
{
	(void)state;
	const struct expect_iface f[] = {{ip("10.1.0.1"), 16, 1500},
	                                 {ip("10.2.0.1"), 16, 9180}};
	struct expect_host h = {{.program = EXPECT_KERNEL}, f, 2};
	struct expect_own own;
	struct addr peer = ip("10.2.0.9");
	expect_kernel_own(&h, &peer, &own);
	assert_ptr_equal(own.iface, &f[1]);
	assert_int_equal(own.size, 8524);
	/* the second interface is not looked at for the size that is received */
	assert_int_equal(own.receive, 5800);
	assert_int_equal(own.trailer.max_receive, 5692);
	assert_int_equal(own.trailer.interface, 8524);
	assert_int_equal(own.trailer.packets, 6);
	/* another subnet of the class A network: the first one, where user space says
	 * 1444 for all of them */
	peer = ip("10.9.0.9");
	expect_kernel_own(&h, &peer, &own);
	assert_ptr_equal(own.iface, &f[0]);
	h.iface = &f[1];
	h.ifaces = 1;
	expect_kernel_own(&h, &peer, &own);
	assert_int_equal(own.size, 8524);
	assert_int_equal(own.receive, 16384);
	expect_own(&h, &peer, 0, &own);
	assert_int_equal(own.size, 1444);
	peer = ip("192.0.2.1");
	expect_kernel_own(&h, &peer, &own);
	assert_null(own.iface);
	assert_int_equal(own.size, 1444);
	assert_int_equal(own.link_mtu, 0);
}

static void test_options(void **state)
{
	(void)state;
	const struct expect_iface f = {ip("10.2.0.1"), 16, 9180};
	struct expect_host h = {{.program = EXPECT_KERNEL, .rxmaxmtu = 1260}, &f, 1};
	struct addr peer = ip("10.2.0.9");
	struct expect_own own;
	expect_kernel_own(&h, &peer, &own);
	assert_int_equal(own.size, 1260);
	assert_int_equal(own.receive, 1260); /* unlike servers' */
	h.config = (struct expect_config){.program = EXPECT_KERNEL, .frags = 1};
	expect_kernel_own(&h, &peer, &own);
	assert_int_equal(own.size, 8588);
	assert_int_equal(own.trailer.packets, 6);
	/* an MTU of no room is not used */
	const struct expect_iface tiny = {ip("10.2.0.1"), 16, 84};
	h.iface = &tiny;
	expect_kernel_own(&h, &peer, &own);
	assert_int_equal(own.size, 8588);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_match),
	        cmocka_unit_test(test_size),
	        cmocka_unit_test(test_options),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
