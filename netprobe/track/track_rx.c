/* UDP packets that carry Rx: which flow, which connection, what they count as. */
#include "netprobe/track/track_internal.h"

#define UDP_HEADER 8u

static struct flow *flow_of(struct track *t, const struct flow_key *k)
{
	bool made;
	struct flow *f = table_get(t->flows, k, &made);
	if (!f)
		t->starved = true;
	else if (made)
		f->first_frame = t->now.frame->number;
	return f;
}

/* The client's flag tells the way.  Only VERSION and DEBUG packets lie about
 * it: a keep-alive for NATs goes to the server without the flag
 * (rx.c rxi_NatKeepAliveEvent), so a flow that is known decides. */
static enum way way_of(const struct track *t, const struct rx_header *h,
                       const struct flow_key *to_server)
{
	if (h->flags & RX_CLIENT)
		return TO_SERVER;
	if ((h->type == RX_VERSION || h->type == RX_DEBUG) &&
	    table_find(t->flows, to_server))
		return TO_SERVER;
	return TO_CLIENT;
}

static struct flow_key key_of(const struct track *t, const struct packet *p,
                              uint16_t sport, uint16_t dport, enum way way)
{
	uint32_t iface = t->now.frame->iface;
	if (way == TO_SERVER)
		return (struct flow_key){p->src, p->dst, sport, dport, iface};
	return (struct flow_key){p->dst, p->src, dport, sport, iface};
}

/* Decodes an ack and counts what it announces; false where it is malformed. */
static bool take_ack(struct track *t, struct flow_side *s, const uint8_t *rx,
                     size_t cap, size_t len, struct rx_ack *a)
{
	if (!rx_ack_decode(rx, cap, len, a) || a->malformed)
		return false;
	s->reasons[a->reason < FLOW_REASONS ? a->reason : 0]++;
	if (!a->snapped)
		flow_note_trailer(s, &a->trailer, t->now.frame->number);
	return true;
}

/* The Rx bytes of a UDP packet and their header.  False, and counted, where it is
 * none. */
static bool read_header(struct iface_stats *i, const struct packet *p,
                        const uint8_t **rx, size_t *cap, size_t *len,
                        struct rx_header *h)
{
	uint32_t udp = be16(p->payload + 4);
	/* 0: too long for the field (offload), so the packet's length counts */
	if (udp == 0)
		udp = p->payload_len;
	if (udp < UDP_HEADER || (!p->fragment && udp > p->payload_len)) {
		i->udp_short++;
		return false;
	}
	*rx = p->payload + UDP_HEADER;
	*len = udp - UDP_HEADER;
	*cap = p->payload_cap - UDP_HEADER;
	if (*cap > *len)
		*cap = *len;
	switch (rx_header_decode(*rx, *cap, *len, h)) {
	case RX_OK:
		return true;
	case RX_SNAPPED:
		i->rx_snapped++;
		return false;
	case RX_SHORT:
		i->rx_short++;
		return false;
	default:
		i->rx_refused++;
		return false;
	}
}

bool track_rx(struct track *t, const struct packet *p, struct datagram *d)
{
	const uint8_t *rx;
	size_t cap, len;
	struct rx_header h;
	uint16_t sport = be16(p->payload), dport = be16(p->payload + 2);
	if (!afs_port(sport) && !afs_port(dport) && !track_rx_elsewhere(t, p))
		return false;
	if (!read_header(t->now.stats, p, &rx, &cap, &len, &h))
		return false;
	struct flow_key to_server = key_of(t, p, sport, dport, TO_SERVER);
	enum way way = way_of(t, &h, &to_server);
	struct flow_key k =
	        way == TO_SERVER ? to_server : key_of(t, p, sport, dport, TO_CLIENT);
	*d = (struct datagram){.flow = k,
	                       .phase = t->now.phase,
	                       .udp_len = (uint32_t)len,
	                       .epoch = h.epoch,
	                       .cid = h.cid,
	                       .serial = h.serial,
	                       .way = (uint8_t)way,
	                       .type = h.type,
	                       .ttl = p->ttl,
	                       .direction = p->direction ? p->direction
	                                                 : t->now.frame->direction};
	struct flow *f = flow_of(t, &k);
	if (!f)
		return true;
	d->at = f;
	d->flows_evicted = table_evicted(t->flows);
	if (!f->service_id && h.service) {
		f->service_id = h.service;
		f->service = afs_service_of(h.service, k.server_port);
	}
	struct flow_side *s = &f->side[way];
	if (h.type == RX_DATA) {
		struct rx_jumbo j = rx_jumbo_measure(&h, len);
		d->packets = j.packets;
		d->data_bytes = j.data_bytes;
		d->malformed = j.malformed;
		s->security_seen |= (uint8_t)(1u << (h.security & 7));
	}
	if (h.type == RX_VERSION || h.type == RX_DEBUG)
		track_note_debug(t, p, &h, rx, cap, len);
	struct rx_ack ack;
	bool has_ack = h.type == RX_ACK && take_ack(t, s, rx, cap, len, &ack);
	d->malformed |= h.type == RX_ACK && !has_ack;
	track_connection(t, f, &h, p, rx, cap, d, has_ack ? &ack : NULL);
	return true;
}

