#include "tests/support/pkt_build.h"

#include "src/base/cursor.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IP4_MF 0x2000u
#define IP4_DF 0x4000u

static void fail(const char *what)
{
	fprintf(stderr, "pkt_build: %s\n", what);
	abort();
}

static uint8_t *grow(struct pkt *p, size_t n)
{
	if (n > PKT_BYTES - p->len)
		fail("frame too large");
	uint8_t *at = p->bytes + p->len;
	p->len += n;
	return at;
}

static void put16(uint8_t *at, size_t v)
{
	at[0] = (uint8_t)(v >> 8);
	at[1] = (uint8_t)v;
}

static void open_layer(struct pkt *p, enum pkt_layer kind, bool keep_length)
{
	if (p->open == PKT_OPEN)
		fail("too many layers");
	p->layer[p->open].kind = kind;
	p->layer[p->open].keep_length = keep_length;
	p->layer[p->open++].at = p->len;
}

void pkt_begin(struct pkt *p)
{
	p->len = p->ip_at = 0;
	p->open = 0;
}

static uint16_t checksum(const uint8_t *at, size_t n)
{
	uint32_t sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += (uint32_t)at[i] << (i % 2 ? 0 : 8);
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}

static void ip4_checksum(uint8_t *at)
{
	put16(at + 10, 0);
	put16(at + 10, checksum(at, (at[0] & 15u) * 4u));
}

/* Inner layers first: an outer checksum covers them. */
void pkt_end(struct pkt *p)
{
	while (p->open > 0) {
		p->open--;
		uint8_t *at = p->bytes + p->layer[p->open].at;
		size_t n = p->len - p->layer[p->open].at;
		bool keep = p->layer[p->open].keep_length;
		switch (p->layer[p->open].kind) {
		case PKT_IP4:
			if (!keep)
				put16(at + 2, n);
			ip4_checksum(at);
			break;
		case PKT_IP6:
			if (!keep)
				put16(at + 4, n - 40);
			break;
		case PKT_UDP:
			if (!keep)
				put16(at + 4, n);
			break;
		case PKT_ICMP:
			put16(at + 2, checksum(at, n));
			break;
		case PKT_LENGTH16:
			put16(at, n - 2);
			break;
		}
	}
}

void pkt_u8(struct pkt *p, unsigned v)
{
	*grow(p, 1) = (uint8_t)v;
}

void pkt_u16(struct pkt *p, unsigned v)
{
	put16(grow(p, 2), v);
}

void pkt_u32(struct pkt *p, uint32_t v)
{
	pkt_u16(p, v >> 16);
	pkt_u16(p, v & 0xffff);
}

void pkt_bytes(struct pkt *p, const void *bytes, size_t n)
{
	memcpy(grow(p, n), bytes, n);
}

void pkt_zero(struct pkt *p, size_t n)
{
	memset(grow(p, n), 0, n);
}

void pkt_fill(struct pkt *p, size_t n)
{
	uint8_t *at = grow(p, n);
	for (size_t i = 0; i < n; i++)
		at[i] = (uint8_t)i;
}

static void mac_pair(struct pkt *p)
{
	static const uint8_t mac[12] = {2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1};
	pkt_bytes(p, mac, sizeof mac);
}

void pkt_ethernet(struct pkt *p, unsigned type)
{
	mac_pair(p);
	pkt_u16(p, type);
}

void pkt_ethernet_llc(struct pkt *p, unsigned type)
{
	mac_pair(p);
	open_layer(p, PKT_LENGTH16, false);
	pkt_u16(p, 0);
	pkt_llc_snap(p, type);
}

void pkt_vlan(struct pkt *p, unsigned vid, unsigned type)
{
	pkt_u16(p, vid);
	pkt_u16(p, type);
}

void pkt_llc_snap(struct pkt *p, unsigned type)
{
	static const uint8_t llc[6] = {0xaa, 0xaa, 0x03, 0, 0, 0};
	pkt_bytes(p, llc, sizeof llc);
	pkt_u16(p, type);
}

void pkt_sll(struct pkt *p, unsigned packet_type, unsigned type)
{
	pkt_u16(p, packet_type);
	pkt_u16(p, 1); /* ARPHRD_ETHER */
	pkt_u16(p, 6);
	pkt_zero(p, 8);
	pkt_u16(p, type);
}

