#include "netprobe/expect/openafs.h"

#include "netprobe/expect/link.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct addr ip(unsigned a, unsigned b, unsigned c, unsigned d)
{
	const uint8_t q[4] = {(uint8_t)a, (uint8_t)b, (uint8_t)c, (uint8_t)d};
	return addr_from_v4(q);
}

static void test_adjust_if(void **state)
{
	(void)state;
	static const uint32_t step[] = {1444, 2860, 4276, 5692,
	                                7108, 8524, 9940, 11356};
	for (size_t i = 0; i < sizeof step / sizeof *step; i++) {
		assert_int_equal(expect_adjust_if(4, step[i]), step[i]);
		assert_int_equal(expect_adjust_if(4, step[i] + 1415), step[i]);
		assert_int_equal(expect_adjust_if(1, step[i] + 1), step[i] + 1);
	}
	assert_int_equal(expect_adjust_if(4, 1443), 1443);
	assert_int_equal(expect_adjust_if(4, 520), 520);
	assert_int_equal(expect_adjust_if(4, 16384), 15604);
	assert_int_equal(expect_adjust_max(4, 1444, 5800), 5692);
	assert_int_equal(expect_adjust_max(4, 8524, 16384), 15604);
	assert_int_equal(expect_adjust_max(1, 8588, 9124), 8588);
}

static void test_jumbogram(void **state)
{
	(void)state;
	static const uint32_t size[] = {0, 1440, 2856, 4272, 5688, 7104, 8520};
	for (uint32_t n = 1; n <= 6; n++)
		assert_int_equal(expect_jumbogram(n), size[n]);
	assert_int_equal(expect_jumbogram(46), 65160);
	assert_int_equal(expect_adjust_packets(1, 2847), 1);
	assert_int_equal(expect_adjust_packets(1, 2856), 2);
	assert_int_equal(expect_adjust_packets(4, 1431), 1);
	assert_int_equal(expect_adjust_packets(4, 1432), 4);
	assert_int_equal(expect_adjust_packets(4, 16384), 11);
}

/* Two equal hosts on one subnet: every row of the table in the notes on Rx. */
static const struct {
	uint32_t mtu, frags, size, receive, packets, w0, udp, ip_len, pieces;
} equal_hosts[] = {
        {576, 1, 520, 1444, 1, 520, 520, 548, 1},
        {1280, 1, 1224, 1444, 1, 1224, 1224, 1252, 1},
        {1492, 1, 1436, 1444, 1, 1436, 1436, 1464, 1},
        {1492, 4, 1436, 5800, 4, 5692, 5688, 5716, 4},
        {1500, 1, 1444, 1444, 1, 1444, 1444, 1472, 1},
        {1500, 4, 1444, 5800, 4, 5692, 5688, 5716, 4},
        {4352, 1, 4296, 4296, 3, 4296, 4272, 4300, 1},
        {4352, 4, 4276, 16384, 6, 15604, 8520, 8548, 2},
        {4470, 1, 4414, 4414, 3, 4414, 4272, 4300, 1},
        {4528, 1, 4472, 4472, 3, 4472, 4272, 4300, 1},
        {4528, 4, 4276, 16384, 6, 15604, 8520, 8548, 2},
        {9000, 1, 8588, 8944, 6, 8588, 8520, 8548, 1},
        {9000, 4, 8524, 16384, 6, 15604, 8520, 8548, 1},
        {9180, 1, 8588, 9124, 6, 8588, 8520, 8548, 1},
        {9180, 4, 8524, 16384, 6, 15604, 8520, 8548, 1},
        {9218, 1, 8588, 9162, 6, 8588, 8520, 8548, 1},
        {9234, 4, 8524, 16384, 6, 15604, 8520, 8548, 1},
        {17914, 1, 8588, 16384, 6, 8588, 8520, 8548, 1},
        {18190, 4, 8524, 16384, 6, 15604, 8520, 8548, 1},
        {65520, 1, 8588, 16384, 6, 8588, 8520, 8548, 1},
        {65520, 4, 8524, 16384, 6, 15604, 8520, 8548, 1},
};

