#include "netprobe/probe/packet.h"

#include "netprobe/decode/rx.h"
#include "src/base/cursor.h"

#include <ctype.h>

#define EPOCH 999u /* of VERSION and DEBUG packets: rxi_NatKeepAliveEvent, rx_debug */
#define VERSION_TEXT 65u
#define TAG 4u /* of a UDP probe: mark and id */

enum { ICMP4_ECHO = 8, ICMP4_REPLY = 0, ICMP6_ECHO = 128, ICMP6_REPLY = 129 };

uint32_t probe_packet_header(enum probe_method m)
{
	switch (m) {
	case PROBE_RX:
		return 8 + RX_HEADER;
	case PROBE_UDP:
		return 8 + TAG;
	case PROBE_ICMP:
		break;
	}
	return 8 + TAG;
}

static void put16(uint8_t *to, uint32_t v)
{
	to[0] = (uint8_t)(v >> 8);
	to[1] = (uint8_t)v;
}

static void put32(uint8_t *to, uint32_t v)
{
	put16(to, v >> 16);
	put16(to + 2, v);
}

/* RFC 1071; only raw sockets want it from us, the others write their own. */
static uint16_t checksum(const uint8_t *p, size_t n)
{
	uint32_t sum = 0;
	for (size_t i = 0; i + 1 < n; i += 2)
		sum += be16(p + i);
	if (n & 1)
		sum += (uint32_t)p[n - 1] << 8;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}

void probe_packet_fill(enum probe_method m, bool v6, uint8_t *to, size_t len,
                       uint16_t mark, uint32_t id)
{
	uint32_t tag = (uint32_t)mark << PROBE_ID_BITS | id;
	switch (m) {
	case PROBE_RX:
		put32(to, EPOCH);
		put32(to + 16, tag); /* the serial, which comes back */
		to[20] = RX_VERSION;
		to[21] = RX_CLIENT;
		return;
	case PROBE_UDP:
		put32(to, tag);
		return;
	case PROBE_ICMP:
		to[0] = v6 ? ICMP6_ECHO : ICMP4_ECHO;
		put16(to + 4, mark);
		put16(to + 6, id);
		put32(to + 8, tag);
		if (!v6)
			put16(to + 2, checksum(to, len));
		return;
	}
}

static bool take_tag(uint32_t tag, uint16_t mark, uint32_t *id)
{
	*id = tag & ((1u << PROBE_ID_BITS) - 1);
	return tag >> PROBE_ID_BITS == mark;
}

static void take_version(const uint8_t *bytes, size_t len, char version[66])
{
	size_t n = 0;
	for (; n < len && n < VERSION_TEXT && bytes[n]; n++)
		version[n] = isprint(bytes[n]) ? (char)bytes[n] : '?';
	version[n] = '\0';
}

static bool rx_answer(const uint8_t *bytes, size_t len, uint16_t mark, uint32_t *id,
                      char version[66])
{
	struct rx_header h;
	if (rx_header_decode(bytes, len, len, &h) != RX_OK || h.type != RX_VERSION ||
	    h.flags & RX_CLIENT || h.epoch != EPOCH || !take_tag(h.serial, mark, id))
		return false;
	if (version)
		take_version(bytes + RX_HEADER, len - RX_HEADER, version);
	return true;
}

bool probe_packet_answer(enum probe_method m, bool v6, const uint8_t *bytes, size_t len,
                         uint16_t mark, uint32_t *id, char version[66])
{
	switch (m) {
	case PROBE_RX:
		return rx_answer(bytes, len, mark, id, version);
	case PROBE_UDP:
		return len >= TAG && take_tag(be32(bytes), mark, id);
	case PROBE_ICMP:
		break;
	}
	return len >= 8 + TAG && bytes[0] == (v6 ? ICMP6_REPLY : ICMP4_REPLY) &&
	       take_tag(be32(bytes + 8), mark, id);
}
