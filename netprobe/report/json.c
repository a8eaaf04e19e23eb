#include "netprobe/report/json.h"

#include "netprobe/report/pair_verdict.h"
#include "netprobe/report/record.h"
#include "netprobe/report/record_finding.h"
#include "netprobe/report/record_host.h"
#include "netprobe/report/record_pair.h"
#include "netprobe/report/record_points.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static json_t *sizes_json(struct json_maker *m, const struct sizes *s,
                          enum sizes_order order)
{
	json_t *list = json_array();
	size_t n;
	struct size_count *rows = sizes_sorted(s, order, &n);
	for (size_t i = 0; i < n; i++) {
		json_t *pair = json_pack("[I,I]", (json_int_t)rows[i].size,
		                         (json_int_t)rows[i].n);
		if (json_array_append_new(list, pair) != 0)
			m->failed = true;
	}
	free(rows);
	return list;
}

static json_t *types_json(struct json_maker *m, const struct tally *y)
{
	json_t *o = json_object();
	for (unsigned i = 0; i < RX_TYPES; i++)
		if (y->type[i])
			json_put_count(m, o, rx_type_name(i), y->type[i]);
	return o;
}

static json_t *way_json(struct json_maker *m, const struct result_way *w)
{
	const struct tally *y = &w->tally;
	json_t *o = json_object();
	json_put_tally(m, o, y);
	json_put(m, o, "rx_types", types_json(m, y));
	json_put(m, o, "ip_lengths", sizes_json(m, &y->ip_lengths, SIZES_BY_COUNT));
	json_put(m, o, "datagram_sizes",
	         sizes_json(m, &y->data_datagrams, SIZES_BY_COUNT));
	json_put(m, o, "jumbogram_packets",
	         sizes_json(m, &y->jumbograms, SIZES_BY_SIZE));
	json_put(m, o, "train_fragments",
	         sizes_json(m, &y->train_pieces, SIZES_BY_SIZE));
	record_put_rates(m, o, w);
	return o;
}

static json_t *verdicts_json(struct json_maker *m, const struct iface_stats *s)
{
	json_t *o = json_object();
	for (int v = 0; v < PACKET_VERDICTS; v++)
		if (s->verdict[v])
			json_put_count(m, o,
			               packet_verdict_name((enum packet_verdict)v),
			               s->verdict[v]);
	return o;
}

/* What lies outside the innermost IP packet: link header, tags, tunnels. */
static json_t *layers_json(struct json_maker *m, const struct iface_stats *s)
{
	json_t *list = json_array();
	for (int k = 0; k < LAYER_KINDS; k++) {
		if (!s->layer[k])
			continue;
		json_t *o = json_object();
		json_put_text(m, o, "name", layer_name((enum layer_kind)k));
		json_put_count(m, o, "ip_packets", s->layer[k]);
		json_put_count(m, o, "header_bytes", s->layer_bytes[k]);
		if (json_array_append_new(list, o) != 0)
			m->failed = true;
	}
	return list;
}

static json_t *circuits_json(struct json_maker *m, const struct circuits *c)
{
	json_t *list = json_array();
	for (uint32_t i = 0; i < c->n; i++) {
		json_t *o = json_object();
		json_put_count(m, o, "vpi", c->list[i].vpi);
		json_put_count(m, o, "vci", c->list[i].vci);
		json_put_count(m, o, "frames_from_host", c->list[i].from_host);
		json_put_count(m, o, "frames_to_host", c->list[i].to_host);
		if (json_array_append_new(list, o) != 0)
			m->failed = true;
	}
	return list;
}

static json_t *trains_json(struct json_maker *m, const struct iface_stats *s)
{
	json_t *o = json_object();
	for (int e = 0; e < FRAGMENT_ENDS; e++)
		json_put_count(m, o, fragment_end_name((enum fragment_end)e),
		               s->trains[e]);
	return o;
}

