#include "netprobe/diagnose/facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct pair_key key_of(const struct flow_key *k, enum way w)
{
	if (w == TO_SERVER)
		return (struct pair_key){k->client, k->server, k->iface};
	return (struct pair_key){k->server, k->client, k->iface};
}

static int by_key(const void *a, const void *b)
{
	const struct path *x = a, *y = b;
	return memcmp(&x->key, &y->key, sizeof x->key);
}

static int by_size(const void *a, const void *b)
{
	const struct fate *x = a, *y = b;
	if (x->cut != y->cut)
		return x->cut ? 1 : -1;
	return x->size_min < y->size_min ? -1 : x->size_min > y->size_min;
}

static void lower(uint8_t *min, uint8_t v)
{
	if (v && (!*min || v < *min))
		*min = v;
}

static void raise(uint8_t *max, uint8_t v)
{
	if (v > *max)
		*max = v;
}

static void earlier(uint64_t *frame, uint64_t v)
{
	if (v && (!*frame || v < *frame))
		*frame = v;
}

static void merge_fate(struct fate *to, const struct fate *from)
{
	to->sent += from->sent;
	to->df += from->df;
	to->delivered += from->delivered;
	to->needless += from->needless;
	to->size_max = from->size_max > to->size_max ? from->size_max : to->size_max;
	earlier(&to->first_frame, from->first_frame);
	if (from->lost && (!to->lost || from->first_lost_ns < to->first_lost_ns))
		to->first_lost_ns = from->first_lost_ns;
	earlier(&to->first_lost_frame, from->first_lost_frame);
	if (from->last_lost_frame > to->last_lost_frame)
		to->last_lost_frame = from->last_lost_frame;
	to->lost += from->lost;
}

static bool same_size(const struct fate *x, const struct fate *y)
{
	if (x->cut != y->cut)
		return false;
	return x->size_min == y->size_min ||
	       (x->size_min < FATE_SMALL && y->size_min < FATE_SMALL);
}

static bool add_fates(struct path *p, const struct fates *f)
{
	if (!f->n)
		return true;
	struct fate *list = realloc(p->fate, (p->fates + f->n + 1) * sizeof *list);
	if (!list)
		return false;
	p->fate = list;
	memcpy(list + p->fates, f->list, f->n * sizeof *list);
	p->fates += f->n;
	qsort(list, p->fates, sizeof *list, by_size);
	size_t n = 0;
	for (size_t i = 0; i < p->fates; i++) {
		if (n && same_size(&list[n - 1], &list[i]))
			merge_fate(&list[n - 1], &list[i]);
		else
			list[n++] = list[i];
	}
	p->fates = n;
	p->timeouts += f->timeouts;
	p->stalled_ns += f->stalled_ns;
	if (f->longest_ns > p->longest_ns)
		p->longest_ns = f->longest_ns;
	earlier(&p->first_timeout_frame, f->first_timeout_frame);
	return true;
}

const struct rx_trailer *facts_trailer(const struct facts *f, const struct flow *flow,
                                       enum way way)
{
	const struct rx_trailer *t = flow_trailer(&flow->side[way]);
	const struct flow *other =
	        !t && flow->split ? track_flow_find(f->track, &flow->other_half) : NULL;
	return other ? flow_trailer(&other->side[way]) : t;
}

