#include "netprobe/decode/packet.h"
#include "tests/support/pkt_build.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define DATAGRAM 1444u /* UDP payload of the quoted packet */

static void quoted_v4(struct pkt *q, uint32_t offset, unsigned options)
{
	pkt_begin(q);
	pkt_ethernet(q, PKT_TYPE_IP4);
	pkt_ip4(q, &(struct pkt_ip4){.src = "10.77.1.1",
	                             .dst = "10.77.2.1",
	                             .df = true,
	                             .offset = offset,
	                             .options = (uint8_t)options});
	pkt_udp(q, 7001, 7000);
	pkt_fill(q, DATAGRAM);
	pkt_end(q);
}

static void quoted_v6(struct pkt *q, bool fragment, uint32_t offset)
{
	pkt_begin(q);
	pkt_ip6(q, &(struct pkt_ip6){.src = "fd00::7",
	                             .next = fragment ? PKT_PROTO_FRAGMENT : 0});
	if (fragment)
		pkt_ip6_fragment(q, PKT_PROTO_UDP, offset, true, 9);
	pkt_udp(q, 7001, 7000);
	pkt_fill(q, DATAGRAM);
	pkt_end(q);
}

/* An ICMP or ICMPv6 error from a router with n bytes of the quoted packet. */
static void error_of(struct pkt *k, bool v6, unsigned type, unsigned code,
                     uint32_t rest, const struct pkt *q, size_t n)
{
	pkt_begin(k);
	if (v6)
		pkt_ip6(k,
		        &(struct pkt_ip6){.src = "fd00::ff", .next = PKT_PROTO_ICMP6});
	else
		pkt_ip4(k,
		        &(struct pkt_ip4){.src = "192.0.2.9", .proto = PKT_PROTO_ICMP});
	pkt_icmp(k, type, code, rest);
	pkt_quote(k, q, n);
	pkt_end(k);
}

static bool decode(const struct pkt *k, size_t caplen, struct icmp *out)
{
	struct frame f = pkt_frame(k, LINK_RAW, 0, 1);
	struct packet p;
	f.caplen = (uint32_t)caplen;
	return packet_decode(&f, &p) == PACKET_IP && icmp_decode(&p, out);
}

static void types(void **state)
{
	static const struct {
		bool v6;
		unsigned type, code;
		uint32_t rest;
		bool error, too_big;
		uint32_t mtu;
	} cases[] = {
	        {false, 3, 4, 1400, true, true, 1400},
	        {false, 3, 4, 0, true, true, 0},
	        {false, 3, 3, 1400, true, false, 0},
	        {false, 4, 0, 0, true, false, 0},
	        {false, 5, 1, 0x0a000001, true, false, 0},
	        {false, 11, 1, 0, true, false, 0},
	        {false, 12, 0, 0, true, false, 0},
	        {false, 8, 0, 1, false, false, 0},
	        {false, 2, 0, 1, false, false, 0},
	        {true, 1, 4, 0, true, false, 0},
	        {true, 2, 0, 1280, true, true, 1280},
	        {true, 3, 1, 0, true, false, 0},
	        {true, 4, 0, 0, true, false, 0},
	        {true, 128, 0, 0, false, false, 0},
	        {true, 5, 0, 0, false, false, 0},
	        {true, 11, 0, 0, false, false, 0},
	};
	(void)state;
	struct pkt q4, q6, k;
	quoted_v4(&q4, 0, 0);
	quoted_v6(&q6, false, 0);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct icmp ic;
		error_of(&k, cases[i].v6, cases[i].type, cases[i].code, cases[i].rest,
		         cases[i].v6 ? &q6 : &q4, 80);
		assert_true(decode(&k, k.len, &ic));
		assert_int_equal(ic.type, cases[i].type);
		assert_int_equal(ic.code, cases[i].code);
		assert_int_equal(ic.error, cases[i].error);
		assert_int_equal(ic.quotes, cases[i].error);
		assert_int_equal(ic.too_big, cases[i].too_big);
		assert_int_equal(ic.mtu, cases[i].mtu);
	}
}

static void check_quote(const struct icmp *ic, uint32_t ip_len)
{
	assert_true(ic->quotes);
	assert_int_equal(ic->proto, 17);
	assert_int_equal(ic->ip_len, ip_len);
	assert_true(ic->df);
}

/* IPv4 quotes 8 bytes behind the header at least: just the UDP header. */
static void quotes_v4(void **state)
{
	(void)state;
	struct pkt q, k;
	struct icmp ic;
	struct addr src;
	for (unsigned options = 0; options <= 40; options += 20) {
		quoted_v4(&q, 0, options);
		error_of(&k, false, 3, 4, 1400, &q, 28 + options);
		assert_true(decode(&k, k.len, &ic));
		check_quote(&ic, 20 + options + 8 + DATAGRAM);
		assert_true(addr_parse("10.77.1.1", &src));
		assert_int_equal(addr_compare(&ic.src, &src), 0);
		assert_true(ic.has_ports);
		assert_int_equal(ic.sport, 7001);
		assert_int_equal(ic.dport, 7000);
		assert_int_equal(ic.payload_cap, 8);
	}
}

