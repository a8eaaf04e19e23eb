/* Every link type: the same IP packet behind each, its place and the verdicts
 * of what is no IP. */
#include "netprobe/decode/packet.h"
#include "tests/support/pkt_build.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define PAYLOAD 100u

/* What is built: bytes of the headers in hexadecimal, then IPv4 or IPv6. */
struct link_case {
	enum link_type link;
	const char *head; /* hexadecimal; spaces are free */
	int family;       /* 4 or 6; 0 = 40 bytes of nothing follow */
	enum packet_verdict verdict;
	enum layer_kind layers[4];
	unsigned tail; /* bytes behind the packet */
};

#define MACS "020000000002 020000000001"

static const struct link_case cases[] = {
        {LINK_ETHERNET, MACS "0800", 4, PACKET_IP, {LAYER_ETHERNET}, 18},
        {LINK_ETHERNET, MACS "86dd", 6, PACKET_IP, {LAYER_ETHERNET}, 4},
        {LINK_ETHERNET,
         MACS "8100 00d2 0800",
         4,
         PACKET_IP,
         {LAYER_ETHERNET, LAYER_VLAN},
         0},
        {LINK_ETHERNET,
         MACS "88a8 0001 9100 0002 8100 0003 86dd",
         6,
         PACKET_IP,
         {LAYER_ETHERNET, LAYER_VLAN, LAYER_VLAN, LAYER_VLAN},
         0},
        {LINK_ETHERNET,
         MACS "0088 aaaa03 000000 0800",
         4,
         PACKET_IP,
         {LAYER_ETHERNET, LAYER_LLC_SNAP},
         6},
        {LINK_ETHERNET,
         MACS "0088 aaaa03 0000f8 0800",
         4,
         PACKET_IP,
         {LAYER_ETHERNET, LAYER_LLC_SNAP},
         6},
        {LINK_ETHERNET,
         MACS "8100 0005 0088 aaaa03 000000 0800",
         4,
         PACKET_IP,
         {LAYER_ETHERNET, LAYER_VLAN, LAYER_LLC_SNAP},
         0},
        {LINK_ETHERNET,
         MACS "0083 060603",
         4,
         PACKET_IP,
         {LAYER_ETHERNET, LAYER_LLC_SNAP},
         0},
        {LINK_ETHERNET,
         MACS "8870 aaaa03 000000 0800",
         4,
         PACKET_IP,
         {LAYER_ETHERNET, LAYER_LLC_SNAP},
         0},
        {LINK_ETHERNET, MACS "0026 424203", 0, PACKET_NOT_IP, {0}, 0},
        {LINK_ETHERNET, MACS "0028 ffff", 0, PACKET_NOT_IP, {0}, 0},
        {LINK_ETHERNET, MACS "05f0", 0, PACKET_NOT_IP, {0}, 0},
        {LINK_ETHERNET, MACS "0806", 0, PACKET_NOT_IP, {0}, 0},
        {LINK_ETHERNET, MACS "88cc", 0, PACKET_NOT_IP, {0}, 0},
        {LINK_ETHERNET, MACS "88e5", 0, PACKET_UNSUPPORTED, {0}, 0},
        {LINK_ETHERNET, MACS "0100 aaaa03 000000 0800", 4, PACKET_SHORT, {0}, 0},
        {LINK_ETHERNET,
         MACS "8864 11000001 0082 0021",
         4,
         PACKET_IP,
         {LAYER_ETHERNET, LAYER_PPPOE, LAYER_PPP},
         6},
        {LINK_ETHERNET, MACS "8864 11000001 0082 0057", 6, PACKET_SHORT, {0}, 6},
        {LINK_ETHERNET, MACS "8864 11000001 00ff 0021", 4, PACKET_SHORT, {0}, 6},
        {LINK_ETHERNET, MACS "8864 11000001 0028 c021", 0, PACKET_NOT_IP, {0}, 6},
        {LINK_ETHERNET, MACS "8864 21000001 0028 0021", 0, PACKET_BAD, {0}, 6},
        {LINK_ETHERNET, MACS "8863 11090000 0004", 0, PACKET_NOT_IP, {0}, 0},
        {LINK_ETHERNET,
         MACS "8847 00010140",
         4,
         PACKET_IP,
         {LAYER_ETHERNET, LAYER_MPLS},
         0},
        {LINK_ETHERNET,
         MACS "8848 00010040 00020140",
         6,
         PACKET_IP,
         {LAYER_ETHERNET, LAYER_MPLS, LAYER_MPLS},
         0},
        {LINK_ETHERNET,
         MACS "8847 00010140 00000000" MACS "0800",
         4,
         PACKET_IP,
         {LAYER_ETHERNET, LAYER_MPLS, LAYER_ETHERNET},
         0},
        {LINK_ETHERNET,
         MACS "8847 00010140" MACS "0800",
         4,
         PACKET_IP,
         {LAYER_ETHERNET, LAYER_MPLS, LAYER_ETHERNET},
         0},
        {LINK_ETHERNET,
         MACS "8847 00010140 640000000002 020000000001 0800",
         4,
         PACKET_IP,
         {LAYER_ETHERNET, LAYER_MPLS, LAYER_ETHERNET},
         0},
        {LINK_ETHERNET,
         MACS "8847 00010140 480000000002 020000000001 86dd",
         6,
         PACKET_IP,
         {LAYER_ETHERNET, LAYER_MPLS, LAYER_ETHERNET},
         0},
        {LINK_ETHERNET, MACS "8847 00010140 10000021", 0, PACKET_NOT_IP, {0}, 0},
        {LINK_MPLS, "00010140", 4, PACKET_IP, {LAYER_MPLS}, 0},
        {LINK_NULL, "00000002", 4, PACKET_IP, {LAYER_NULL}, 0},
        {LINK_NULL, "02000000", 4, PACKET_IP, {LAYER_NULL}, 0},
        {LINK_NULL, "1e000000", 6, PACKET_IP, {LAYER_NULL}, 0},
        {LINK_NULL, "0000000a", 6, PACKET_IP, {LAYER_NULL}, 0},
        {LINK_NULL, "00000007", 0, PACKET_NOT_IP, {0}, 0},
        {LINK_LOOP, "00000018", 6, PACKET_IP, {LAYER_NULL}, 0},
        {LINK_RAW, "", 4, PACKET_IP, {0}, 0},
        {LINK_RAW, "", 6, PACKET_IP, {0}, 0},
        {LINK_RAW, "", 0, PACKET_BAD, {0}, 0},
        {LINK_IPV4, "", 4, PACKET_IP, {0}, 3},
        {LINK_IPV4, "", 6, PACKET_BAD, {0}, 0},
        {LINK_IPV6, "", 6, PACKET_IP, {0}, 3},
        {LINK_IPV6, "", 4, PACKET_BAD, {0}, 0},
        {LINK_PPP, "ff03 0021", 4, PACKET_IP, {LAYER_PPP}, 0},
        {LINK_PPP, "0021", 4, PACKET_IP, {LAYER_PPP}, 0},
        {LINK_PPP, "21", 4, PACKET_IP, {LAYER_PPP}, 0},
        {LINK_PPP, "ff03 57", 6, PACKET_IP, {LAYER_PPP}, 0},
        {LINK_PPP, "ff03 0281 00010140", 4, PACKET_IP, {LAYER_PPP, LAYER_MPLS}, 0},
        {LINK_PPP, "ff03 c021", 0, PACKET_NOT_IP, {0}, 0},
        {LINK_PPP, "ff03 002d", 0, PACKET_UNSUPPORTED, {0}, 0},
        {LINK_PPP_HDLC, "ff03 0021", 4, PACKET_IP, {LAYER_PPP}, 0},
        {LINK_PPP_HDLC, "0f00 0800", 4, PACKET_IP, {LAYER_PPP}, 0},
        {LINK_PPP_HDLC, "8f00 86dd", 6, PACKET_IP, {LAYER_PPP}, 0},
        {LINK_PPP_HDLC, "8f00 8035", 0, PACKET_NOT_IP, {0}, 0},
        {LINK_PPP_ETHER,
         "11000001 0082 0021",
         4,
         PACKET_IP,
         {LAYER_PPPOE, LAYER_PPP},
         2},
        {LINK_FDDI,
         "57" MACS "aaaa03 000000 0800",
         4,
         PACKET_IP,
         {LAYER_FDDI, LAYER_LLC_SNAP},
         0},
        {LINK_FDDI,
         "d0" MACS "aaaa03 000000 86dd",
         6,
         PACKET_IP,
         {LAYER_FDDI, LAYER_LLC_SNAP},
         0},
        {LINK_FDDI, "41" MACS, 0, PACKET_NOT_IP, {0}, 0},
        {LINK_TOKEN_RING,
         "1040" MACS "aaaa03 000000 0800",
         4,
         PACKET_IP,
         {LAYER_TOKEN_RING, LAYER_LLC_SNAP},
         0},
        {LINK_TOKEN_RING,
         "1040 020000000002 820000000001 0630 0011 0020 aaaa03 000000 0800",
         4,
         PACKET_IP,
         {LAYER_TOKEN_RING, LAYER_LLC_SNAP},
         0},
        {LINK_TOKEN_RING,
         "1040 020000000002 820000000001 0130 0011",
         4,
         PACKET_BAD,
         {0},
         0},
        {LINK_TOKEN_RING, "1000" MACS, 0, PACKET_NOT_IP, {0}, 0},
        {LINK_IPOIB,
         "0000000000000000000000000000000000000000 "
         "0000000000000000000000000000000000000000"
         "0800 0000",
         4,
         PACKET_IP,
         {LAYER_IPOIB},
         0},
        {LINK_ATM_RFC1483, "aaaa03 000000 0800", 4, PACKET_IP, {LAYER_LLC_SNAP}, 0},
        {LINK_ATM_RFC1483,
         "aaaa03 0080c2 0007 0000" MACS "0800",
         4,
         PACKET_IP,
         {LAYER_LLC_SNAP, LAYER_ETHERNET},
         0},
        {LINK_ATM_RFC1483,
         "aaaa03 0080c2 0001 0000" MACS "8100 0001 86dd",
         6,
         PACKET_IP,
         {LAYER_LLC_SNAP, LAYER_ETHERNET, LAYER_VLAN},
         4},
        {LINK_ATM_RFC1483, "aaaa03 0080c2 0003 0000", 0, PACKET_UNSUPPORTED, {0}, 0},
        {LINK_ATM_RFC1483, "aaaa03 00000c 2000", 0, PACKET_NOT_IP, {0}, 0},
        {LINK_ATM_RFC1483, "fefe03 cc", 4, PACKET_IP, {LAYER_LLC_SNAP}, 0},
        {LINK_ATM_RFC1483, "fefe03 8e", 6, PACKET_IP, {LAYER_LLC_SNAP}, 0},
        {LINK_ATM_RFC1483,
         "fefe03 cf 0021",
         4,
         PACKET_IP,
         {LAYER_LLC_SNAP, LAYER_PPP},
         0},
        {LINK_ATM_RFC1483, "fefe03 80 000000 0800", 4, PACKET_IP, {LAYER_LLC_SNAP}, 0},
        {LINK_ATM_RFC1483, "fefe03 83", 0, PACKET_NOT_IP, {0}, 0},
        {LINK_ATM_RFC1483, "", 4, PACKET_IP, {0}, 0},
        {LINK_ATM_RFC1483, "", 6, PACKET_IP, {0}, 0},
        {LINK_ATM_RFC1483, "0021", 4, PACKET_IP, {LAYER_PPP}, 0},
        {LINK_ATM_RFC1483, "0000" MACS "0800", 4, PACKET_IP, {LAYER_ETHERNET}, 0},
        {LINK_ATM_RFC1483, "", 0, PACKET_NOT_IP, {0}, 0},
        {LINK_ATM_CLIP, "aaaa03 000000 0800", 4, PACKET_IP, {LAYER_LLC_SNAP}, 0},
        {LINK_ATM_CLIP, "", 4, PACKET_IP, {0}, 0},
        {LINK_ATM_CLIP, "aaaa03 000000 0806", 0, PACKET_NOT_IP, {0}, 0},
        {LINK_LANE8023,
         "0001" MACS "0800",
         4,
         PACKET_IP,
         {LAYER_LANE, LAYER_ETHERNET},
         0},
        {LINK_LANE8023,
         "0001" MACS "0000 aaaa03 000000 0800",
         4,
         PACKET_IP,
         {LAYER_LANE, LAYER_ETHERNET, LAYER_LLC_SNAP},
         0},
        {LINK_LANE8023, "ff00 0101", 0, PACKET_NOT_IP, {0}, 0},
        {LINK_SUNATM,
         "82 01 0064 aaaa03 000000 0800",
         4,
         PACKET_IP,
         {LAYER_SUNATM, LAYER_LLC_SNAP},
         0},
        {LINK_SUNATM,
         "01 00 0065 0002" MACS "0800",
         4,
         PACKET_IP,
         {LAYER_SUNATM, LAYER_LANE, LAYER_ETHERNET},
         0},
        {LINK_SUNATM, "01 00 0065 ff00 0101", 0, PACKET_NOT_IP, {0}, 0},
        {LINK_SUNATM, "00 00 0065", 4, PACKET_IP, {LAYER_SUNATM}, 0},
        {LINK_SUNATM, "06 00 0005", 0, PACKET_NOT_IP, {0}, 0},
        {LINK_LINUX_SLL,
         "0000 0001 0006 0000000000000000 0800",
         4,
         PACKET_IP,
         {LAYER_SLL},
         0},
        {LINK_LINUX_SLL,
         "0004 0001 0006 0000000000000000 8100 0001 86dd",
         6,
         PACKET_IP,
         {LAYER_SLL, LAYER_VLAN},
         0},
        {LINK_LINUX_SLL,
         "0000 0013 0006 0000000000000000 0004 aaaa03 000000 0800",
         4,
         PACKET_IP,
         {LAYER_SLL, LAYER_LLC_SNAP},
         0},
        {LINK_LINUX_SLL,
         "0000 0338 0006 0000000000000000 0800",
         4,
         PACKET_NOT_IP,
         {0},
         0},
        {LINK_LINUX_SLL,
         "0000 0001 0006 0000000000000000 0001",
         0,
         PACKET_NOT_IP,
         {0},
         0},
        {LINK_LINUX_SLL2,
         "0800 0000 00000007 0001 04 06 0000000000000000",
         4,
         PACKET_IP,
         {LAYER_SLL2},
         0},
        {147, "", 4, PACKET_UNSUPPORTED, {0}, 0},
};

