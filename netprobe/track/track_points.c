/* Datagrams as capture points see them (points.h). */
#include "netprobe/track/track_internal.h"

static void see_rx(struct track *t, const struct datagram *d, uint32_t id,
                   struct sighting *s)
{
	const struct flow_key *f = &d->flow;
	const struct rx_header h = {.epoch = d->epoch, .cid = d->cid};
	struct point_datagram to;
	memset(&to, 0, sizeof to);
	to.key.kind = POINT_RX;
	to.key.way = d->way;
	to.key.rx.conn = conn_key_of(&h, &f->client, f->client_port, f->server_port);
	to.key.rx.serial = d->serial;
	to.key.rx.id = d->serial ? 0 : id;
	to.src = d->way == TO_SERVER ? f->client : f->server;
	to.dst = d->way == TO_SERVER ? f->server : f->client;
	to.size = s->len = d->udp_len;
	s->ttl = d->ttl;
	s->direction = d->direction;
	points_see(t->points, &to, s);
}

static struct sighting whole(const struct track *t, const struct packet *p)
{
	return (struct sighting){.ns = t->now.frame->time_ns,
	                         .frame = t->now.frame->number,
	                         .iface = t->now.frame->iface,
	                         .first_ip_len = p->ip_len,
	                         .pieces = 1};
}

static struct sighting of_train(const struct fragment_train *train,
                                enum fragment_end how)
{
	uint32_t most = UINT16_MAX;
	return (struct sighting){
	        .ns = train->first_ns,
	        .frame = train->first_frame,
	        .iface = train->iface,
	        .first_ip_len = train->first_ip_len,
	        .pieces = (uint16_t)(train->pieces < most ? train->pieces : most),
	        .part = how != FRAGMENT_WHOLE};
}

void track_point(struct track *t, const struct datagram *d, const struct packet *p)
{
	if (!points_started(t->points))
		return;
	struct sighting s = whole(t, p);
	see_rx(t, d, p->frag_id, &s);
}

void track_point_train(struct track *t, const struct datagram *d,
                       const struct fragment_train *train, enum fragment_end how)
{
	/* what the table had no room for says nothing */
	if (!points_started(t->points) || how == FRAGMENT_EVICTED)
		return;
	struct sighting s = of_train(train, how);
	see_rx(t, d, train->id, &s);
}

/* ---- UDP and TCP that is no Rx ------------------------------------------ */

/* Rx between ports that are not AFS's may be taken for Rx at one point and not yet be
 * at the other: neither counts. */
static bool may_be_rx(const struct packet *p)
{
	struct rx_header h;
	if (p->proto != 17 || p->payload_cap < 8 || p->payload_len < 8)
		return false;
	if (afs_port(be16(p->payload)) || afs_port(be16(p->payload + 2)))
		return false;
	const uint8_t *rx = p->payload + 8;
	uint32_t cap = p->payload_cap - 8, len = p->payload_len - 8;
	return rx_header_decode(rx, cap, len, &h) == RX_OK &&
	       !candidate_refuses(rx, cap);
}

bool track_point_note(struct track *t, const struct packet *p, struct point_note *n)
{
	struct point_print print;
	uint32_t bytes = points_print_bytes(t->points);
	if (!points_started(t->points))
		return false;
	if (!point_print_make(&print, p, bytes) || may_be_rx(p)) {
		points_skip(t->points);
		return false;
	}
	if (print.snapped)
		points_print_shorter(t->points, bytes = print.bytes);
	*n = (struct point_note){.print = print.key.other.print,
	                         .ends = print.key.other.ends,
	                         .len = print.len,
	                         .header = (uint8_t)print.header,
	                         .kind = (uint8_t)print.key.kind,
	                         .bytes = (uint8_t)bytes,
	                         .ttl = p->ttl,
	                         .direction = p->direction ? p->direction
	                                                   : t->now.frame->direction,
	                         .has_id = print.has_id,
	                         .strong = print.strong};
	return true;
}

static void see_other(struct track *t, const struct point_note *n,
                      const struct addr *src, const struct addr *dst, uint32_t ip_len,
                      struct sighting *s)
{
	struct point_datagram to;
	memset(&to, 0, sizeof to);
	to.key.kind = n->kind;
	to.key.other.print = n->print;
	to.key.other.ends = n->ends;
	to.src = *src;
	to.dst = *dst;
	to.strong = n->strong;
	to.size = n->kind == POINT_UDP ? n->len : ip_len;
	s->len = n->len;
	s->ttl = n->ttl;
	s->direction = n->direction;
	s->has_id = n->has_id;
	points_see(t->points, &to, s);
}

void track_point_other(struct track *t, const struct packet *p)
{
	struct point_note n;
	if (!track_point_note(t, p, &n))
		return;
	struct sighting s = whole(t, p);
	s.super = t->now.super;
	see_other(t, &n, &p->src, &p->dst, p->ip_len, &s);
}

void track_point_other_train(struct track *t, struct point_note *n,
                             const struct fragment_train *train, enum fragment_end how)
{
	/* a print of another length than is made now would meet no other */
	if (!n->kind || how == FRAGMENT_EVICTED ||
	    n->bytes != points_print_bytes(t->points))
		return;
	struct sighting s = of_train(train, how);
	if (n->kind == POINT_TCP && how == FRAGMENT_WHOLE)
		n->len = train->total - n->header;
	see_other(t, n, &train->src, &train->dst,
	          train->total + (train->family == 4 ? 20 : 40), &s);
}
