#include "netprobe/report/json.h"

#include "src/base/clock.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* jansson's constructors give NULL when memory is out, and its setters take
 * NULL as a failure; so one flag at the end is enough. */
struct maker {
	bool failed;
};

static void put(struct maker *m, json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value) != 0)
		m->failed = true;
}

static void put_count(struct maker *m, json_t *object, const char *key, uint64_t n)
{
	put(m, object, key, json_integer((json_int_t)n));
}

static void put_text(struct maker *m, json_t *object, const char *key, const char *text)
{
	/* names come from captures: what is not UTF-8 is shown byte by byte */
	json_t *value = json_string(text);
	if (!value) {
		char safe[512];
		size_t n = 0;
		for (const char *p = text; *p && n + 5 < sizeof safe; p++) {
			unsigned char c = (unsigned char)*p;
			n += (size_t)snprintf(safe + n, sizeof safe - n,
					      c < 0x80 ? "%c" : "<%02x>", c);
		}
		safe[n] = 0;
		value = json_string(safe);
	}
	put(m, object, key, value);
}

static void put_known(struct maker *m, json_t *object, const char *key, double value,
		      bool known)
{
	put(m, object, key, known ? json_real(value) : json_null());
}

static json_t *sizes_json(struct maker *m, const struct sizes *s, enum sizes_order order)
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

static json_t *types_json(struct maker *m, const struct tally *y)
{
	json_t *o = json_object();
	for (unsigned i = 0; i < RX_TYPES; i++)
		if (y->type[i])
			put_count(m, o, rx_type_name(i), y->type[i]);
	return o;
}

static json_t *way_json(struct maker *m, const struct result_way *w)
{
	const struct tally *y = &w->tally;
	json_t *o = json_object();
	const struct {
		const char *key;
		uint64_t value;
	} counts[] = {
		{ "ip_packets", y->ip_packets },
		{ "ip_bytes", y->ip_bytes },
		{ "ip_packets_with_df", y->df },
		{ "offloaded_packets", y->offloaded },
		{ "fragments", y->fragments },
		{ "trains_whole", y->trains_whole },
		{ "trains_broken", y->trains_broken },
		{ "broken_ip_bytes", y->broken_ip_bytes },
		{ "rx_datagrams", y->datagrams },
		{ "rx_data_packets", y->data_packets },
		{ "rx_data_bytes", y->data_bytes },
		{ "resends", y->resends },
		{ "resent_rx_data_bytes", y->resent_bytes },
		{ "resends_first_copy_unseen", y->recovered },
		{ "duplicates", y->duplicates },
		{ "malformed", y->malformed },
		{ "jumbograms", y->jumbograms.total },
	};
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		put_count(m, o, counts[i].key, counts[i].value);
	put(m, o, "rx_types", types_json(m, y));
	put(m, o, "ip_lengths", sizes_json(m, &y->ip_lengths, SIZES_BY_COUNT));
	put(m, o, "datagram_sizes", sizes_json(m, &y->data_datagrams, SIZES_BY_COUNT));
	put(m, o, "jumbogram_packets", sizes_json(m, &y->jumbograms, SIZES_BY_SIZE));
	put(m, o, "train_fragments", sizes_json(m, &y->train_pieces, SIZES_BY_SIZE));
	put(m, o, "seconds", json_real(w->seconds));
	bool timed = w->seconds > 0;
	put_known(m, o, "rx_data_bytes_per_s",
		  timed ? (double)y->data_bytes / w->seconds : 0, timed);
	put_known(m, o, "ip_bytes_per_s", timed ? (double)y->ip_bytes / w->seconds : 0,
		  timed);
	put(m, o, "link_bytes",
	    w->link_known ? json_integer((json_int_t)w->link_bytes) : json_null());
	put_count(m, o, "dominant_datagram", w->dominant);
	put(m, o, "dominant_share", json_real(w->dominant_share));
	put_known(m, o, "ceiling_bytes_per_s", w->ceiling, w->ceiling > 0);
	put_known(m, o, "share_of_ceiling", w->share_of_ceiling,
		  w->ceiling > 0 && timed);
	return o;
}

