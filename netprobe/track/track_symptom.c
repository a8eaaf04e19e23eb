/* What packets show of trouble: fates of datagrams, probes, checksums, rebinding. */
#include "netprobe/track/track_internal.h"

#include <stdlib.h>

enum { REASON_PING = 6, REASON_PING_RESPONSE = 7 };

#define FOLLOWED_MAX 8192u              /* connections at once */
#define OUTBOX_BYTES ((size_t)16 << 20) /* of what all have on the way */

/* What a connection has on the way, on all channels. */
struct delivery {
	struct conn *conn;           /* NULL = free */
	bool used;                   /* since the hand came by last */
	struct flow_key owner[WAYS]; /* the flow that counts what goes this way */
	struct outbox box[CONN_CHANNELS][WAYS];
};

/* The connections that are followed.  When all places are taken, the hand of a clock
 * goes round and takes the place of one that was not used since it came by last. */
struct deliveries {
	struct delivery **slot;
	uint32_t n, room, hand;
	size_t bytes_left;
};

struct deliveries *deliveries_new(void)
{
	struct deliveries *ds = calloc(1, sizeof *ds);
	if (ds)
		ds->bytes_left = OUTBOX_BYTES;
	return ds;
}

static void empty(struct deliveries *ds, struct delivery *d)
{
	for (unsigned c = 0; c < CONN_CHANNELS; c++)
		for (int w = 0; w < WAYS; w++)
			outbox_free(&d->box[c][w], &ds->bytes_left);
	*d = (struct delivery){0};
}

void deliveries_free(struct deliveries *ds)
{
	if (!ds)
		return;
	for (uint32_t i = 0; i < ds->n; i++) {
		empty(ds, ds->slot[i]);
		free(ds->slot[i]);
	}
	free(ds->slot);
	free(ds);
}

static struct delivery *add_slot(struct deliveries *ds)
{
	if (ds->n == ds->room) {
		uint32_t room = ds->room ? 2 * ds->room : 16;
		struct delivery **slot = realloc(ds->slot, room * sizeof *slot);
		if (!slot)
			return NULL;
		ds->slot = slot;
		ds->room = room;
	}
	struct delivery *d = calloc(1, sizeof *d);
	if (d)
		ds->slot[ds->n++] = d;
	return d;
}

static struct delivery *take_over(struct deliveries *ds)
{
	for (;;) {
		struct delivery *d = ds->slot[ds->hand];
		ds->hand = (ds->hand + 1) % ds->n;
		if (d->conn && d->used) {
			d->used = false;
			continue;
		}
		if (d->conn)
			d->conn->delivery = NULL;
		empty(ds, d);
		return d;
	}
}

static struct symptoms *symptoms_of(struct track *t, struct flow_side *s)
{
	if (!s->symptoms && !(s->symptoms = calloc(1, sizeof *s->symptoms)))
		t->starved = true;
	return s->symptoms;
}

static struct delivery *delivery_of(struct track *t, struct conn *conn)
{
	struct delivery *d = conn->delivery;
	if (!d) {
		struct deliveries *ds = t->deliveries;
		d = ds->n < FOLLOWED_MAX ? add_slot(ds) : take_over(ds);
		if (!d) {
			t->starved = true;
			return NULL;
		}
		d->conn = conn;
		conn->delivery = d;
	}
	d->used = true;
	return d;
}

void track_delivery_free(struct track *t, struct conn *conn)
{
	if (conn->delivery)
		empty(t->deliveries, conn->delivery);
	conn->delivery = NULL;
}

static struct flow *owner_of(struct track *t, const struct delivery *d, struct flow *f,
                             enum way way)
{
	return memcmp(&d->owner[way], &f->key, sizeof f->key) == 0
	               ? f
	               : table_find(t->flows, &d->owner[way]);
}

struct flow *track_sender(struct track *t, const struct conn *conn, struct flow *f,
                          enum way way)
{
	struct flow *owner =
	        conn->delivery ? owner_of(t, conn->delivery, f, way) : NULL;
	return owner ? owner : f;
}

/* The fates of what goes this way, wherever its flow is: acks for a multi-homed
 * server's data go to another address. */
static struct fates *fates_of(struct track *t, struct delivery *d, struct flow *f,
                              enum way way)
{
	struct flow *owner = owner_of(t, d, f, way);
	return owner && owner->side[way].symptoms ? &owner->side[way].symptoms->fates
	                                          : NULL;
}

/* The data of this way begin to be counted by another flow: entries kept so far
 * stand in the old one's list. */
static void set_owner(struct delivery *d, const struct flow *f, enum way way)
{
	if (memcmp(&d->owner[way], &f->key, sizeof f->key) == 0)
		return;
	for (unsigned c = 0; c < CONN_CHANNELS; c++)
		outbox_drop(&d->box[c][way]);
	d->owner[way] = f->key;
}