static void put_hex(struct pkt *p, const char *hex)
{
	unsigned digit[2], n = 0;
	for (; *hex; hex++) {
		if (*hex == ' ')
			continue;
		digit[n++] = *hex <= '9' ? (unsigned)(*hex - '0')
		                         : (unsigned)(*hex - 'a' + 10);
		if (n == 2) {
			pkt_u8(p, digit[0] << 4 | digit[1]);
			n = 0;
		}
	}
	assert_int_equal(n, 0);
}

static size_t build(struct pkt *p, const struct link_case *c)
{
	pkt_begin(p);
	put_hex(p, c->head);
	size_t at = p->len;
	if (c->family == 4)
		pkt_ip4(p, &(struct pkt_ip4){.src = "10.77.1.1", .dst = "10.77.1.2"});
	else if (c->family == 6)
		pkt_ip6(p, &(struct pkt_ip6){0});
	else
		pkt_zero(p, 40);
	if (c->family) {
		pkt_udp(p, 7001, 7000);
		pkt_fill(p, PAYLOAD);
	}
	pkt_end(p);
	pkt_zero(p, c->tail);
	return at;
}

static void check_packet(const struct link_case *c, const struct packet *p, size_t at)
{
	unsigned header = c->family == 4 ? 20 : 40;
	assert_int_equal(p->family, c->family);
	assert_int_equal(p->link_len, at);
	assert_int_equal(p->header_len, header);
	assert_int_equal(p->ip_len, header + 8 + PAYLOAD);
	assert_int_equal(p->payload_len, 8 + PAYLOAD);
	assert_int_equal(p->trailing, c->tail);
	assert_int_equal(p->proto, 17);
	assert_int_equal(p->ttl, 64);
	assert_int_equal(p->tunnels, 0);
	assert_false(p->fragment);
	unsigned layers = 0, bytes = 0;
	while (layers < 4 && c->layers[layers] != LAYER_NONE) {
		assert_int_equal(p->layer[layers], c->layers[layers]);
		bytes += p->layer_len[layers++];
	}
	assert_int_equal(p->layers, layers);
	/* VC-mux bridging alone has padding that no layer owns */
	assert_true(bytes == at || (c->link == LINK_ATM_RFC1483 && bytes + 2 == at));
}

