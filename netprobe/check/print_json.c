#include "netprobe/check/print.h"

#include "netprobe/host/offload.h"
#include "netprobe/report/json_make.h"

#include <errno.h>

static void put_addr(struct json_maker *m, json_t *o, const char *key,
                     const struct addr *a, bool known)
{
	char text[ADDR_TEXT];
	json_put(m, o, key, known ? json_string(addr_format(a, text)) : json_null());
}

static json_t *names_json(struct json_maker *m, const struct matrix *x, size_t i)
{
	size_t at[16];
	size_t n = host_iface_members(x->ifaces, x->n_ifaces, i, at, 16);
	json_t *o = json_object();
	for (size_t k = 0; k < n; k++) {
		char names[64];
		json_put_text(
		        m, o, x->ifaces[at[k]].name,
		        host_offload_names(x->offloads[at[k]], names, sizeof names));
	}
	return o;
}

static json_t *ifaces_json(struct json_maker *m, const struct matrix *x)
{
	json_t *list = json_array();
	for (size_t i = 0; i < x->n_ifaces; i++) {
		const struct host_iface *f = &x->ifaces[i];
		json_t *o = json_object();
		json_put_text(m, o, "name", f->name);
		json_put(m, o, "up", json_boolean(f->up));
		json_put(m, o, "running", json_boolean(f->running));
		json_put(m, o, "loopback", json_boolean(f->loopback));
		json_put_text(m, o, "kind", f->kind);
		json_put_count(m, o, "mtu_bytes", f->mtu);
		json_put_text(m, o, "addresses", f->addresses);
		json_put_count(m, o, "peers", matrix_rows_of(x, f));
		json_put(m, o, "offloads", names_json(m, x, i));
		if (json_array_append_new(list, o) != 0)
			m->failed = true;
	}
	return list;
}

static json_t *path_json(struct json_maker *m, const struct row *r)
{
	const struct path_result *p = &r->path;
	json_t *o = json_object();
	json_put_text(m, o, "method", probe_method_name(r->method));
	json_put_text(m, o, "end", path_end_id(p->end));
	json_put_unknown(m, o, "passes_ip_bytes", p->passes, p->passes != 0);
	json_put_unknown(m, o, "fails_ip_bytes", p->fails, p->fails != 0);
	json_put(m, o, "silent_loss", json_boolean(p->silent_loss));
	json_put_unknown(m, o, "icmp_mtu_bytes", p->icmp_mtu, p->icmp);
	put_addr(m, o, "told_by", &p->from, p->has_from);
	json_put_known(m, o, "rtt_us", (double)p->rtt_ns / 1e3, p->rtt_ns != 0);
	json_put_known(m, o, "took_ms", (double)p->took_ns / 1e6, true);
	json_put_count(m, o, "probes_sent", p->sent);
	json_put_count(m, o, "probes_answered", p->answered);
	json_put_text(m, o, "peer_version", r->version);
	put_addr(m, o, "answers_from", &r->other, r->has_other);
	return o;
}

static json_t *route_json(struct json_maker *m, const struct row *r)
{
	json_t *o = json_object();
	json_put_text(m, o, "kind", host_route_kind_text(r->route.kind));
	put_addr(m, o, "gateway", &r->route.gateway, r->route.has_gateway);
	json_put_unknown(m, o, "mtu_bytes", r->route.mtu, r->route.mtu != 0);
	json_put(m, o, "mtu_locked", json_boolean(r->route.mtu_locked));
	json_put_unknown(m, o, "learned_path_mtu_bytes", r->route.path_mtu,
	                 r->route.path_mtu != 0);
	json_put_count(m, o, "table", r->route.table);
	return o;
}

static json_t *expect_json(struct json_maker *m, const struct row *r)
{
	const struct expect_size *s = r->expect.size;
	json_t *o = json_object();
	json_put_text(m, o, "program", expect_program_name(r->program));
	json_put(m, o, "peer_assumed", json_boolean(r->assumed));
	json_put_count(m, o, "clear_udp_payload_bytes", s[EXPECT_CLEAR].udp_payload);
	json_put_count(m, o, "rxkad_auth_udp_payload_bytes",
	               s[EXPECT_RXKAD_AUTH].udp_payload);
	json_put_count(m, o, "rxkad_crypt_udp_payload_bytes",
	               s[EXPECT_RXKAD_CRYPT].udp_payload);
	json_put_count(m, o, "packets", s[EXPECT_CLEAR].packets);
	json_put_count(m, o, "largest_ip_bytes", row_largest_packet(r));
	return o;
}

