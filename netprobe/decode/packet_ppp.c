/* PPP (RFC 1661, 1662), Cisco HDLC (RFC 1547 4.3.1) and PPPoE (RFC 2516). */
#include "netprobe/decode/packet_internal.h"

static enum packet_verdict by_protocol(struct walk *w, unsigned protocol)
{
	switch (protocol) {
	case 0x0021:
		return packet_ip4(w);
	case 0x0057:
		return packet_ip6(w);
	case 0x0281:
	case 0x0283:
		return packet_mpls(w);
	case 0x002d: /* Van Jacobson, compressed and not */
	case 0x002f:
	case 0x003d: /* multilink */
	case 0x0053: /* encryption */
	case 0x00fb: /* compression, of one link and of the bundle */
	case 0x00fd:
		return PACKET_UNSUPPORTED;
	default:
		return PACKET_NOT_IP;
	}
}

/* The protocol field is one byte long where that byte is odd (RFC 1661 6.5). */
static enum packet_verdict protocol_field(struct walk *w, size_t before)
{
	const uint8_t *at = walk_peek(w, before + 1);
	if (!at)
		return walk_stop(w);
	bool one_byte = at[before] & 1;
	at = walk_layer(w, LAYER_PPP, before + (one_byte ? 1 : 2));
	if (!at)
		return walk_stop(w);
	return by_protocol(w, one_byte ? at[before] : be16(at + before));
}

/* With or without address and control field.  0xff begins no protocol that
 * fits in one byte. */
enum packet_verdict packet_ppp(struct walk *w)
{
	const uint8_t *at = walk_peek(w, 2);
	if (!at)
		return walk_stop(w);
	return protocol_field(w, at[0] == 0xff && at[1] == 0x03 ? 2 : 0);
}

enum packet_verdict packet_ppp_hdlc(struct walk *w)
{
	const uint8_t *at = walk_peek(w, 2);
	if (!at)
		return walk_stop(w);
	if ((at[0] != 0x0f && at[0] != 0x8f) || at[1] != 0)
		return packet_ppp(w);
	at = walk_layer(w, LAYER_PPP, 4);
	if (!at)
		return walk_stop(w);
	return packet_ethertype(w, be16(at + 2));
}

enum packet_verdict packet_pppoe(struct walk *w)
{
	const uint8_t *at = walk_layer(w, LAYER_PPPOE, 6);
	if (!at)
		return walk_stop(w);
	if (at[0] != 0x11)
		return PACKET_BAD;
	if (at[1] != 0) /* discovery */
		return PACKET_NOT_IP;
	cursor_limit(&w->c, be16(at + 4));
	return cursor_ok(&w->c) ? protocol_field(w, 0) : walk_stop(w);
}
