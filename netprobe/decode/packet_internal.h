/* What the parts of the packet decoder share.  Every layer function stands
 * with the cursor at its own header, records the header, and hands on; so
 * calls nest as headers do, and the layer limit bounds them. */
#ifndef DECODE_PACKET_INTERNAL_H
#define DECODE_PACKET_INTERNAL_H

#include "netprobe/decode/packet.h"
#include "src/base/cursor.h"

#define PACKET_IP_HEADERS 4 /* innermost included; more are "unsupported" */

enum ether_type {
	ETHER_LENGTH_END = 0x0600, /* below: an 802.3 length field */
	ETHER_IP4 = 0x0800,
	ETHER_ARP = 0x0806,
	ETHER_TRANSPARENT = 0x6558, /* Ethernet frame, in GRE and Geneve */
	ETHER_VLAN = 0x8100,
	ETHER_IP6 = 0x86dd,
	ETHER_MPLS = 0x8847,
	ETHER_MPLS_MULTICAST = 0x8848,
	ETHER_PPPOE = 0x8864,
	ETHER_JUMBO_LLC = 0x8870,
	ETHER_PROVIDER_VLAN = 0x88a8,
	ETHER_MACSEC = 0x88e5,
	ETHER_PROVIDER_BACKBONE = 0x88e7,
	ETHER_NSH = 0x894f,
	ETHER_OLD_QINQ = 0x9100,
};

enum ip_proto {
	PROTO_HOP_BY_HOP = 0,
	PROTO_ICMP = 1,
	PROTO_IP4 = 4,
	PROTO_TCP = 6,
	PROTO_UDP = 17,
	PROTO_DCCP = 33,
	PROTO_IP6 = 41,
	PROTO_ROUTING = 43,
	PROTO_FRAGMENT = 44,
	PROTO_GRE = 47,
	PROTO_AH = 51,
	PROTO_ICMP6 = 58,
	PROTO_NONE = 59,
	PROTO_DESTINATION = 60,
	PROTO_SCTP = 132,
	PROTO_MOBILITY = 135,
	PROTO_UDPLITE = 136,
	PROTO_HIP = 139,
	PROTO_SHIM6 = 140,
};

struct walk {
	struct cursor c; /* at the next header; wire is cut to the lengths met */
	const struct frame *frame;
	struct packet *p;
	bool too_deep;
};

/* Why the walk cannot go on. */
static inline enum packet_verdict walk_stop(const struct walk *w)
{
	if (w->too_deep)
		return PACKET_UNSUPPORTED;
	return w->c.state == CURSOR_SNAPPED ? PACKET_SNAPPED : PACKET_SHORT;
}

/* Takes a header of n bytes and records it; NULL where the walk stops. */
static inline const uint8_t *walk_layer(struct walk *w, enum layer_kind kind, size_t n)
{
	const uint8_t *at = cursor_take(&w->c, n);
	struct packet *p = w->p;
	if (!at)
		return NULL;
	if (p->layers == PACKET_LAYERS) {
		w->too_deep = true;
		return NULL;
	}
	p->layer[p->layers] = (uint8_t)kind;
	p->layer_len[p->layers++] = (uint16_t)n;
	return at;
}

/* n bytes at the cursor without taking them; NULL (and the state) if missing. */
static inline const uint8_t *walk_peek(struct walk *w, size_t n)
{
	struct cursor c = w->c;
	const uint8_t *at = cursor_take(&c, n);
	if (!at)
		w->c.state = c.state;
	return at;
}

typedef enum packet_verdict layer_fn(struct walk *w);

/* packet_ether.c */
layer_fn packet_ethernet, packet_vlan, packet_llc;
enum packet_verdict packet_ethertype(struct walk *w, unsigned type);
bool packet_looks_ethernet(const uint8_t *at); /* of 14 bytes */

/* packet_link.c, packet_ppp.c, packet_mpls.c, packet_atm.c */
layer_fn packet_null, packet_sll, packet_sll2, packet_fddi, packet_token_ring,
        packet_ipoib;
layer_fn packet_ppp, packet_ppp_hdlc, packet_pppoe;
layer_fn packet_mpls;
layer_fn packet_rfc1483, packet_atm_clip, packet_sunatm, packet_lane;

/* packet_ip4.c, packet_ip6.c */
layer_fn packet_ip4, packet_ip6;
layer_fn packet_ip; /* by the version nibble */

#define IP4_HEADER 20u
#define IP4_DF 0x4000u
#define IP4_MF 0x2000u
#define IP4_OFFSET 0x1fffu

/* What the fixed IPv4 header tells without its lengths. */
static inline void ip4_fields(struct packet *p, const uint8_t *at)
{
	unsigned cut = be16(at + 6);
	p->src = addr_from_v4(at + 12);
	p->dst = addr_from_v4(at + 16);
	p->frag_id = be16(at + 4);
	p->frag_offset = (cut & IP4_OFFSET) * 8;
	p->family = 4;
	p->proto = at[9];
	p->ttl = at[8];
	p->tos = at[1];
	p->df = cut & IP4_DF;
	p->more = cut & IP4_MF;
	p->fragment = cut & (IP4_MF | IP4_OFFSET);
	p->atomic = false;
}

/* Fills what depends on where the packet stands in its frame: start is its
 * first byte.  False where the headers outside exceed what link_len holds. */
bool packet_place(struct walk *w, const uint8_t *start);

/* What the extension headers of an IPv6 packet tell. */
struct ip6_chain {
	uint8_t proto; /* behind the headers walked */
	bool has_fragment;
	uint32_t frag_offset, frag_id;
	bool more;
	bool has_jumbo; /* jumbo payload option (RFC 2675) */
	uint32_t jumbo;
	bool too_long;
};

/* Walks extension headers from the cursor, which ends behind the last one
 * walked.  Stops at a fragment header that is not atomic: what is behind it is
 * a piece of the datagram, other extension headers included.  Stops early with
 * the cursor's state set where a header is missing; proto then is the missing
 * header's. */
void ip6_chain_walk(struct cursor *c, uint8_t next, struct ip6_chain *chain);

/* packet_tunnel.c: *w->p is a packet that may be a tunnel, the cursor at its
 * payload.  Goes inside where it is one and has an IP packet. */
layer_fn packet_tunnel;

enum tunnel_port { PORT_VXLAN = 4789, PORT_GENEVE = 6081 };

/* Whether the packet just filled may be a tunnel: PACKET_IP = it is none,
 * PACKET_SNAPPED = its ports were not captured, PACKET_UNSUPPORTED = ask
 * packet_tunnel.  A cut datagram is none: its pieces belong to the outer
 * addresses. */
static inline enum packet_verdict tunnel_check(const struct packet *p)
{
	if (p->fragment)
		return PACKET_IP;
	if (p->proto == PROTO_IP4 || p->proto == PROTO_IP6 || p->proto == PROTO_GRE)
		return PACKET_UNSUPPORTED;
	if (p->proto != PROTO_UDP || p->payload_len < 8)
		return PACKET_IP;
	if (p->payload_cap < 4)
		return PACKET_SNAPPED;
	unsigned port = be16(p->payload + 2);
	return port == PORT_VXLAN || port == PORT_GENEVE ? PACKET_UNSUPPORTED
	                                                 : PACKET_IP;
}

/* Ends the walk at the packet just filled, or goes on inside it. */
static inline enum packet_verdict packet_upper(struct walk *w)
{
	enum packet_verdict v = tunnel_check(w->p);
	return v == PACKET_UNSUPPORTED ? packet_tunnel(w) : v;
}

#endif
