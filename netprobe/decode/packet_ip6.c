/* IPv6 and its extension headers (RFC 8200, 2675, 4302, 6275, 6946). */
#include "netprobe/decode/packet_internal.h"

#define IP6_HEADER 40u
#define IP6_CHAIN_BYTES 60000u /* header_len holds them */
#define OPTION_PAD1 0
#define OPTION_JUMBO 0xc2

/* The options of a hop-by-hop header of n bytes. */
static void jumbo_option(const uint8_t *at, size_t n, struct ip6_chain *chain)
{
	size_t i = 2;
	while (i + 1 < n) {
		if (at[i] == OPTION_PAD1) {
			i++;
			continue;
		}
		size_t length = at[i + 1];
		if (length > n - i - 2)
			return;
		if (at[i] == OPTION_JUMBO && length == 4) {
			chain->has_jumbo = true;
			chain->jumbo = be32(at + i + 2);
		}
		i += 2 + length;
	}
}

/* Bytes of the extension header at the cursor; 0 where there is none of that
 * kind or it is not there. */
static size_t header_length(const struct cursor *c, uint8_t kind)
{
	struct cursor look = *c;
	const uint8_t *at;
	switch (kind) {
	case PROTO_HOP_BY_HOP:
	case PROTO_ROUTING:
	case PROTO_DESTINATION:
	case PROTO_MOBILITY:
	case PROTO_HIP:
	case PROTO_SHIM6:
		at = cursor_take(&look, 2);
		return at ? (at[1] + 1u) * 8u : 2;
	case PROTO_AH:
		at = cursor_take(&look, 2);
		return at ? (at[1] + 2u) * 4u : 2;
	case PROTO_FRAGMENT:
		return 8;
	default:
		return 0;
	}
}

void ip6_chain_walk(struct cursor *c, uint8_t next, struct ip6_chain *chain)
{
	*chain = (struct ip6_chain){.proto = next};
	const uint8_t *start = c->at;
	for (;;) {
		uint8_t kind = chain->proto;
		size_t n = header_length(c, kind);
		if (n == 0)
			return;
		if (n > IP6_CHAIN_BYTES - (size_t)(c->at - start)) {
			chain->too_long = true;
			return;
		}
		const uint8_t *at = cursor_take(c, n);
		if (!at)
			return;
		chain->proto = at[0];
		if (kind == PROTO_HOP_BY_HOP)
			jumbo_option(at, n, chain);
		if (kind != PROTO_FRAGMENT)
			continue;
		unsigned cut = be16(at + 2);
		chain->has_fragment = true;
		chain->frag_offset = cut & 0xfff8u;
		chain->more = cut & 1;
		chain->frag_id = be32(at + 4);
		if (chain->frag_offset > 0 || chain->more)
			return;
	}
}

/* The frame claims to be whole, and no layer outside tells another end. */
static bool frame_may_be_cut(const struct walk *w)
{
	const struct frame *f = w->frame;
	return !w->p->tunnels && f->caplen == f->wirelen &&
	       (size_t)(w->c.at - f->bytes) + w->c.wire == f->wirelen;
}

/* Bytes behind the fixed header by its length field or the jumbo option.
 * Length 0 without that option is what offloading leaves (BIG TCP, GSO): then
 * the frame's end is the packet's.  Leaves the cursor behind the extension
 * headers, limited to the payload. */
static enum packet_verdict measure(struct walk *w, unsigned field, uint8_t next,
                                   struct ip6_chain *chain, uint32_t *body)
{
	uint32_t there = (uint32_t)w->c.wire;
	*body = field > 0 || next == PROTO_NONE ? field : there;
	if (*body > there) {
		if (!frame_may_be_cut(w))
			return PACKET_SHORT;
		w->p->cut = true;
		w->c.wire = *body;
	}
	cursor_limit(&w->c, *body);
	ip6_chain_walk(&w->c, next, chain);
	if (chain->too_long)
		return PACKET_UNSUPPORTED;
	if (!cursor_ok(&w->c))
		return w->p->cut ? PACKET_SHORT : walk_stop(w);
	if (!chain->has_jumbo)
		return PACKET_IP;
	if (field > 0 || chain->jumbo <= UINT16_MAX)
		return PACKET_BAD;
	if (chain->jumbo > there)
		return PACKET_SHORT;
	cursor_limit(&w->c, w->c.wire - (there - chain->jumbo));
	*body = chain->jumbo;
	return PACKET_IP;
}

/* IPv6 has no checksum that vouches for a length beyond the frame's end: what follows
 * the header has to agree with it. */
static bool length_is_confirmed(const struct packet *p)
{
	const uint8_t *at = p->payload;
	uint32_t cap = p->payload_cap, len = p->payload_len;
	if (p->more && len % 8 != 0)
		return false;
	if (p->frag_offset > 0)
		return true;
	switch (p->proto) {
	case PROTO_UDP:
		return cap >= 6 && (p->more ? be16(at + 4) > len : be16(at + 4) == len);
	case PROTO_TCP:
		return cap >= 13 && (at[12] & 0x0e) == 0 && at[12] >> 4 >= 5 &&
		       (at[12] >> 4) * 4u <= len;
	case PROTO_ICMP6: /* RFC 4443: errors, echo */
		return cap >= 1 &&
		       ((at[0] >= 1 && at[0] <= 4) || at[0] == 128 || at[0] == 129);
	default:
		return false;
	}
}

enum packet_verdict packet_ip6(struct walk *w)
{
	const uint8_t *at = walk_peek(w, IP6_HEADER);
	if (!at)
		return walk_stop(w);
	if (at[0] >> 4 != 6)
		return PACKET_BAD;
	cursor_skip(&w->c, IP6_HEADER);
	unsigned field = be16(at + 4);
	struct ip6_chain chain;
	uint32_t body;
	enum packet_verdict v = measure(w, field, at[6], &chain, &body);
	if (v != PACKET_IP)
		return v;

	struct packet *p = w->p;
	p->src = addr_from_v6(at + 8);
	p->dst = addr_from_v6(at + 24);
	p->payload = w->c.at;
	p->payload_cap = (uint32_t)w->c.left;
	p->payload_len = (uint32_t)w->c.wire;
	p->ip_len = IP6_HEADER + body;
	p->frag_id = chain.frag_id;
	p->frag_offset = chain.frag_offset;
	p->header_len = (uint16_t)(p->ip_len - p->payload_len);
	p->family = 6;
	p->proto = chain.proto;
	p->ttl = at[7];
	p->tos = (uint8_t)(be16(at) >> 4);
	p->df = true;
	p->more = chain.more;
	p->fragment = chain.frag_offset > 0 || chain.more;
	p->atomic = chain.has_fragment && !p->fragment;
	p->no_length = field == 0 && !chain.has_jumbo && at[6] != PROTO_NONE;
	if (p->cut && !length_is_confirmed(p))
		return PACKET_SHORT;
	if (!packet_place(w, at))
		return PACKET_UNSUPPORTED;
	return packet_upper(w);
}
