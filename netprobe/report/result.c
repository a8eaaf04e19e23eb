#include "netprobe/report/result.h"

#include "netprobe/report/announced.h"
#include "netprobe/report/chosen.h"
#include "netprobe/report/result_pair.h"
#include "netprobe/report/result_points.h"

#include <stdlib.h>
#include <string.h>

static void find_dominant(struct result_way *w)
{
	size_t n;
	struct size_count *list =
	        sizes_sorted(&w->tally.data_datagrams, SIZES_BY_SIZE, &n);
	uint64_t all = 0, best = 0;
	for (size_t i = 0; i < n; i++) {
		uint64_t bytes = list[i].n * list[i].size;
		all += bytes;
		if (bytes >= best) {
			best = bytes;
			w->dominant = list[i].size;
		}
	}
	w->dominant_share = all ? (double)best / (double)all : 0;
	free(list);
}

static uint64_t link_bytes(const struct sizes *ip_lengths, const struct link_kind *kind,
                           uint32_t mtu)
{
	size_t n;
	struct size_count *list = sizes_sorted(ip_lengths, SIZES_BY_SIZE, &n);
	uint64_t sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += list[i].n * link_wire_bytes(kind, list[i].size, mtu);
	free(list);
	return sum;
}

/* Rx data in a datagram with this UDP payload, when every packet is full. */
static uint32_t data_in(uint32_t udp_payload)
{
	struct rx_header h = {.type = RX_DATA, .flags = RX_JUMBO};
	if (udp_payload <= RX_HEADER + RX_JUMBO_DATA + RX_JUMBO_HEADER)
		h.flags = 0;
	return rx_jumbo_measure(&h, udp_payload).data_bytes;
}

/* Everything that follows from the tally, for a span of seconds. */
static void work_out(struct result_way *w, const struct result_iface *i, double seconds)
{
	w->seconds = seconds;
	if (!w->tally.ip_packets)
		return;
	find_dominant(w);
	if (!i->kind)
		return;
	w->link_known = true;
	w->link_bytes = link_bytes(&w->tally.ip_lengths, i->kind, i->mtu);
	if (!w->dominant || !i->rate_bps)
		return;
	/* without fragments the link carries the datagram whole; with them its
	 * pieces are as long as the longest one seen */
	uint32_t mtu = w->tally.fragments ? w->tally.ip_lengths.max : 0;
	w->ceiling = link_ceiling_bytes_per_s(i->kind, i->rate_bps,
	                                      data_in(w->dominant), w->dominant, mtu);
	if (w->seconds > 0 && w->ceiling > 0)
		w->share_of_ceiling =
		        (double)w->tally.data_bytes / w->seconds / w->ceiling;
}

/* The name as given, or without the file that parts it from others of its name. */
static bool is_named(const struct source_iface *i, const char *name)
{
	size_t all = strlen(i->name), n = strlen(name);
	return strcmp(i->name, name) == 0 || (all > n && i->name[all - n - 1] == ':' &&
	                                      strcmp(i->name + all - n, name) == 0);
}

static void fill_iface(struct result_iface *i, const struct source *s,
                       const struct track *t, size_t n, const struct result_link *links,
                       size_t n_links)
{
	static const struct iface_stats none;
	i->source = source_iface(s, n);
	i->stats = n < track_iface_count(t) ? track_iface(t, n) : &none;
	i->mtu = i->source->mtu;
	i->rate_bps = i->source->speed_bps;
	i->kind = i->source->link[0] ? link_kind_find(i->source->link) : NULL;
	for (size_t l = 0; l < n_links; l++) {
		if (!is_named(i->source, links[l].iface))
			continue;
		i->kind = links[l].kind;
		if (links[l].rate_bps)
			i->rate_bps = links[l].rate_bps;
	}
	if (i->kind && !i->rate_bps)
		i->rate_bps = i->kind->usual_rate;
	for (int w = 0; w < WAYS; w++)
		slices_sum(&i->stats->gone[w], &i->way[w].tally);
}

