#include "netprobe/report/record.h"

#include "netprobe/report/record_host.h"

static json_t *record_new(struct json_maker *m, const char *type)
{
	json_t *o = json_object();
	json_put_text(m, o, "type", type);
	return o;
}

static void put_hist(struct json_maker *m, json_t *o, const struct hist *h,
                     const char *const keys[5])
{
	bool any = h->count > 0;
	json_put_count(m, o, keys[0], h->count);
	json_put_known(m, o, keys[1], (double)hist_percentile(h, 0.5) / 1e3, any);
	json_put_known(m, o, keys[2], (double)hist_percentile(h, 0.95) / 1e3, any);
	json_put_known(m, o, keys[3], (double)hist_percentile(h, 0.99) / 1e3, any);
	json_put_known(m, o, keys[4], (double)h->max_ns / 1e3, any);
}

void record_put_path(struct json_maker *m, json_t *o, const struct flow_side *s)
{
	static const char *const rtt[] = {"rtt_samples", "rtt_us_p50", "rtt_us_p95",
	                                  "rtt_us_p99", "rtt_us_max"};
	put_hist(m, o, &s->rtt, rtt);
	json_put_count(m, o, "most_packets_in_flight", s->flight);
	json_put_count(m, o, "datagrams_at_full_window", s->at_window);
	json_put_count(m, o, "serials_missed", s->missed > 0 ? (uint64_t)s->missed : 0);
	/* acks of this side that say "I had that one": needless resends of the other */
	json_put_count(m, o, "acks_of_duplicates", s->reasons[2]);
	json_put_count(m, o, "icmp_too_big", s->too_big);
	json_put_unknown(m, o, "icmp_too_big_mtu", s->too_big_mtu, s->too_big_mtu != 0);
}

void record_put_rates(struct json_maker *m, json_t *o, const struct result_way *w)
{
	const struct tally *y = &w->tally;
	bool timed = w->seconds > 0;
	double s = timed ? w->seconds : 1;
	json_put(m, o, "seconds", json_real(w->seconds));
	json_put_known(m, o, "ip_bytes_per_s", (double)y->ip_bytes / s, timed);
	json_put_known(m, o, "rx_data_bytes_per_s", (double)y->data_bytes / s, timed);
	json_put_known(m, o, "rx_goodput_bytes_per_s",
	               (double)(y->data_bytes - y->resent_bytes) / s, timed);
	json_put_unknown(m, o, "link_bytes", w->link_bytes, w->link_known);
	json_put_unknown(m, o, "dominant_datagram", w->dominant, w->dominant != 0);
	json_put_known(m, o, "dominant_share", w->dominant_share, w->dominant != 0);
	json_put_known(m, o, "ceiling_bytes_per_s", w->ceiling, w->ceiling > 0);
	json_put_known(m, o, "share_of_ceiling", w->share_of_ceiling,
	               w->ceiling > 0 && timed);
}

json_t *record_interface(struct json_maker *m, const struct result_iface *i)
{
	const struct iface_stats *s = i->stats;
	json_t *o = record_new(m, "interface");
	json_put_text(m, o, "interface", i->source->name);
	json_put(m, o, "link", i->kind ? json_string(i->kind->name) : json_null());
	json_put_unknown(m, o, "rate_bps", i->rate_bps, i->rate_bps != 0);
	json_put_unknown(m, o, "mtu", i->mtu, i->mtu != 0);
	json_put_count(m, o, "frames", s->frames);
	json_put_count(m, o, "frame_bytes", s->wire_bytes);
	json_put_count(m, o, "ip_packets", s->ip_packets);
	json_put_count(m, o, "ip_bytes", s->ip_bytes);
	json_put_count(m, o, "fragments", s->fragments);
	json_put_count(m, o, "rx_datagrams", s->rx);
	json_put_count(m, o, "udp_other", s->udp);
	json_put_count(m, o, "tcp", s->tcp);
	json_put_count(m, o, "icmp_errors", s->icmp_errors);
	json_put_unknown(m, o, "dropped", i->source->dropped, i->source->has_dropped);
	return o;
}

