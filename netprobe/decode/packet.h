/* Frame -> network layer: strips link headers, tags and tunnels down to the
 * innermost IP packet, without reassembly.  Pure: no state, no clock. */
#ifndef DECODE_PACKET_H
#define DECODE_PACKET_H

#include "netprobe/decode/addr.h"
#include "netprobe/frame.h"

/* What became of a frame.  Everything but PACKET_IP is counted by its name;
 * "snapped" blames the capture, "short" and "bad" blame the packet. */
enum packet_verdict {
	PACKET_IP,          /* *p is filled */
	PACKET_NOT_IP,      /* ARP, LLC, control frames: nothing wrong */
	PACKET_UNSUPPORTED, /* link type or encapsulation not known here */
	PACKET_SNAPPED,     /* too little was captured to tell */
	PACKET_SHORT,       /* a length runs past the end of the frame */
	PACKET_BAD,         /* impossible field: version, header length, … */
	PACKET_VERDICTS
};

/* What lies between the frame's start and the innermost IP header. */
enum layer_kind {
	LAYER_NONE,
	LAYER_ETHERNET,
	LAYER_VLAN,
	LAYER_LLC_SNAP,
	LAYER_TOKEN_RING,
	LAYER_FDDI,
	LAYER_NULL,
	LAYER_SLL,
	LAYER_SLL2,
	LAYER_PPP,
	LAYER_PPPOE,
	LAYER_MPLS,
	LAYER_IPOIB,
	LAYER_SUNATM,
	LAYER_LANE,
	LAYER_IPV4, /* an outer IP header, of a tunnel */
	LAYER_IPV6,
	LAYER_GRE,
	LAYER_UDP, /* of VXLAN or Geneve */
	LAYER_VXLAN,
	LAYER_GENEVE,
	LAYER_KINDS
};

#define PACKET_LAYERS 12

struct packet {
	struct addr src, dst;
	const uint8_t *payload; /* behind the IP header and its extension headers */
	uint32_t payload_cap;   /* captured bytes of it */
	uint32_t payload_len;   /* its bytes by the IP header */
	uint32_t ip_len;        /* IP length: header, extension headers, payload */
	uint32_t trailing; /* bytes of the frame behind the IP packet, padding too */
	uint32_t frag_id;
	uint32_t frag_offset; /* in bytes */
	uint16_t header_len;  /* IP header with extension headers */
	uint16_t link_len;    /* bytes before the innermost IP header */
	uint8_t family;       /* 4 or 6 */
	uint8_t proto;        /* of the payload */
	uint8_t ttl, tos;
	bool df;        /* IPv4: the flag.  IPv6: true, routers never cut */
	bool more;      /* more fragments follow */
	bool fragment;  /* offset > 0 or more: one piece of a train */
	bool atomic;    /* IPv6 fragment header on a whole packet (RFC 6946) */
	bool no_length; /* IP length 0 (offload, BIG TCP): ip_len is the frame's */
	bool cut; /* the frame is shorter than its IP packet, whose header is sound */
	uint8_t tunnels; /* IP headers outside this one */
	uint8_t layers;  /* entries used below; outermost first; more are not kept */
	uint8_t layer[PACKET_LAYERS];      /* enum layer_kind */
	uint16_t layer_len[PACKET_LAYERS]; /* bytes of that layer's header */
	uint8_t iface_hint; /* nonzero: SLL2 told the interface, in sll2_ifindex */
	uint32_t sll2_ifindex;
	uint32_t vci;      /* SunATM: VPI << 16 | VCI, else 0 */
	uint8_t direction; /* enum direction, if the link header tells (SLL, SunATM) */
};

/* Fills *p for PACKET_IP only; otherwise its content means nothing.
 *
 * A tunnel whose inside is no IP packet known here (ARP in VXLAN, ERSPAN) gives
 * its outer packet, and so does a datagram to a tunnel's UDP port with nonsense
 * in it; a cut tunnel packet is a piece of its outer datagram.  Where the header
 * that decides was not captured (UDP ports too), the verdict is PACKET_SNAPPED:
 * no size ever depends on how much was captured.  Behind a real IPv6 fragment
 * header nothing is taken off: payload is the piece, proto its first header.
 * An IP packet longer than its frame is cut if its header is sound: some programs write
 * the captured length for the frame's, and sizes are those of the header; else it is
 * PACKET_SHORT.  Sound is an IPv4 header with the right checksum; IPv6 has none, so the
 * UDP, TCP, ICMPv6 or fragment header behind it must agree.  More than 4 IP headers or PACKET_LAYERS layers are
 * PACKET_UNSUPPORTED.
 *
 * Sources: RFC 791, 8200 (headers), 1483/2684,
 * 1577 (ATM), 2516 (PPPoE), 3032 (MPLS), 2784/2890 (GRE), 7348 (VXLAN), 8926
 * (Geneve), 4391 (IPoIB), LINKTYPE_ pages (pseudo headers). */
enum packet_verdict packet_decode(const struct frame *f, struct packet *p);

const char *packet_verdict_name(enum packet_verdict v);
const char *layer_name(enum layer_kind k);

/* The packet that an ICMP or ICMPv6 error quotes, as far as it is there. */
struct icmp {
	uint8_t type, code;
	bool error;           /* it quotes a packet */
	bool too_big;         /* v4: type 3 code 4; v6: type 2 */
	uint32_t mtu;         /* next-hop MTU it tells; 0 = none told */
	bool quotes;          /* the fields below are filled */
	struct addr src, dst; /* of the quoted packet */
	uint8_t proto;
	bool has_ports; /* quoted piece has offset 0 and reaches the ports */
	uint16_t sport, dport;
	uint32_t ip_len; /* of the quoted packet */
	bool df;
	const uint8_t *payload; /* quoted transport payload, UDP header included */
	uint32_t payload_cap;
};

/* p->proto is 1 or 58.  False where too little is there for type and code. */
bool icmp_decode(const struct packet *p, struct icmp *out);

#endif