static bool add_flow(const struct facts *facts, struct path *p,
                     const struct fact_flow *ff, enum way w)
{
	const struct flow *flow = ff->flow;
	const struct tally *y = ff->way[w].tally;
	int64_t back_last_ns = ff->way[other_way(w)].tally->last_ns;
	const struct flow_side *s = &flow->side[w], *back = &flow->side[other_way(w)];
	if (!p->main || y->data_bytes > p->main->way[p->way].tally->data_bytes) {
		p->main = ff;
		p->way = w;
	}
	if (ff->way[w].seconds > p->seconds)
		p->seconds = ff->way[w].seconds;
	p->data_bytes += y->data_bytes;
	p->datagrams += y->type[RX_DATA];
	p->malformed += y->malformed;
	p->recovered += y->recovered;
	p->ip_packets += y->ip_packets;
	p->df += y->df;
	p->fragments += y->fragments;
	p->jumbograms += y->jumbograms.total;
	if (y->jumbograms.total && y->jumbograms.max > p->jumbogram_max)
		p->jumbogram_max = y->jumbograms.max;
	p->trains_whole += y->trains_whole;
	p->trains_broken += y->trains_broken;
	for (unsigned i = 0; i < FLOW_REASONS; i++)
		p->acks_back += back->reasons[i];
	p->pings_answered += back->reasons[7];
	if (back_last_ns > p->back_last_ns)
		p->back_last_ns = back_last_ns;
	const struct rx_trailer *t = facts_trailer(facts, flow, w);
	if (t && (!p->sender || p->main == ff))
		p->sender = t;
	t = facts_trailer(facts, flow, other_way(w));
	if (t && (!p->receiver || p->main == ff))
		p->receiver = t;
	if (back->symptoms) {
		lower(&p->back_ttl_min, back->symptoms->ttl_min);
		raise(&p->back_ttl_max, back->symptoms->ttl_max);
	}
	if (!s->symptoms)
		return true;
	lower(&p->ttl_min, s->symptoms->ttl_min);
	raise(&p->ttl_max, s->symptoms->ttl_max);
	p->checksums += s->symptoms->verified;
	p->checksums_bad += s->symptoms->checksum_bad;
	return add_fates(p, &s->symptoms->fates);
}

static struct path *path_find(const struct facts *f, const struct pair_key *k)
{
	struct path wanted = {.key = *k};
	return bsearch(&wanted, f->paths, f->n_paths, sizeof *f->paths, by_key);
}

const struct path *facts_path(const struct facts *f, const struct pair_key *k)
{
	return path_find(f, k);
}

struct pair_key facts_way(const struct flow *flow, enum way w)
{
	return key_of(&flow->key, w);
}

/* A multi-homed server's data are acknowledged to another address: hop limits, acks
 * and pings of the path back are in the other half of the flow. */
static void add_other_half(const struct facts *f, struct path *p)
{
	const struct flow *flow = p->main->flow;
	const struct flow *other =
	        flow->split ? track_flow_find(f->track, &flow->other_half) : NULL;
	if (!other)
		return;
	const struct flow_side *back = &other->side[other_way(p->way)];
	for (unsigned i = 0; i < FLOW_REASONS; i++)
		p->acks_back += back->reasons[i];
	p->pings_answered += back->reasons[7];
	struct tally y = {0};
	slices_sum(&back->sent, &y);
	if (y.last_ns > p->back_last_ns)
		p->back_last_ns = y.last_ns;
	tally_clear(&y);
	if (!back->symptoms)
		return;
	lower(&p->back_ttl_min, back->symptoms->ttl_min);
	raise(&p->back_ttl_max, back->symptoms->ttl_max);
}

bool facts_paths(struct facts *f)
{
	f->paths = calloc(WAYS * f->n_flows + 1, sizeof *f->paths);
	f->n_paths = 0;
	if (!f->paths)
		return false;
	for (size_t i = 0; i < f->n_flows; i++)
		for (int w = 0; w < WAYS; w++)
			f->paths[f->n_paths++].key =
			        key_of(&f->flows[i].flow->key, (enum way)w);
	qsort(f->paths, f->n_paths, sizeof *f->paths, by_key);
	size_t n = 0;
	for (size_t i = 0; i < f->n_paths; i++)
		if (!n || by_key(&f->paths[n - 1], &f->paths[i]) != 0)
			f->paths[n++] = f->paths[i];
	f->n_paths = n;
	for (size_t i = 0; i < f->n_flows; i++) {
		for (int w = 0; w < WAYS; w++) {
			struct pair_key k = key_of(&f->flows[i].flow->key, (enum way)w);
			struct path *p = path_find(f, &k);
			if (p && !add_flow(f, p, &f->flows[i], (enum way)w))
				return false;
		}
	}
	for (size_t i = 0; i < f->n_paths; i++)
		add_other_half(f, &f->paths[i]);
	return true;
}