static void put_ends(struct json_maker *m, json_t *o, const struct flow_key *k)
{
	char text[ADDR_TEXT];
	json_put_text(m, o, "client_address", addr_format(&k->client, text));
	json_put_count(m, o, "client_port", k->client_port);
	json_put_text(m, o, "server_address", addr_format(&k->server, text));
	json_put_count(m, o, "server_port", k->server_port);
}

json_t *record_flow(struct json_maker *m, const struct result_flow *f, enum way w)
{
	json_t *o = record_new(m, "flow");
	json_put_text(m, o, "interface", f->iface->source->name);
	put_ends(m, o, &f->flow->key);
	json_put_text(m, o, "service", afs_service_name(f->flow->service));
	json_put_text(m, o, "way", json_way_key[w]);
	json_put_tally(m, o, &f->way[w].tally);
	record_put_rates(m, o, &f->way[w]);
	record_put_path(m, o, &f->flow->side[w]);
	record_put_security(m, o, f, w);
	json_put(m, o, "chosen",
	         f->chosen[w] ? json_string(f->chosen[w]) : json_null());
	return o;
}

json_t *record_phase(struct json_maker *m, const struct result_phase *ph,
                     const struct result_part *part, enum way w)
{
	json_t *o = record_new(m, "phase");
	json_put_count(m, o, "id", ph->phase->id);
	json_put_text(m, o, "name", ph->phase->name);
	json_put(m, o, "begin_ns", json_integer(ph->phase->begin_ns));
	json_put_text(m, o, "interface", part->iface->source->name);
	json_put_text(m, o, "way", json_way_key[w]);
	json_put_tally(m, o, &part->way[w].tally);
	record_put_rates(m, o, &part->way[w]);
	return o;
}

json_t *record_interval(struct json_maker *m, const struct result *r,
                        const struct series_row *row)
{
	json_t *o = record_new(m, "interval");
	json_put(m, o, "begin_ns", json_integer(row->key.begin_ns));
	json_put(m, o, "interval_ns",
	         json_integer(track_series(r->track)->interval_ns));
	json_put_text(m, o, "interface",
	              row->key.iface < r->n_ifaces
	                      ? r->ifaces[row->key.iface].source->name
	                      : "");
	json_put_text(m, o, "way", json_way_key[row->key.way]);
	json_put_count(m, o, "ip_packets", row->ip_packets);
	json_put_count(m, o, "ip_bytes", row->ip_bytes);
	json_put_count(m, o, "fragments", row->fragments);
	json_put_count(m, o, "rx_datagrams", row->datagrams);
	json_put_count(m, o, "rx_data_bytes", row->data_bytes);
	json_put_count(m, o, "resends", row->resends);
	json_put_count(m, o, "resent_rx_data_bytes", row->resent_bytes);
	return o;
}

static void put_opcode(struct json_maker *m, json_t *o, enum afs_service s,
                       uint32_t opcode, bool known)
{
	const char *name = known ? afs_opcode_name(s, opcode) : NULL;
	json_put_text(m, o, "service", afs_service_name(s));
	json_put_unknown(m, o, "opcode", opcode, known);
	json_put(m, o, "operation", name ? json_string(name) : json_null());
}

