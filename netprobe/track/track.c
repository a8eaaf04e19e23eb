#include "netprobe/track/track.h"

#include "netprobe/track/track_internal.h"
#include "src/base/clock.h"

#include <stdlib.h>

const struct track_limits track_limits_default = {
        .flows = 1u << 17,
        .conns = 1u << 20,
        .trains = 1u << 16,
};

static void flow_leaves(void *ctx, void *entry)
{
	struct track *t = ctx;
	struct flow *f = entry;
	struct iface_stats *i = track_iface_stats(t, f->key.iface);
	for (int w = 0; i && w < WAYS; w++) {
		for (const struct slice *s = f->side[w].sent.list; s; s = s->next) {
			struct tally *to = slices_get(&i->gone[w], s->phase);
			if (to)
				tally_merge(to, &s->tally);
			else
				t->starved = true;
		}
	}
	flow_clear(f);
}

#define TIMINGS (1u << 16)

static void conn_leaves(void *ctx, void *entry)
{
	struct conn *c = entry;
	for (struct conn *i = c; i; i = i->other) {
		track_close_calls(ctx, i, CALL_EVICTED);
		track_delivery_free(ctx, i);
	}
	conn_clear(c);
}

static bool span_of(void *ctx, uint32_t iface, int64_t *first, int64_t *last)
{
	const struct track *t = ctx;
	if (iface >= t->ifaces || !t->iface[iface].stats.frames)
		return false;
	*first = t->iface[iface].stats.first_ns;
	*last = t->iface[iface].stats.last_ns;
	return true;
}

struct track *track_new(const struct track_limits *limits)
{
	struct track *t = calloc(1, sizeof *t);
	if (!t)
		return NULL;
	t->flows = table_new(sizeof(struct flow_key), sizeof(struct flow),
	                     limits->flows, flow_leaves, t);
	t->conns = table_new(sizeof(struct conn_key), sizeof(struct conn),
	                     limits->conns, conn_leaves, t);
	t->ops = ops_new();
	t->hosts = hosts_new();
	t->timings_left = TIMINGS;
	t->deliveries = deliveries_new();
	t->points = points_new(span_of, t);
	t->trains = fragments_new(limits->trains, track_train_ends, t);
	if (!t->flows || !t->conns || !t->ops || !t->hosts || !t->deliveries ||
	    !t->points || !t->trains || track_other_init(t) != 0) {
		track_free(t);
		return NULL;
	}
	return t;
}

void track_free(struct track *t)
{
	if (!t)
		return;
	fragments_free(t->trains);
	for (struct flow *f = NULL; t->flows && (f = table_next(t->flows, f));)
		flow_clear(f);
	for (struct conn *c = NULL; t->conns && (c = table_next(t->conns, c));)
		conn_clear(c);
	table_free(t->flows);
	table_free(t->conns);
	ops_free(t->ops);
	hosts_free(t->hosts);
	deliveries_free(t->deliveries);
	points_free(t->points);
	track_other_free(t);
	for (size_t i = 0; i < t->ifaces; i++) {
		sizes_free(&t->iface[i].stats.ip_lengths);
		for (int w = 0; w < WAYS; w++)
			slices_clear(&t->iface[i].stats.gone[w]);
	}
	free(t->iface);
	phases_clear(&t->phases);
	series_free(&t->series);
	free(t);
}

/* Makes room for interface i; interfaces are few and numbered from 0. */
static struct track_iface *iface_slot(struct track *t, uint32_t i)
{
	if (i < t->ifaces)
		return &t->iface[i];
	if (i > UINT16_MAX)
		return NULL;
	struct track_iface *list = realloc(t->iface, (i + 1) * sizeof *list);
	if (!list) {
		t->starved = true;
		return NULL;
	}
	for (size_t n = t->ifaces; n <= i; n++)
		list[n] = (struct track_iface){0};
	t->iface = list;
	t->ifaces = i + 1;
	return &t->iface[i];
}

struct iface_stats *track_iface_stats(struct track *t, uint32_t i)
{
	struct track_iface *slot = iface_slot(t, i);
	return slot ? &slot->stats : NULL;
}

void track_set_mtu(struct track *t, uint32_t iface, uint32_t mtu)
{
	struct track_iface *slot = iface_slot(t, iface);
	if (slot)
		slot->mtu = mtu;
}

void track_set_file(struct track *t, uint32_t iface, uint32_t file)
{
	struct track_iface *slot = iface_slot(t, iface);
	if (slot)
		slot->file = file;
}

/* Time 0 is "none": simple packet blocks at the beginning of a capture. */
static void note_time(struct iface_stats *i, const struct frame *f)
{
	if (i->previous_ns == 0) {
		i->first_ns = i->last_ns = i->previous_ns = f->time_ns;
		return;
	}
	if (f->time_ns < i->previous_ns && i->backwards++ == 0)
		i->backwards_frame = f->number;
	i->previous_ns = f->time_ns;
	if (f->time_ns < i->first_ns)
		i->first_ns = f->time_ns;
	if (f->time_ns > i->last_ns)
		i->last_ns = f->time_ns;
}

/* Larger than the link carries, or than an IPv4 length field can tell.  A length of
 * 0 is an offload's only where there is something to offload. */