static const char *const way_key[WAYS] = { "to_server", "to_client" };

static json_t *verdicts_json(struct maker *m, const struct iface_stats *s)
{
	json_t *o = json_object();
	for (int v = 0; v < PACKET_VERDICTS; v++)
		if (s->verdict[v])
			put_count(m, o, packet_verdict_name((enum packet_verdict)v),
				  s->verdict[v]);
	return o;
}

static json_t *trains_json(struct maker *m, const struct iface_stats *s)
{
	json_t *o = json_object();
	for (int e = 0; e < FRAGMENT_ENDS; e++)
		put_count(m, o, fragment_end_name((enum fragment_end)e), s->trains[e]);
	return o;
}

static void put_unknown(struct maker *m, json_t *o, const char *key, uint64_t n,
			bool known)
{
	put(m, o, key, known ? json_integer((json_int_t)n) : json_null());
}

static json_t *capture_json(struct maker *m, const struct source_iface *s)
{
	json_t *o = json_object();
	put_unknown(m, o, "received", s->received, s->has_received);
	put_unknown(m, o, "dropped", s->dropped, s->has_dropped);
	put_unknown(m, o, "dropped_by_interface", s->ifdropped, s->has_ifdropped);
	put_unknown(m, o, "kernel_packets", s->kernel_packets, s->has_kernel);
	put_unknown(m, o, "kernel_bytes", s->kernel_bytes, s->has_kernel);
	put_unknown(m, o, "left_out_packets", s->left_out_packets, s->has_kernel);
	put_unknown(m, o, "left_out_bytes", s->left_out_bytes, s->has_kernel);
	return o;
}

static json_t *iface_json(struct maker *m, const struct result_iface *i)
{
	const struct iface_stats *s = i->stats;
	json_t *o = json_object();
	put_text(m, o, "name", i->source->name);
	put_count(m, o, "link_type", i->source->link_type);
	put(m, o, "link", i->kind ? json_string(i->kind->name) : json_null());
	put_unknown(m, o, "rate_bps", i->rate_bps, i->rate_bps != 0);
	put_unknown(m, o, "mtu", i->mtu, i->mtu != 0);
	put_text(m, o, "addresses", i->source->addresses);
	put_text(m, o, "filter", i->source->filter);
	const struct {
		const char *key;
		uint64_t value;
	} counts[] = {
		{ "frames", s->frames },
		{ "frame_bytes", s->wire_bytes },
		{ "snapped_frames", s->snapped_frames },
		{ "frames_older_than_the_one_before", s->backwards },
		{ "ip_packets", s->ip_packets },
		{ "ip_bytes", s->ip_bytes },
		{ "offloaded_packets", s->offloaded },
		{ "fragments", s->fragments },
		{ "atomic_fragments", s->atomic },
		{ "overlapping_trains", s->overlaps },
		{ "oversize_trains", s->oversize },
		{ "tiny_fragment_trains", s->tiny },
		{ "orphan_fragments", s->orphans },
		{ "orphan_ip_bytes", s->orphan_bytes },
		{ "rx_datagrams", s->rx },
		{ "udp_other", s->udp },
		{ "tcp", s->tcp },
		{ "icmp", s->icmp },
		{ "icmp_errors", s->icmp_errors },
		{ "icmp_too_big", s->too_big },
		{ "ip_other", s->other },
		{ "rx_port_header_not_captured", s->rx_snapped },
		{ "rx_port_too_short", s->rx_short },
		{ "rx_port_not_rx", s->rx_refused },
		{ "udp_length_wrong", s->udp_short },
	};
	for (size_t n = 0; n < sizeof counts / sizeof *counts; n++)
		put_count(m, o, counts[n].key, counts[n].value);
	put_unknown(m, o, "icmp_too_big_mtu", s->too_big_mtu, s->too_big_mtu != 0);
	put(m, o, "frames_by_verdict", verdicts_json(m, s));
	put(m, o, "trains", trains_json(m, s));
	put(m, o, "ip_lengths", sizes_json(m, &s->ip_lengths, SIZES_BY_COUNT));
	put(m, o, "capture", capture_json(m, i->source));
	for (int w = 0; w < WAYS; w++)
		put(m, o, way_key[w], way_json(m, &i->way[w]));
	return o;
}