static void decodes_each_link(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct link_case *c = &cases[i];
		struct pkt k;
		size_t at = build(&k, c);
		struct frame f = pkt_frame(&k, c->link, 0, 1);
		struct packet p;
		enum packet_verdict v = packet_decode(&f, &p);
		if (v != c->verdict)
			fail_msg("case %zu, link %d \"%s\": %s, not %s", i, c->link,
			         c->head, packet_verdict_name(v),
			         packet_verdict_name(c->verdict));
		if (v == PACKET_IP)
			check_packet(c, &p, at);
	}
}

/* Cut anywhere: either too little to tell, or the same sizes. */
static void snapping_changes_no_size(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct link_case *c = &cases[i];
		struct pkt k;
		size_t at = build(&k, c);
		struct frame f = pkt_frame(&k, c->link, 0, 1);
		for (uint32_t cap = 0; cap < k.len; cap++) {
			struct packet p;
			f.caplen = cap;
			enum packet_verdict v = packet_decode(&f, &p);
			if (v != PACKET_SNAPPED && v != c->verdict)
				fail_msg("case %zu at %u: %s, not %s", i, cap,
				         packet_verdict_name(v),
				         packet_verdict_name(c->verdict));
			if (c->verdict == PACKET_IP && cap >= at + 44)
				assert_int_equal(v, PACKET_IP);
			if (v == PACKET_IP)
				check_packet(c, &p, at);
		}
	}
}

