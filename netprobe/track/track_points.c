/* Datagrams as capture points see them (points.h). */
#include "netprobe/track/track_internal.h"

static void see(struct track *t, const struct datagram *d, uint32_t id,
                const struct sighting *s)
{
	const struct flow_key *f = &d->flow;
	const struct rx_header h = {.epoch = d->epoch, .cid = d->cid};
	struct point_key k;
	memset(&k, 0, sizeof k);
	k.conn = conn_key_of(&h, &f->client, f->client_port, f->server_port);
	k.serial = d->serial;
	k.id = d->serial ? 0 : id;
	k.way = d->way;
	points_see(t->points, &k, d->way == TO_SERVER ? &f->client : &f->server,
	           d->way == TO_SERVER ? &f->server : &f->client, d->udp_len, s);
}

void track_point(struct track *t, const struct datagram *d, const struct packet *p)
{
	if (!points_started(t->points))
		return;
	const struct sighting s = {.ns = t->now.frame->time_ns,
	                           .frame = t->now.frame->number,
	                           .iface = d->flow.iface,
	                           .first_ip_len = p->ip_len,
	                           .pieces = 1,
	                           .ttl = d->ttl,
	                           .direction = d->direction};
	see(t, d, p->frag_id, &s);
}

void track_point_train(struct track *t, const struct datagram *d,
                       const struct fragment_train *train, enum fragment_end how)
{
	/* what the table had no room for says nothing */
	if (!points_started(t->points) || how == FRAGMENT_EVICTED)
		return;
	const struct sighting s = {.ns = train->first_ns,
	                           .frame = train->first_frame,
	                           .iface = train->iface,
	                           .first_ip_len = train->first_ip_len,
	                           .pieces = (uint16_t)(train->pieces < UINT16_MAX
	                                                        ? train->pieces
	                                                        : UINT16_MAX),
	                           .ttl = d->ttl,
	                           .direction = d->direction,
	                           .part = how != FRAGMENT_WHOLE};
	see(t, d, train->id, &s);
}