static json_t *trailers_json(struct maker *m, const struct flow_side *s)
{
	json_t *list = json_array();
	for (unsigned i = 0; i < s->trailers; i++) {
		const struct trailer_seen *t = &s->trailer[i];
		json_t *o = json_object();
		put_count(m, o, "words", t->trailer.words);
		put_count(m, o, "max_receive", t->trailer.max_receive);
		put_count(m, o, "interface", t->trailer.interface);
		put_count(m, o, "window_packets", t->trailer.window);
		put_count(m, o, "packets_per_jumbogram", t->trailer.packets);
		put_count(m, o, "acks", t->acks);
		put_count(m, o, "first_frame", t->first_frame);
		put(m, o, "plausible", json_boolean(rx_trailer_plausible(&t->trailer)));
		if (json_array_append_new(list, o) != 0)
			m->failed = true;
	}
	return list;
}

static json_t *end_json(struct maker *m, const struct addr *a, uint16_t port)
{
	char text[ADDR_TEXT];
	json_t *o = json_object();
	put_text(m, o, "address", addr_format(a, text));
	put_count(m, o, "port", port);
	return o;
}

static json_t *flow_json(struct maker *m, const struct result_flow *rf)
{
	const struct flow *f = rf->flow;
	json_t *o = json_object();
	put_text(m, o, "interface", rf->iface->source->name);
	put(m, o, "client", end_json(m, &f->key.client, f->key.client_port));
	put(m, o, "server", end_json(m, &f->key.server, f->key.server_port));
	put_text(m, o, "service", afs_service_name(f->service));
	put_count(m, o, "service_id", f->service_id);
	put_count(m, o, "first_frame", f->first_frame);
	put_count(m, o, "datagrams_answered_from_other_address", f->split);
	put(m, o, "other_address",
	    f->split ? end_json(m, &f->other_half.server, f->other_half.server_port)
		     : json_null());
	for (int w = 0; w < WAYS; w++) {
		json_t *way = way_json(m, &rf->way[w]);
		put(m, way, "sender_announces", trailers_json(m, &f->side[w]));
		put_count(m, way, "icmp_too_big", f->side[w].too_big);
		put_unknown(m, way, "icmp_too_big_mtu", f->side[w].too_big_mtu,
			    f->side[w].too_big_mtu != 0);
		put(m, way, "chosen",
		    rf->chosen[w][0] ? json_string(rf->chosen[w]) : json_null());
		put(m, o, way_key[w], way);
	}
	return o;
}

static json_t *phase_json(struct maker *m, const struct result *r,
			  const struct result_phase *ph)
{
	json_t *o = json_object();
	put_count(m, o, "id", ph->phase->id);
	put_text(m, o, "name", ph->phase->name);
	put(m, o, "begin_ns", json_integer(ph->phase->begin_ns));
	put(m, o, "end_ns",
	    ph->phase->end_ns == INT64_MAX ? json_null()
					   : json_integer(ph->phase->end_ns));
	put(m, o, "seconds", json_real(ph->seconds));
	json_t *list = json_array();
	for (size_t n = 0; n < r->n_ifaces; n++) {
		json_t *part = json_object();
		put_text(m, part, "name", ph->parts[n].iface->source->name);
		for (int w = 0; w < WAYS; w++)
			put(m, part, way_key[w], way_json(m, &ph->parts[n].way[w]));
		if (json_array_append_new(list, part) != 0)
			m->failed = true;
	}
	put(m, o, "interfaces", list);
	return o;
}

