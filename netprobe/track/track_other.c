/* What is no Rx flow: TCP, other UDP, fragments and ICMP errors by pair of hosts;
 * and Rx on ports that are not AFS's. */
#include "netprobe/track/track_internal.h"

#define PAIRS_MAX (1u << 14)
#define CANDIDATES_MAX (1u << 12)

enum { UDP_HEADER = 8, MIN_ETHERNET_PAYLOAD = 46, ETHERNET_FCS = 4 };

int track_other_init(struct track *t)
{
	if (pairs_init(&t->pairs, PAIRS_MAX) != 0)
		return -1;
	t->icmp_errors = icmp_errors_new();
	t->candidates = table_new(sizeof(struct candidate_key),
	                          sizeof(struct candidate), CANDIDATES_MAX, NULL, NULL);
	return t->icmp_errors && t->candidates ? 0 : -1;
}

void track_other_free(struct track *t)
{
	pairs_free(&t->pairs);
	table_free(t->icmp_errors);
	table_free(t->candidates);
}

static struct pair *pair_of(struct track *t, const struct addr *src,
                            const struct addr *dst, uint32_t iface)
{
	struct pair_key k = {*src, *dst, iface};
	struct pair *p = pairs_at(&t->pairs, &k);
	if (!p)
		t->starved = true;
	return p;
}

static void note_seen(struct pair *p, const struct frame *f)
{
	if (!p->first_frame) {
		p->first_frame = f->number;
		p->first_ns = p->last_ns = f->time_ns;
	}
	if (f->time_ns < p->first_ns)
		p->first_ns = f->time_ns;
	if (f->time_ns > p->last_ns)
		p->last_ns = f->time_ns;
}

static void count(struct track *t, struct pair *p, enum pair_kind kind,
                  const struct packet *packet)
{
	note_seen(p, t->now.frame);
	pair_add_packet(&t->pairs, p, kind, packet, t->now.super);
}

static void take_syn(struct track *t, struct pair *p, const struct tcp_header *h)
{
	if (!h->has_mss) {
		p->mss.syns_without += !h->cut;
		return;
	}
	pair_mss_add(&p->mss, h->mss);
	struct pair *back = pair_of(t, &p->key.dst, &p->key.src, p->key.iface);
	if (back)
		pair_mss_add(&back->peer_mss, h->mss);
}

/* Segment size on the wire: what was announced, else what the link carries. */
static uint32_t segment_of(const struct pair *p, const struct packet *packet,
                           const struct tcp_header *h, uint32_t mtu)
{
	uint32_t headers = tcp_headers(packet->family), options = h->len - 20;
	uint32_t mss = pair_segment(p);
	if (!mss && mtu > headers)
		mss = mtu - headers;
	return mss > options ? mss - options : 0;
}

void track_tcp(struct track *t, const struct packet *packet)
{
	struct pair *p = pair_of(t, &packet->src, &packet->dst, t->now.frame->iface);
	struct tcp_header h;
	if (!p)
		return;
	if (!tcp_header_decode(packet, &h)) {
		count(t, p, PAIR_TCP, packet);
		p->kind[PAIR_TCP].super_unknown += t->now.super;
		return;
	}
	t->now.super = t->now.super || tcp_is_super(p, packet, &h);
	count(t, p, PAIR_TCP, packet);
	if (t->now.super)
		pair_add_super(&p->kind[PAIR_TCP], h.payload,
		               segment_of(p, packet, &h, t->now.mtu));
	if (h.syn)
		take_syn(t, p, &h);
}

void track_tcp_first(struct track *t, const struct packet *packet)
{
	struct tcp_header h;
	if (!tcp_header_decode(packet, &h) || !h.syn)
		return;
	struct pair *p = pair_of(t, &packet->src, &packet->dst, t->now.frame->iface);
	if (p)
		take_syn(t, p, &h);
}