void facts_free(struct facts *f)
{
	for (size_t i = 0; i < f->n_paths; i++)
		free(f->paths[i].fate);
	free(f->paths);
	f->paths = NULL;
	f->n_paths = 0;
}

/* The next ADDR/BITS of a list; false behind the last. */
static bool next_network(const char **list, struct addr *a, unsigned *bits)
{
	char text[ADDR_TEXT + 8];
	while (**list) {
		size_t n = strcspn(*list, ",");
		bool fits = n < sizeof text;
		if (fits) {
			memcpy(text, *list, n);
			text[n] = 0;
		}
		*list += n + ((*list)[n] == ',');
		char *slash = fits ? strchr(text, '/') : NULL;
		if (slash)
			*slash++ = 0;
		*bits = slash ? (unsigned)strtoul(slash, NULL, 10) : 128;
		if (fits && addr_parse(text, a)) {
			if (slash && addr_is_v4(a))
				*bits += 96;
			return true;
		}
	}
	return false;
}

bool iface_owns(const struct fact_iface *i, const struct addr *a)
{
	const char *list = i->addresses;
	struct addr own;
	unsigned bits;
	while (next_network(&list, &own, &bits))
		if (addr_compare(&own, a) == 0)
			return true;
	return false;
}

static bool same_network(const struct addr *x, const struct addr *y, unsigned bits)
{
	if (bits > 128)
		bits = 128;
	unsigned bytes = bits / 8, rest = bits % 8;
	if (memcmp(x->b, y->b, bytes) != 0)
		return false;
	uint8_t mask = (uint8_t)(0xff00u >> rest);
	return rest == 0 || ((x->b[bytes] ^ y->b[bytes]) & mask) == 0;
}

int iface_subnet(const struct fact_iface *i, const struct addr *a)
{
	const char *list = i->addresses;
	struct addr own;
	unsigned bits;
	int known = -1;
	while (next_network(&list, &own, &bits)) {
		if (same_network(&own, a, bits))
			return 1;
		known = 0;
	}
	return known;
}

bool ttl_initial(uint8_t ttl)
{
	return ttl == 32 || ttl == 64 || ttl == 128 || ttl == 255;
}

bool path_direct(const struct path *p)
{
	return ttl_initial(p->ttl_min) && ttl_initial(p->ttl_max) &&
	       ttl_initial(p->back_ttl_min) && ttl_initial(p->back_ttl_max);
}

#define UNSEEN_MIN 3u

uint64_t iface_unseen(const struct fact_iface *i)
{
	const struct iface_stats *s = i->stats;
	if (s->offloaded || s->rx_snapped || s->verdict[PACKET_SNAPPED] ||
	    s->acked_unseen < UNSEEN_MIN)
		return 0;
	return s->acked_unseen;
}

double iface_quality(const struct fact_iface *i, char *doubt, size_t size)
{
	const struct iface_stats *s = i->stats;
	double q = 1;
	doubt[0] = 0;
	uint64_t lost = (i->has_dropped ? i->dropped : 0) + i->ifdropped;
	if (iface_unseen(i) > lost)
		lost = iface_unseen(i);
	if (lost) {
		double share = (double)lost / (double)(lost + s->frames);
		q -= share > 0.05 ? 0.5 : 10 * share;
		snprintf(doubt, size, "the capture lost %.3g %% of its packets",
		         share * 100);
	}
	uint64_t snapped = s->rx_snapped + s->verdict[PACKET_SNAPPED];
	if (snapped) {
		size_t used = strlen(doubt);
		q *= 0.8;
		snprintf(doubt + used, size - used,
		         "%spackets were cut before their Rx header", used ? "; " : "");
	}
	return q;
}
