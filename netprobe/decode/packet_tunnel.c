/* Tunnels: IP in IP (RFC 2003, 4213), GRE (2784, 2890), VXLAN (7348), Geneve
 * (8926). */
#include "netprobe/decode/packet_internal.h"

#define UDP_HEADER 8u
#define GRE_CHECKSUM 0x8000u
#define GRE_ROUTING 0x4000u
#define GRE_KEY 0x2000u
#define GRE_SEQUENCE 0x1000u
#define GRE_VERSION 0x0007u
#define VXLAN_HAS_ID 0x08

static enum packet_verdict gre(struct walk *w)
{
	const uint8_t *at = walk_peek(w, 4);
	if (!at)
		return walk_stop(w);
	unsigned flags = be16(at);
	unsigned type = be16(at + 2);
	if (flags & (GRE_ROUTING | GRE_VERSION)) /* source routes; PPTP */
		return PACKET_UNSUPPORTED;
	size_t n = 4 + (flags & GRE_CHECKSUM ? 4u : 0) + (flags & GRE_KEY ? 4u : 0) +
	           (flags & GRE_SEQUENCE ? 4u : 0);
	if (!walk_layer(w, LAYER_GRE, n))
		return walk_stop(w);
	return type < ETHER_LENGTH_END ? PACKET_NOT_IP : packet_ethertype(w, type);
}

static enum packet_verdict vxlan(struct walk *w)
{
	const uint8_t *at = walk_layer(w, LAYER_VXLAN, 8);
	if (!at)
		return walk_stop(w);
	if (!(at[0] & VXLAN_HAS_ID) || at[7] != 0)
		return PACKET_NOT_IP;
	return packet_ethernet(w);
}

static enum packet_verdict geneve(struct walk *w)
{
	const uint8_t *at = walk_peek(w, 8);
	if (!at)
		return walk_stop(w);
	if (at[0] >> 6 != 0 || at[7] != 0)
		return PACKET_NOT_IP;
	unsigned type = be16(at + 2);
	if (!walk_layer(w, LAYER_GENEVE, 8 + (at[0] & 0x3fu) * 4u))
		return walk_stop(w);
	return type < ETHER_LENGTH_END ? PACKET_NOT_IP : packet_ethertype(w, type);
}

static enum packet_verdict inside(struct walk *w, uint8_t proto)
{
	const uint8_t *at;
	switch (proto) {
	case PROTO_IP4:
		return packet_ip4(w);
	case PROTO_IP6:
		return packet_ip6(w);
	case PROTO_GRE:
		return gre(w);
	default:
		at = walk_layer(w, LAYER_UDP, UDP_HEADER);
		if (!at)
			return walk_stop(w);
		return be16(at + 2) == PORT_VXLAN ? vxlan(w) : geneve(w);
	}
}

enum packet_verdict packet_tunnel(struct walk *w)
{
	struct packet *p = w->p;
	if (p->tunnels + 1 == PACKET_IP_HEADERS || p->layers == PACKET_LAYERS) {
		w->too_deep = true;
		return PACKET_UNSUPPORTED;
	}
	const struct packet outer = *p;
	p->layer[p->layers] = outer.family == 4 ? LAYER_IPV4 : LAYER_IPV6;
	p->layer_len[p->layers++] = outer.header_len;
	p->tunnels++;
	enum packet_verdict v = inside(w, outer.proto);

	/* No IP inside: then the packet is the outer one.  A port alone is no
	 * proof of a tunnel, so nonsense behind it is not held against it. */
	bool no_ip = v == PACKET_NOT_IP || v == PACKET_UNSUPPORTED;
	bool nonsense =
	        outer.proto == PROTO_UDP && (v == PACKET_BAD || v == PACKET_SHORT);
	if (w->too_deep || (!no_ip && !nonsense))
		return v;
	*p = outer;
	return PACKET_IP;
}