void track_other(struct track *t, const struct packet *packet)
{
	struct pair *p = pair_of(t, &packet->src, &packet->dst, t->now.frame->iface);
	if (!p)
		return;
	enum pair_kind kind = packet->proto == 17 ? PAIR_UDP : PAIR_OTHER;
	count(t, p, kind, packet);
	if (!t->now.super)
		return;
	uint32_t headers = packet->header_len + (kind == PAIR_UDP ? UDP_HEADER : 0u);
	uint32_t room = t->now.mtu > headers ? t->now.mtu - headers : 0;
	pair_add_super(&p->kind[kind], packet->payload_len, room);
}

void track_icmp_error(struct track *t, const struct packet *p, const struct icmp *m)
{
	if (!icmp_errors_add(t->icmp_errors, p, m, t->now.frame))
		t->starved = true;
}

void track_pair_train(struct track *t, const struct fragment_train *train,
                      enum fragment_end how, uint32_t udp_len, bool is_rx)
{
	struct pair *p = pair_of(t, &train->src, &train->dst, train->iface);
	if (!p)
		return;
	if (!p->first_frame || train->first_ns < p->first_ns)
		p->first_ns = train->first_ns;
	if (!p->first_frame)
		p->first_frame = train->first_frame;
	if (train->last_ns > p->last_ns)
		p->last_ns = train->last_ns;
	pair_add_train(p, train, how);
	if (udp_len > p->fragments.udp_max)
		p->fragments.udp_max = udp_len;
	if (!is_rx)
		return;
	p->fragments.rx_pieces += train->pieces;
	p->fragments.rx_ip_bytes += train->ip_bytes;
}

/* Short packets are filled up to what Ethernet carries at least; a captured frame
 * check sequence is nothing strange either. */
void track_trailing(struct iface_stats *i, const struct packet *p)
{
	uint32_t filled =
	        p->ip_len < MIN_ETHERNET_PAYLOAD ? MIN_ETHERNET_PAYLOAD - p->ip_len : 0;
	if (p->trailing <= filled + ETHERNET_FCS)
		return;
	i->trailing_frames++;
	i->trailing_bytes += p->trailing - filled;
}

bool track_rx_elsewhere(struct track *t, const struct packet *p)
{
	uint32_t udp = be16(p->payload + 4);
	if (udp < UDP_HEADER || (!p->fragment && udp > p->payload_len))
		return false;
	const uint8_t *rx = p->payload + UDP_HEADER;
	size_t cap = p->payload_cap - UDP_HEADER, len = udp - UDP_HEADER;
	if (cap > len)
		cap = len;
	struct rx_header h;
	if (rx_header_decode(rx, cap, len, &h) != RX_OK || candidate_refuses(rx, cap))
		return false;
	bool from_high, made;
	struct candidate_key k = candidate_key_of(&p->src, be16(p->payload), &p->dst,
	                                          be16(p->payload + 2), &from_high);
	struct candidate *c = table_get(t->candidates, &k, &made);
	if (!c) {
		t->starved = true;
		return false;
	}
	if (!candidate_take(c, from_high, &h, rx, cap, len))
		return false;
	t->now.stats->rx_elsewhere++;
	return true;
}

const struct pair *track_pair_next(const struct track *t, const struct pair *p)
{
	return table_next(t->pairs.table, p);
}

const struct pair *track_pair_find(const struct track *t, const struct pair_key *k)
{
	return table_find(t->pairs.table, k);
}

size_t track_pair_count(const struct track *t)
{
	return table_count(t->pairs.table);
}

struct track_pairs_gone track_pairs_gone(const struct track *t)
{
	return (struct track_pairs_gone){table_evicted(t->pairs.table),
	                                 t->pairs.gone_packets, t->pairs.gone_ip_bytes};
}

const struct icmp_error *track_icmp_error_next(const struct track *t,
                                               const struct icmp_error *e)
{
	return table_next(t->icmp_errors, e);
}

uint64_t track_icmp_errors_evicted(const struct track *t)
{
	return table_evicted(t->icmp_errors);
}
