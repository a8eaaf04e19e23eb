/* ATM: RFC 1483/2684 and 1577 frames without their cells, SunATM's pseudo
 * header, LAN emulation. */
#include "netprobe/decode/packet_internal.h"

#include <string.h>

#define LANE_CONTROL 0xff00u

/* A VC that carries one protocol only has no header to tell which (RFC 2684
 * section 6): LLC, IP, PPP and bridged Ethernet are told by how they begin. */
enum packet_verdict packet_rfc1483(struct walk *w)
{
	const uint8_t *at = walk_peek(w, 3);
	if (!at)
		return walk_stop(w);
	if (at[0] == at[1] && at[2] == 0x03 &&
	    (at[0] == 0xaa || at[0] == 0xfe || at[0] == 0x06))
		return packet_llc(w);
	unsigned nibble = at[0] >> 4;
	if (nibble == 4 || nibble == 6)
		return packet_ip(w);
	if ((at[0] == 0xff && at[1] == 0x03) ||
	    (at[0] == 0 && (at[1] == 0x21 || at[1] == 0x57)))
		return packet_ppp(w);
	if (at[0] != 0 || at[1] != 0 || w->c.wire < 16)
		return PACKET_NOT_IP;
	at = walk_peek(w, 16);
	if (!at)
		return walk_stop(w);
	if (!packet_looks_ethernet(at + 2))
		return PACKET_NOT_IP;
	cursor_skip(&w->c, 2);
	return packet_ethernet(w);
}

/* RFC 1577 asks for LLC/SNAP; Linux' clip captures IP without it, too. */
enum packet_verdict packet_atm_clip(struct walk *w)
{
	static const uint8_t routed[6] = {0xaa, 0xaa, 0x03, 0, 0, 0};
	const uint8_t *at = walk_peek(w, sizeof routed);
	if (!at)
		return walk_stop(w);
	return memcmp(at, routed, sizeof routed) == 0 ? packet_llc(w) : packet_ip(w);
}

enum packet_verdict packet_lane(struct walk *w)
{
	const uint8_t *at = walk_layer(w, LAYER_LANE, 2);
	if (!at)
		return walk_stop(w);
	return be16(at) == LANE_CONTROL ? PACKET_NOT_IP : packet_ethernet(w);
}

enum sunatm_type { SUNATM_RAW = 0, SUNATM_LANE = 1, SUNATM_LLC = 2 };
#define SUNATM_FROM_HOST 0x80u

enum packet_verdict packet_sunatm(struct walk *w)
{
	const uint8_t *at = walk_layer(w, LAYER_SUNATM, 4);
	if (!at)
		return walk_stop(w);
	w->p->direction = at[0] & SUNATM_FROM_HOST ? DIR_OUT : DIR_IN;
	w->p->vci = (uint32_t)at[1] << 16 | be16(at + 2);
	switch (at[0] & 0x0f) {
	case SUNATM_LANE:
		return packet_lane(w);
	case SUNATM_LLC:
		return packet_llc(w);
	case SUNATM_RAW:
		return packet_rfc1483(w);
	default: /* MARS, IFMP, ILMI, signalling */
		return PACKET_NOT_IP;
	}
}
