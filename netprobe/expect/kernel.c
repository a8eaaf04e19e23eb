#include "netprobe/expect/kernel.h"

#include "src/base/cursor.h"

#define ADDRESSES 16u       /* ADDRSPERSITE */
#define PACKET_MAX 16384u   /* RX_MAX_PACKET_SIZE */
#define RECEIVE_START 5800u /* 4 x 1444 + 3 x 8 */
#define UDP_HEADER 8u

static uint32_t min_u32(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* RFC 791: the first bits tell how long the network part is; 0 from class D on. */
static uint32_t class_mask(uint32_t a)
{
	if (a >> 31 == 0)
		return 0xff000000u;
	if (a >> 30 == 2)
		return 0xffff0000u;
	return a >> 29 == 6 ? 0xffffff00u : 0;
}

enum expect_match expect_class_match(const struct expect_iface *f,
                                     const struct addr *peer)
{
	if (!addr_is_v4(peer) || !addr_is_v4(&f->addr))
		return EXPECT_MATCH_NONE;
	uint32_t a = be32(f->addr.b + 12), p = be32(peer->b + 12);
	if (((a ^ p) & class_mask(p)) != 0)
		return EXPECT_MATCH_NONE; /* even where a shorter netmask matches */
	if (!expect_on_subnet(f, peer))
		return EXPECT_MATCH_CLASS;
	return a == p ? EXPECT_MATCH_SELF : EXPECT_MATCH_SUBNET;
}

static size_t known_ifaces(const struct expect_host *host)
{
	return min_u32((uint32_t)host->ifaces, ADDRESSES);
}

static const struct expect_iface *find(const struct expect_host *host,
                                       const struct addr *peer)
{
	const struct expect_iface *best = NULL;
	enum expect_match match = EXPECT_MATCH_NONE;
	for (size_t i = 0; i < known_ifaces(host); i++) {
		enum expect_match m = expect_class_match(&host->iface[i], peer);
		if (m > match) {
			match = m;
			best = &host->iface[i];
		}
	}
	return best;
}

/* Its loop steps on twice, so every second interface is not looked at. */
static uint32_t receive_size(const struct expect_host *host, uint32_t frags)
{
	const uint32_t user = host->config.rxmaxmtu;
	uint32_t size = user ? user : RECEIVE_START;
	for (size_t i = 0; i < known_ifaces(host); i += 2) {
		const struct expect_iface *f = &host->iface[i];
		if (f->addr.b[12] == 127 || f->mtu < EXPECT_IP_UDP)
			continue;
		uint32_t one = expect_adjust_if(frags, f->mtu - EXPECT_IP_UDP);
		uint32_t max = one * frags + (frags - 1) * UDP_HEADER;
		max = min_u32(expect_adjust_max(frags, one, max), PACKET_MAX);
		if (max > size)
			size = user ? min_u32(max, user) : max;
	}
	return size;
}

void expect_kernel_own(const struct expect_host *host, const struct addr *peer,
                       struct expect_own *own)
{
	const struct expect_config *c = &host->config;
	const uint32_t frags = expect_frags(c);
	const uint32_t cap = c->rxmaxmtu ? c->rxmaxmtu : EXPECT_MAX_SEND;
	const struct expect_iface *f = find(host, peer);
	uint32_t size = min_u32(cap, f ? PACKET_MAX : EXPECT_REMOTE);
	if (f && f->mtu > EXPECT_IP_UDP + RX_HEADER)
		size = min_u32(size, f->mtu - EXPECT_IP_UDP);
	*own = (struct expect_own){
	        .iface = f,
	        .size = expect_adjust_if(frags, size),
	        .receive = receive_size(host, frags),
	        .link_mtu = f ? f->mtu : 0,
	};
	expect_announce(own, frags);
}
