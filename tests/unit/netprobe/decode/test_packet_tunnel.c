/* Tunnels: to the innermost IP packet, or to the outer one where there is none. */
#include "netprobe/decode/packet.h"
#include "tests/support/pkt_build.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define INNER 128u /* IP length of the packet inside */

enum tunnel {
	END,
	IP4,
	IP6,
	GRE,
	GRE_KEY,
	GRE_ALL,
	GRE_ETHER,
	VXLAN,
	GENEVE,
	GENEVE_ETHER,
	GENEVE_OPTIONS,
	GRE_MPLS,
	VLAN
};

static void put(struct pkt *k, const enum tunnel *t);

static void ip_before(struct pkt *k, const enum tunnel *t, unsigned proto)
{
	if (*t == IP4)
		pkt_ip4(k,
		        &(struct pkt_ip4){.src = "192.0.2.1", .proto = (uint8_t)proto});
	else
		pkt_ip6(k, &(struct pkt_ip6){.next = (uint8_t)proto});
	put(k, t + 1);
}

static void gre(struct pkt *k, const enum tunnel *t, unsigned flags, unsigned type)
{
	pkt_u16(k, flags);
	pkt_u16(k, type);
	for (unsigned bit = 0x8000; bit >= 0x1000; bit >>= 1)
		if (flags & bit)
			pkt_u32(k, 1);
	put(k, t + 1);
}

static void geneve(struct pkt *k, const enum tunnel *t, unsigned options, unsigned type)
{
	pkt_udp(k, 40000, 6081);
	pkt_u8(k, options / 4);
	pkt_u8(k, 0);
	pkt_u16(k, type);
	pkt_u32(k, 7 << 8);
	pkt_zero(k, options);
	put(k, t + 1);
}

/* What stands behind *t is put by recursion; an IP step looks one ahead. */
static void put(struct pkt *k, const enum tunnel *t)
{
	switch (*t) {
	case IP4:
	case IP6:
		switch (t[1]) {
		case END:
			ip_before(k, t, PKT_PROTO_UDP);
			break;
		case IP4:
			ip_before(k, t, PKT_PROTO_IPIP);
			break;
		case IP6:
			ip_before(k, t, PKT_PROTO_IP6);
			break;
		case VXLAN:
		case GENEVE:
		case GENEVE_ETHER:
		case GENEVE_OPTIONS:
			ip_before(k, t, PKT_PROTO_UDP);
			break;
		default:
			ip_before(k, t, PKT_PROTO_GRE);
			break;
		}
		break;
	case GRE:
		gre(k, t, 0, t[1] == IP4 ? PKT_TYPE_IP4 : PKT_TYPE_IP6);
		break;
	case GRE_KEY:
		gre(k, t, 0x2000, PKT_TYPE_IP4);
		break;
	case GRE_ALL:
		gre(k, t, 0xb000, PKT_TYPE_IP4);
		break;
	case GRE_MPLS:
		pkt_u16(k, 0);
		pkt_u16(k, PKT_TYPE_MPLS);
		pkt_mpls(k, 16, true);
		put(k, t + 1);
		break;
	case GRE_ETHER:
		pkt_u16(k, 0);
		pkt_u16(k, PKT_TYPE_TRANSPARENT);
		pkt_ethernet(k, t[1] == VLAN ? PKT_TYPE_VLAN : PKT_TYPE_IP4);
		put(k, t + 1);
		break;
	case VXLAN:
		pkt_udp(k, 40000, 4789);
		pkt_u32(k, 0x08000000);
		pkt_u32(k, 7 << 8);
		pkt_ethernet(k, PKT_TYPE_IP4);
		put(k, t + 1);
		break;
	case GENEVE:
		geneve(k, t, 0, PKT_TYPE_IP4);
		break;
	case GENEVE_OPTIONS:
		geneve(k, t, 12, PKT_TYPE_IP4);
		break;
	case GENEVE_ETHER:
		pkt_udp(k, 40000, 6081);
		pkt_u32(k, PKT_TYPE_TRANSPARENT);
		pkt_u32(k, 7 << 8);
		pkt_ethernet(k, PKT_TYPE_IP4);
		put(k, t + 1);
		break;
	case VLAN:
		pkt_vlan(k, 5, PKT_TYPE_IP4);
		put(k, t + 1);
		break;
	case END:
		pkt_udp(k, 7001, 7000);
		pkt_fill(k, 100);
		break;
	}
}

