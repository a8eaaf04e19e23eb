/* IPv4 and IPv6 headers: fields, lengths against the frame, extension headers,
 * and everything malformed. */
#include "netprobe/decode/packet.h"
#include "tests/support/pkt_build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static enum packet_verdict decode(const struct pkt *k, enum link_type link,
                                  struct packet *p)
{
	struct frame f = pkt_frame(k, link, 0, 1);
	return packet_decode(&f, p);
}

static void ip4_fields(void **state)
{
	(void)state;
	struct pkt k;
	struct packet p;
	struct addr src;
	pkt_begin(&k);
	pkt_ethernet(&k, PKT_TYPE_IP4);
	pkt_ip4(&k, &(struct pkt_ip4){.src = "10.77.1.1",
	                              .dst = "10.77.2.1",
	                              .ttl = 63,
	                              .tos = 0xb8,
	                              .id = 0x1234,
	                              .offset = 2960,
	                              .more = true,
	                              .df = true,
	                              .options = 8});
	pkt_fill(&k, 1480);
	pkt_end(&k);
	assert_int_equal(decode(&k, LINK_ETHERNET, &p), PACKET_IP);
	assert_true(addr_parse("10.77.1.1", &src));
	assert_int_equal(addr_compare(&p.src, &src), 0);
	assert_int_equal(p.family, 4);
	assert_int_equal(p.proto, 17);
	assert_int_equal(p.ttl, 63);
	assert_int_equal(p.tos, 0xb8);
	assert_int_equal(p.frag_id, 0x1234);
	assert_int_equal(p.frag_offset, 2960);
	assert_true(p.more && p.df && p.fragment && !p.atomic && !p.no_length);
	assert_int_equal(p.header_len, 28);
	assert_int_equal(p.ip_len, 1508);
	assert_int_equal(p.payload_len, 1480);
	assert_int_equal(p.payload_cap, 1480);
	assert_ptr_equal(p.payload, k.bytes + 14 + 28);
}

/* The options were not captured: the sizes are known all the same. */
static void ip4_options_snapped(void **state)
{
	(void)state;
	struct pkt k;
	struct packet p;
	pkt_begin(&k);
	pkt_ip4(&k, &(struct pkt_ip4){.proto = PKT_PROTO_TCP, .options = 40});
	pkt_fill(&k, 100);
	pkt_end(&k);
	struct frame f = pkt_frame(&k, LINK_RAW, 0, 1);
	for (f.caplen = 20; f.caplen <= 60; f.caplen++) {
		assert_int_equal(packet_decode(&f, &p), PACKET_IP);
		assert_int_equal(p.ip_len, 160);
		assert_int_equal(p.payload_len, 100);
		assert_int_equal(p.payload_cap, 0);
	}
}

/* One field of a good packet (28 + 100 bytes of UDP, 4 bytes behind) changed. */
static void ip4_malformed(void **state)
{
	static const struct {
		size_t at;
		uint8_t value;
		enum packet_verdict verdict;
	} cases[] = {
	        {0, 0x45, PACKET_IP},  {0, 0x44, PACKET_BAD},  {0, 0x40, PACKET_BAD},
	        {0, 0x55, PACKET_BAD}, {0, 0x65, PACKET_BAD},  {0, 0x05, PACKET_BAD},
	        {0, 0x4f, PACKET_IP},  {3, 19, PACKET_BAD},    {3, 20, PACKET_IP},
	        {3, 132, PACKET_IP},   {3, 133, PACKET_SHORT}, {2, 0xff, PACKET_SHORT},
	        {3, 1, PACKET_BAD},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct pkt k;
		struct packet p;
		pkt_begin(&k);
		pkt_ip4(&k, &(struct pkt_ip4){0});
		pkt_udp(&k, 1, 2);
		pkt_fill(&k, 100);
		pkt_end(&k);
		pkt_zero(&k, 4);
		k.bytes[cases[i].at] = cases[i].value;
		enum packet_verdict v = decode(&k, LINK_IPV4, &p);
		if (v != cases[i].verdict)
			fail_msg("case %zu: %s", i, packet_verdict_name(v));
	}
}

