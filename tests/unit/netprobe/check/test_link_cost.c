#include "netprobe/check/link_cost.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Megabits in hundredths. */
static long mbps(const struct link_cost *c, const char *rate)
{
	return lround(c->efficiency * (double)link_rate_find(rate) / 1e4);
}

/* The ceilings that the notes on Rx list for whole datagrams. */
static void test_ceilings(void **state)
{
	(void)state;
	static const struct {
		uint32_t udp;
		uint32_t data;
		const char *kind;
		uint32_t mtu;
		const char *rate;
		long mbps; /* hundredths */
	} rows[] = {
	        {1444, 1416, "atm-llc", 9180, "oc3c", 12907},
	        {1444, 1416, "atm-llc", 9180, "oc12c", 51628},
	        {1444, 1416, "atm-llc", 9180, "ds3-plcp", 3508},
	        {8520, 8472, "atm-llc", 9180, "oc3c", 13374},
	        {8520, 8472, "atm-llc", 1500, "oc3c", 12940},
	        {5688, 5648, "atm-llc", 9180, "oc3c", 13299},
	        {1444, 1416, "ethernet", 1500, "ethernet-100", 9377},
	        {5688, 5648, "ethernet", 1500, "ethernet-100", 9528},
	        {8520, 8472, "ethernet", 9000, "ethernet-100", 9867},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct link_cost c;
		assert_int_equal(link_cost_data_in(rows[i].udp), rows[i].data);
		assert_int_equal(link_cost_call(&c, link_kind_find(rows[i].kind),
		                                rows[i].mtu, rows[i].data * 10ull,
		                                rows[i].udp),
		                 10);
		assert_int_equal(mbps(&c, rows[i].rate), rows[i].mbps);
	}
}

static void test_call(void **state)
{
	(void)state;
	const struct link_kind *e = link_kind_find("ethernet");
	struct link_cost c;
	/* one whole datagram and one of a single byte */
	assert_int_equal(link_cost_call(&c, e, 0, 1417, 1444), 2);
	assert_int_equal(c.packets, 2);
	assert_int_equal(c.wire_bytes, 1472 + 38 + 57 + 38);
	/* the last jumbogram has a short header for each packet that is left, no more
	 */
	assert_int_equal(link_cost_call(&c, e, 9000, 8472 + 100, 8520), 2);
	assert_int_equal(c.wire_bytes, 8548 + 38 + 156 + 38);
	assert_int_equal(link_cost_call(&c, e, 9000, 1413, 8520), 1);
	assert_int_equal(c.wire_bytes, 28 + 28 + 1413 + 4 + 38);
	assert_int_equal(link_cost_call(&c, e, 0, 1, 28), 0);
	assert_int_equal(c.wire_bytes, 0);
	assert_true(c.efficiency == 0);
	link_cost_packets(&c, e, 576, 1500, 3);
	assert_int_equal(c.mtu, 576);
	assert_int_equal(c.packets, 9);
	static const struct {
		uint32_t udp, data;
	} in[] = {{28, 0},      {29, 1},      {1440, 1412}, {1444, 1416},  {2856, 2824},
	          {4272, 4236}, {2000, 1968}, {7104, 7060}, {65160, 64952}};
	for (size_t i = 0; i < sizeof in / sizeof *in; i++)
		assert_int_equal(link_cost_data_in(in[i].udp), in[i].data);
}

static void test_sizes(void **state)
{
	(void)state;
	struct sizes s = {0};
	struct link_cost c;
	sizes_add(&s, 1472, 10);
	sizes_add(&s, 93, 5);
	link_cost_sizes(&c, link_kind_find("atm-llc"), 0, &s, 14160);
	assert_int_equal(c.packets, 15);
	assert_int_equal(c.wire_bytes, (10 * 31 + 5 * 3) * 53);
	assert_true(fabs(c.efficiency - 14160.0 / (325 * 53)) < 1e-9);
	sizes_free(&s);
}

static void test_choices(void **state)
{
	(void)state;
	size_t n;
	const struct link_choice *x = link_choices(&n);
	for (size_t i = 0; i < n; i++)
		if (x[i].udp_payload != 1436) /* rxkad's own header */
			assert_int_equal(link_cost_data_in(x[i].udp_payload),
			                 x[i].data);
}

/* The comparison of sizes and the question for one size have one answer. */
static void test_choice_is_a_call(void **state)
{
	(void)state;
	size_t n;
	const struct link_choice *x = link_choices(&n);
	const struct link_kind *e = link_kind_find("ethernet");
	for (size_t i = 0; i < n; i++) {
		struct link_cost a, b;
		link_cost_choice(&a, e, 1500, 1 << 20, &x[i]);
		if (x[i].udp_payload != 1436) {
			link_cost_call(&b, e, 1500, 1 << 20, x[i].udp_payload);
			assert_int_equal(a.wire_bytes, b.wire_bytes);
			assert_int_equal(a.packets, b.packets);
			continue;
		}
		/* 748 of 1400 bytes, and 1376 in 173 blocks of 8 */
		assert_int_equal(a.packets, 749);
		assert_int_equal(a.wire_bytes, 748 * (1464 + 38) + 56 + 173 * 8 + 38);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_ceilings),
	        cmocka_unit_test(test_call),
	        cmocka_unit_test(test_sizes),
	        cmocka_unit_test(test_choices),
	        cmocka_unit_test(test_choice_is_a_call),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