static void test_equal_hosts(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof equal_hosts / sizeof *equal_hosts; i++) {
		struct expect_iface f = {ip(10, 0, 0, 1), 24, equal_hosts[i].mtu};
		struct expect_host h = {
		        {EXPECT_SERVER, equal_hosts[i].frags, 0}, &f, 1};
		struct addr peer = ip(10, 0, 0, 2);
		struct expect_own own;
		expect_own(&h, &peer, 0, &own);
		assert_int_equal(own.size, equal_hosts[i].size);
		assert_int_equal(own.receive, equal_hosts[i].receive);
		assert_int_equal(own.packets, equal_hosts[i].packets);
		assert_int_equal(own.trailer.max_receive, equal_hosts[i].w0);
		assert_int_equal(own.trailer.interface, equal_hosts[i].size);
		assert_int_equal(own.trailer.packets, equal_hosts[i].packets);
		struct expect_size s =
		        expect_send(&own, &h.config, &own.trailer, EXPECT_CLEAR);
		assert_int_equal(s.packets, equal_hosts[i].packets);
		assert_int_equal(s.udp_payload, equal_hosts[i].udp);
		assert_int_equal(s.ip_len, equal_hosts[i].ip_len);
		assert_int_equal(link_fragments(4, s.ip_len, own.link_mtu),
		                 equal_hosts[i].pieces);
	}
}

/* The lab's cell as it was observed (OpenAFS 1.8.9): a server on 10.77.1.1 (1500)
 * and 10.77.2.1 (9180), c1 on the first link, c2 on the second. */
static const struct expect_config by_default = {.program = EXPECT_SERVER};
static const struct expect_config dash_jumbo = {.program = EXPECT_SERVER, .frags = 4};
static const struct expect_config max1444 = {.program = EXPECT_SERVER,
                                             .rxmaxmtu = 1444};
static const struct expect_config max9000 = {.program = EXPECT_SERVER,
                                             .rxmaxmtu = 9000};
static const struct expect_config client = {.program = EXPECT_CLIENT};
static const struct expect_config client_frags1 = {.program = EXPECT_CLIENT,
                                                   .frags = 1};
static const struct expect_config client_max1444 = {.program = EXPECT_CLIENT,
                                                    .rxmaxmtu = 1444};
static const struct expect_config tool = {.program = EXPECT_TOOL};

static const struct {
	const char *what;
	const struct expect_config *server, *client;
	unsigned link; /* 1: MTU 1500, 2: MTU 9180 */
	uint32_t server_w0, server_w1, server_w3;
	uint32_t client_w0, client_w1, client_w3;
	uint32_t down, up; /* largest datagrams: server to client, client to server */
} observed[] = {
        {"default, 1500", &by_default, &client, 1, 1444, 1444, 1, 5692, 1444, 4, 1444,
         1444},
        {"default, 9180", &by_default, &client, 2, 8588, 8588, 6, 15604, 8524, 6, 8520,
         8520},
        {"-jumbo, 1500", &dash_jumbo, &client, 1, 5692, 1444, 4, 5692, 1444, 4, 5688,
         5688},
        {"-jumbo, 9180", &dash_jumbo, &client, 2, 15604, 8524, 6, 15604, 8524, 6, 8520,
         8520},
        {"-rxmaxmtu 1444, 1500", &max1444, &client, 1, 1444, 1444, 1, 5692, 1444, 4,
         1444, 1444},
        {"-rxmaxmtu 1444, 9180", &max1444, &client, 2, 1444, 1444, 1, 15604, 8524, 6,
         1444, 1444},
        {"-rxmaxmtu 9000, 1500", &max9000, &client, 1, 1444, 1444, 1, 5692, 1444, 4,
         1444, 1444},
        {"-rxmaxmtu 9000, 9180", &max9000, &client, 2, 9000, 9000, 6, 15604, 8524, 6,
         8520, 8520},
        {"client -rxmaxfrags 1, 1500, -jumbo", &dash_jumbo, &client_frags1, 1, 5692,
         1444, 4, 1444, 1444, 1, 1444, 1444},
        {"client -rxmaxfrags 1, 9180", &by_default, &client_frags1, 2, 8588, 8588, 6,
         8588, 8588, 6, 8520, 8520},
        {"client -rxmaxmtu 1444, 9180", &by_default, &client_max1444, 2, 8588, 8588, 6,
         1444, 1444, 4, 5688, 5688},
        {"vos dump, 9180", &by_default, &tool, 2, 8588, 8588, 6, 15604, 8524, 6, 8520,
         8520},
};

static void assert_trailer(const struct rx_trailer *t, uint32_t w0, uint32_t w1,
                           uint32_t w3)
{
	assert_int_equal(t->words, 4);
	assert_int_equal(t->max_receive, w0);
	assert_int_equal(t->interface, w1);
	assert_int_equal(t->window, 32);
	assert_int_equal(t->packets, w3);
}