/* Padding, checksum and what GSO_PARTIAL leaves are no part of the packet. */
static void trailing_bytes(void **state)
{
	static const size_t tails[] = {0, 4, 18, 60000};
	(void)state;
	for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
		struct pkt k;
		struct packet p;
		pkt_begin(&k);
		pkt_ethernet(&k, PKT_TYPE_IP4);
		pkt_ip4(&k, &(struct pkt_ip4){.proto = PKT_PROTO_TCP});
		pkt_fill(&k, 1480);
		pkt_end(&k);
		pkt_zero(&k, tails[i]);
		assert_int_equal(decode(&k, LINK_ETHERNET, &p), PACKET_IP);
		assert_int_equal(p.ip_len, 1500);
		assert_int_equal(p.payload_len, 1480);
		assert_int_equal(p.payload_cap, 1480);
		assert_int_equal(p.trailing, tails[i]);
	}
}

/* Offload leaves length 0: the frame's length is what is known. */
static void no_length(void **state)
{
	(void)state;
	struct pkt k;
	struct packet p;
	pkt_begin(&k);
	pkt_ethernet(&k, PKT_TYPE_IP4);
	pkt_ip4(&k, &(struct pkt_ip4){.proto = PKT_PROTO_TCP, .total_len = -1});
	pkt_fill(&k, 30000);
	pkt_end(&k);
	struct frame f = pkt_frame(&k, LINK_ETHERNET, 0, 1);
	f.caplen = 96;
	f.wirelen = 14 + 200000; /* BIG TCP */
	assert_int_equal(packet_decode(&f, &p), PACKET_IP);
	assert_true(p.no_length);
	assert_int_equal(p.ip_len, 200000);
	assert_int_equal(p.payload_len, 199980);
	assert_int_equal(p.payload_cap, 62);
	assert_int_equal(p.trailing, 0);

	pkt_begin(&k);
	pkt_ip6(&k, &(struct pkt_ip6){.next = PKT_PROTO_TCP, .payload_len = -1});
	pkt_fill(&k, 1000);
	pkt_end(&k);
	f = pkt_frame(&k, LINK_RAW, 0, 1);
	f.wirelen = 190000;
	assert_int_equal(packet_decode(&f, &p), PACKET_IP);
	assert_true(p.no_length);
	assert_int_equal(p.ip_len, 190000);
	assert_int_equal(p.payload_len, 189960);
}

/* No next header and no payload: length 0 is meant. */
static void ip6_empty(void **state)
{
	(void)state;
	struct pkt k;
	struct packet p;
	pkt_begin(&k);
	pkt_ip6(&k, &(struct pkt_ip6){.next = 59});
	pkt_end(&k);
	pkt_zero(&k, 6);
	assert_int_equal(decode(&k, LINK_RAW, &p), PACKET_IP);
	assert_false(p.no_length);
	assert_int_equal(p.ip_len, 40);
	assert_int_equal(p.trailing, 6);
}

static void jumbo(struct pkt *k, int32_t field, uint32_t length, size_t fill)
{
	pkt_begin(k);
	pkt_ip6(k, &(struct pkt_ip6){.hop_by_hop = true, .payload_len = field});
	pkt_u8(k, 6);
	pkt_u8(k, 0);
	pkt_u8(k, 0xc2);
	pkt_u8(k, 4);
	pkt_u32(k, length);
	pkt_fill(k, fill);
	pkt_end(k);
}

static void ip6_jumbogram(void **state)
{
	static const struct {
		int32_t field;
		uint32_t length, wire;
		enum packet_verdict verdict;
	} cases[] = {
	        {-1, 100000, 100040, PACKET_IP},
	        {-1, 100000, 100050, PACKET_IP},
	        {-1, 100000, 100039, PACKET_SHORT},
	        {-1, 65535, 100040, PACKET_BAD},
	        {-1, 0, 100040, PACKET_BAD},
	        {500, 100000, 100040, PACKET_BAD},
	        {-1, 0xffffffff, 100040, PACKET_SHORT},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct pkt k;
		struct packet p;
		jumbo(&k, cases[i].field, cases[i].length, 600);
		struct frame f = pkt_frame(&k, LINK_RAW, 0, 1);
		f.wirelen = cases[i].wire;
		assert_int_equal(packet_decode(&f, &p), cases[i].verdict);
		if (cases[i].verdict != PACKET_IP)
			continue;
		assert_int_equal(p.ip_len, 100040);
		assert_int_equal(p.header_len, 48);
		assert_int_equal(p.payload_len, 99992);
		assert_int_equal(p.payload_cap, 600);
		assert_int_equal(p.trailing, cases[i].wire - 100040);
		assert_int_equal(p.proto, 6);
		assert_false(p.no_length);
	}
}

