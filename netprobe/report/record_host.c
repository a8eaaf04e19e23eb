#include "netprobe/report/record_host.h"

static void put_addr(struct json_maker *m, json_t *o, const char *key,
                     const struct addr *a)
{
	char text[ADDR_TEXT];
	json_put_text(m, o, key, addr_format(a, text));
}

static void put_mask(struct json_maker *m, json_t *o, const char *key, uint32_t mask)
{
	char text[ADDR_TEXT];
	const uint8_t b[4] = {(uint8_t)(mask >> 24), (uint8_t)(mask >> 16),
	                      (uint8_t)(mask >> 8), (uint8_t)mask};
	struct addr a = addr_from_v4(b);
	json_put(m, o, key, mask ? json_string(addr_format(&a, text)) : json_null());
}

static void put_sums(struct json_maker *m, json_t *o, const struct host_sum *sent,
                     const struct host_sum *received)
{
	json_put_count(m, o, "sent_ip_packets", sent->ip_packets);
	json_put_count(m, o, "sent_ip_bytes", sent->ip_bytes);
	json_put_count(m, o, "sent_rx_datagrams", sent->datagrams);
	json_put_count(m, o, "sent_rx_data_bytes", sent->data_bytes);
	json_put_count(m, o, "received_ip_packets", received->ip_packets);
	json_put_count(m, o, "received_ip_bytes", received->ip_bytes);
	json_put_count(m, o, "received_rx_datagrams", received->datagrams);
	json_put_count(m, o, "received_rx_data_bytes", received->data_bytes);
}

static const char *name_of(const struct result_host *h, char buf[ADDR_TEXT])
{
	return h->name ? h->name : addr_format(&h->addresses[0].addr, buf);
}

static void put_uuid(struct json_maker *m, json_t *o, const uint8_t *uuid)
{
	char text[UUID_TEXT];
	json_put(m, o, "uuid",
	         uuid ? json_string(uuid_format(uuid, text)) : json_null());
}

/* The build that a process on this address told. */
static const struct host_version *version_of(const struct result_host *h,
                                             const struct addr *a)
{
	for (size_t i = 0; i < h->n_facts; i++) {
		const struct host_version *v = h->facts[i].version;
		if (v && addr_compare(&v->key.addr, a) == 0)
			return v;
	}
	return NULL;
}

json_t *record_host(struct json_maker *m, const struct result_host *h,
                    const struct result_address *a)
{
	char text[ADDR_TEXT], why[120];
	const struct host_version *v = version_of(h, &a->addr);
	json_t *o = json_object();
	json_put_text(m, o, "type", "host");
	json_put_text(m, o, "host", name_of(h, text));
	put_addr(m, o, "address", &a->addr);
	json_put_count(m, o, "addresses_of_host", h->n_addresses);
	json_put_text(m, o, "belong_together", host_why_text(h->why, why, sizeof why));
	put_sums(m, o, &a->sent, &a->received);
	put_uuid(m, o, h->uuid);
	json_put(m, o, "version", v ? json_string(v->text) : json_null());
	json_put_unknown(m, o, "version_port", v ? v->key.port : 0, v != NULL);
	put_mask(m, o, "told_netmask", a->iface ? a->iface->netmask : 0);
	json_put_unknown(m, o, "told_mtu", a->iface ? a->iface->mtu : 0,
	                 a->iface && a->iface->mtu);
	json_put(m, o, "told_in",
	         a->told ? json_string(disclose_name(a->told->key.kind)) : json_null());
	json_put_unknown(m, o, "told_frame", a->told ? a->told->frame : 0,
	                 a->told != NULL);
	return o;
}

static json_t *address_json(struct json_maker *m, const struct result_address *a)
{
	json_t *o = json_object();
	put_addr(m, o, "address", &a->addr);
	put_sums(m, o, &a->sent, &a->received);
	return o;
}

static json_t *version_json(struct json_maker *m, const struct host_version *v)
{
	json_t *o = json_object();
	put_addr(m, o, "address", &v->key.addr);
	json_put_count(m, o, "port", v->key.port);
	json_put_text(m, o, "text", v->text);
	json_put_count(m, o, "frame", v->frame);
	return o;
}

static json_t *disclosure_json(struct json_maker *m, const struct host_disclosure *d)
{
	json_t *o = json_object(), *list = json_array();
	json_put_text(m, o, "call", disclose_name(d->key.kind));
	put_addr(m, o, "told_by", &d->by);
	json_put_count(m, o, "frame", d->frame);
	json_put_count(m, o, "times", d->times);
	json_put(m, o, "cut", json_boolean(d->told.cut));
	put_uuid(m, o, d->told.has_uuid ? d->told.uuid : NULL);
	for (uint32_t i = 0; i < d->told.n; i++) {
		const struct disclosed_iface *f = &d->told.iface[i];
		json_t *e = json_object();
		put_addr(m, e, "address", &f->addr);
		put_mask(m, e, "netmask", f->netmask);
		json_put_unknown(m, e, "mtu", f->mtu, f->mtu != 0);
		if (json_array_append_new(list, e) != 0)
			m->failed = true;
	}
	json_put(m, o, "interfaces", list);
	return o;
}

