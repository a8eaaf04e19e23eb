/* Builds frames for tests, outermost header first, in the order of the wire.
 *
 *	struct pkt p;
 *	pkt_begin(&p);
 *	pkt_ethernet(&p, PKT_TYPE_IP4);
 *	pkt_ip4(&p, &(struct pkt_ip4){ .src = "10.77.1.1", .dst = "10.77.1.2",
 *				       .proto = PKT_PROTO_UDP, .df = true });
 *	pkt_udp(&p, 7001, 7000);
 *	pkt_rx(&p, &(struct rx_header){ .cid = 4, .call = 1, .seq = 1, .type = RX_DATA
 *}); pkt_fill(&p, 1416); pkt_end(&p); struct frame f = pkt_frame(&p, LINK_ETHERNET,
 *time_ns, number);
 *
 * Lengths and checksums of IP, UDP and ICMP are filled by pkt_end, from what
 * follows their header, unless the field was given.  UDP checksums stay 0.
 * Running past the buffer or giving a bad address ends the test (abort). */
#ifndef TESTS_PKT_BUILD_H
#define TESTS_PKT_BUILD_H

#include "netprobe/decode/rx.h"
#include "netprobe/frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PKT_BYTES 70000u
#define PKT_OPEN 16u

enum {
	PKT_TYPE_IP4 = 0x0800,
	PKT_TYPE_ARP = 0x0806,
	PKT_TYPE_TRANSPARENT = 0x6558,
	PKT_TYPE_VLAN = 0x8100,
	PKT_TYPE_QINQ = 0x88a8,
	PKT_TYPE_IP6 = 0x86dd,
	PKT_TYPE_MPLS = 0x8847,
	PKT_TYPE_PPPOE = 0x8864,
};

enum {
	PKT_PROTO_ICMP = 1,
	PKT_PROTO_IPIP = 4,
	PKT_PROTO_TCP = 6,
	PKT_PROTO_UDP = 17,
	PKT_PROTO_IP6 = 41,
	PKT_PROTO_FRAGMENT = 44,
	PKT_PROTO_GRE = 47,
	PKT_PROTO_ICMP6 = 58,
};

enum pkt_layer { PKT_IP4, PKT_IP6, PKT_UDP, PKT_ICMP, PKT_LENGTH16 };

struct pkt {
	size_t len;
	size_t ip_at; /* of the IP header put last, for pkt_piece and quoting */
	unsigned open;
	struct {
		enum pkt_layer kind;
		bool keep_length;
		size_t at;
	} layer[PKT_OPEN];
	uint8_t bytes[PKT_BYTES];
};

struct pkt_ip4 {
	const char *src, *dst;   /* NULL: 10.0.0.1, 10.0.0.2 */
	uint8_t proto, ttl, tos; /* proto 0 = UDP, ttl 0 = 64 */
	uint16_t id;
	uint32_t offset; /* bytes, a multiple of 8 */
	bool more, df;
	uint8_t options;   /* bytes of options (NOPs), a multiple of 4 */
	int32_t total_len; /* 0: what follows; -1: the field is 0 (offload) */
};

struct pkt_ip6 {
	const char *src, *dst;                  /* NULL: fd00::1, fd00::2 */
	uint8_t next, hop_limit, traffic_class; /* next 0 = UDP unless hop_by_hop */
	bool hop_by_hop;     /* next header is 0, hop-by-hop options */
	int32_t payload_len; /* 0: what follows; -1: the field is 0 */
};

/* Options: MSS 4 bytes, time stamps 12 with padding. */
struct pkt_tcp {
	uint16_t sport, dport;
	uint32_t seq;
	bool syn, ack, timestamps;
	uint16_t mss; /* 0 = no option */
};

void pkt_begin(struct pkt *p);
void pkt_end(struct pkt *p);

/* Raw content. */
void pkt_u8(struct pkt *p, unsigned v);
void pkt_u16(struct pkt *p, unsigned v);
void pkt_u32(struct pkt *p, uint32_t v);
void pkt_bytes(struct pkt *p, const void *bytes, size_t n);
void pkt_zero(struct pkt *p, size_t n);
void pkt_fill(struct pkt *p, size_t n); /* n bytes of a pattern, 0, 1, 2 … */

/* Link layers. */
void pkt_ethernet(struct pkt *p, unsigned type);
void pkt_ethernet_llc(struct pkt *p, unsigned type); /* length field and LLC/SNAP */
void pkt_vlan(struct pkt *p, unsigned vid, unsigned type); /* the tag behind a TPID */
void pkt_llc_snap(struct pkt *p, unsigned type);
void pkt_sll(struct pkt *p, unsigned packet_type, unsigned type);
void pkt_sll2(struct pkt *p, uint32_t ifindex, unsigned packet_type, unsigned type);
void pkt_mpls(struct pkt *p, uint32_t label, bool bottom);
void pkt_pppoe(struct pkt *p, unsigned ppp_protocol);

/* Network and above. */
void pkt_ip4(struct pkt *p, const struct pkt_ip4 *ip);
void pkt_ip6(struct pkt *p, const struct pkt_ip6 *ip);
/* Behind pkt_ip6 with next = PKT_PROTO_FRAGMENT. */
void pkt_ip6_fragment(struct pkt *p, unsigned next, uint32_t offset, bool more,
                      uint32_t id);
void pkt_udp(struct pkt *p, unsigned sport, unsigned dport);
/* As pkt_udp, but the length field tells the whole datagram's length: first
 * fragments. */
void pkt_udp_of(struct pkt *p, unsigned sport, unsigned dport, size_t payload_len);
/* The header with its options; the checksum stays 0. */
void pkt_tcp(struct pkt *p, const struct pkt_tcp *t);
/* The 8-byte header; rest is the second word (next-hop MTU for "too big"). */
void pkt_icmp(struct pkt *p, unsigned type, unsigned code, uint32_t rest);
/* Up to n bytes of a finished packet, from its innermost IP header on. */
void pkt_quote(struct pkt *p, const struct pkt *quoted, size_t n);

/* Rx: the 28-byte header; the 4-byte header inside a jumbogram; the body of an
 * ack with a->n soft acks and a->trailer.words words of the trailer. */
void pkt_rx(struct pkt *p, const struct rx_header *h);
void pkt_rx_jumbo(struct pkt *p, unsigned flags, unsigned spare);
void pkt_rx_ack(struct pkt *p, const struct rx_ack *a);

/* A frame over p's bytes (p must outlive it), captured whole. */
struct frame pkt_frame(const struct pkt *p, enum link_type link, int64_t time_ns,
                       uint64_t number);

/* Cuts a finished packet at its innermost IP header as a router (IPv4, also
 * with DF) or a sender (IPv6) does for an IP MTU, and makes piece i from 0.
 * For IPv6 the fragments carry id; IPv4 keeps its own.  False behind the last
 * piece.  The headers outside must hold no lengths. */
bool pkt_piece(struct pkt *out, const struct pkt *whole, unsigned mtu, uint32_t id,
               unsigned i);

#endif
