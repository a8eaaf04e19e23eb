#include "netprobe/decode/rx.h"

/* A packet of a jumbogram with the short header that follows it. */
#define STEP (RX_JUMBO_DATA + RX_JUMBO_HEADER)

static uint32_t behind_header(size_t udp_len)
{
	return udp_len > RX_HEADER ? (uint32_t)(udp_len - RX_HEADER) : 0;
}

struct rx_jumbo rx_jumbo_measure(const struct rx_header *h, size_t udp_len)
{
	uint32_t rest = behind_header(udp_len);
	struct rx_jumbo one = {.packets = 1, .data_bytes = rest};
	if (h->type != RX_DATA || !(h->flags & RX_JUMBO))
		return one;
	/* every packet but the last is STEP bytes; the last may be empty */
	uint32_t packets = rest / STEP + 1;
	if (packets < 2 || packets > RX_PACKETS_MAX) {
		/* as rxi_SplitJumboPacket: the first packet keeps all there is */
		one.malformed = true;
		return one;
	}
	return (struct rx_jumbo){
	        .packets = packets,
	        .data_bytes = rest - (packets - 1) * RX_JUMBO_HEADER,
	};
}

struct rx_data rx_jumbo_packet(const struct rx_header *h, const uint8_t *bytes,
                               size_t cap, size_t udp_len, uint32_t i)
{
	struct rx_jumbo jumbo = rx_jumbo_measure(h, udp_len);
	uint32_t before = i * STEP;
	uint32_t rest = behind_header(udp_len);
	struct rx_data d = {
	        .seq = h->seq + i,
	        .serial = h->serial + i,
	        .offset = RX_HEADER + before,
	};
	if (i + 1 < jumbo.packets)
		d.len = RX_JUMBO_DATA;
	else if (before < rest)
		d.len = rest - before;
	if (i == 0) {
		d.flags = h->flags;
		d.spare = h->spare;
		d.flags_known = true;
	} else if (i < jumbo.packets && cap >= d.offset && udp_len >= d.offset) {
		const uint8_t *s = bytes + d.offset - RX_JUMBO_HEADER;
		d.flags = s[0];
		d.spare = (uint16_t)(s[2] << 8 | s[3]);
		d.flags_known = true;
	}
	return d;
}