static bool is_super_packet(const struct packet *p, uint32_t mtu)
{
	if (p->no_length && (p->proto == 6 || p->proto == 17))
		return true;
	return (mtu ? p->ip_len > mtu : p->ip_len > 65535);
}

static void take_icmp(struct track *t, const struct packet *p)
{
	struct icmp m;
	t->now.stats->icmp++;
	if (!icmp_decode(p, &m) || !m.error)
		return;
	t->now.stats->icmp_errors++;
	track_icmp_error(t, p, &m);
	if (!m.too_big)
		return;
	struct iface_stats *i = t->now.stats;
	i->too_big++;
	if (m.mtu && (!i->too_big_mtu || m.mtu < i->too_big_mtu))
		i->too_big_mtu = m.mtu;
	if (m.quotes && m.has_ports && m.proto == 17)
		track_too_big(t, &m);
}

static void take_ip(struct track *t, const struct packet *p)
{
	struct iface_stats *i = t->now.stats;
	i->ip_packets++;
	i->ip_bytes += p->ip_len;
	i->atomic += p->atomic;
	i->cut_packets += p->cut;
	for (unsigned n = 0; n < p->layers; n++) {
		i->layer[p->layer[n]]++;
		i->layer_bytes[p->layer[n]] += p->layer_len[n];
	}
	t->now.super = is_super_packet(p, t->now.mtu);
	if (p->proto == 6 && !p->fragment)
		track_tcp(t, p);
	if (p->trailing > 0)
		track_trailing(i, p);
	if (t->now.super)
		i->offloaded++;
	else
		sizes_add(&i->ip_lengths, p->ip_len, 1);

	if (p->fragment) {
		i->fragments++;
		track_fragment(t, p);
		return;
	}
	switch (p->proto) {
	case 17:
		track_udp(t, p);
		break;
	case 6:
		i->tcp++;
		if (points_started(t->points))
			track_point_other(t, p);
		break;
	case 1:
	case 58:
		take_icmp(t, p);
		track_other(t, p);
		break;
	default:
		i->other++;
		track_other(t, p);
	}
}

void track_frame(struct track *t, const struct frame *f)
{
	struct track_iface *slot = iface_slot(t, f->iface);
	if (!slot)
		return;
	struct iface_stats *i = &slot->stats;
	i->frames++;
	i->wire_bytes += f->wirelen;
	i->snapped_frames += f->caplen < f->wirelen;
	note_time(i, f);

	struct packet p;
	enum packet_verdict v = packet_decode(f, &p);
	i->verdict[v]++;
	if (p.vci)
		circuits_add(&i->circuits, p.vci, p.direction == DIR_OUT);
	if (v != PACKET_IP)
		return;
	t->now.frame = f;
	t->now.packet = &p;
	t->now.stats = i;
	t->now.mtu = slot->mtu;
	t->now.file = slot->file;
	t->now.phase = phases_at(&t->phases, f->time_ns);
	take_ip(t, &p);
}

void track_begin(struct track *t, uint32_t id, const char *name, int64_t time_ns)
{
	if (phases_begin(&t->phases, id, name, time_ns) != 0)
		t->starved = true;
}

void track_end(struct track *t, uint32_t id, int64_t time_ns)
{
	phases_end(&t->phases, id, time_ns);
}

void track_finish(struct track *t)
{
	t->now.packet = NULL;
	fragments_finish(t->trains);
	points_finish(t->points);
	for (struct conn *c = NULL; (c = table_next(t->conns, c));)
		for (struct conn *i = c; i; i = i->other)
			track_close_calls(t, i, CALL_UNFINISHED);
}

int track_keep_points(struct track *t)
{
	t->files = true;
	return points_start(t->points, 0);
}

const struct points *track_points(const struct track *t)
{
	return t->points;
}

int track_keep_series(struct track *t, int64_t interval_ns)
{
	return series_init(&t->series, interval_ns);
}

const struct series *track_series(const struct track *t)
{
	return &t->series;
}

void track_on_call(struct track *t, track_call_fn *fn, void *ctx)
{
	t->on_call = fn;
	t->on_call_ctx = ctx;
}

size_t track_iface_count(const struct track *t)
{
	return t->ifaces;
}

const struct iface_stats *track_iface(const struct track *t, size_t i)
{
	return &t->iface[i].stats;
}

const struct phases *track_phases(const struct track *t)
{
	return &t->phases;
}

const struct flow *track_flow_next(const struct track *t, const struct flow *f)
{
	return table_next(t->flows, f);
}

size_t track_flow_count(const struct track *t)
{
	return table_count(t->flows);
}

const struct flow *track_flow_find(const struct track *t, const struct flow_key *k)
{
	return table_find(t->flows, k);
}

uint64_t track_flows_evicted(const struct track *t)
{
	return table_evicted(t->flows);
}

uint64_t track_conns_evicted(const struct track *t)
{
	return table_evicted(t->conns);
}

const struct hosts *track_hosts(const struct track *t)
{
	return t->hosts;
}

const struct op *track_op_next(const struct track *t, const struct op *o)
{
	return table_next(t->ops, o);
}

uint64_t track_untimed(const struct track *t)
{
	return t->untimed;
}

bool track_starved(const struct track *t)
{
	return t->starved || points_limits(t->points)->starved;
}