static json_t *input_json(struct maker *m, const struct result *r)
{
	json_t *o = json_object();
	put_count(m, o, "frames", r->frames);
	put(m, o, "first_ns", json_integer(r->first_ns));
	put(m, o, "last_ns", json_integer(r->last_ns));
	json_t *cuts = json_array(), *notes = json_array();
	for (size_t i = 0; i < source_cut_count(r->source); i++) {
		const struct source_cut *c = source_cut(r->source, i);
		json_t *cut = json_object();
		put_text(m, cut, "file", c->file);
		put_count(m, cut, "offset", c->offset);
		put_count(m, cut, "frames_before", c->frames);
		put_text(m, cut, "why", c->why);
		json_array_append_new(cuts, cut);
	}
	for (size_t i = 0; i < source_note_count(r->source); i++)
		json_array_append_new(notes, json_string(source_note(r->source, i)));
	put(m, o, "ended_early", cuts);
	put(m, o, "notes", notes);
	put_count(m, o, "flows_evicted", track_flows_evicted(r->track));
	put_count(m, o, "connections_evicted", track_conns_evicted(r->track));
	put(m, o, "out_of_memory", json_boolean(track_starved(r->track)));
	return o;
}

/* What the driver's joined report quotes. */
static json_t *verdict_json(struct maker *m, const struct result_flow *rf, int w)
{
	char client[ADDR_TEXT], server[ADDR_TEXT];
	json_t *o = json_object();
	put_text(m, o, "interface", rf->iface->source->name);
	put_text(m, o, "client", addr_format(&rf->flow->key.client, client));
	put_text(m, o, "server", addr_format(&rf->flow->key.server, server));
	put_text(m, o, "service", afs_service_name(rf->flow->service));
	put_text(m, o, "direction", way_key[w]);
	put_text(m, o, "text", rf->chosen[w]);
	return o;
}

static json_t *report_object(struct maker *m, const struct result *r)
{
	json_t *o = json_object();
	put_text(m, o, "schema", "netprobe-report/1");
	put(m, o, "input", input_json(m, r));
	json_t *ifaces = json_array(), *flows = json_array(), *phases = json_array();
	json_t *verdicts = json_array();
	for (size_t i = 0; i < r->n_ifaces; i++)
		json_array_append_new(ifaces, iface_json(m, &r->ifaces[i]));
	for (size_t i = 0; i < r->n_flows; i++) {
		json_array_append_new(flows, flow_json(m, &r->flows[i]));
		for (int w = 0; w < WAYS; w++)
			if (r->flows[i].chosen[w][0])
				json_array_append_new(
					verdicts, verdict_json(m, &r->flows[i], w));
	}
	for (size_t i = 0; i < r->n_phases; i++)
		json_array_append_new(phases, phase_json(m, r, &r->phases[i]));
	put(m, o, "interfaces", ifaces);
	put(m, o, "flows", flows);
	put(m, o, "phases", phases);
	put(m, o, "verdicts", verdicts);
	return o;
}

int report_json(const struct result *r, FILE *out, struct err *err)
{
	struct maker m = { false };
	json_t *o = report_object(&m, r);
	if (m.failed || !o) {
		json_decref(o);
		return err_set(err, ERR_ENVIRONMENT, "out of memory while making JSON");
	}
	int rc = json_dumpf(o, out, JSON_INDENT(1) | JSON_PRESERVE_ORDER |
				     JSON_REAL_PRECISION(9));
	json_decref(o);
	if (rc != 0 || fputc('\n', out) == EOF || fflush(out) != 0)
		return err_sys(err, errno, "cannot write the JSON report");
	return 0;
}
