/* Connections and calls: what a datagram is to them, and what they learn. */
#include "netprobe/track/track_internal.h"

#include <stdlib.h>

#define INITIAL_WINDOW 16u /* rx_initSendWindow, before the first ack */

static void close_call(struct track *t, struct conn *conn, unsigned channel,
                       enum call_end reason)
{
	struct call *c = conn->call[channel];
	enum call_end end = call_end_of(c, reason);
	/* a call that two points show is one call */
	if (!conn->again && !ops_add(t->ops, c, end))
		t->starved = true;
	if (!conn->again && t->on_call)
		t->on_call(t->on_call_ctx, conn, c, channel, end);
	c->number = 0;
}

void track_close_calls(struct track *t, struct conn *conn, enum call_end reason)
{
	for (unsigned i = 0; i < CONN_CHANNELS; i++)
		if (conn->call[i] && conn->call[i]->number)
			close_call(t, conn, i, reason);
}

/* The call of this packet.  DATA of a later number ends the call before it on
 * the channel; NULL for a call that is over or not known. */
static struct call *call_of(struct track *t, struct conn *conn, const struct flow *f,
                            const struct rx_header *h)
{
	unsigned channel = conn_channel(h);
	struct call *c = conn->call[channel];
	if (c && c->number == h->call)
		return c;
	if (h->type != RX_DATA || (c && (int32_t)(c->number - h->call) > 0))
		return NULL;
	if (c && c->number)
		close_call(t, conn, channel, CALL_REPLACED);
	if (!c && !(c = malloc(sizeof *c))) {
		t->starved = true;
		return NULL;
	}
	conn->call[channel] = c;
	*c = (struct call){.number = h->call, .service = f->service};
	return c;
}

static bool is_last(const struct rx_header *h, const uint8_t *rx, size_t cap,
                    const struct datagram *d)
{
	if (d->packets < 2)
		return h->flags & RX_LAST;
	struct rx_data last = rx_jumbo_packet(h, rx, cap, d->udp_len, d->packets - 1);
	/* only the end of the data leaves a packet of a jumbogram less than full */
	return last.flags_known ? last.flags & RX_LAST : last.len < RX_JUMBO_DATA;
}

/* The window counts from the first packet that has not been read: what is acknowledged
 * but waits for the program fills it too (rxi_Start). */
static enum pace_window window_of(const struct call_way *w)
{
	uint32_t window = w->window ? w->window : INITIAL_WINDOW;
	uint32_t unread = w->seq.high - w->consumed;
	if ((!w->acked && !w->first_seen) || (int32_t)unread <= 0 || unread < window)
		return PACE_OPEN;
	/* the last ones may have come too: acks are for every second packet */
	uint32_t arrived = w->acked - w->consumed;
	return 4 * arrived >= 3 * window ? PACE_UNREAD : PACE_FULL;
}

static void note_flight(struct flow_side *s, struct call_way *w, int64_t now_ns)
{
	enum pace_window state = window_of(w);
	if (w->flight > s->flight)
		s->flight = w->flight;
	s->at_window += state != PACE_OPEN;
	pace_take_window(&s->pace, w, state, now_ns);
}

/* What a call counts as missed here changed: where its data came by. */
static void note_unseen(struct track *t, const struct conn *conn, enum way data_way,
                        uint32_t before, uint32_t now)
{
	struct iface_stats *i =
	        now == before ? NULL : track_iface_stats(t, conn->side[data_way].iface);
	if (!i)
		return;
	i->acked_unseen += (uint64_t)now - before; /* less, where it came late */
	if (now > before && !i->acked_unseen_frame)
		i->acked_unseen_frame = t->now.frame->number;
}

static void take_data(struct track *t, struct flow *f, struct conn *conn,
                      const struct rx_header *h, const uint8_t *rx, size_t cap,
                      bool newest, struct datagram *d)
{
	struct call *c = call_of(t, conn, f, h);
	if (!c || d->malformed)
		return;
	struct call_way *w = &c->way[d->way];
	bool first = !w->datagrams;
	const uint32_t unseen = w->unseen;
	enum call_verdict v =
	        call_take_data(c, d->way, h, d->packets, d->data_bytes,
	                       is_last(h, rx, cap, d), newest, t->now.frame->time_ns);
	note_unseen(t, conn, d->way, unseen, w->unseen);
	d->resend = v == CALL_RESEND;
	d->recovered = v == CALL_RECOVERED;
	if (h->seq == 1 && cap > RX_HEADER)
		call_read_first(c, d->way, h, rx + RX_HEADER, cap - RX_HEADER,
		                d->udp_len - RX_HEADER);
	if (h->seq == 1)
		track_note_first(t, f, c, h, rx, cap, d);
	conn_remember(conn, d->way, h, d->resend, d->recovered);
	pace_take_data(&f->side[d->way].pace, w, first, d->data_bytes,
	               t->now.frame->time_ns);
	note_flight(&f->side[d->way], w, t->now.frame->time_ns);
	if (!d->resend && !d->recovered && h->serial &&
	    !conn_time_sent(conn, d->way, h->serial, d->packets, t->now.frame->time_ns,
	                    &t->timings_left))
		t->untimed++;
}

