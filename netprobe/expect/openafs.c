#include "netprobe/expect/openafs.h"

#include "src/base/cursor.h"

#define SUB_PACKET (RX_JUMBO_DATA + RX_JUMBO_HEADER) /* 1416 */
#define JUMBO_PACKET (RX_HEADER + RX_JUMBO_DATA)     /* 1440 */
#define PACKET_MAX 16384u
#define RECEIVE_START 5800u /* 4 x 1444 + 3 x 8 */
#define ADDRESSES 16u       /* ADDRSPERSITE */
#define WINDOW 32u
#define UDP_HEADER 8u

static uint32_t min_u32(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static uint32_t max_u32(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

uint32_t expect_adjust_if(uint32_t frags, uint32_t size)
{
	if (frags == 1 || size <= EXPECT_REMOTE)
		return size;
	return EXPECT_REMOTE + (size - EXPECT_REMOTE) / SUB_PACKET * SUB_PACKET;
}

uint32_t expect_adjust_max(uint32_t frags, uint32_t size, uint32_t peer_max)
{
	return expect_adjust_if(frags, min_u32(size * frags, peer_max));
}

uint32_t expect_adjust_packets(uint32_t frags, uint32_t size)
{
	if (size + UDP_HEADER < JUMBO_PACKET)
		return 1;
	uint32_t room = min_u32(frags * (size + UDP_HEADER) - UDP_HEADER, PACKET_MAX);
	uint32_t two = expect_jumbogram(2);
	return room < two ? 1 : 2 + (room - two) / SUB_PACKET;
}

uint32_t expect_jumbogram(uint32_t packets)
{
	return RX_HEADER + packets * SUB_PACKET - RX_JUMBO_HEADER;
}

uint32_t expect_frags(const struct expect_config *c)
{
	if (c->frags != 0)
		return c->frags;
	return c->program == EXPECT_SERVER ? 1 : EXPECT_FRAGS;
}

static uint32_t max_send(const struct expect_config *c)
{
	return c->rxmaxmtu ? c->rxmaxmtu : EXPECT_MAX_SEND;
}

static size_t known_ifaces(const struct expect_host *host)
{
	return host->ifaces < ADDRESSES ? host->ifaces : ADDRESSES;
}

static bool loopback(const struct expect_iface *i)
{
	return i->addr.b[12] == 127;
}

/* rx_GetIFInfo raises the receive size to what the largest interface holds; it
 * ignores -rxmaxmtu.  libuafs sets that option after the interfaces were read, so
 * there it stays (seen on the wire: a client with -rxmaxmtu 1444 announces 1444). */
static uint32_t receive_size(const struct expect_host *host)
{
	const struct expect_config *c = &host->config;
	uint32_t frags = expect_frags(c);
	uint32_t size = c->program == EXPECT_SERVER && frags == 1 ? EXPECT_REMOTE
	                                                          : RECEIVE_START;
	if (c->rxmaxmtu)
		size = c->rxmaxmtu;
	if (c->rxmaxmtu && c->program == EXPECT_CLIENT)
		return size;
	for (size_t i = 0; i < known_ifaces(host); i++) {
		const struct expect_iface *f = &host->iface[i];
		if (loopback(f) || f->mtu < EXPECT_IP_UDP)
			continue;
		uint32_t fits =
		        frags * (f->mtu - (EXPECT_IP_UDP - UDP_HEADER)) - UDP_HEADER;
		size = max_u32(size, min_u32(fits, PACKET_MAX));
	}
	return size;
}

bool expect_on_subnet(const struct expect_iface *f, const struct addr *peer)
{
	static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
	if (memcmp(peer->b, mapped, sizeof mapped) != 0 || f->prefix > 32)
		return false;
	uint32_t mask = f->prefix ? UINT32_MAX << (32 - f->prefix) : 0;
	return ((be32(f->addr.b + 12) ^ be32(peer->b + 12)) & mask) == 0;
}

uint32_t expect_size_for_mtu(uint32_t mtu)
{
	return mtu < EXPECT_MIN + EXPECT_IP_UDP ? EXPECT_MIN : mtu - EXPECT_IP_UDP;
}

/* Of all interfaces that share a subnet with the peer, the one of the largest MTU. */
static const struct expect_iface *match(const struct expect_host *host,
                                        const struct addr *peer)
{
	const struct expect_iface *best = NULL;
	for (size_t i = 0; i < known_ifaces(host); i++) {
		const struct expect_iface *f = &host->iface[i];
		if (!loopback(f) && expect_on_subnet(f, peer) &&
		    (!best || f->mtu > best->mtu))
			best = f;
	}
	return best;
}

void expect_announce(struct expect_own *own, uint32_t frags)
{
	own->packets = min_u32(expect_adjust_packets(frags, own->size), EXPECT_PACKETS);
	own->trailer = (struct rx_trailer){
	        .words = 4,
	        .max_receive = expect_adjust_max(frags, own->size, own->receive),
	        .interface = own->size,
	        .window = WINDOW,
	        .packets = own->packets,
	};
}

void expect_own(const struct expect_host *host, const struct addr *peer,
                uint32_t route_mtu, struct expect_own *own)
{
	uint32_t frags = expect_frags(&host->config);
	const struct expect_iface *f = match(host, peer);
	uint32_t size = min_u32(max_send(&host->config),
	                        f ? expect_size_for_mtu(f->mtu) : EXPECT_REMOTE);
	if (route_mtu)
		size = min_u32(size, expect_size_for_mtu(route_mtu));
	size = expect_adjust_if(frags, size);
	*own = (struct expect_own){
	        .iface = f,
	        .size = size,
	        .receive = receive_size(host),
	        .link_mtu =
	                f && (!route_mtu || f->mtu < route_mtu) ? f->mtu : route_mtu,
	};
	expect_announce(own, frags);
}

/* A trailer's size within what OpenAFS lets a peer tell it. */
static uint32_t believed(uint32_t size)
{
	return min_u32(max_u32(size, EXPECT_MIN), PACKET_MAX);
}

uint32_t expect_full_packet(uint32_t size, enum expect_security security)
{
	switch (security) {
	case EXPECT_RXKAD_AUTH:
		return size - 4; /* 4 kept free for a trailer that is not used */
	case EXPECT_RXKAD_CRYPT: /* 16 set aside; 8 used, then filled up to blocks of 8
	                          */
		return RX_HEADER + ((size - RX_HEADER - 16 + 8 + 7) & ~7u);
	case EXPECT_CLEAR:
		break;
	}
	return size;
}

struct expect_size expect_send(const struct expect_own *own,
                               const struct expect_config *config,
                               const struct rx_trailer *peer,
                               enum expect_security security)
{
	uint32_t frags = expect_frags(config);
	uint32_t size = min_u32(own->size, EXPECT_REMOTE), packets = 1;
	if (peer && peer->words >= 2)
		size = expect_adjust_if(frags,
		                        min_u32(believed(peer->interface), own->size));
	if (peer && peer->words >= 4 && peer->packets > 1)
		packets = min_u32(peer->packets, own->packets);
	if (packets > 1)
		size = JUMBO_PACKET;
	struct expect_size s = {.packets = packets,
	                        .rx_packet = expect_full_packet(size, security)};
	/* only packets of exactly 1412 bytes are put together */
	if (s.rx_packet != JUMBO_PACKET)
		s.packets = 1;
	s.udp_payload = s.packets > 1 ? expect_jumbogram(s.packets) : s.rx_packet;
	s.ip_len = s.udp_payload + EXPECT_IP4_UDP;
	return s;
}