static void lab_own(const struct expect_config *c, bool is_server, unsigned link,
                    const struct addr *peer, struct expect_own *own)
{
	const struct expect_iface server[2] = {{ip(10, 77, 1, 1), 24, 1500},
	                                       {ip(10, 77, 2, 1), 24, 9180}};
	const struct expect_iface at[2] = {{ip(10, 77, 1, 11), 24, 1500},
	                                   {ip(10, 77, 2, 12), 24, 9180}};
	struct expect_host h = {*c, is_server ? server : &at[link - 1],
	                        is_server ? 2 : 1};
	expect_own(&h, peer, 0, own);
	own->iface = NULL; /* it pointed into this function */
}

static void test_observed(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof observed / sizeof *observed; i++) {
		unsigned link = observed[i].link;
		struct addr client_addr = ip(10, 77, link, 10 + link);
		struct addr server_addr = ip(10, 77, link, 1);
		struct expect_own s, c;
		print_message("%s\n", observed[i].what);
		lab_own(observed[i].server, true, link, &client_addr, &s);
		lab_own(observed[i].client, false, link, &server_addr, &c);
		assert_trailer(&s.trailer, observed[i].server_w0, observed[i].server_w1,
		               observed[i].server_w3);
		assert_trailer(&c.trailer, observed[i].client_w0, observed[i].client_w1,
		               observed[i].client_w3);
		assert_int_equal(
		        expect_send(&s, observed[i].server, &c.trailer, EXPECT_CLEAR)
		                .udp_payload,
		        observed[i].down);
		assert_int_equal(
		        expect_send(&c, observed[i].client, &s.trailer, EXPECT_CLEAR)
		                .udp_payload,
		        observed[i].up);
	}
}

/* vos dump asked the server's other address: another subnet, so 1444 by 4, and the
 * server, for which that client is near, sends 4 packets in one frame. */
static void test_other_subnet(void **state)
{
	(void)state;
	struct addr far = ip(10, 77, 1, 1), near = ip(10, 77, 2, 12);
	struct expect_own c, s;
	lab_own(&tool, false, 2, &far, &c);
	lab_own(&by_default, true, 2, &near, &s);
	assert_trailer(&c.trailer, 5692, 1444, 4);
	assert_int_equal(c.link_mtu, 0);
	struct expect_size down =
	        expect_send(&s, &by_default, &c.trailer, EXPECT_CLEAR);
	assert_int_equal(down.udp_payload, 5688);
	assert_int_equal(link_fragments(4, down.ip_len, s.link_mtu), 1);
	down = expect_send(&s, &by_default, &c.trailer, EXPECT_RXKAD_CRYPT);
	assert_int_equal(down.udp_payload, 1436);
}

/* Server interface 9180, client interface 1500, one subnet. */
static void test_mixed_mtu(void **state)
{
	(void)state;
	const struct expect_iface near = {ip(10, 77, 2, 13), 24, 1500};
	struct expect_host h = {client, &near, 1};
	struct addr server = ip(10, 77, 2, 1), peer = near.addr;
	struct expect_own c, s;
	expect_own(&h, &server, 0, &c);
	lab_own(&by_default, true, 2, &peer, &s);
	assert_trailer(&c.trailer, 5692, 1444, 4);
	/* writes: 4 packets in 4 fragments; reads: 4 packets in one frame, lost */
	struct expect_size up = expect_send(&c, &client, &s.trailer, EXPECT_CLEAR);
	assert_int_equal(up.udp_payload, 5688);
	assert_int_equal(link_fragments(4, up.ip_len, c.link_mtu), 4);
	struct expect_size down =
	        expect_send(&s, &by_default, &c.trailer, EXPECT_CLEAR);
	assert_int_equal(down.udp_payload, 5688);
	assert_int_equal(link_fragments(4, down.ip_len, s.link_mtu), 1);
	/* both cures */
	const struct expect_iface at = {ip(10, 77, 2, 1), 24, 9180};
	struct expect_host srv = {by_default, &at, 1};
	expect_own(&srv, &peer, 1500, &s);
	assert_trailer(&s.trailer, 1444, 1444, 1);
	assert_int_equal(s.link_mtu, 1500);
	h.config = client_frags1;
	expect_own(&h, &server, 0, &c);
	lab_own(&by_default, true, 2, &peer, &s);
	assert_int_equal(
	        expect_send(&s, &by_default, &c.trailer, EXPECT_CLEAR).udp_payload,
	        1444);
}