/* A connection has one level, and its other half may go by another address. */
static void merge_evidence(struct rx_evidence *e, const struct flow *f)
{
	if (!f)
		return;
	if (f->security)
		rx_evidence_merge(e, &f->security->evidence);
	e->classes |= f->side[0].security_seen | f->side[1].security_seen;
}

static void fill_security(struct result_flow *rf, const struct track *t)
{
	const struct flow *f = rf->flow;
	struct rx_evidence e = {0};
	merge_evidence(&e, f);
	merge_evidence(&e, f->split ? track_flow_find(t, &f->other_half) : NULL);
	rf->classes = e.classes;
	rf->level = rx_level_of(&e);
	for (unsigned w = 0; w < WAYS; w++)
		if (rf->way[w].tally.data_datagrams.total)
			rx_evidence_text(&e, w, rf->evidence[w],
			                 sizeof rf->evidence[w]);
}

static int fill_chosen(struct result_flow *rf, const struct track *t,
                       const struct announced *a)
{
	char text[RESULT_TEXT];
	for (int w = 0; w < WAYS; w++) {
		chosen_explain(rf, t, a, (enum way)w, text, sizeof text);
		if (text[0] && !(rf->chosen[w] = strdup(text)))
			return -1;
	}
	return 0;
}

static int fill_flows(struct result *r, const struct track *t)
{
	struct announced *a = announced_new(t);
	size_t n = track_flow_count(t);
	r->flows = calloc(n + 1, sizeof *r->flows);
	if (!a || !r->flows) {
		announced_free(a);
		return -1;
	}
	for (const struct flow *f = NULL; (f = track_flow_next(t, f));) {
		if (f->key.iface >= r->n_ifaces)
			continue;
		struct result_flow *rf = &r->flows[r->n_flows++];
		r->n_flows_held = r->n_flows;
		struct result_iface *i = &r->ifaces[f->key.iface];
		rf->flow = f;
		rf->iface = i;
		for (int w = 0; w < WAYS; w++) {
			slices_sum(&f->side[w].sent, &rf->way[w].tally);
			tally_merge(&i->way[w].tally, &rf->way[w].tally);
			work_out(&rf->way[w], i, tally_seconds(&rf->way[w].tally));
		}
		fill_security(rf, t);
		if (fill_chosen(rf, t, a) != 0) {
			announced_free(a);
			return -1;
		}
	}
	announced_free(a);
	result_sort_flows(r, SORT_BYTES);
	return 0;
}

static void fill_part(struct result_part *part, const struct result *r, size_t iface,
                      const struct result_phase *ph)
{
	part->iface = &r->ifaces[iface];
	for (int w = 0; w < WAYS; w++) {
		struct tally *sum = &part->way[w].tally;
		slices_sum_phase(&part->iface->stats->gone[w], ph->phase->id, sum);
		for (size_t f = 0; f < r->n_flows; f++)
			if (r->flows[f].iface == part->iface)
				slices_sum_phase(&r->flows[f].flow->side[w].sent,
				                 ph->phase->id, sum);
		work_out(&part->way[w], part->iface, ph->seconds);
	}
}

static int fill_phases(struct result *r, const struct track *t)
{
	const struct phases *phases = track_phases(t);
	r->phases = calloc(phases->count + 1, sizeof *r->phases);
	if (!r->phases)
		return -1;
	for (size_t i = 0; i < phases->count; i++) {
		struct result_phase *ph = &r->phases[i];
		ph->phase = &phases->list[i];
		/* a phase whose end is not in the capture ends with the capture */
		int64_t end =
		        ph->phase->end_ns == INT64_MAX ? r->last_ns : ph->phase->end_ns;
		if (end > ph->phase->begin_ns)
			ph->seconds = (double)(end - ph->phase->begin_ns) / 1e9;
		ph->parts = calloc(r->n_ifaces + 1, sizeof *ph->parts);
		if (!ph->parts)
			return -1;
		r->n_phases++;
		for (size_t n = 0; n < r->n_ifaces; n++)
			fill_part(&ph->parts[n], r, n, ph);
	}
	return 0;
}