static void take_data(struct track *t, struct flow *f, struct conn *conn,
                      const struct rx_header *h, const struct packet *p,
                      const struct datagram *d, struct symptoms *s)
{
	struct delivery *v = delivery_of(t, conn);
	const struct sent_datagram sent = {.call = h->call,
	                                   .seq = h->seq,
	                                   .serial = h->serial,
	                                   .packets = d->packets,
	                                   .size = d->udp_len,
	                                   .cut = p->fragment,
	                                   .df = p->df,
	                                   .resend = d->resend,
	                                   .reply_end = d->way == TO_CLIENT &&
	                                                d->packets == 1 &&
	                                                (h->flags & RX_LAST),
	                                   .ns = t->now.frame->time_ns,
	                                   .frame = t->now.frame->number};
	if (!v)
		return;
	enum way way = (enum way)d->way;
	set_owner(v, f, way);
	if (!outbox_sent(&v->box[conn_channel(h)][way], &s->fates, &sent,
	                 &t->deliveries->bytes_left))
		t->starved = true;
	/* a reply answers a whole request */
	struct outbox *request = &v->box[conn_channel(h)][TO_SERVER];
	if (way == TO_CLIENT && request->n && request->call == h->call) {
		struct fates *fates = fates_of(t, v, f, TO_SERVER);
		if (fates)
			outbox_implied(request, fates);
	}
	if (f->side[way].too_big)
		symptoms_note_told(s, p, f->side[way].too_big_mtu,
		                   t->now.frame->time_ns, t->now.frame->number);
}

static void take_answer(struct track *t, struct flow *f, enum way ping_way,
                        uint32_t serial)
{
	struct symptoms *s = f->side[ping_way].symptoms;
	if ((s && symptoms_note_answer(s, serial)) || !f->split)
		return;
	struct flow *other = table_find(t->flows, &f->other_half);
	s = other ? other->side[ping_way].symptoms : NULL;
	if (s)
		symptoms_note_answer(s, serial);
}

static void take_ack(struct track *t, struct flow *f, struct conn *conn,
                     const struct rx_header *h, const struct packet *p,
                     const struct datagram *d, const struct rx_ack *a,
                     struct symptoms *s)
{
	enum way data_way = d->way == TO_SERVER ? TO_CLIENT : TO_SERVER;
	if (a->reason == REASON_PING && a->padding &&
	    !symptoms_note_probe(s, d->udp_len, h->serial, p->fragment,
	                         t->now.frame->number))
		t->starved = true;
	if (a->reason == REASON_PING_RESPONSE)
		take_answer(t, f, data_way, a->serial);
	if (!conn->delivery)
		return;
	struct outbox *b = &conn->delivery->box[conn_channel(h)][data_way];
	struct fates *fates = b->n ? fates_of(t, conn->delivery, f, data_way) : NULL;
	if (fates)
		outbox_acked(b, fates, h->call, a->first, a->acks ? a->n : 0, a->acks,
		             a->reason, a->serial);
}

/* What ends a call: all was received, or nothing more will be. */
static void take_end(struct track *t, struct flow *f, struct conn *conn,
                     const struct rx_header *h, const struct datagram *d)
{
	enum way data_way = d->way == TO_SERVER ? TO_CLIENT : TO_SERVER;
	if (!conn->delivery)
		return;
	for (unsigned c = 0; c < CONN_CHANNELS; c++) {
		struct outbox *b = conn->delivery->box[c];
		if (h->call != 0 && c != conn_channel(h))
			continue;
		if (h->type == RX_ACKALL && b[data_way].call == h->call) {
			struct fates *fates = fates_of(t, conn->delivery, f, data_way);
			if (fates)
				outbox_implied(&b[data_way], fates);
		} else if (h->type == RX_ABORT) {
			outbox_drop(&b[TO_SERVER]);
			outbox_drop(&b[TO_CLIENT]);
		}
	}
}

/* One connection from two ports: something between gave it a new one. */
static void note_port(struct track *t, struct conn *conn, uint16_t port,
                      struct symptoms *s)
{
	if (conn->client_port && conn->client_port != port && s->rebound++ == 0) {
		s->rebound_frame = t->now.frame->number;
		s->rebound_from = conn->client_port;
	}
	conn->client_port = port;
}

void track_note_symptoms(struct track *t, struct flow *f, struct conn *conn,
                         const struct rx_header *h, const struct packet *p,
                         const uint8_t *rx, size_t cap, const struct datagram *d,
                         const struct rx_ack *ack)
{
	struct symptoms *s = symptoms_of(t, &f->side[d->way]);
	if (!s || t->now.super)
		return;
	symptoms_note_ttl(s, p->ttl);
	symptoms_note_checksum(s, p, t->now.frame->number);
	if (d->way == TO_SERVER)
		note_port(t, conn, f->key.client_port, s);
	if (h->type == RX_DATA && !d->malformed) {
		take_data(t, f, conn, h, p, d, s);
	} else if (ack) {
		symptoms_note_ack(s, ack, rx, cap, t->now.frame->number);
		take_ack(t, f, conn, h, p, d, ack, s);
	} else if (h->type == RX_ACKALL || h->type == RX_ABORT) {
		take_end(t, f, conn, h, d);
	}
}
