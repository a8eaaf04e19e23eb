/* Link layers other than Ethernet, PPP and ATM, and the pseudo headers that
 * capturing puts in their place (tcpdump.org/linktypes.html). */
#include "netprobe/decode/packet_internal.h"

/* AF_INET6 is another number on Linux, Windows, OpenBSD, FreeBSD and Darwin. */
static enum packet_verdict by_family(struct walk *w, uint32_t family)
{
	switch (family) {
	case 2:
		return packet_ip4(w);
	case 10:
	case 23:
	case 24:
	case 28:
	case 30:
		return packet_ip6(w);
	default:
		return PACKET_NOT_IP;
	}
}

/* LOOP has the family in network order, NULL in that of the capturing host. */
enum packet_verdict packet_null(struct walk *w)
{
	const uint8_t *at = walk_layer(w, LAYER_NULL, 4);
	if (!at)
		return walk_stop(w);
	uint32_t family = be32(at);
	return by_family(w, family > 0xffff ? __builtin_bswap32(family) : family);
}

enum sll_type { SLL_HOST = 0, SLL_MULTICAST = 2, SLL_OUTGOING = 4 };
#define SLL_LLC 0x0004 /* Linux ETH_P_802_2 */
#define SLL_ARPHRD_NETLINK 824

static uint8_t sll_direction(unsigned packet_type)
{
	if (packet_type <= SLL_MULTICAST)
		return DIR_IN;
	return packet_type == SLL_OUTGOING ? DIR_OUT : DIR_UNKNOWN;
}

static enum packet_verdict sll_protocol(struct walk *w, unsigned arphrd,
                                        unsigned protocol)
{
	if (arphrd == SLL_ARPHRD_NETLINK)
		return PACKET_NOT_IP;
	if (protocol == SLL_LLC)
		return packet_llc(w);
	return protocol < ETHER_LENGTH_END ? PACKET_NOT_IP
	                                   : packet_ethertype(w, protocol);
}

enum packet_verdict packet_sll(struct walk *w)
{
	const uint8_t *at = walk_layer(w, LAYER_SLL, 16);
	if (!at)
		return walk_stop(w);
	w->p->direction = sll_direction(be16(at));
	return sll_protocol(w, be16(at + 2), be16(at + 14));
}

enum packet_verdict packet_sll2(struct walk *w)
{
	const uint8_t *at = walk_layer(w, LAYER_SLL2, 20);
	if (!at)
		return walk_stop(w);
	w->p->iface_hint = 1;
	w->p->sll2_ifindex = be32(at + 4);
	w->p->direction = sll_direction(at[10]);
	return sll_protocol(w, be16(at + 8), be16(at));
}

/* ANSI X3.139: frame control, addresses, LLC. */
enum packet_verdict packet_fddi(struct walk *w)
{
	const uint8_t *at = walk_layer(w, LAYER_FDDI, 13);
	if (!at)
		return walk_stop(w);
	if ((at[0] & 0x70) != 0x50) /* neither asynchronous nor synchronous LLC */
		return PACKET_NOT_IP;
	return packet_llc(w);
}

/* IEEE 802.5: access and frame control, addresses, routing information where
 * the source address' first bit says so, LLC. */
enum packet_verdict packet_token_ring(struct walk *w)
{
	const uint8_t *at = walk_peek(w, 14);
	if (!at)
		return walk_stop(w);
	if ((at[1] & 0xc0) != 0x40)
		return PACKET_NOT_IP;
	size_t routing = 0;
	if (at[8] & 0x80) {
		at = walk_peek(w, 16);
		if (!at)
			return walk_stop(w);
		routing = at[14] & 0x1f;
		if (routing < 2 || routing % 2)
			return PACKET_BAD;
	}
	return walk_layer(w, LAYER_TOKEN_RING, 14 + routing) ? packet_llc(w)
	                                                     : walk_stop(w);
}

/* A 40-byte pseudo header stands for the InfiniBand headers; RFC 4391's own
 * header follows: type and reserved. */
enum packet_verdict packet_ipoib(struct walk *w)
{
	const uint8_t *at = walk_layer(w, LAYER_IPOIB, 44);
	if (!at)
		return walk_stop(w);
	return packet_ethertype(w, be16(at + 40));
}