static void test_security(void **state)
{
	(void)state;
	static const struct {
		uint32_t size;
		enum expect_security level;
		uint32_t udp;
	} row[] = {
	        {1444, EXPECT_CLEAR, 1444},       {1440, EXPECT_CLEAR, 1440},
	        {1444, EXPECT_RXKAD_AUTH, 1440},  {1440, EXPECT_RXKAD_AUTH, 1436},
	        {1444, EXPECT_RXKAD_CRYPT, 1436}, {1440, EXPECT_RXKAD_CRYPT, 1436},
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		assert_int_equal(expect_full_packet(row[i].size, row[i].level),
		                 row[i].udp);
	/* whatever the size, the encrypted packet is not larger and ends on a block */
	for (uint32_t size = 520; size < 9000; size++) {
		uint32_t crypt = expect_full_packet(size, EXPECT_RXKAD_CRYPT);
		assert_in_range(crypt, size - 16, size);
		assert_int_equal((crypt - 28) % 8, 0);
	}
}

/* What a peer does not tell, and what no sane peer tells. */
static void test_trailers(void **state)
{
	(void)state;
	struct addr peer = ip(10, 77, 2, 12);
	struct expect_own s;
	lab_own(&by_default, true, 2, &peer, &s);
	struct expect_size size = expect_send(&s, &by_default, NULL, EXPECT_CLEAR);
	assert_int_equal(size.udp_payload, 1444); /* before the first ack */
	struct rx_trailer none = {.words = 0};
	assert_int_equal(expect_send(&s, &by_default, &none, EXPECT_CLEAR).udp_payload,
	                 1444);
	struct rx_trailer three = {3, 8588, 8588, 32, 0};
	size = expect_send(&s, &by_default, &three, EXPECT_CLEAR);
	assert_int_equal(size.packets, 1);
	assert_int_equal(size.udp_payload, 8588);
	struct rx_trailer tiny = {4, 1, 1, 1, 1};
	assert_int_equal(expect_send(&s, &by_default, &tiny, EXPECT_CLEAR).udp_payload,
	                 520);
	struct rx_trailer huge = {4, UINT32_MAX, UINT32_MAX, 32, UINT32_MAX};
	assert_int_equal(expect_send(&s, &by_default, &huge, EXPECT_CLEAR).udp_payload,
	                 8520);
	struct rx_trailer kafs = {4, 1444, 1444, 255, 0};
	assert_int_equal(expect_send(&s, &by_default, &kafs, EXPECT_CLEAR).udp_payload,
	                 1444);
}

static void test_interfaces(void **state)
{
	(void)state;
	const struct expect_iface all[] = {
	        {ip(127, 0, 0, 1), 8, 65536},
	        {ip(10, 0, 1, 1), 16, 9000},
	        {ip(10, 0, 2, 1), 24, 1500},
	        {ip(192, 168, 0, 1), 24, 1500},
	};
	struct expect_host h = {by_default, all, 4};
	struct expect_own own;
	struct addr p = ip(10, 0, 2, 7);
	expect_own(&h, &p, 0, &own); /* both match: the largest wins, not the longest */
	assert_ptr_equal(own.iface, &all[1]);
	assert_int_equal(own.size, 8588);
	p = ip(127, 0, 0, 1);
	expect_own(&h, &p, 0, &own);
	assert_null(own.iface);
	assert_int_equal(own.size, 1444);
	p = ip(172, 16, 0, 1);
	expect_own(&h, &p, 1400, &own);
	assert_null(own.iface);
	assert_int_equal(own.size, 1344);
	assert_int_equal(own.link_mtu, 1400);
	struct addr six = {{0xfd}};
	expect_own(&h, &six, 0, &own);
	assert_null(own.iface);
	/* the 17th address is not seen */
	struct expect_iface many[17];
	for (unsigned i = 0; i < 17; i++)
		many[i] = (struct expect_iface){ip(10, 1, i, 1), 24, 9000};
	h = (struct expect_host){by_default, many, 17};
	p = ip(10, 1, 15, 9);
	expect_own(&h, &p, 0, &own);
	assert_int_equal(own.size, 8588);
	p = ip(10, 1, 16, 9);
	expect_own(&h, &p, 0, &own);
	assert_int_equal(own.size, 1444);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_adjust_if),    cmocka_unit_test(test_jumbogram),
	        cmocka_unit_test(test_equal_hosts),  cmocka_unit_test(test_observed),
	        cmocka_unit_test(test_other_subnet), cmocka_unit_test(test_mixed_mtu),
	        cmocka_unit_test(test_security),     cmocka_unit_test(test_trailers),
	        cmocka_unit_test(test_interfaces),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
