/* IPv4 (RFC 791), and IP of the version that its first nibble tells. */
#include "netprobe/decode/packet_internal.h"

enum packet_verdict packet_ip(struct walk *w)
{
	const uint8_t *at = walk_peek(w, 1);
	if (!at)
		return walk_stop(w);
	switch (at[0] >> 4) {
	case 4:
		return packet_ip4(w);
	case 6:
		return packet_ip6(w);
	default:
		return PACKET_BAD;
	}
}

/* RFC 1071, over the header. */
static bool checksum_is_right(const uint8_t *at, uint32_t header)
{
	uint32_t sum = 0;
	for (uint32_t i = 0; i < header; i += 2)
		sum += be16(at + i);
	sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)(sum + (sum >> 16)) == 0xffff;
}

enum packet_verdict packet_ip4(struct walk *w)
{
	const uint8_t *at = walk_peek(w, IP4_HEADER);
	if (!at)
		return walk_stop(w);
	uint32_t header = (at[0] & 15u) * 4u;
	uint32_t total = be16(at + 2);
	if (at[0] >> 4 != 4 || header < IP4_HEADER || (total > 0 && total < header))
		return PACKET_BAD;
	bool no_length = total == 0;
	if (no_length)
		total = (uint32_t)w->c.wire;
	if (total < header)
		return PACKET_SHORT;
	if (total > w->c.wire) {
		if (w->p->tunnels || w->c.left < header ||
		    !checksum_is_right(at, header))
			return PACKET_SHORT;
		w->p->cut = true;
		w->c.wire = total;
	}

	/* Options that were not captured hide nothing that is needed here. */
	cursor_limit(&w->c, total);
	uint32_t captured = (uint32_t)(w->c.left < header ? w->c.left : header);
	w->c.at += captured;
	w->c.left -= captured;
	w->c.wire -= header;

	struct packet *p = w->p;
	ip4_fields(p, at);
	p->payload = w->c.at;
	p->payload_cap = (uint32_t)w->c.left;
	p->payload_len = total - header;
	p->ip_len = total;
	p->header_len = (uint16_t)header;
	p->no_length = no_length;
	if (!packet_place(w, at))
		return PACKET_UNSUPPORTED;
	return packet_upper(w);
}
