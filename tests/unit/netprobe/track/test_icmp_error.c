#include "netprobe/track/track.h"
#include "tests/support/pkt_build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define ROUTER "10.77.1.254"
#define CLIENT "10.77.1.11"
#define SERVER "10.77.1.1"

static int set_up(void **state)
{
	*state = track_new(&track_limits_default);
	return *state ? 0 : -1;
}

static int tear_down(void **state)
{
	track_free(*state);
	return 0;
}

/* An ICMP error that quotes n bytes of a UDP packet with this port. */
static void feed_error(struct track *t, unsigned type, unsigned code, uint32_t rest,
                       unsigned sport, size_t n, uint64_t number)
{
	static struct pkt udp, p;
	pkt_begin(&udp);
	pkt_ip4(&udp, &(struct pkt_ip4){.src = SERVER, .dst = CLIENT, .df = true});
	pkt_udp(&udp, sport, 7001);
	pkt_fill(&udp, 1444);
	pkt_end(&udp);
	pkt_begin(&p);
	pkt_ethernet(&p, PKT_TYPE_IP4);
	pkt_ip4(&p, &(struct pkt_ip4){
	                    .src = ROUTER, .dst = SERVER, .proto = PKT_PROTO_ICMP});
	pkt_icmp(&p, type, code, rest);
	pkt_quote(&p, &udp, n);
	pkt_end(&p);
	struct frame f = pkt_frame(&p, LINK_ETHERNET, (int64_t)number * 1000, number);
	track_frame(t, &f);
}

static const struct icmp_error *nth(const struct track *t, unsigned n)
{
	const struct icmp_error *e = NULL;
	for (unsigned i = 0; i <= n; i++)
		e = track_icmp_error_next(t, e);
	return e;
}

static void test_counted_by_what_they_quote(void **state)
{
	struct track *t = *state;
	feed_error(t, 3, 4, 1400, 7000, 28, 1);
	feed_error(t, 3, 4, 1300, 7000, 28, 2);
	feed_error(t, 3, 4, 0, 7000, 28, 3); /* a router from before RFC 1191 */
	feed_error(t, 3, 3, 0, 7000, 28, 4);
	feed_error(t, 3, 4, 1400, 7002, 28, 5);
	const struct icmp_error *e = nth(t, 0);
	assert_int_equal(e->count, 3);
	assert_int_equal(e->mtu_min, 1300);
	assert_int_equal(e->mtu_max, 1400);
	assert_int_equal(e->without_mtu, 1);
	assert_int_equal(e->first_frame, 1);
	assert_int_equal(e->quoted_max, 1472);
	assert_int_equal(e->key.sport, 7000);
	assert_int_equal(e->key.dport, 7001);
	assert_int_equal(e->key.proto, 17);
	assert_true(e->too_big);
	e = nth(t, 1);
	assert_int_equal(e->key.code, 3);
	assert_int_equal(e->count, 1);
	assert_false(e->too_big);
	assert_int_equal(e->without_mtu, 0);
	assert_int_equal(nth(t, 2)->key.sport, 7002);
	assert_null(track_icmp_error_next(t, nth(t, 2)));
}

static void test_quoting_too_little(void **state)
{
	struct track *t = *state;
	feed_error(t, 11, 1, 0, 7000, 20, 1); /* the IP header alone */
	const struct icmp_error *e = nth(t, 0);
	assert_true(e->quotes);
	assert_false(e->has_ports);
	assert_int_equal(e->key.sport, 0);
	feed_error(t, 11, 1, 0, 7000, 12, 2);
	e = nth(t, 1);
	assert_false(e->quotes);
	assert_int_equal(e->key.proto, 0);
}

static void test_pings_are_no_errors(void **state)
{
	struct track *t = *state;
	feed_error(t, 8, 0, 0, 7000, 28, 1);
	assert_null(track_icmp_error_next(t, NULL));
	assert_int_equal(track_iface(t, 0)->icmp, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(test_counted_by_what_they_quote, set_up,
	                                        tear_down),
	        cmocka_unit_test_setup_teardown(test_quoting_too_little, set_up,
	                                        tear_down),
	        cmocka_unit_test_setup_teardown(test_pings_are_no_errors, set_up,
	                                        tear_down),
	};
	return cmocka_run_group_tests_name("track/icmp_error", tests, NULL, NULL);
}