static const struct {
	enum tunnel stack[14]; /* the first is IPv4, behind an Ethernet header */
	unsigned link_len;     /* bytes before the innermost packet; 0 = too deep */
	unsigned tunnels, layers;
} cases[] = {
        {{IP4, IP4}, 14 + 20, 1, 2},
        {{IP4, IP6}, 14 + 20, 1, 2},
        {{IP4, IP6, IP4}, 14 + 20 + 40, 2, 3},
        {{IP4, GRE, IP4}, 14 + 24, 1, 3},
        {{IP4, GRE, IP6}, 14 + 24, 1, 3},
        {{IP4, GRE_KEY, IP4}, 14 + 28, 1, 3},
        {{IP4, GRE_ALL, IP4}, 14 + 36, 1, 3},
        {{IP4, GRE_ETHER, IP4}, 14 + 24 + 14, 1, 4},
        {{IP4, GRE_ETHER, VLAN, IP4}, 14 + 24 + 18, 1, 5},
        {{IP4, GRE_MPLS, IP4}, 14 + 28, 1, 4},
        {{IP4, VXLAN, IP4}, 14 + 50, 1, 5},
        {{IP4, GENEVE, IP4}, 14 + 36, 1, 4},
        {{IP4, GENEVE_OPTIONS, IP4}, 14 + 48, 1, 4},
        {{IP4, GENEVE_ETHER, IP4}, 14 + 50, 1, 5},
        {{IP4, VXLAN, IP4, GRE, IP4}, 14 + 50 + 24, 2, 7},
        {{IP4, IP4, IP4, IP4}, 14 + 60, 3, 4},
        {{IP4, IP4, IP4, IP4, IP4}, 0, 0, 0},
        {{IP4, VXLAN, IP4, VXLAN, IP4, VXLAN, IP4}, 0, 0, 0},
};

static void check(size_t i, const struct packet *p)
{
	bool v6 = p->family == 6;
	assert_int_equal(p->link_len, cases[i].link_len);
	assert_int_equal(p->tunnels, cases[i].tunnels);
	assert_int_equal(p->layers, cases[i].layers);
	assert_int_equal(p->ip_len, v6 ? INNER + 20 : INNER);
	assert_int_equal(p->trailing, 6);
	unsigned sum = 0;
	for (unsigned l = 0; l < p->layers; l++)
		sum += p->layer_len[l];
	assert_int_equal(sum, p->link_len);
}

static void reaches_the_innermost(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct pkt k;
		struct packet p;
		pkt_begin(&k);
		pkt_ethernet(&k, PKT_TYPE_IP4);
		put(&k, cases[i].stack);
		pkt_end(&k);
		pkt_zero(&k, 6);
		struct frame f = pkt_frame(&k, LINK_ETHERNET, 0, 1);
		enum packet_verdict want =
		        cases[i].link_len ? PACKET_IP : PACKET_UNSUPPORTED;
		enum packet_verdict v = packet_decode(&f, &p);
		if (v != want)
			fail_msg("case %zu: %s", i, packet_verdict_name(v));
		if (v == PACKET_IP)
			check(i, &p);
		for (f.caplen = 0; f.caplen < k.len; f.caplen++) {
			v = packet_decode(&f, &p);
			assert_true(v == want || v == PACKET_SNAPPED);
			if (v == PACKET_IP)
				check(i, &p);
		}
	}
}

static void names_each_layer(void **state)
{
	static const enum layer_kind want[] = {LAYER_ETHERNET, LAYER_IPV4, LAYER_UDP,
	                                       LAYER_VXLAN, LAYER_ETHERNET};
	static const uint16_t len[] = {14, 20, 8, 8, 14};
	(void)state;
	struct pkt k;
	struct packet p;
	pkt_begin(&k);
	pkt_ethernet(&k, PKT_TYPE_IP4);
	put(&k, (const enum tunnel[]){IP4, VXLAN, IP4, END});
	pkt_end(&k);
	struct frame f = pkt_frame(&k, LINK_ETHERNET, 0, 1);
	assert_int_equal(packet_decode(&f, &p), PACKET_IP);
	assert_int_equal(p.layers, 5);
	for (unsigned i = 0; i < 5; i++) {
		assert_int_equal(p.layer[i], want[i]);
		assert_int_equal(p.layer_len[i], len[i]);
	}
	for (unsigned i = 0; i < LAYER_KINDS; i++)
		assert_string_not_equal(layer_name((enum layer_kind)i), "?");
}