json_t *record_operation(struct json_maker *m, const struct op *p)
{
	static const char *const duration[] = {"timed_calls", "duration_us_p50",
	                                       "duration_us_p95", "duration_us_p99",
	                                       "duration_us_max"};
	static const char *const first[] = {"first_byte_samples", "first_byte_us_p50",
	                                    "first_byte_us_p95", "first_byte_us_p99",
	                                    "first_byte_us_max"};
	json_t *o = record_new(m, "operation");
	put_opcode(m, o, (enum afs_service)p->key.service, p->key.opcode,
	           p->key.opcode != OPS_UNREADABLE);
	json_put_count(m, o, "calls", p->calls);
	for (int e = 0; e < CALL_ENDS; e++)
		json_put_count(m, o, call_end_name((enum call_end)e), p->ended[e]);
	json_put_count(m, o, "rx_data_bytes_to_server", p->data_bytes[TO_SERVER]);
	json_put_count(m, o, "rx_data_bytes_to_client", p->data_bytes[TO_CLIENT]);
	json_put_count(m, o, "resends_to_server", p->resends[TO_SERVER]);
	json_put_count(m, o, "resends_to_client", p->resends[TO_CLIENT]);
	json_put_unknown(m, o, "file_bytes", p->file_bytes, p->file_calls > 0);
	json_put_count(m, o, "file_calls", p->file_calls);
	put_hist(m, o, &p->duration, duration);
	put_hist(m, o, &p->first_byte, first);
	return o;
}

static void put_range(struct json_maker *m, json_t *o, const struct call *c)
{
	uint64_t bytes = 0;
	bool known = call_file_bytes(c, &bytes);
	json_put_unknown(m, o, "volume", c->range.volume, c->has_range);
	json_put_unknown(m, o, "vnode", c->range.vnode, c->has_range);
	json_put_unknown(m, o, "file_offset", c->range.offset, c->has_range);
	json_put_unknown(m, o, "file_bytes_asked", c->range.length, c->has_range);
	json_put_unknown(m, o, "file_bytes", bytes, known);
}

static void put_call_way(struct json_maker *m, json_t *o, const struct call_way *w,
                         const char *const keys[5])
{
	json_put_count(m, o, keys[0], w->data_bytes);
	json_put_count(m, o, keys[1], w->datagrams);
	json_put_count(m, o, keys[2], w->packets);
	json_put_count(m, o, keys[3], w->resends);
	json_put_count(m, o, keys[4], w->flight);
}

json_t *record_call(struct json_maker *m, const struct conn *conn, const struct call *c,
                    unsigned channel, enum call_end end)
{
	static const char *const keys[WAYS][5] = {
	        {"rx_data_bytes_to_server", "datagrams_to_server", "packets_to_server",
	         "resends_to_server", "flight_to_server"},
	        {"rx_data_bytes_to_client", "datagrams_to_client", "packets_to_client",
	         "resends_to_client", "flight_to_client"},
	};
	char text[ADDR_TEXT];
	json_t *o = record_new(m, "call");
	const struct call_way *q = &c->way[TO_SERVER], *r = &c->way[TO_CLIENT];
	json_put(m, o, "begin_ns",
	         json_integer(q->first_ns ? q->first_ns : r->first_ns));
	json_put_count(m, o, "epoch", conn->key.epoch);
	json_put_count(m, o, "connection", conn->key.cid);
	json_put_count(m, o, "channel", channel);
	json_put_count(m, o, "call", c->number);
	json_put_text(m, o, "client_address",
	              addr_format(&conn->side[TO_SERVER].addr, text));
	json_put_text(m, o, "server_address", addr_format(&conn->asked, text));
	json_put_count(m, o, "server_port", conn->key.server_port);
	put_opcode(m, o, c->service, c->opcode, c->has_opcode);
	json_put(m, o, "encrypted", json_boolean(c->hidden));
	put_range(m, o, c);
	for (int w = 0; w < WAYS; w++)
		put_call_way(m, o, &c->way[w], keys[w]);
	int64_t ns = call_duration_ns(c);
	json_put_known(m, o, "duration_us", (double)ns / 1e3, ns >= 0);
	ns = call_first_byte_ns(c);
	json_put_known(m, o, "first_byte_us", (double)ns / 1e3, ns >= 0);
	json_put_text(m, o, "end", call_end_name(end));
	const char *abort = c->has_abort ? afs_abort_name(c->abort_code) : NULL;
	json_put(m, o, "abort_code",
	         c->has_abort ? json_integer(c->abort_code) : json_null());
	json_put(m, o, "abort", abort ? json_string(abort) : json_null());
	return o;
}
