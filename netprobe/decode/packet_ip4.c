/* IPv4 (RFC 791), and IP of the version that its first nibble tells. */
#include "netprobe/decode/packet_internal.h"

#define IP4_HEADER 20u
#define IP4_DF 0x4000u
#define IP4_MF 0x2000u
#define IP4_OFFSET 0x1fffu

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
	if (total > w->c.wire || total < header)
		return PACKET_SHORT;

	/* Options that were not captured hide nothing that is needed here. */
	cursor_limit(&w->c, total);
	uint32_t captured = (uint32_t)(w->c.left < header ? w->c.left : header);
	w->c.at += captured;
	w->c.left -= captured;
	w->c.wire -= header;

	struct packet *p = w->p;
	unsigned cut = be16(at + 6);
	p->src = addr_from_v4(at + 12);
	p->dst = addr_from_v4(at + 16);
	p->payload = w->c.at;
	p->payload_cap = (uint32_t)w->c.left;
	p->payload_len = total - header;
	p->ip_len = total;
	p->frag_id = be16(at + 4);
	p->frag_offset = (cut & IP4_OFFSET) * 8;
	p->header_len = (uint16_t)header;
	p->family = 4;
	p->proto = at[9];
	p->ttl = at[8];
	p->tos = at[1];
	p->df = cut & IP4_DF;
	p->more = cut & IP4_MF;
	p->fragment = cut & (IP4_MF | IP4_OFFSET);
	p->atomic = false;
	p->no_length = no_length;
	if (!packet_place(w, at))
		return PACKET_UNSUPPORTED;
	return packet_upper(w);
}