static void quotes_v6(void **state)
{
	(void)state;
	struct pkt q, k;
	struct icmp ic;
	quoted_v6(&q, false, 0);
	error_of(&k, true, 2, 0, 1280, &q, 1232);
	assert_true(decode(&k, k.len, &ic));
	check_quote(&ic, 40 + 8 + DATAGRAM);
	assert_true(ic.has_ports);
	assert_int_equal(ic.dport, 7000);
	assert_int_equal(ic.payload_cap, 1232 - 40);
}

/* Only the piece with offset 0 has ports. */
static void quoted_fragments(void **state)
{
	(void)state;
	struct pkt q, k;
	struct icmp ic;
	quoted_v4(&q, 1480, 0);
	error_of(&k, false, 11, 1, 0, &q, 28);
	assert_true(decode(&k, k.len, &ic));
	check_quote(&ic, 28 + DATAGRAM);
	assert_false(ic.has_ports);
	for (uint32_t offset = 0; offset <= 1448; offset += 1448) {
		quoted_v6(&q, true, offset);
		error_of(&k, true, 2, 0, 1280, &q, 200);
		assert_true(decode(&k, k.len, &ic));
		check_quote(&ic, 48 + 8 + DATAGRAM);
		assert_int_equal(ic.has_ports, offset == 0);
	}
}

/* Cut anywhere, by the sender or by the snap length: what is told stays true. */
static void cut_quotes(void **state)
{
	(void)state;
	for (unsigned v6 = 0; v6 <= 1; v6++) {
		unsigned outer = v6 ? 40 : 20;
		struct pkt q, k;
		if (v6)
			quoted_v6(&q, true, 0);
		else
			quoted_v4(&q, 0, 0);
		unsigned header = v6 ? 48 : 20;
		for (unsigned n = 0; n < 120; n++) {
			struct icmp sent, snapped;
			error_of(&k, v6, v6 ? 2 : 3, v6 ? 0 : 4, 1400, &q, n);
			assert_true(decode(&k, k.len, &sent));
			assert_int_equal(sent.mtu, 1400);
			assert_int_equal(sent.quotes, n >= (v6 ? 40u : 20u));
			assert_int_equal(sent.has_ports, n >= header + 4);
			error_of(&k, v6, v6 ? 2 : 3, v6 ? 0 : 4, 1400, &q, 120);
			bool told = decode(&k, outer + n, &snapped);
			assert_int_equal(told, n >= 2);
			if (!told)
				continue;
			assert_int_equal(snapped.mtu, n >= 8 ? 1400 : 0);
			assert_int_equal(snapped.has_ports, n >= 8 + header + 4);
			if (snapped.quotes)
				assert_int_equal(snapped.ip_len, header + 8 + DATAGRAM);
		}
	}
}

/* RFC 4884: what is behind the quoted packet is no payload of it. */
static void extensions_behind_the_quote(void **state)
{
	(void)state;
	struct pkt q, k;
	struct icmp ic;
	quoted_v4(&q, 0, 0);
	error_of(&k, false, 11, 0, 32u << 16, &q, 160);
	assert_true(decode(&k, k.len, &ic));
	assert_int_equal(ic.payload_cap, 128 - 20);
	quoted_v6(&q, false, 0);
	error_of(&k, true, 1, 0, 16u << 24, &q, 160);
	assert_true(decode(&k, k.len, &ic));
	assert_int_equal(ic.payload_cap, 128 - 40);
}

static void nonsense_quoted(void **state)
{
	static const uint8_t first[] = {0x44, 0x65, 0x05, 0x4f};
	(void)state;
	for (size_t i = 0; i < sizeof first; i++) {
		struct pkt q, k;
		struct icmp ic;
		quoted_v4(&q, 0, 0);
		q.bytes[q.ip_at] = first[i];
		error_of(&k, false, 3, 4, 1400, &q, 28);
		assert_true(decode(&k, k.len, &ic));
		assert_int_equal(ic.quotes, first[i] == 0x4f);
		assert_false(ic.has_ports);
	}
}

/* A later piece of a cut ICMP message has no ICMP header. */
static void fragments_are_no_icmp(void **state)
{
	(void)state;
	struct pkt k;
	struct icmp ic;
	pkt_begin(&k);
	pkt_ip4(&k, &(struct pkt_ip4){.proto = PKT_PROTO_ICMP, .offset = 1480});
	pkt_fill(&k, 100);
	pkt_end(&k);
	assert_false(decode(&k, k.len, &ic));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(types),
	        cmocka_unit_test(quotes_v4),
	        cmocka_unit_test(quotes_v6),
	        cmocka_unit_test(quoted_fragments),
	        cmocka_unit_test(cut_quotes),
	        cmocka_unit_test(extensions_behind_the_quote),
	        cmocka_unit_test(nonsense_quoted),
	        cmocka_unit_test(fragments_are_no_icmp),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