static json_t *capture_json(struct json_maker *m, const struct source_iface *s)
{
	json_t *o = json_object();
	json_put_unknown(m, o, "received", s->received, s->has_received);
	json_put_unknown(m, o, "dropped", s->dropped, s->has_dropped);
	json_put_unknown(m, o, "dropped_by_interface", s->ifdropped, s->has_ifdropped);
	json_put_unknown(m, o, "kernel_packets", s->kernel_packets, s->has_kernel);
	json_put_unknown(m, o, "kernel_bytes", s->kernel_bytes, s->has_kernel);
	json_put_unknown(m, o, "left_out_packets", s->left_out_packets, s->has_kernel);
	json_put_unknown(m, o, "left_out_bytes", s->left_out_bytes, s->has_kernel);
	return o;
}

/* What the capture tells, null where it does not. */
static void put_told(struct json_maker *m, json_t *o, const char *key, const char *text)
{
	if (*text)
		json_put_text(m, o, key, text);
	else
		json_put(m, o, key, json_null());
}

static json_t *iface_json(struct json_maker *m, const struct result_iface *i)
{
	const struct iface_stats *s = i->stats;
	json_t *o = json_object();
	json_put_text(m, o, "name", i->source->name);
	json_put_count(m, o, "link_type", i->source->link_type);
	json_put(m, o, "link", i->kind ? json_string(i->kind->name) : json_null());
	json_put_unknown(m, o, "rate_bps", i->rate_bps, i->rate_bps != 0);
	json_put_unknown(m, o, "mtu", i->mtu, i->mtu != 0);
	put_told(m, o, "addresses", i->source->addresses);
	put_told(m, o, "filter", i->source->filter);
	const struct {
		const char *key;
		uint64_t value;
	} counts[] = {
	        {"frames", s->frames},
	        {"frame_bytes", s->wire_bytes},
	        {"snapped_frames", s->snapped_frames},
	        {"frames_older_than_the_one_before", s->backwards},
	        {"ip_packets", s->ip_packets},
	        {"ip_bytes", s->ip_bytes},
	        {"offloaded_packets", s->offloaded},
	        {"fragments", s->fragments},
	        {"ip_packets_longer_than_frame", s->cut_packets},
	        {"atomic_fragments", s->atomic},
	        {"overlapping_trains", s->overlaps},
	        {"oversize_trains", s->oversize},
	        {"tiny_fragment_trains", s->tiny},
	        {"orphan_fragments", s->orphans},
	        {"orphan_ip_bytes", s->orphan_bytes},
	        {"rx_datagrams", s->rx},
	        {"udp_other", s->udp},
	        {"tcp", s->tcp},
	        {"icmp", s->icmp},
	        {"icmp_errors", s->icmp_errors},
	        {"icmp_too_big", s->too_big},
	        {"ip_other", s->other},
	        {"rx_port_header_not_captured", s->rx_snapped},
	        {"rx_port_too_short", s->rx_short},
	        {"rx_port_not_rx", s->rx_refused},
	        {"udp_length_wrong", s->udp_short},
	        {"rx_on_other_ports", s->rx_elsewhere},
	        {"trailing_frames", s->trailing_frames},
	        {"trailing_bytes", s->trailing_bytes},
	        {"first_fragments", s->first_pieces},
	        {"later_fragments", s->later_pieces},
	};
	for (size_t n = 0; n < sizeof counts / sizeof *counts; n++)
		json_put_count(m, o, counts[n].key, counts[n].value);
	json_put_unknown(m, o, "icmp_too_big_mtu", s->too_big_mtu, s->too_big_mtu != 0);
	json_put(m, o, "later_fragments_hidden", json_boolean(pieces_hidden(s)));
	json_put(m, o, "frames_by_verdict", verdicts_json(m, s));
	json_put(m, o, "layers", layers_json(m, s));
	json_put(m, o, "atm_circuits", circuits_json(m, &s->circuits));
	json_put_count(m, o, "frames_of_other_atm_circuits", s->circuits.other);
	json_put(m, o, "trains", trains_json(m, s));
	json_put(m, o, "ip_lengths", sizes_json(m, &s->ip_lengths, SIZES_BY_COUNT));
	json_put(m, o, "capture", capture_json(m, i->source));
	for (int w = 0; w < WAYS; w++)
		json_put(m, o, json_way_key[w], way_json(m, &i->way[w]));
	return o;
}