/* An extension header of the given length code. */
static void extension(struct pkt *k, unsigned next, unsigned code, size_t bytes)
{
	pkt_u8(k, next);
	pkt_u8(k, code);
	pkt_zero(k, bytes - 2);
}

static void ip6_extension_headers(void **state)
{
	(void)state;
	struct pkt k;
	struct packet p;
	pkt_begin(&k);
	pkt_ip6(&k, &(struct pkt_ip6){.hop_by_hop = true, .traffic_class = 0x2e});
	extension(&k, 43, 0, 8);
	extension(&k, 60, 2, 24);
	extension(&k, 51, 1, 16);
	extension(&k, 135, 4, 24); /* AH counts in 4 bytes, less 2 */
	extension(&k, 17, 0, 8);
	pkt_udp(&k, 7000, 7001);
	pkt_fill(&k, 10);
	pkt_end(&k);
	assert_int_equal(decode(&k, LINK_RAW, &p), PACKET_IP);
	assert_int_equal(p.proto, 17);
	assert_int_equal(p.header_len, 40 + 8 + 24 + 16 + 24 + 8);
	assert_int_equal(p.payload_len, 18);
	assert_int_equal(p.tos, 0x2e);
	assert_true(p.df);

	struct frame f = pkt_frame(&k, LINK_RAW, 0, 1);
	for (f.caplen = 0; f.caplen < 124; f.caplen++)
		assert_int_equal(packet_decode(&f, &p), PACKET_SNAPPED);
	/* a chain that runs out of the packet */
	f.caplen = (uint32_t)k.len;
	k.bytes[5] = 20;
	assert_int_equal(packet_decode(&f, &p), PACKET_SHORT);
}

static void ip6_stops_at_esp(void **state)
{
	(void)state;
	struct pkt k;
	struct packet p;
	pkt_begin(&k);
	pkt_ip6(&k, &(struct pkt_ip6){.next = 50});
	pkt_fill(&k, 100);
	pkt_end(&k);
	assert_int_equal(decode(&k, LINK_RAW, &p), PACKET_IP);
	assert_int_equal(p.proto, 50);
	assert_int_equal(p.payload_len, 100);
}

static void ip6_chain_is_bounded(void **state)
{
	(void)state;
	for (unsigned n = 28; n <= 30; n++) {
		struct pkt k;
		struct packet p;
		pkt_begin(&k);
		pkt_ip6(&k, &(struct pkt_ip6){.next = 60});
		for (unsigned i = 0; i < n; i++)
			extension(&k, i + 1 == n ? 17 : 60, 255, 2048);
		pkt_udp(&k, 1, 2);
		pkt_end(&k);
		assert_int_equal(decode(&k, LINK_RAW, &p),
		                 n <= 29 ? PACKET_IP : PACKET_UNSUPPORTED);
	}
}

static void ip6_fragments(void **state)
{
	(void)state;
	struct pkt k;
	struct packet p;
	pkt_begin(&k);
	pkt_ip6(&k, &(struct pkt_ip6){.next = PKT_PROTO_FRAGMENT});
	pkt_ip6_fragment(&k, PKT_PROTO_UDP, 1448, true, 0xdeadbeef);
	pkt_fill(&k, 1448);
	pkt_end(&k);
	assert_int_equal(decode(&k, LINK_RAW, &p), PACKET_IP);
	assert_true(p.fragment && p.more && !p.atomic);
	assert_int_equal(p.frag_offset, 1448); /* bytes, not units of 8 */
	assert_int_equal(p.frag_id, 0xdeadbeef);
	assert_int_equal(p.header_len, 48);
	assert_int_equal(p.payload_len, 1448);
	assert_int_equal(p.proto, 17);

	/* offset 0, no more: a whole packet; what follows is looked at */
	pkt_begin(&k);
	pkt_ip6(&k, &(struct pkt_ip6){.next = PKT_PROTO_FRAGMENT});
	pkt_ip6_fragment(&k, 60, 0, false, 7);
	extension(&k, 17, 0, 8);
	pkt_udp(&k, 7000, 7001);
	pkt_end(&k);
	assert_int_equal(decode(&k, LINK_RAW, &p), PACKET_IP);
	assert_true(p.atomic && !p.fragment);
	assert_int_equal(p.proto, 17);
	assert_int_equal(p.payload_len, 8);

	/* extension headers behind a real fragment header are its payload, so
	 * that offsets and lengths fit together */
	pkt_begin(&k);
	pkt_ip6(&k, &(struct pkt_ip6){.next = PKT_PROTO_FRAGMENT});
	pkt_ip6_fragment(&k, 60, 0, true, 7);
	extension(&k, 17, 0, 8);
	pkt_fill(&k, 1440);
	pkt_end(&k);
	assert_int_equal(decode(&k, LINK_RAW, &p), PACKET_IP);
	assert_int_equal(p.proto, 60);
	assert_int_equal(p.payload_len, 1448);
}

