#include "netprobe/decode/packet.h"

#include "netprobe/decode/packet_internal.h"

static const struct {
	uint16_t link;
	layer_fn *decode;
} links[] = {
        {LINK_NULL, packet_null},
        {LINK_ETHERNET, packet_ethernet},
        {LINK_TOKEN_RING, packet_token_ring},
        {LINK_PPP, packet_ppp},
        {LINK_FDDI, packet_fddi},
        {LINK_PPP_HDLC, packet_ppp_hdlc},
        {LINK_PPP_ETHER, packet_pppoe},
        {LINK_ATM_RFC1483, packet_rfc1483},
        {LINK_RAW, packet_ip},
        {LINK_ATM_CLIP, packet_atm_clip},
        {LINK_LOOP, packet_null},
        {LINK_LANE8023, packet_lane},
        {LINK_LINUX_SLL, packet_sll},
        {LINK_SUNATM, packet_sunatm},
        {LINK_MPLS, packet_mpls},
        {LINK_IPV4, packet_ip4},
        {LINK_IPV6, packet_ip6},
        {LINK_IPOIB, packet_ipoib},
        {LINK_LINUX_SLL2, packet_sll2},
};

/* Nearly every frame is Ethernet with IPv4 without options, whole headers
 * captured, no tunnel: decoded in one step.  False leaves it to the walk. */
static inline bool decode_plain(const struct frame *f, struct packet *p)
{
	const uint32_t before = 14, least = before + IP4_HEADER + 8;
	const uint8_t *at = f->bytes + before;
	if (f->link_type != LINK_ETHERNET || f->caplen < least ||
	    f->wirelen < f->caplen || be16(at - 2) != ETHER_IP4 || at[0] != 0x45)
		return false;
	uint32_t total = be16(at + 2);
	if (total < IP4_HEADER || total > f->wirelen - before)
		return false;
	uint32_t left = f->caplen - before < total ? f->caplen - before : total;
	ip4_fields(p, at);
	p->payload = at + IP4_HEADER;
	p->payload_cap = left - IP4_HEADER;
	p->payload_len = total - IP4_HEADER;
	p->ip_len = total;
	p->trailing = f->wirelen - before - total;
	p->header_len = IP4_HEADER;
	p->link_len = (uint16_t)before;
	p->no_length = false;
	p->layers = 1;
	p->layer[0] = LAYER_ETHERNET;
	p->layer_len[0] = (uint16_t)before;
	return tunnel_check(p) == PACKET_IP;
}

enum packet_verdict packet_decode(const struct frame *f, struct packet *p)
{
	p->tunnels = 0;
	p->cut = false;
	p->iface_hint = 0;
	p->sll2_ifindex = 0;
	p->vci = 0;
	p->direction = DIR_UNKNOWN;
	if (decode_plain(f, p))
		return PACKET_IP;
	p->layers = 0;
	struct walk w = {
	        .c = cursor_init(f->bytes, f->caplen, f->wirelen), .frame = f, .p = p};
	for (size_t i = 0; i < sizeof links / sizeof *links; i++)
		if (links[i].link == f->link_type)
			return links[i].decode(&w);
	return PACKET_UNSUPPORTED;
}

bool packet_place(struct walk *w, const uint8_t *start)
{
	struct packet *p = w->p;
	size_t before = (size_t)(start - w->frame->bytes);
	if (before > UINT16_MAX)
		return false;
	p->link_len = (uint16_t)before;
	uint64_t end = (uint64_t)before + p->ip_len;
	p->trailing = w->frame->wirelen > end ? (uint32_t)(w->frame->wirelen - end) : 0;
	return true;
}

const char *packet_verdict_name(enum packet_verdict v)
{
	static const char *const names[PACKET_VERDICTS] = {
	        [PACKET_IP] = "ip",
	        [PACKET_NOT_IP] = "not ip",
	        [PACKET_UNSUPPORTED] = "unsupported",
	        [PACKET_SNAPPED] = "snapped",
	        [PACKET_SHORT] = "short",
	        [PACKET_BAD] = "bad",
	};
	return (unsigned)v < PACKET_VERDICTS ? names[v] : "?";
}

const char *layer_name(enum layer_kind k)
{
	static const char *const names[LAYER_KINDS] = {
	        [LAYER_NONE] = "none",
	        [LAYER_ETHERNET] = "ethernet",
	        [LAYER_VLAN] = "vlan",
	        [LAYER_LLC_SNAP] = "llc",
	        [LAYER_TOKEN_RING] = "token-ring",
	        [LAYER_FDDI] = "fddi",
	        [LAYER_NULL] = "null",
	        [LAYER_SLL] = "sll",
	        [LAYER_SLL2] = "sll2",
	        [LAYER_PPP] = "ppp",
	        [LAYER_PPPOE] = "pppoe",
	        [LAYER_MPLS] = "mpls",
	        [LAYER_IPOIB] = "ipoib",
	        [LAYER_SUNATM] = "sunatm",
	        [LAYER_LANE] = "lane",
	        [LAYER_IPV4] = "ipv4",
	        [LAYER_IPV6] = "ipv6",
	        [LAYER_GRE] = "gre",
	        [LAYER_UDP] = "udp",
	        [LAYER_VXLAN] = "vxlan",
	        [LAYER_GENEVE] = "geneve",
	};
	return (unsigned)k < LAYER_KINDS ? names[k] : "?";
}