static json_t *trailers_json(struct json_maker *m, const struct flow_side *s)
{
	json_t *list = json_array();
	for (unsigned i = 0; i < s->trailers; i++) {
		const struct trailer_seen *t = &s->trailer[i];
		json_t *o = json_object();
		json_put_count(m, o, "words", t->trailer.words);
		json_put_count(m, o, "max_receive", t->trailer.max_receive);
		json_put_count(m, o, "interface", t->trailer.interface);
		json_put_count(m, o, "window_packets", t->trailer.window);
		json_put_count(m, o, "packets_per_jumbogram", t->trailer.packets);
		json_put_count(m, o, "acks", t->acks);
		json_put_count(m, o, "first_frame", t->first_frame);
		json_put(m, o, "plausible",
		         json_boolean(rx_trailer_plausible(&t->trailer)));
		if (json_array_append_new(list, o) != 0)
			m->failed = true;
	}
	return list;
}

static json_t *end_json(struct json_maker *m, const struct addr *a, uint16_t port)
{
	char text[ADDR_TEXT];
	json_t *o = json_object();
	json_put_text(m, o, "address", addr_format(a, text));
	json_put_count(m, o, "port", port);
	return o;
}

static json_t *flow_json(struct json_maker *m, const struct result_flow *rf)
{
	const struct flow *f = rf->flow;
	json_t *o = json_object();
	json_put_text(m, o, "interface", rf->iface->source->name);
	json_put(m, o, "client", end_json(m, &f->key.client, f->key.client_port));
	json_put(m, o, "server", end_json(m, &f->key.server, f->key.server_port));
	json_put_text(m, o, "service", afs_service_name(f->service));
	json_put_count(m, o, "service_id", f->service_id);
	json_put_count(m, o, "first_frame", f->first_frame);
	json_put(m, o, "security", security_json(m, rf));
	json_put_count(m, o, "datagrams_answered_from_other_address", f->split);
	json_put(m, o, "other_address",
	         f->split
	                 ? end_json(m, &f->other_half.server, f->other_half.server_port)
	                 : json_null());
	for (int w = 0; w < WAYS; w++) {
		json_t *way = way_json(m, &rf->way[w]);
		json_put(m, way, "sender_announces", trailers_json(m, &f->side[w]));
		record_put_path(m, way, &f->side[w]);
		json_put(m, way, "security_evidence",
		         rf->evidence[w][0] ? json_string(rf->evidence[w])
		                            : json_null());
		json_put(m, way, "chosen",
		         rf->chosen[w] ? json_string(rf->chosen[w]) : json_null());
		json_put(m, o, json_way_key[w], way);
	}
	return o;
}

static json_t *phase_json(struct json_maker *m, const struct result *r,
                          const struct result_phase *ph)
{
	json_t *o = json_object();
	json_put_count(m, o, "id", ph->phase->id);
	json_put_text(m, o, "name", ph->phase->name);
	json_put(m, o, "begin_ns", json_integer(ph->phase->begin_ns));
	json_put(m, o, "end_ns",
	         ph->phase->end_ns == INT64_MAX ? json_null()
	                                        : json_integer(ph->phase->end_ns));
	json_put(m, o, "seconds", json_real(ph->seconds));
	json_t *list = json_array();
	for (size_t n = 0; n < r->n_ifaces; n++) {
		json_t *part = json_object();
		json_put_text(m, part, "name", ph->parts[n].iface->source->name);
		for (int w = 0; w < WAYS; w++)
			json_put(m, part, json_way_key[w],
			         way_json(m, &ph->parts[n].way[w]));
		if (json_array_append_new(list, part) != 0)
			m->failed = true;
	}
	json_put(m, o, "interfaces", list);
	return o;
}

