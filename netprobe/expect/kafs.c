#include "netprobe/expect/kafs.h"

#define JUMBO_PACKET (RX_HEADER + RX_JUMBO_DATA) /* 1440 */
#define HEADERS (EXPECT_IP4_UDP + RX_HEADER)     /* 56, here IPv4, UDP and Rx */
#define MTU_DEFAULT 1500u
#define RX_MTU 5692u      /* sysctl rxrpc.rx_mtu */
#define RX_WINDOW 255u    /* 63 in old kernels */
#define RX_JUMBO_MAX 4u   /* sysctl rxrpc.rx_jumbo_max */
#define PROBED_MAX 65160u /* 46 packets in one datagram */

static uint32_t min_u32(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static bool peer_probes(const struct rx_trailer *peer)
{
	return peer && peer->words >= 4 && peer->packets == 0;
}

void expect_kafs_own(bool probing, uint32_t mtu, const struct rx_trailer *peer,
                     struct expect_own *own)
{
	uint32_t link = mtu ? mtu : MTU_DEFAULT;
	uint32_t data = link > HEADERS ? link - HEADERS : 0;
	struct rx_trailer t = {.words = 4, .window = RX_WINDOW};
	if (!probing) {
		t.max_receive = RX_MTU;
		t.interface = data;
		t.packets = RX_JUMBO_MAX;
	} else if (peer_probes(peer)) {
		t.max_receive = PROBED_MAX;
		t.interface = data;
	} else {
		t.max_receive = t.interface = min_u32(EXPECT_REMOTE, data);
	}
	*own = (struct expect_own){.size = min_u32(JUMBO_PACKET, data + RX_HEADER),
	                           .packets = 1,
	                           .receive = t.max_receive,
	                           .link_mtu = link,
	                           .trailer = t};
}

/* Since 6.14 a peer that probes too gets as many packets as the path carries, which
 * its own probing finds; others get one, as before. */
static uint32_t packets_on(uint32_t mtu)
{
	uint32_t n = 1;
	while (n < RX_PACKETS_MAX &&
	       expect_jumbogram(n + 1) + EXPECT_IP4_UDP <= min_u32(mtu, 65535))
		n++;
	return n;
}

struct expect_size expect_kafs_send(bool probing, const struct expect_own *own,
                                    const struct rx_trailer *peer)
{
	struct expect_size s = {.packets = 1, .rx_packet = own->size};
	if (probing && peer_probes(peer) && own->size == JUMBO_PACKET)
		s.packets = packets_on(own->link_mtu);
	s.udp_payload = s.packets > 1 ? expect_jumbogram(s.packets) : s.rx_packet;
	s.ip_len = s.udp_payload + EXPECT_IP4_UDP;
	return s;
}