void pkt_sll2(struct pkt *p, uint32_t ifindex, unsigned packet_type, unsigned type)
{
	pkt_u16(p, type);
	pkt_u16(p, 0);
	pkt_u32(p, ifindex);
	pkt_u16(p, 1); /* ARPHRD_ETHER */
	pkt_u8(p, packet_type);
	pkt_u8(p, 6);
	pkt_zero(p, 8);
}

void pkt_mpls(struct pkt *p, uint32_t label, bool bottom)
{
	pkt_u32(p, label << 12 | (bottom ? 0x100u : 0u) | 64u);
}

void pkt_pppoe(struct pkt *p, unsigned ppp_protocol)
{
	pkt_u8(p, 0x11);
	pkt_u8(p, 0);
	pkt_u16(p, 1); /* session */
	open_layer(p, PKT_LENGTH16, false);
	pkt_u16(p, 0);
	pkt_u16(p, ppp_protocol);
}

static void put_address(struct pkt *p, int family, const char *text,
                        const char *otherwise)
{
	size_t n = family == AF_INET ? 4 : 16;
	if (inet_pton(family, text ? text : otherwise, grow(p, n)) != 1)
		fail("bad address");
}

void pkt_ip4(struct pkt *p, const struct pkt_ip4 *ip)
{
	if (ip->offset % 8 || ip->offset > 0x1fffu * 8u || ip->options % 4 ||
	    ip->options > 40)
		fail("bad IPv4 field");
	p->ip_at = p->len;
	open_layer(p, PKT_IP4, ip->total_len != 0);
	pkt_u8(p, 0x45u + ip->options / 4u);
	pkt_u8(p, ip->tos);
	pkt_u16(p, ip->total_len > 0 ? (unsigned)ip->total_len : 0);
	pkt_u16(p, ip->id);
	pkt_u16(p, ip->offset / 8 | (ip->more ? IP4_MF : 0) | (ip->df ? IP4_DF : 0));
	pkt_u8(p, ip->ttl ? ip->ttl : 64);
	pkt_u8(p, ip->proto ? ip->proto : PKT_PROTO_UDP);
	pkt_u16(p, 0);
	put_address(p, AF_INET, ip->src, "10.0.0.1");
	put_address(p, AF_INET, ip->dst, "10.0.0.2");
	memset(grow(p, ip->options), 1, ip->options);
}

void pkt_ip6(struct pkt *p, const struct pkt_ip6 *ip)
{
	p->ip_at = p->len;
	open_layer(p, PKT_IP6, ip->payload_len != 0);
	pkt_u32(p, 0x60000000u | (uint32_t)ip->traffic_class << 20);
	pkt_u16(p, ip->payload_len > 0 ? (unsigned)ip->payload_len : 0);
	pkt_u8(p, ip->next || ip->hop_by_hop ? ip->next : PKT_PROTO_UDP);
	pkt_u8(p, ip->hop_limit ? ip->hop_limit : 64);
	put_address(p, AF_INET6, ip->src, "fd00::1");
	put_address(p, AF_INET6, ip->dst, "fd00::2");
}

void pkt_ip6_fragment(struct pkt *p, unsigned next, uint32_t offset, bool more,
                      uint32_t id)
{
	if (offset % 8 || offset > 0x1fffu * 8u)
		fail("bad fragment offset");
	pkt_u8(p, next);
	pkt_u8(p, 0);
	pkt_u16(p, offset | (more ? 1u : 0u));
	pkt_u32(p, id);
}

void pkt_udp(struct pkt *p, unsigned sport, unsigned dport)
{
	open_layer(p, PKT_UDP, false);
	pkt_u16(p, sport);
	pkt_u16(p, dport);
	pkt_u32(p, 0);
}

void pkt_udp_of(struct pkt *p, unsigned sport, unsigned dport, size_t payload_len)
{
	pkt_u16(p, sport);
	pkt_u16(p, dport);
	pkt_u16(p, (unsigned)(payload_len + 8));
	pkt_u16(p, 0);
}

void pkt_tcp(struct pkt *p, const struct pkt_tcp *t)
{
	unsigned options = (t->mss ? 4u : 0u) + (t->timestamps ? 12u : 0u);
	pkt_u16(p, t->sport);
	pkt_u16(p, t->dport);
	pkt_u32(p, t->seq);
	pkt_u32(p, 0);
	pkt_u8(p, (5 + options / 4) << 4);
	pkt_u8(p, (t->syn ? 2u : 0u) | (t->ack ? 16u : 0u));
	pkt_u16(p, 65535);
	pkt_u32(p, 0);
	if (t->mss) {
		pkt_u16(p, 0x0204);
		pkt_u16(p, t->mss);
	}
	if (t->timestamps) {
		pkt_u32(p, 0x0101080a);
		pkt_zero(p, 8);
	}
}