static uint64_t findings_left_out(const struct findings *fs)
{
	uint64_t n = 0;
	for (int k = 0; k < FINDING_KINDS; k++)
		n += fs->more[k];
	return n;
}

/* What had no room, or could not be told, and is in no list. */
static void put_left_out(struct json_maker *m, json_t *o, const struct result *r)
{
	const struct track *t = r->track;
	const struct track_pairs_gone pairs = track_pairs_gone(t);
	const struct points_limits *points = points_limits(track_points(t));
	const struct {
		const char *key;
		uint64_t n;
	} left_out[] = {
	        {"host_facts_evicted", hosts_evicted(track_hosts(t))},
	        {"flows_evicted", track_flows_evicted(t)},
	        {"connections_evicted", track_conns_evicted(t)},
	        {"interval_rows_evicted", series_evicted(track_series(t))},
	        {"pairs_evicted", pairs.pairs},
	        {"pairs_evicted_ip_packets", pairs.ip_packets},
	        {"pairs_evicted_ip_bytes", pairs.ip_bytes},
	        {"icmp_evicted", track_icmp_errors_evicted(t)},
	        {"findings_left_out", findings_left_out(&r->findings)},
	        {"points_edges", points->edges},
	        {"points_undecided", points->undecided},
	        {"points_other_pairs", points->other_pairs},
	        {"points_alike", points->alike},
	        {"points_unread", points->unread},
	};
	for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
		json_put_count(m, o, left_out[i].key, left_out[i].n);
}

static json_t *input_json(struct json_maker *m, const struct result *r)
{
	json_t *o = json_object();
	json_put_count(m, o, "frames", r->frames);
	json_put(m, o, "first_ns", r->frames ? json_integer(r->first_ns) : json_null());
	json_put(m, o, "last_ns", r->frames ? json_integer(r->last_ns) : json_null());
	json_t *cuts = json_array(), *notes = json_array();
	for (size_t i = 0; i < source_cut_count(r->source); i++) {
		const struct source_cut *c = source_cut(r->source, i);
		json_t *cut = json_object();
		json_put_text(m, cut, "file", c->file);
		json_put_count(m, cut, "offset", c->offset);
		json_put_count(m, cut, "frames_before", c->frames);
		json_put_text(m, cut, "why", c->why);
		json_array_append_new(cuts, cut);
	}
	for (size_t i = 0; i < source_note_count(r->source); i++)
		json_array_append_new(notes, json_string(source_note(r->source, i)));
	json_put(m, o, "ended_early", cuts);
	json_put(m, o, "notes", notes);
	put_left_out(m, o, r);
	json_put(m, o, "out_of_memory", json_boolean(track_starved(r->track)));
	return o;
}

/* What the driver's joined report quotes. */
static json_t *verdict_json(struct json_maker *m, const struct result_flow *rf, int w)
{
	char client[ADDR_TEXT], server[ADDR_TEXT];
	json_t *o = json_object();
	json_put_text(m, o, "interface", rf->iface->source->name);
	json_put_text(m, o, "client", addr_format(&rf->flow->key.client, client));
	json_put_text(m, o, "server", addr_format(&rf->flow->key.server, server));
	json_put_text(m, o, "service", afs_service_name(rf->flow->service));
	json_put_text(m, o, "direction", json_way_key[w]);
	json_put_text(m, o, "text", rf->chosen[w]);
	return o;
}