/* Random bytes, also behind a plausible beginning, never reach past the frame
 * (the sanitizers see to that) and never give contradictory sizes. */
static void random_frames(void **state)
{
	static const uint16_t links[] = {
	        LINK_NULL,      LINK_ETHERNET, LINK_TOKEN_RING, LINK_PPP,
	        LINK_FDDI,      LINK_PPP_HDLC, LINK_PPP_ETHER,  LINK_ATM_RFC1483,
	        LINK_RAW,       LINK_ATM_CLIP, LINK_LOOP,       LINK_LANE8023,
	        LINK_LINUX_SLL, LINK_SUNATM,   LINK_MPLS,       LINK_IPV4,
	        LINK_IPV6,      LINK_IPOIB,    LINK_LINUX_SLL2};
	static const uint16_t types[] = {0x0800, 0x86dd, 0x8100,
	                                 0x8847, 0x8864, 0x0040};
	static const uint8_t protos[] = {4, 41, 47, 17, 0, 44, 60, 1};
	(void)state;
	uint32_t s = 1;
	unsigned good = 0;
	for (unsigned n = 0; n < 200000; n++) {
		s = s * 1664525u + 1013904223u;
		uint32_t len = (s >> 8) % 200;
		uint8_t *bytes = malloc(len ? len : 1); /* exact, for the sanitizer */
		assert_non_null(bytes);
		for (uint32_t i = 0; i < len; i++) {
			s = s * 1664525u + 1013904223u;
			bytes[i] = (uint8_t)(s >> 24);
		}
		uint16_t link = links[n % (sizeof links / sizeof *links)];
		if (n % 3 && link == LINK_ETHERNET && len > 64) {
			uint16_t type = types[(s >> 9) % 6];
			bytes[12] = (uint8_t)(type >> 8);
			bytes[13] = (uint8_t)type;
		}
		uint32_t ip = link == LINK_ETHERNET ? 14 : 0;
		if (n % 3 && len > 64) {
			bytes[ip] = n & 1 ? 0x45 : 0x60;
			bytes[ip + 2] = bytes[ip + 4] = 0;
			bytes[ip + 6] = n & 1 ? 0 : protos[(s >> 12) % 8];
			bytes[ip + 7] &= 1;
			bytes[ip + 9] = n & 1 ? protos[(s >> 12) % 8] : bytes[ip + 9];
		}
		struct frame f = {.bytes = bytes,
		                  .caplen = len,
		                  .wirelen = n % 5 ? len : len + (s >> 20),
		                  .link_type = link};
		struct packet p;
		if (packet_decode(&f, &p) == PACKET_IP) {
			good++;
			assert_int_equal(p.ip_len, p.header_len + p.payload_len);
			if (p.cut)
				assert_true(p.link_len + p.ip_len > f.wirelen);
			else
				assert_int_equal(p.link_len + p.ip_len + p.trailing,
				                 f.wirelen);
			assert_true(p.payload_cap <= p.payload_len);
			assert_true(p.payload >= bytes &&
			            p.payload + p.payload_cap <= bytes + len);
			assert_true(p.layers <= PACKET_LAYERS);
			struct icmp ic;
			(void)icmp_decode(&p, &ic);
		}
		free(bytes);
	}
	assert_true(good > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(ip4_fields),
	        cmocka_unit_test(ip4_options_snapped),
	        cmocka_unit_test(ip4_malformed),
	        cmocka_unit_test(trailing_bytes),
	        cmocka_unit_test(no_length),
	        cmocka_unit_test(ip6_empty),
	        cmocka_unit_test(ip6_jumbogram),
	        cmocka_unit_test(ip6_extension_headers),
	        cmocka_unit_test(ip6_stops_at_esp),
	        cmocka_unit_test(ip6_chain_is_bounded),
	        cmocka_unit_test(ip6_fragments),
	        cmocka_unit_test(random_frames),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
