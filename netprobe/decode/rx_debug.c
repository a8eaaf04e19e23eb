#include "netprobe/decode/rx_debug.h"

#include "src/base/cursor.h"

#include <stdio.h>

#define PEER_BYTES 132u /* sizeof(struct rx_debugPeer) */
#define NO_SUCH_PEER 0xffffffffu

bool rx_version_decode(const struct rx_header *h, const uint8_t *bytes, size_t cap,
                       size_t udp_len, char text[RX_VERSION_TEXT])
{
	if (h->type != RX_VERSION || (h->flags & RX_CLIENT) || cap > udp_len ||
	    cap <= RX_HEADER)
		return false;
	size_t n = 0;
	for (size_t i = RX_HEADER; i < cap && i < RX_HEADER + RX_VERSION_BYTES; i++) {
		unsigned char c = bytes[i];
		if (c == 0)
			break;
		if (c == '\\')
			n += (size_t)snprintf(text + n, RX_VERSION_TEXT - n, "\\\\");
		else if (c >= 0x20 && c < 0x7f)
			text[n++] = (char)c;
		else
			n += (size_t)snprintf(text + n, RX_VERSION_TEXT - n, "\\x%02x",
			                      c);
	}
	while (n > 0 && text[n - 1] == ' ')
		n--;
	text[n] = 0;
	return n > 0;
}

bool rx_debug_peer_decode(const struct rx_header *h, const uint8_t *bytes, size_t cap,
                          size_t udp_len, struct rx_debug_peer *p)
{
	if (h->type != RX_DEBUG || (h->flags & RX_CLIENT) ||
	    udp_len != RX_HEADER + PEER_BYTES)
		return false;
	struct cursor c = cursor_init(bytes, cap, udp_len);
	*p = (struct rx_debug_peer){0};
	cursor_skip(&c, RX_HEADER);
	const uint8_t *host = cursor_take(&c, 4);
	if (!host || be32(host) == NO_SUCH_PEER)
		return false;
	p->host = addr_from_v4(host);
	p->port = cursor_u16(&c);
	p->if_mtu = cursor_u16(&c);
	cursor_skip(&c, 4 + 2 + 1 + 1 + 8); /* idleWhen, refCount, burst…, burstWait */
	p->rtt_ms = cursor_u32(&c) >> 3;    /* kept as eighths */
	cursor_skip(&c, 4 + 8);             /* rtt_dev, timeout */
	p->sent = cursor_u32(&c);
	p->resends = cursor_u32(&c);
	cursor_skip(&c, 4 + 4 + 4); /* packet skews, rateFlag */
	p->nat_mtu = cursor_u16(&c);
	p->max_mtu = cursor_u16(&c);
	p->max_packets = cursor_u16(&c);
	p->if_packets = cursor_u16(&c);
	p->mtu = cursor_u16(&c);
	p->cwind = cursor_u16(&c);
	p->packets = cursor_u16(&c);
	if (!cursor_ok(&c))
		return false;
	cursor_skip(&c, 2); /* congestSeq */
	p->bytes_sent = cursor_u64(&c);
	p->bytes_received = cursor_u64(&c);
	return true;
}