void pkt_icmp(struct pkt *p, unsigned type, unsigned code, uint32_t rest)
{
	open_layer(p, PKT_ICMP, true);
	pkt_u8(p, type);
	pkt_u8(p, code);
	pkt_u16(p, 0);
	pkt_u32(p, rest);
}

void pkt_quote(struct pkt *p, const struct pkt *quoted, size_t n)
{
	size_t there = quoted->len - quoted->ip_at;
	pkt_bytes(p, quoted->bytes + quoted->ip_at, n < there ? n : there);
}

void pkt_rx(struct pkt *p, const struct rx_header *h)
{
	pkt_u32(p, h->epoch);
	pkt_u32(p, h->cid);
	pkt_u32(p, h->call);
	pkt_u32(p, h->seq);
	pkt_u32(p, h->serial);
	pkt_u8(p, h->type);
	pkt_u8(p, h->flags);
	pkt_u8(p, h->user_status);
	pkt_u8(p, h->security);
	pkt_u16(p, h->spare);
	pkt_u16(p, h->service);
}

void pkt_rx_jumbo(struct pkt *p, unsigned flags, unsigned spare)
{
	pkt_u8(p, flags);
	pkt_u8(p, 0);
	pkt_u16(p, spare);
}

void pkt_rx_ack(struct pkt *p, const struct rx_ack *a)
{
	pkt_u16(p, a->buffers);
	pkt_u16(p, a->skew);
	pkt_u32(p, a->first);
	pkt_u32(p, a->previous);
	pkt_u32(p, a->serial);
	pkt_u8(p, a->reason);
	pkt_u8(p, a->n);
	if (a->acks)
		pkt_bytes(p, a->acks, a->n);
	else
		memset(grow(p, a->n), 1, a->n);
	const uint32_t word[4] = {a->trailer.max_receive, a->trailer.interface,
	                          a->trailer.window, a->trailer.packets};
	if (a->trailer.words > 0)
		pkt_zero(p, 3);
	for (unsigned i = 0; i < a->trailer.words && i < 4; i++)
		pkt_u32(p, word[i]);
	pkt_zero(p, a->padding);
}

struct frame pkt_frame(const struct pkt *p, enum link_type link, int64_t time_ns,
                       uint64_t number)
{
	return (struct frame){.bytes = p->bytes,
	                      .caplen = (uint32_t)p->len,
	                      .wirelen = (uint32_t)p->len,
	                      .time_ns = time_ns,
	                      .number = number,
	                      .link_type = (uint16_t)link};
}

static void piece_v4(struct pkt *out, uint32_t offset, bool more)
{
	uint8_t *ip = out->bytes + out->ip_at;
	unsigned flags = be16(ip + 6);
	put16(ip + 2, out->len - out->ip_at);
	put16(ip + 6, (flags & IP4_DF) | (more || (flags & IP4_MF) ? IP4_MF : 0) |
	                      ((flags & 0x1fff) + offset / 8));
	ip4_checksum(ip);
}

bool pkt_piece(struct pkt *out, const struct pkt *whole, unsigned mtu, uint32_t id,
               unsigned i)
{
	const uint8_t *ip = whole->bytes + whole->ip_at;
	bool v4 = ip[0] >> 4 == 4;
	size_t header = v4 ? (ip[0] & 15u) * 4u : 40;
	size_t room = (mtu - header - (v4 ? 0 : 8)) & ~(size_t)7;
	size_t payload = whole->len - whole->ip_at - header;
	size_t offset = i * room;
	if (offset >= payload)
		return false;
	bool more = payload - offset > room;
	size_t n = more ? room : payload - offset;
	pkt_begin(out);
	pkt_bytes(out, whole->bytes, whole->ip_at + header);
	out->ip_at = whole->ip_at;
	if (!v4) {
		out->bytes[out->ip_at + 6] = PKT_PROTO_FRAGMENT;
		pkt_ip6_fragment(out, ip[6], (uint32_t)offset, more, id);
	}
	pkt_bytes(out, ip + header + offset, n);
	if (v4)
		piece_v4(out, (uint32_t)offset, more);
	else
		put16(out->bytes + out->ip_at + 4, out->len - out->ip_at - 40);
	return true;
}
