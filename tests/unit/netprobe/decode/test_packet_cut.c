/* IP packets longer than their frames. */
#include "netprobe/decode/packet.h"
#include "tests/support/pkt_build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* More bytes captured than the frame had: the surplus is out of reach. */
static void caplen_beyond_wirelen(void **state)
{
	(void)state;
	struct pkt k;
	struct packet p;
	pkt_begin(&k);
	pkt_ip4(&k, &(struct pkt_ip4){0});
	pkt_udp(&k, 1, 2);
	pkt_fill(&k, 100);
	pkt_end(&k);
	struct frame f = pkt_frame(&k, LINK_RAW, 0, 1);
	f.wirelen -= 10;
	k.bytes[10] ^= 1;
	assert_int_equal(packet_decode(&f, &p), PACKET_SHORT);
}

/* A program that writes the captured length for the frame's: what a sound header
 * says of sizes holds. */
static void frame_length_is_the_captured_one(void **state)
{
	(void)state;
	struct pkt k;
	struct packet p;
	pkt_begin(&k);
	pkt_ip4(&k, &(struct pkt_ip4){.offset = 0, .more = true});
	pkt_udp_of(&k, 7000, 7001, 4000);
	pkt_fill(&k, 1472);
	pkt_end(&k);
	struct frame f = pkt_frame(&k, LINK_RAW, 0, 1);
	for (f.caplen = 28; f.caplen < 1500; f.caplen += 7) {
		f.wirelen = f.caplen;
		assert_int_equal(packet_decode(&f, &p), PACKET_IP);
		assert_true(p.cut);
		assert_int_equal(p.ip_len, 1500);
		assert_int_equal(p.payload_len, 1480);
		assert_int_equal(p.payload_cap, f.caplen - 20);
		assert_int_equal(p.trailing, 0);
	}
	f.caplen = f.wirelen = 1500;
	assert_int_equal(packet_decode(&f, &p), PACKET_IP);
	assert_false(p.cut);
}

/* Likewise of IPv6, as soon as enough is there to confirm the length. */
static void frame_length_is_the_captured_one_ip6(void **state)
{
	enum { WHOLE, FIRST, LATER, TCP, ICMP, KINDS };
	static const uint32_t confirmed[KINDS] = {40 + 6, 48 + 6, 48, 40 + 20, 40 + 1};
	static const uint8_t next[KINDS] = {PKT_PROTO_UDP, PKT_PROTO_FRAGMENT,
	                                    PKT_PROTO_FRAGMENT, PKT_PROTO_TCP,
	                                    PKT_PROTO_ICMP6};
	(void)state;
	for (unsigned kind = 0; kind < KINDS; kind++) {
		struct pkt k;
		struct packet p, whole;
		pkt_begin(&k);
		pkt_ip6(&k, &(struct pkt_ip6){.next = next[kind]});
		if (next[kind] == PKT_PROTO_FRAGMENT)
			pkt_ip6_fragment(&k, PKT_PROTO_UDP, kind == FIRST ? 0 : 1448,
			                 true, 7);
		if (kind == WHOLE)
			pkt_udp(&k, 7000, 7001);
		if (kind == FIRST)
			pkt_udp_of(&k, 7000, 7001, 4000);
		if (kind == TCP)
			pkt_tcp(&k, &(struct pkt_tcp){.sport = 2049, .ack = true});
		if (kind == ICMP)
			pkt_icmp(&k, 128, 0, 1);
		pkt_fill(&k, 1496 - k.len);
		pkt_end(&k);
		struct frame f = pkt_frame(&k, LINK_RAW, 0, 1);
		assert_int_equal(packet_decode(&f, &whole), PACKET_IP);
		assert_false(whole.cut);
		for (f.caplen = 41; f.caplen < 1496; f.caplen++) {
			f.wirelen = f.caplen;
			enum packet_verdict v = packet_decode(&f, &p);
			if (f.caplen < confirmed[kind]) {
				if (kind != TCP || f.caplen < 53)
					assert_int_equal(v, PACKET_SHORT);
				continue;
			}
			assert_int_equal(v, PACKET_IP);
			assert_true(p.cut);
			assert_int_equal(p.ip_len, 1496);
			assert_int_equal(p.payload_len, whole.payload_len);
			assert_int_equal(p.trailing, 0);
		}
		/* a length that nothing confirms */
		f.caplen = f.wirelen = 1400;
		k.bytes[5]--;
		if (kind <= LATER)
			assert_int_equal(packet_decode(&f, &p), PACKET_SHORT);
	}
}

/* A layer between that tells the packet's end contradicts it; and so does a frame that
 * was captured in part and says so. */
static void other_lengths_that_end_before(void **state)
{
	struct pkt k;
	struct packet p;
	(void)state;
	for (unsigned shorter = 0; shorter < 2; shorter++) {
		pkt_begin(&k);
		pkt_ethernet(&k, PKT_TYPE_PPPOE);
		pkt_pppoe(&k, 0x57);
		pkt_ip6(&k, &(struct pkt_ip6){0});
		pkt_udp(&k, 7000, 7001);
		pkt_fill(&k, 1000);
		pkt_end(&k);
		k.bytes[14 + 5] = (uint8_t)(k.bytes[14 + 5] - shorter);
		struct frame f = pkt_frame(&k, LINK_ETHERNET, 0, 1);
		assert_int_equal(packet_decode(&f, &p),
		                 shorter ? PACKET_SHORT : PACKET_IP);
		f.caplen = 200;
		f.wirelen = 300;
		assert_int_equal(packet_decode(&f, &p), PACKET_SHORT);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(caplen_beyond_wirelen),
	        cmocka_unit_test(frame_length_is_the_captured_one),
	        cmocka_unit_test(frame_length_is_the_captured_one_ip6),
	        cmocka_unit_test(other_lengths_that_end_before),
	};
	return cmocka_run_group_tests_name("decode/packet_cut", tests, NULL, NULL);
}