static json_t *peer_json(struct json_maker *m, const struct host_peer *p)
{
	const struct rx_debug_peer *t = &p->told;
	const struct {
		const char *key;
		uint64_t value;
	} counts[] = {
	        {"port", p->key.port},
	        {"peer_port", t->port},
	        {"if_mtu", t->if_mtu},
	        {"nat_mtu", t->nat_mtu},
	        {"max_mtu", t->max_mtu},
	        {"mtu", t->mtu},
	        {"if_packets_per_jumbogram", t->if_packets},
	        {"max_packets_per_jumbogram", t->max_packets},
	        {"packets_per_jumbogram", t->packets},
	        {"congestion_window_packets", t->cwind},
	        {"packets_sent", t->sent},
	        {"packets_resent", t->resends},
	        {"bytes_sent", t->bytes_sent},
	        {"bytes_received", t->bytes_received},
	        {"rtt_ms", t->rtt_ms},
	        {"frame", p->frame},
	};
	json_t *o = json_object();
	put_addr(m, o, "address", &p->key.addr);
	put_addr(m, o, "peer", &t->host);
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		json_put_count(m, o, counts[i].key, counts[i].value);
	return o;
}

json_t *host_json(struct json_maker *m, const struct result_host *h)
{
	char text[ADDR_TEXT], why[120];
	json_t *o = json_object(), *addresses = json_array();
	json_t *versions = json_array(), *told = json_array(), *peers = json_array();
	json_put_text(m, o, "host", name_of(h, text));
	json_put(m, o, "name", h->name ? json_string(h->name) : json_null());
	json_put_text(m, o, "belong_together", host_why_text(h->why, why, sizeof why));
	put_uuid(m, o, h->uuid);
	put_sums(m, o, &h->sent, &h->received);
	for (size_t i = 0; i < h->n_addresses; i++)
		json_array_append_new(addresses, address_json(m, &h->addresses[i]));
	for (size_t i = 0; i < h->n_facts; i++) {
		const struct host_fact *f = &h->facts[i];
		if (f->version)
			json_array_append_new(versions, version_json(m, f->version));
		else if (f->disclosure)
			json_array_append_new(told, disclosure_json(m, f->disclosure));
		else
			json_array_append_new(peers, peer_json(m, f->peer));
	}
	json_put(m, o, "addresses", addresses);
	json_put(m, o, "versions", versions);
	json_put(m, o, "disclosed", told);
	json_put(m, o, "rxdebug_peers", peers);
	return o;
}

void record_put_security(struct json_maker *m, json_t *o, const struct result_flow *f,
                         enum way w)
{
	char text[100];
	json_put_text(m, o, "security", rx_classes_text(f->classes, text, sizeof text));
	json_put_text(m, o, "security_level", rx_level_name(f->level));
	json_put(m, o, "security_evidence",
	         f->evidence[w][0] ? json_string(f->evidence[w]) : json_null());
}

json_t *security_json(struct json_maker *m, const struct result_flow *f)
{
	static const struct flow_security none;
	const struct flow_security *s = f->flow->security ? f->flow->security : &none;
	const struct rx_challenge *c = &s->evidence.challenge;
	bool challenged = s->evidence.challenged;
	char text[100];
	json_t *o = json_object();
	json_put_text(m, o, "classes", rx_classes_text(f->classes, text, sizeof text));
	json_put_text(m, o, "level", rx_level_name(f->level));
	json_put_count(m, o, "requests_readable", s->evidence.readable);
	json_put_count(m, o, "requests_unreadable", s->evidence.hidden);
	json_put_count(m, o, "challenges", s->challenges);
	json_put_count(m, o, "challenges_repeated", s->challenge_repeats);
	json_put_unknown(m, o, "first_repeat_frame", s->repeat_frame,
	                 s->repeat_frame != 0);
	json_put_unknown(m, o, "challenge_version", c->version, challenged);
	json_put(m, o, "challenge_least_level",
	         challenged && c->min_level >= 0
	                 ? json_string(rx_level_name(RX_LEVEL_CLEAR +
	                                             (unsigned)c->min_level))
	                 : json_null());
	json_put_count(m, o, "responses", s->responses);
	json_put_count(m, o, "responses_fragmented", s->responses_fragmented);
	json_put_unknown(m, o, "largest_response", s->largest_response,
	                 s->responses != 0);
	json_put_unknown(m, o, "largest_response_frame", s->response_frame,
	                 s->responses != 0);
	json_put_unknown(m, o, "largest_ticket_bytes", s->largest_ticket,
	                 s->largest_ticket != 0);
	return o;
}