#define ACK_PING 6
#define ACK_DELAY 8

static void take_ack(struct track *t, struct flow *f, struct conn *conn,
                     const struct rx_header *h, const struct rx_ack *a,
                     const struct datagram *d)
{
	enum way data_way = d->way == TO_SERVER ? TO_CLIENT : TO_SERVER;
	struct call *c = call_of(t, conn, f, h);
	if (c) {
		struct call_way *w = &c->way[data_way];
		const uint32_t unseen = w->unseen;
		call_take_ack(c, data_way, a);
		note_unseen(t, conn, data_way, unseen, w->unseen);
		pace_take_window(&f->side[data_way].pace, w, window_of(w),
		                 t->now.frame->time_ns);
	}
	if (a->reason == ACK_PING && h->serial)
		conn_time_sent(conn, d->way, h->serial, 1, t->now.frame->time_ns,
		               &t->timings_left);
	/* a delayed ack shows a timer, not the network (rxi_ComputeRoundTripTime) */
	if (a->reason == ACK_DELAY)
		return;
	int64_t rtt = conn_time_acked(conn, data_way, a->serial, t->now.frame->time_ns);
	if (rtt < 0)
		return;
	struct flow *sender = f->split ? track_sender(t, conn, f, data_way) : f;
	hist_record(&sender->side[data_way].rtt, rtt);
}

static void take_abort(struct conn *conn, const struct rx_header *h, const uint8_t *rx,
                       size_t cap, size_t len)
{
	int32_t code;
	struct call *c = conn->call[conn_channel(h)];
	if (!rx_abort_decode(rx, cap, len, &code))
		return;
	/* call 0: the whole connection */
	for (unsigned i = 0; h->call == 0 && i < CONN_CHANNELS; i++) {
		if (conn->call[i] && conn->call[i]->number) {
			conn->call[i]->has_abort = true;
			conn->call[i]->abort_code = code;
		}
	}
	if (c && c->number && c->number == h->call) {
		c->has_abort = true;
		c->abort_code = code;
	}
}

/* Requests to one address of the server, replies from another: both halves
 * learn of each other. */
static void note_addresses(struct track *t, struct flow *f, struct conn *conn,
                           const struct packet *p, enum way way)
{
	if (way == TO_SERVER) {
		conn->asked = p->dst;
		conn->asked_iface = t->now.frame->iface;
		conn->has_asked = true;
		return;
	}
	if (!conn->has_asked || addr_compare(&conn->asked, &p->src) == 0)
		return;
	struct flow_key k = f->key;
	k.server = conn->asked;
	k.iface = conn->asked_iface;
	struct flow *other = table_find(t->flows, &k);
	if (!other)
		return;
	f->split++;
	f->other_half = other->key;
	other->split++;
	other->other_half = f->key;
}

static bool has_connection(const struct rx_header *h)
{
	return h->type != RX_VERSION && h->type != RX_DEBUG && h->cid != 0;
}

/* The connection of this packet.  Most packets of a flow belong to the same one,
 * so the latest is tried first; its place is good while none left the table. */
static struct conn *conn_of(struct track *t, struct flow *f, const struct rx_header *h)
{
	struct conn_key k =
	        conn_key_of(h, &f->key.client, f->key.client_port, f->key.server_port);
	struct conn *c = f->latest;
	if (c && f->conns_evicted == table_evicted(t->conns) && c->key.cid == k.cid &&
	    c->key.epoch == k.epoch && memcmp(&c->key, &k, sizeof k) == 0) {
		table_touch(t->conns, c);
		return c;
	}
	bool made;
	f->latest = table_get(t->conns, &k, &made);
	f->conns_evicted = table_evicted(t->conns);
	return f->latest;
}

void track_connection(struct track *t, struct flow *f, const struct rx_header *h,
                      const struct packet *p, const uint8_t *rx, size_t cap,
                      struct datagram *d, const struct rx_ack *ack)
{
	if (!has_connection(h))
		return;
	struct conn *conn = conn_of(t, f, h);
	if (conn && t->files)
		conn = conn_at(conn, d->way, t->now.file);
	if (!conn) {
		t->starved = true;
		return;
	}
	struct conn_news n = conn_take(conn, d->way, h, d->packets ? d->packets : 1,
	                               t->now.frame->iface, &p->src);
	f->side[d->way].missed += n.missed;
	d->duplicate = n.copy && !n.other_iface;
	d->resend = n.resend;
	d->recovered = n.recovered;
	if (n.other_iface && points_start(t->points, t->now.frame->time_ns) != 0)
		t->starved = true;
	if (n.copy)
		return;
	note_addresses(t, f, conn, p, d->way);
	if (h->security)
		track_note_security(t, f, conn, h, rx, cap, d);
	if (h->type == RX_DATA)
		take_data(t, f, conn, h, rx, cap, n.newest, d);
	else if (ack)
		take_ack(t, f, conn, h, ack, d);
	else if (h->type == RX_ABORT)
		take_abort(conn, h, rx, cap, d->udp_len);
	track_note_symptoms(t, f, conn, h, p, rx, cap, d, ack);
}
