/* MPLS label stacks (RFC 3032).  Nothing in them tells what they carry, so it
 * is guessed: IP by its first nibble (RFC 4928), else an Ethernet pseudowire
 * (RFC 4448) with or without a control word. */
#include "netprobe/decode/packet_internal.h"

#define LABEL_BOTTOM 0x100u
#define PSEUDOWIRE 18u /* control word and Ethernet header */

/* A MAC address may begin with 4 or 6, too; but then what stands in the place
 * of the IP length hardly fits the frame, padding and checksum allowed for. */
static bool plausible_ip(const struct walk *w, const uint8_t *at)
{
	bool v6 = at[0] >> 4 == 6;
	size_t length = v6 ? 40u + be16(at + 4) : be16(at + 2);
	if ((!v6 && (at[0] & 15) < 5) || length > w->c.wire)
		return false;
	return w->c.wire - length <= 4 || w->c.wire <= 64;
}

static enum packet_verdict pseudowire(struct walk *w)
{
	if (w->c.wire < PSEUDOWIRE)
		return PACKET_NOT_IP;
	const uint8_t *at = walk_peek(w, PSEUDOWIRE);
	if (!at)
		return walk_stop(w);
	unsigned nibble = at[0] >> 4;
	if (nibble == 4 || nibble == 6) {
		if (plausible_ip(w, at) || !packet_looks_ethernet(at))
			return packet_ip(w);
		return packet_ethernet(w);
	}
	if (packet_looks_ethernet(at))
		return packet_ethernet(w);
	if (nibble == 1 && !packet_looks_ethernet(at + 4)) /* associated channel */
		return PACKET_NOT_IP;
	if (nibble != 0)
		return packet_ethernet(w);
	w->p->layer_len[w->p->layers - 1] +=
	        4; /* the control word belongs to the stack */
	cursor_skip(&w->c, 4);
	return packet_ethernet(w);
}

enum packet_verdict packet_mpls(struct walk *w)
{
	const uint8_t *at;
	do {
		at = walk_layer(w, LAYER_MPLS, 4);
		if (!at)
			return walk_stop(w);
	} while (!(be32(at) & LABEL_BOTTOM));
	return pseudowire(w);
}