static int by_calls(const void *a, const void *b)
{
	const struct op *x = *(const struct op *const *)a,
	                *y = *(const struct op *const *)b;
	if (x->calls != y->calls)
		return x->calls > y->calls ? -1 : 1;
	if (x->key.service != y->key.service)
		return x->key.service < y->key.service ? -1 : 1;
	return x->key.opcode < y->key.opcode ? -1 : x->key.opcode > y->key.opcode;
}

static int fill_ops(struct result *r, const struct track *t)
{
	size_t n = 0;
	for (const struct op *o = NULL; (o = track_op_next(t, o));)
		n++;
	r->ops = calloc(n + 1, sizeof *r->ops);
	if (!r->ops)
		return -1;
	for (const struct op *o = NULL; (o = track_op_next(t, o));)
		r->ops[r->n_ops++] = o;
	qsort(r->ops, r->n_ops, sizeof *r->ops, by_calls);
	return 0;
}

static void note_span(struct result *r, const struct iface_stats *s)
{
	bool first = r->frames == 0;
	if (!s->frames)
		return;
	r->frames += s->frames;
	if (first || s->first_ns < r->first_ns)
		r->first_ns = s->first_ns;
	if (first || s->last_ns > r->last_ns)
		r->last_ns = s->last_ns;
}

/* A link told of an interface that is not there is a slip of the pen, and the ceilings
 * would not be those that were meant. */
static int all_links_found(const struct result *r, const struct result_link *links,
                           size_t n, struct err *err)
{
	for (size_t l = 0; l < n; l++) {
		size_t i = 0;
		while (i < r->n_ifaces &&
		       !is_named(r->ifaces[i].source, links[l].iface))
			i++;
		if (i == r->n_ifaces)
			return err_set(
			        err, ERR_USAGE,
			        "--link %s: no such interface in the capture%s%s",
			        links[l].iface, r->n_ifaces ? "; its first is " : "",
			        r->n_ifaces ? r->ifaces[0].source->name : "");
	}
	return 0;
}

int result_make(struct result *r, const struct source *s, const struct track *t,
                const struct result_link *links, size_t n_links, struct err *err)
{
	*r = (struct result){.source = s, .track = t};
	r->n_ifaces = source_iface_count(s);
	r->ifaces = calloc(r->n_ifaces + 1, sizeof *r->ifaces);
	if (!r->ifaces)
		goto no_memory;
	for (size_t i = 0; i < r->n_ifaces; i++) {
		fill_iface(&r->ifaces[i], s, t, i, links, n_links);
		note_span(r, r->ifaces[i].stats);
	}
	if (all_links_found(r, links, n_links, err) != 0) {
		result_free(r);
		return -1;
	}
	if (fill_flows(r, t) != 0 || fill_phases(r, t) != 0 || fill_ops(r, t) != 0 ||
	    result_pairs_make(r) != 0 || result_points_make(r) != 0)
		goto no_memory;
	for (size_t i = 0; i < r->n_ifaces; i++)
		for (int w = 0; w < WAYS; w++)
			work_out(&r->ifaces[i].way[w], &r->ifaces[i],
			         tally_seconds(&r->ifaces[i].way[w].tally));
	return 0;
no_memory:
	result_free(r);
	return err_set(err, ERR_ENVIRONMENT, "out of memory while making the report");
}

void result_free(struct result *r)
{
	for (size_t i = 0; i < r->n_phases; i++) {
		for (size_t n = 0; n < r->n_ifaces; n++)
			for (int w = 0; w < WAYS; w++)
				tally_clear(&r->phases[i].parts[n].way[w].tally);
		free(r->phases[i].parts);
	}
	for (size_t i = 0; i < r->n_flows_held; i++)
		for (int w = 0; w < WAYS; w++) {
			tally_clear(&r->flows[i].way[w].tally);
			free(r->flows[i].chosen[w]);
		}
	for (size_t i = 0; r->ifaces && i < r->n_ifaces; i++)
		for (int w = 0; w < WAYS; w++)
			tally_clear(&r->ifaces[i].way[w].tally);
	result_hosts_free(&r->hosts);
	findings_free(&r->findings);
	free(r->ops);
	result_pairs_free(r);
	result_points_free(r);
	free(r->phases);
	free(r->flows);
	free(r->ifaces);
	*r = (struct result){0};
}
