/* Ethernet, VLAN tags, LLC and SNAP, and what an EtherType announces. */
#include "netprobe/decode/packet_internal.h"

enum sap { SAP_IP = 0x06, SAP_SNAP = 0xaa, SAP_ISO = 0xfe };
enum nlpid { NLPID_SNAP = 0x80, NLPID_IP6 = 0x8e, NLPID_IP4 = 0xcc, NLPID_PPP = 0xcf };

#define LLC_UI 0x03
#define OUI_RFC1042 0x000000
#define OUI_BRIDGE_TUNNEL 0x0000f8 /* IEEE 802.1H */
#define OUI_8021 0x0080c2          /* RFC 2684: bridged */

bool packet_looks_ethernet(const uint8_t *at)
{
	switch (be16(at + 12)) {
	case ETHER_IP4:
	case ETHER_ARP:
	case ETHER_IP6:
	case ETHER_VLAN:
	case ETHER_PROVIDER_VLAN:
	case ETHER_MPLS:
	case ETHER_PPPOE:
		return true;
	default:
		return false;
	}
}

/* An 802.3 length: what follows is LLC.  0 stands for "until the end", as LAN
 * emulation uses it for frames beyond 1500 bytes. */
static enum packet_verdict length_field(struct walk *w, unsigned length)
{
	if (length > 1500 || length == 1 || length == 2)
		return PACKET_NOT_IP;
	if (length > 0) {
		cursor_limit(&w->c, length);
		if (!cursor_ok(&w->c))
			return walk_stop(w);
	}
	return packet_llc(w);
}

enum packet_verdict packet_ethertype(struct walk *w, unsigned type)
{
	if (type == ETHER_IP4)
		return packet_ip4(w);
	switch (type) {
	case ETHER_IP6:
		return packet_ip6(w);
	case ETHER_VLAN:
	case ETHER_PROVIDER_VLAN:
	case ETHER_OLD_QINQ:
		return packet_vlan(w);
	case ETHER_MPLS:
	case ETHER_MPLS_MULTICAST:
		return packet_mpls(w);
	case ETHER_PPPOE:
		return packet_pppoe(w);
	case ETHER_TRANSPARENT:
		return packet_ethernet(w);
	case ETHER_JUMBO_LLC:
		return packet_llc(w);
	case ETHER_MACSEC:
	case ETHER_PROVIDER_BACKBONE:
	case ETHER_NSH:
		return PACKET_UNSUPPORTED;
	default:
		return PACKET_NOT_IP;
	}
}

enum packet_verdict packet_ethernet(struct walk *w)
{
	const uint8_t *at = walk_layer(w, LAYER_ETHERNET, 14);
	if (!at)
		return walk_stop(w);
	unsigned type = be16(at + 12);
	return type < ETHER_LENGTH_END ? length_field(w, type)
	                               : packet_ethertype(w, type);
}

enum packet_verdict packet_vlan(struct walk *w)
{
	const uint8_t *at = walk_layer(w, LAYER_VLAN, 4);
	if (!at)
		return walk_stop(w);
	unsigned type = be16(at + 2);
	return type < ETHER_LENGTH_END ? length_field(w, type)
	                               : packet_ethertype(w, type);
}

/* RFC 2684 section 5.2 and 6.2: a padded frame of a LAN. */
static enum packet_verdict bridged(struct walk *w, unsigned pid)
{
	if (pid != 1 && pid != 7) /* Ethernet with and without its checksum */
		return PACKET_UNSUPPORTED;
	if (!walk_peek(w, 2))
		return walk_stop(w);
	cursor_skip(&w->c, 2);
	w->p->layer_len[w->p->layers - 1] +=
	        2; /* the padding belongs to the LLC header */
	return packet_ethernet(w);
}

static enum packet_verdict snap(struct walk *w, const uint8_t *at)
{
	uint32_t oui = be32(at) >> 8;
	unsigned type = be16(at + 3);
	if (oui == OUI_8021)
		return bridged(w, type);
	if (oui != OUI_RFC1042 && oui != OUI_BRIDGE_TUNNEL)
		return PACKET_NOT_IP;
	return type < ETHER_LENGTH_END ? PACKET_NOT_IP : packet_ethertype(w, type);
}

/* Routed ISO protocols: RFC 2684 section 5.1, RFC 2364 section 7. */
static enum packet_verdict iso(struct walk *w, unsigned nlpid)
{
	switch (nlpid) {
	case NLPID_IP4:
	case NLPID_IP6:
		if (!walk_layer(w, LAYER_LLC_SNAP, 4))
			return walk_stop(w);
		return nlpid == NLPID_IP4 ? packet_ip4(w) : packet_ip6(w);
	case NLPID_PPP:
		return walk_layer(w, LAYER_LLC_SNAP, 4) ? packet_ppp(w) : walk_stop(w);
	case NLPID_SNAP: {
		const uint8_t *at = walk_layer(w, LAYER_LLC_SNAP, 9);
		return at ? snap(w, at + 4) : walk_stop(w);
	}
	default:
		return PACKET_NOT_IP;
	}
}

enum packet_verdict packet_llc(struct walk *w)
{
	const uint8_t *at = walk_peek(w, 3);
	if (!at)
		return walk_stop(w);
	if (at[0] != at[1] || at[2] != LLC_UI)
		return PACKET_NOT_IP;
	switch (at[0]) {
	case SAP_SNAP:
		at = walk_layer(w, LAYER_LLC_SNAP, 8);
		return at ? snap(w, at + 3) : walk_stop(w);
	case SAP_IP:
		return walk_layer(w, LAYER_LLC_SNAP, 3) ? packet_ip4(w) : walk_stop(w);
	case SAP_ISO:
		at = walk_peek(w, 4);
		return at ? iso(w, at[3]) : walk_stop(w);
	default:
		return PACKET_NOT_IP;
	}
}