static void too_many_tags(void **state)
{
	(void)state;
	for (unsigned n = 10; n <= 13; n++) {
		struct pkt k;
		struct packet p;
		pkt_begin(&k);
		pkt_ethernet(&k, PKT_TYPE_VLAN);
		for (unsigned i = 0; i < n; i++)
			pkt_vlan(&k, i, i + 1 == n ? PKT_TYPE_IP4 : PKT_TYPE_VLAN);
		pkt_ip4(&k, &(struct pkt_ip4){0});
		pkt_udp(&k, 1, 2);
		pkt_end(&k);
		struct frame f = pkt_frame(&k, LINK_ETHERNET, 0, 1);
		assert_int_equal(packet_decode(&f, &p), n + 1 <= PACKET_LAYERS
		                                                ? PACKET_IP
		                                                : PACKET_UNSUPPORTED);
	}
}

/* A cut tunnel packet is a piece of the tunnel's own datagram. */
static void outer_fragments_stay_outside(void **state)
{
	static const enum tunnel stacks[][4] = {{IP4, VXLAN, IP4, END},
	                                        {IP4, IP4, END},
	                                        {IP4, IP6, END},
	                                        {IP4, GRE, IP4, END}};
	(void)state;
	for (unsigned n = 0; n < 4; n++) {
		struct pkt whole, k;
		struct packet p;
		pkt_begin(&whole);
		pkt_ethernet(&whole, PKT_TYPE_IP4);
		put(&whole, stacks[n]);
		pkt_end(&whole);
		whole.ip_at = 14;
		for (unsigned i = 0; pkt_piece(&k, &whole, 100, 0, i); i++) {
			struct frame f = pkt_frame(&k, LINK_ETHERNET, 0, 1);
			assert_int_equal(packet_decode(&f, &p), PACKET_IP);
			assert_int_equal(p.tunnels, 0);
			assert_true(p.fragment);
			assert_int_equal(p.link_len, 14);
		}
	}
}

/* Behind UDP ports and in GRE there is not always an IP packet. */
static void falls_back_to_the_outer(void **state)
{
	static const struct {
		unsigned proto, dport;
		uint8_t head[22];
		unsigned n;
		enum packet_verdict verdict;
	} outer[] = {
	        {17,
	         4789,
	         {8, 0, 0, 0, 0, 0, 7, 0, [20] = 8, 6},
	         22,
	         PACKET_IP}, /* ARP */
	        {17,
	         4789,
	         {8, 0, 0, 0, 0, 0, 7, 0, [20] = 8, 0},
	         22,
	         PACKET_IP},                   /* bad */
	        {17, 4789, {0}, 8, PACKET_IP}, /* no VXLAN at all */
	        {17, 4789, {8}, 3, PACKET_IP}, /* too short for it */
	        {17, 6081, {0xc0}, 8, PACKET_IP},
	        {17, 6081, {0x3f, 0, 8, 0}, 8, PACKET_IP},
	        {47, 0, {0x30, 0x01, 0x88, 0x0b}, 16, PACKET_IP}, /* PPTP */
	        {47, 0, {0x40, 0, 8, 0}, 16, PACKET_IP},          /* source route */
	        {47, 0, {0, 0, 0x88, 0xbe}, 16, PACKET_IP},       /* ERSPAN */
	        {47, 0, {0, 0}, 2, PACKET_SHORT},
	        {47, 0, {0, 0, 8, 0, 0x45}, 5, PACKET_SHORT},
	        {4, 0, {0x60}, 20, PACKET_BAD},
	        {41, 0, {0x60}, 20, PACKET_SHORT},
	};
	(void)state;
	for (size_t i = 0; i < sizeof outer / sizeof *outer; i++) {
		struct pkt k;
		struct packet p;
		pkt_begin(&k);
		pkt_ethernet(&k, PKT_TYPE_IP4);
		pkt_ip4(&k, &(struct pkt_ip4){.proto = (uint8_t)outer[i].proto});
		if (outer[i].dport)
			pkt_udp(&k, 53, outer[i].dport);
		pkt_bytes(&k, outer[i].head, outer[i].n);
		pkt_end(&k);
		struct frame f = pkt_frame(&k, LINK_ETHERNET, 0, 1);
		enum packet_verdict v = packet_decode(&f, &p);
		if (v != outer[i].verdict)
			fail_msg("case %zu: %s", i, packet_verdict_name(v));
		if (v != PACKET_IP)
			continue;
		assert_int_equal(p.tunnels, 0);
		assert_int_equal(p.layers, 1);
		assert_int_equal(p.link_len, 14);
		assert_int_equal(p.proto, outer[i].proto);
		assert_int_equal(p.ip_len, k.len - 14);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(reaches_the_innermost),
	        cmocka_unit_test(names_each_layer),
	        cmocka_unit_test(too_many_tags),
	        cmocka_unit_test(outer_fragments_stay_outside),
	        cmocka_unit_test(falls_back_to_the_outer),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