struct tally *track_tally(struct track *t, const struct datagram *d)
{
	struct flow *f = d->at && d->flows_evicted == table_evicted(t->flows)
	                         ? d->at
	                         : table_find(t->flows, &d->flow);
	if (!f)
		return NULL;
	struct tally *y = slices_get(&f->side[d->way].sent, d->phase);
	if (!y)
		t->starved = true;
	return y;
}

static void count_packet(struct track *t, struct tally *y, const struct datagram *d,
                         uint32_t ip_len, bool df, bool fragment)
{
	int64_t now = t->now.frame->time_ns;
	struct series_row *row = series_at(&t->series, d->flow.iface, d->way, now);
	if (row) {
		row->ip_packets++;
		row->ip_bytes += ip_len;
		row->fragments += fragment;
	}
	if (!y->first_ns || now < y->first_ns)
		y->first_ns = now;
	if (now > y->last_ns)
		y->last_ns = now;
	y->ip_packets++;
	y->ip_bytes += ip_len;
	y->df += df;
	y->fragments += fragment;
	if (!fragment && !t->now.super && ip_len > y->largest_whole)
		y->largest_whole = ip_len;
	if (t->now.super)
		y->offloaded++;
	else
		sizes_add(&y->ip_lengths, ip_len, 1);
}

void track_count_packet(struct track *t, const struct datagram *d, uint32_t ip_len,
                        bool df, bool fragment)
{
	struct tally *y = track_tally(t, d);
	if (y)
		count_packet(t, y, d, ip_len, df, fragment);
}

static void count_in_series(struct track *t, const struct datagram *d)
{
	struct series_row *row =
	        series_at(&t->series, d->flow.iface, d->way, t->now.frame->time_ns);
	if (!row)
		return;
	row->datagrams++;
	if (d->type != RX_DATA || d->malformed)
		return;
	row->data_bytes += d->data_bytes;
	row->resends += d->resend ? d->packets : 0;
	row->resent_bytes += d->resend ? d->data_bytes : 0;
}

static void count_datagram(struct track *t, struct tally *y, const struct datagram *d)
{
	if (d->duplicate) {
		y->duplicates++;
		return;
	}
	count_in_series(t, d);
	y->datagrams++;
	y->type[d->type]++;
	y->malformed += d->malformed;
	if (d->type != RX_DATA || d->malformed)
		return;
	y->data_packets += d->packets;
	y->data_bytes += d->data_bytes;
	sizes_add(&y->data_datagrams, d->udp_len, 1);
	if (d->packets > 1)
		sizes_add(&y->jumbograms, d->packets, 1);
	if (d->resend) {
		y->resends += d->packets;
		y->resent_bytes += d->data_bytes;
	}
	y->recovered += d->recovered ? d->packets : 0;
}

void track_count_datagram(struct track *t, const struct datagram *d)
{
	struct tally *y = track_tally(t, d);
	if (y)
		count_datagram(t, y, d);
}

void track_udp(struct track *t, const struct packet *p)
{
	struct datagram d;
	if (p->payload_cap < UDP_HEADER) {
		if (p->payload_len < UDP_HEADER)
			t->now.stats->udp_short++;
		t->now.stats->udp++;
		track_other(t, p);
		return;
	}
	if (!track_rx(t, p, &d)) {
		t->now.stats->udp++;
		track_other(t, p);
		if (points_started(t->points))
			track_point_other(t, p);
		return;
	}
	t->now.stats->rx++;
	struct tally *y = track_tally(t, &d);
	if (!y)
		return;
	count_packet(t, y, &d, p->ip_len, p->df, false);
	/* a super-packet is several datagrams or none that ever was on a wire */
	if (t->now.super)
		return;
	count_datagram(t, y, &d);
	track_point(t, &d, p);
}

static void note_too_big(struct track *t, const struct icmp *m, enum way way)
{
	uint32_t iface = t->now.frame->iface;
	struct flow_key k = {m->src, m->dst, m->sport, m->dport, iface};
	if (way == TO_CLIENT)
		k = (struct flow_key){m->dst, m->src, m->dport, m->sport, iface};
	struct flow *f = table_find(t->flows, &k);
	if (!f)
		return;
	struct flow_side *s = &f->side[way];
	if (s->too_big++ == 0)
		s->too_big_frame = t->now.frame->number;
	if (m->mtu && (!s->too_big_mtu || m->mtu < s->too_big_mtu))
		s->too_big_mtu = m->mtu;
}

/* Two ports may be client to each other, as file server and cache manager are: the
 * quoted flags tell whose connection it was; without them it counts for both. */
void track_too_big(struct track *t, const struct icmp *m)
{
	const size_t flags = UDP_HEADER + 21;
	bool told = m->payload_cap > flags;
	bool client = told && (m->payload[flags] & RX_CLIENT);
	if (!told || client)
		note_too_big(t, m, TO_SERVER);
	if (!told || !client)
		note_too_big(t, m, TO_CLIENT);
}
