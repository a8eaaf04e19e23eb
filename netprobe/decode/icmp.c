/* ICMP (RFC 792, 1191, 4884) and ICMPv6 (RFC 4443) errors. */
#include "netprobe/decode/packet_internal.h"

#include <string.h>

#define ICMP_HEADER 8u

enum {
	UNREACHABLE = 3,
	TOO_BIG_CODE = 4,
	QUENCH = 4,
	REDIRECT = 5,
	EXCEEDED = 11,
	PARAMETER = 12
};
enum { V6_UNREACHABLE = 1, V6_TOO_BIG = 2, V6_EXCEEDED = 3, V6_PARAMETER = 4 };

static bool is_error(bool v6, unsigned type)
{
	if (v6)
		return type >= V6_UNREACHABLE && type <= V6_PARAMETER;
	return type == UNREACHABLE || type == QUENCH || type == REDIRECT ||
	       type == EXCEEDED || type == PARAMETER;
}

/* RFC 4884: a length in the header parts the quoted packet from extensions
 * behind it.  Counted in 4 bytes for ICMP, in 8 for ICMPv6; 0 = no extensions. */
static size_t quoted_length(bool v6, const uint8_t *at)
{
	if (v6)
		return at[0] == V6_UNREACHABLE || at[0] == V6_EXCEEDED ? at[4] * 8u : 0;
	return at[0] == UNREACHABLE || at[0] == EXCEEDED || at[0] == PARAMETER
	               ? at[5] * 4u
	               : 0;
}

static bool proto_has_ports(uint8_t proto)
{
	return proto == PROTO_UDP || proto == PROTO_TCP || proto == PROTO_SCTP ||
	       proto == PROTO_DCCP || proto == PROTO_UDPLITE;
}

/* The cursor stands at the quoted packet's payload; most of it is not there. */
static void quote_payload(struct cursor *c, uint32_t payload_len, uint32_t offset,
                          struct icmp *out)
{
	out->payload = c->at;
	out->payload_cap = (uint32_t)(c->left < payload_len ? c->left : payload_len);
	if (offset > 0 || !proto_has_ports(out->proto) || out->payload_cap < 4)
		return;
	out->has_ports = true;
	out->sport = be16(c->at);
	out->dport = be16(c->at + 2);
}

static void quote_ip4(struct cursor *c, struct icmp *out)
{
	struct cursor look = *c;
	const uint8_t *at = cursor_take(&look, 20);
	if (!at || at[0] >> 4 != 4 || (at[0] & 15) < 5)
		return;
	uint32_t header = (at[0] & 15u) * 4u;
	out->quotes = true;
	out->src = addr_from_v4(at + 12);
	out->dst = addr_from_v4(at + 16);
	out->proto = at[9];
	out->ip_len = be16(at + 2);
	out->df = at[6] & 0x40;
	cursor_skip(c, header);
	if (cursor_ok(c))
		quote_payload(c, out->ip_len > header ? out->ip_len - header : 0,
		              be16(at + 6) & 0x1fffu, out);
}

static void quote_ip6(struct cursor *c, struct icmp *out)
{
	const uint8_t *at = cursor_take(c, 40);
	if (!at || at[0] >> 4 != 6)
		return;
	out->quotes = true;
	out->src = addr_from_v6(at + 8);
	out->dst = addr_from_v6(at + 24);
	out->ip_len = 40u + be16(at + 4);
	out->df = true;
	const uint8_t *body = c->at;
	struct ip6_chain chain;
	ip6_chain_walk(c, at[6], &chain);
	out->proto = chain.proto;
	if (chain.has_jumbo)
		out->ip_len =
		        chain.jumbo <= UINT32_MAX - 40 ? 40 + chain.jumbo : UINT32_MAX;
	if (!cursor_ok(c) || chain.too_long)
		return;
	uint32_t before = 40u + (uint32_t)(c->at - body);
	quote_payload(c, out->ip_len > before ? out->ip_len - before : 0,
	              chain.frag_offset, out);
}

bool icmp_decode(const struct packet *p, struct icmp *out)
{
	memset(out, 0, sizeof *out);
	struct cursor c = cursor_init(p->payload, p->payload_cap, p->payload_len);
	const uint8_t *at = p->payload;
	if (p->frag_offset > 0 || c.left < 2)
		return false;
	bool v6 = p->proto == PROTO_ICMP6;
	out->type = at[0];
	out->code = at[1];
	out->error = is_error(v6, at[0]);
	out->too_big = v6 ? at[0] == V6_TOO_BIG
	                  : at[0] == UNREACHABLE && at[1] == TOO_BIG_CODE;
	cursor_skip(&c, ICMP_HEADER);
	if (!out->error || !cursor_ok(&c))
		return true;
	if (out->too_big)
		out->mtu = v6 ? be32(at + 4) : be16(at + 6);
	size_t quoted = quoted_length(v6, at);
	if (quoted > 0 && quoted < c.wire)
		cursor_limit(&c, quoted);
	if (v6)
		quote_ip6(&c, out);
	else
		quote_ip4(&c, out);
	return true;
}
