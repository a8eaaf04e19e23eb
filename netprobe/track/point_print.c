#include "netprobe/track/point_print.h"

#include "netprobe/track/pair.h"
#include "src/base/cursor.h"

enum { UDP_HEADER = 8, TCP_FIXED = 20, TCP_SYN = 0x02, TCP_RST = 0x04 };

/* The multiplier is 2^64 / golden ratio. */
static uint64_t mix(uint64_t h, uint64_t word)
{
	h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 29;
}

static uint64_t mix_bytes(uint64_t h, const uint8_t *at, size_t n)
{
	for (; n >= 8; n -= 8, at += 8) {
		uint64_t word;
		memcpy(&word, at, 8);
		h = mix(h, word);
	}
	uint64_t rest = 0;
	memcpy(&rest, at, n);
	return mix(h, rest ^ (uint64_t)n << 56);
}

/* Of what was captured behind the fixed header. */
static uint64_t content(struct point_print *m, const struct packet *p, uint32_t fixed,
                        uint32_t bytes)
{
	uint32_t there = p->payload_cap - fixed, len = p->payload_len - fixed;
	uint32_t use = there < bytes ? there : bytes;
	m->bytes = (uint8_t)use;
	m->snapped = use < bytes && (use < len || p->more);
	return mix_bytes(use, p->payload + fixed, use);
}

static bool udp_print(struct point_print *m, const struct packet *p, uint32_t bytes)
{
	if (p->payload_cap < UDP_HEADER)
		return false;
	/* 0: too long for the field (offload), so the packet's length counts */
	uint32_t udp = be16(p->payload + 4);
	if (udp == 0)
		udp = p->payload_len;
	if (udp < UDP_HEADER || (!p->fragment && udp > p->payload_len))
		return false;
	m->key.kind = POINT_UDP;
	m->len = udp - UDP_HEADER;
	m->header = UDP_HEADER;
	m->key.other.print = mix(content(m, p, UDP_HEADER, bytes), m->len);
	m->strong = m->bytes >= POINT_STRONG_BYTES;
	return true;
}

static bool tcp_print(struct point_print *m, const struct packet *p, uint32_t bytes)
{
	struct tcp_header h;
	if (!tcp_header_decode(p, &h))
		return false;
	uint8_t flags = p->payload[13] & (TCP_SYN | TCP_RST);
	m->key.kind = POINT_TCP;
	m->len = h.payload;
	m->header = (uint16_t)h.len;
	m->strong = true;
	uint64_t behind = h.syn ? 0 : content(m, p, TCP_FIXED, bytes);
	m->key.other.print = mix(mix_bytes(behind, p->payload + 4, 8), (uint64_t)flags);
	return true;
}

bool point_print_make(struct point_print *m, const struct packet *p, uint32_t bytes)
{
	memset(m, 0, sizeof *m);
	if (p->frag_offset > 0 ||
	    !(p->proto == 17 ? udp_print(m, p, bytes)
	                     : p->proto == 6 && tcp_print(m, p, bytes)))
		return false;
	/* an atomic fragment's id is no packet's but that of its header */
	uint32_t id = p->family == 4 || p->fragment ? p->frag_id : 0;
	m->has_id = id != 0;
	m->strong |= m->has_id;
	m->key.other.print = mix(m->key.other.print, id);
	uint64_t ends = mix_bytes(p->family, p->src.b, sizeof p->src.b);
	ends = mix_bytes(ends, p->dst.b, sizeof p->dst.b);
	ends = mix_bytes(ends, p->payload, 4);
	m->key.other.ends = ends ? ends : 1;
	return true;
}