static json_t *findings_json(struct json_maker *m, const struct row *r)
{
	static const char *const gravity[] = {
	        [GRAVITY_OK] = "ok",
	        [GRAVITY_NOTE] = "note",
	        [GRAVITY_WARNING] = "warning",
	        [GRAVITY_CRITICAL] = "critical",
	};
	json_t *list = json_array();
	for (size_t i = 0; i < r->findings; i++) {
		json_t *o = json_object();
		json_put_text(m, o, "id", verdict_id(r->finding[i].verdict));
		json_put_text(m, o, "severity",
		              gravity[verdict_gravity(r->finding[i].verdict)]);
		json_put_text(m, o, "text", r->finding[i].text);
		if (json_array_append_new(list, o) != 0)
			m->failed = true;
	}
	return list;
}

static json_t *seen_way_json(struct json_maker *m, const struct seen_way *w)
{
	json_t *o = json_object();
	json_put_count(m, o, "data_datagrams", w->datagrams);
	json_put_unknown(m, o, "largest_udp_payload_bytes", w->largest,
	                 w->largest != 0);
	json_put_unknown(m, o, "dominant_udp_payload_bytes", w->dominant,
	                 w->dominant != 0);
	return o;
}

static json_t *seen_json(struct json_maker *m, const struct seen *s)
{
	json_t *o = json_object();
	json_put(m, o, "interface", s->iface[0] ? json_string(s->iface) : json_null());
	json_put(m, o, "sent", seen_way_json(m, &s->way[SEEN_SENT]));
	json_put(m, o, "received", seen_way_json(m, &s->way[SEEN_RECEIVED]));
	return o;
}

static json_t *capture_json(struct json_maker *m, const struct seen_list *s)
{
	json_t *o = json_object();
	json_put(m, o, "live", json_boolean(s->live));
	json_put_count(m, o, "frames", s->frames);
	json_put_count(m, o, "dropped_frames", s->dropped);
	json_put_text(m, o, "interfaces_gone", s->gone);
	return o;
}

static json_t *row_json(struct json_maker *m, const struct row *r, bool both_ways)
{
	json_t *o = json_object();
	put_addr(m, o, "peer", &r->peer.addr, true);
	json_put_text(m, o, "peer_name", r->peer.name);
	json_put_count(m, o, "port", r->peer.port);
	json_put(m, o, "interface",
	         r->has_iface ? json_string(r->iface.name) : json_null());
	put_addr(m, o, "source", &r->source, r->has_source);
	json_put_unknown(m, o, "link_mtu_bytes", r->iface.mtu, r->has_iface);
	json_put_unknown(m, o, "configured_mtu_bytes", r->mtu, r->mtu != 0);
	json_put(m, o, "route", route_json(m, r));
	json_put(m, o, "probe", r->probed ? path_json(m, r) : json_null());
	json_put(m, o, "expected", r->has_expect ? expect_json(m, r) : json_null());
	json_put_unknown(m, o, "observed_udp_payload_bytes",
	                 r->seen ? r->seen->way[SEEN_SENT].largest : 0,
	                 r->seen && r->seen->way[SEEN_SENT].largest);
	json_put(m, o, "observed", r->seen ? seen_json(m, r->seen) : json_null());
	json_put(m, o, "only_observed", json_boolean(r->only_seen));
	json_put_text(m, o, "verdict", verdict_id(r->verdict));
	json_put(m, o, "findings", findings_json(m, r));
	if (both_ways) {
		char command[200];
		print_far_command(r, command, sizeof command);
		json_put_text(m, o, "run_at_far_end", command);
	}
	return o;
}

int print_json(const struct matrix *x, const struct print_options *o, FILE *out,
               struct err *err)
{
	struct json_maker m = {0};
	json_t *top = json_object(), *rows = json_array(), *rules = json_array();
	for (size_t i = 0; i < x->n_rows; i++)
		if (json_array_append_new(rows,
		                          row_json(&m, &x->rows[i], o->both_ways)) != 0)
			m.failed = true;
	for (size_t i = 0; i < x->n_rules; i++)
		if (json_array_append_new(rules, json_string(x->rules[i].text)) != 0)
			m.failed = true;
	json_put_text(&m, top, "schema", "netprobe-check/1");
	json_put(&m, top, "time_ns", json_integer((json_int_t)o->time_ns));
	json_put(&m, top, "active", json_boolean(o->active));
	json_put(&m, top, "interfaces", ifaces_json(&m, x));
	json_put(&m, top, "rules", rules);
	json_put(&m, top, "capture", x->seen ? capture_json(&m, x->seen) : json_null());
	json_put(&m, top, "rows", rows);
	int rc = m.failed ? err_set(err, ERR_ENVIRONMENT, "out of memory") : 0;
	if (rc == 0 && (json_dumpf(top, out, JSON_INDENT(2)) != 0 ||
	                fputc('\n', out) == EOF || fflush(out) == EOF))
		rc = err_sys(err, errno, "cannot write the result");
	json_decref(top);
	return rc;
}