static json_t *pairs_json(struct json_maker *m, const struct result *r)
{
	json_t *list = json_array();
	for (size_t i = 0; i < r->n_pairs; i++) {
		const struct pair *p = r->pairs[i].pair;
		json_t *o = record_pair(m, &r->pairs[i]);
		json_put(m, o, "tcp_ip_lengths",
		         sizes_json(m, &p->kind[PAIR_TCP].lengths, SIZES_BY_COUNT));
		json_put(m, o, "udp_ip_lengths",
		         sizes_json(m, &p->kind[PAIR_UDP].lengths, SIZES_BY_COUNT));
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *icmp_json(struct json_maker *m, const struct result *r)
{
	json_t *list = json_array();
	for (size_t i = 0; i < r->n_icmp; i++)
		json_array_append_new(list, record_icmp(m, &r->icmp[i]));
	return list;
}

static json_t *points_list_json(struct json_maker *m, const struct result *r)
{
	json_t *list = json_array();
	for (size_t i = 0; i < r->n_points; i++)
		for (size_t n = 0; n < r->points[i].n; n++)
			json_array_append_new(list,
			                      points_json(m, &r->points[i],
			                                  &r->points[i].passages[n]));
	return list;
}

static json_t *findings_json(struct json_maker *m, const struct result *r)
{
	json_t *list = json_array();
	for (size_t i = 0; i < r->findings.n; i++)
		json_array_append_new(list, finding_json(m, r, &r->findings.list[i]));
	return list;
}

static json_t *report_object(struct json_maker *m, const struct result *r)
{
	json_t *o = json_object();
	json_put_text(m, o, "schema", "netprobe-report/1");
	json_put(m, o, "input", input_json(m, r));
	json_put(m, o, "findings", findings_json(m, r));
	json_t *ifaces = json_array(), *flows = json_array(), *phases = json_array();
	json_t *verdicts = json_array();
	for (size_t i = 0; i < r->n_ifaces; i++)
		json_array_append_new(ifaces, iface_json(m, &r->ifaces[i]));
	for (size_t i = 0; i < r->n_flows; i++) {
		json_array_append_new(flows, flow_json(m, &r->flows[i]));
		for (int w = 0; w < WAYS; w++)
			if (r->flows[i].chosen[w])
				json_array_append_new(verdicts,
				                      verdict_json(m, &r->flows[i], w));
	}
	for (size_t i = 0; i < r->n_phases; i++)
		json_array_append_new(phases, phase_json(m, r, &r->phases[i]));
	json_t *ops = json_array(), *intervals = json_array();
	for (size_t i = 0; i < r->n_ops; i++)
		json_array_append_new(ops, record_operation(m, r->ops[i]));
	size_t n;
	const struct series_row **rows = series_sorted(track_series(r->track), &n);
	for (size_t i = 0; i < n; i++)
		json_array_append_new(intervals, record_interval(m, r, rows[i]));
	free(rows);
	json_t *hosts = json_array();
	for (size_t i = 0; i < r->hosts.n; i++)
		json_array_append_new(hosts, host_json(m, &r->hosts.list[i]));
	json_put(m, o, "interfaces", ifaces);
	json_put(m, o, "flows", flows);
	json_put(m, o, "phases", phases);
	json_put(m, o, "operations", ops);
	json_put(m, o, "pairs", pairs_json(m, r));
	json_put(m, o, "icmp", icmp_json(m, r));
	json_put(m, o, "points", points_list_json(m, r));
	json_put(m, o, "intervals", intervals);
	json_put(m, o, "hosts", hosts);
	json_put(m, o, "verdicts", verdicts);
	return o;
}

int report_json(const struct result *r, FILE *out, struct err *err)
{
	struct json_maker m = {false};
	json_t *o = report_object(&m, r);
	if (m.failed || !o) {
		json_decref(o);
		return err_set(err, ERR_ENVIRONMENT, "out of memory while making JSON");
	}
	int rc = json_dumpf(
	        o, out, JSON_INDENT(1) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(9));
	json_decref(o);
	if (rc != 0 || fputc('\n', out) == EOF || fflush(out) != 0)
		return err_sys(err, errno, "cannot write the JSON report");
	return 0;
}