/* Short on the wire is the frame's fault, unlike short in the capture; bytes
 * captured beyond the wire length do not help. */
static void cutting_the_wire_is_short(void **state)
{
	(void)state;
	for (size_t i = 0; i < 3; i++) { /* IPv4, IPv6, a tag */
		struct pkt k;
		size_t at = build(&k, &cases[i]);
		size_t packet = at + (cases[i].family == 4 ? 20 : 40) + 8 + PAYLOAD;
		if (cases[i].family == 4)
			k.bytes[at + 10] ^= 1; /* else the header would be believed */
		else
			k.bytes[at + 45] ^= 1; /* UDP's length: likewise */
		struct frame f = pkt_frame(&k, LINK_ETHERNET, 0, 1);
		for (uint32_t n = 0; n < packet; n++) {
			struct packet p;
			f.wirelen = n;
			f.caplen = n;
			assert_int_equal(packet_decode(&f, &p), PACKET_SHORT);
			f.caplen = (uint32_t)k.len;
			assert_int_equal(packet_decode(&f, &p), PACKET_SHORT);
		}
	}
}

static void pseudo_headers_tell_more(void **state)
{
	static const struct {
		enum link_type link;
		const char *head;
		uint8_t direction, hint;
		uint32_t ifindex, vci;
	} facts[] = {
	        {LINK_LINUX_SLL, "0000 0001 0006 0000000000000000 0800", DIR_IN, 0, 0,
	         0},
	        {LINK_LINUX_SLL, "0001 0001 0006 0000000000000000 0800", DIR_IN, 0, 0,
	         0},
	        {LINK_LINUX_SLL, "0003 0001 0006 0000000000000000 0800", DIR_UNKNOWN, 0,
	         0, 0},
	        {LINK_LINUX_SLL, "0004 0001 0006 0000000000000000 0800", DIR_OUT, 0, 0,
	         0},
	        {LINK_LINUX_SLL2, "0800 0000 00000007 0001 04 06 0000000000000000",
	         DIR_OUT, 1, 7, 0},
	        {LINK_SUNATM, "82 01 0064 aaaa03 000000 0800", DIR_OUT, 0, 0, 0x10064},
	        {LINK_SUNATM, "02 00 0023 aaaa03 000000 0800", DIR_IN, 0, 0, 0x23},
	        {LINK_ETHERNET, MACS "0800", DIR_UNKNOWN, 0, 0, 0},
	};
	(void)state;
	for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
		struct link_case c = {
		        .link = facts[i].link, .head = facts[i].head, .family = 4};
		struct pkt k;
		build(&k, &c);
		struct frame f = pkt_frame(&k, c.link, 0, 1);
		struct packet p;
		assert_int_equal(packet_decode(&f, &p), PACKET_IP);
		assert_int_equal(p.direction, facts[i].direction);
		assert_int_equal(p.iface_hint, facts[i].hint);
		assert_int_equal(p.sll2_ifindex, facts[i].ifindex);
		assert_int_equal(p.vci, facts[i].vci);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(decodes_each_link),
	        cmocka_unit_test(snapping_changes_no_size),
	        cmocka_unit_test(cutting_the_wire_is_short),
	        cmocka_unit_test(pseudo_headers_tell_more),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
