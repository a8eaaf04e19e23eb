#include "netprobe/check/print_links.h"

#include "netprobe/report/json_make.h"
#include "src/base/grid.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define DATA_UNIT                                                                      \
	(1u << 20) /* what other sizes are compared by where none is given             \
	            */

static void cost_of(const struct links_question *q, const struct link_kind *k,
                    struct link_cost *c)
{
	if (q->seen)
		link_cost_sizes(c, k, q->mtu, q->seen, q->data);
	else if (q->ip_len)
		link_cost_packets(c, k, q->mtu, q->ip_len, 1);
	else
		link_cost_call(c, k, q->mtu, q->data, q->udp);
}

static bool wanted(const struct links_question *q, const struct link_kind *k)
{
	return !q->kind || strcmp(q->kind, k->name) == 0;
}

/* Payload Mb/s at this rate. */
static double ceiling(const struct link_cost *c, uint64_t bps)
{
	return c->efficiency * (double)bps / 1e6;
}

static void say_question(const struct links_question *q, FILE *out)
{
	if (q->seen)
		fprintf(out,
		        "%s: %" PRIu64 " IP packets, %" PRIu64
		        " bytes, of them %" PRIu64 " of Rx data\n",
		        q->name, q->seen->total, q->seen->sum, q->data);
	else if (q->ip_len)
		fprintf(out, "One IP packet of %u bytes\n", q->ip_len);
	else
		fprintf(out,
		        "%" PRIu64
		        " bytes of file data in datagrams of %u bytes of UDP payload "
		        "(%u of data in each)\n",
		        q->data, q->udp, link_cost_data_in(q->udp));
}

static void print_kinds(const struct links_question *q, FILE *out)
{
	size_t n;
	const struct link_kind *k = link_kinds(&n);
	struct grid g;
	grid_init(&g, 6, 1 | 1 << 5);
	static const char *const heads[] = {"link",       "MTU",        "packets",
	                                    "wire bytes", "efficiency", ""};
	for (size_t i = 0; i < 6; i++)
		grid_add(&g, "%s", heads[i]);
	for (size_t i = 0; i < n; i++) {
		struct link_cost c;
		if (!wanted(q, &k[i]))
			continue;
		cost_of(q, &k[i], &c);
		grid_add(&g, "%s", k[i].name);
		grid_add(&g, "%u", c.mtu);
		grid_add(&g, "%" PRIu64, c.packets);
		grid_add(&g, "%" PRIu64, c.wire_bytes);
		grid_add(&g, "%.2f %%", c.efficiency * 100);
		grid_add(&g, "%s", k[i].meaning);
	}
	grid_print(&g, out, 2);
	grid_free(&g);
}

/* The kind to reckon a rate with: what has cells has all rates of ATM, what has no rate
 * of its own (tags, tunnels) is on Ethernet. */
static const struct link_kind *kind_at(const struct links_question *q,
                                       const struct link_rate *r, bool own_rates)
{
	const struct link_kind *asked = q->kind ? link_kind_find(q->kind) : NULL;
	const struct link_kind *k = link_kind_find(r->kind);
	bool as_asked =
	        asked && (asked->cell ? k->cell != 0
	                              : !own_rates && strcmp(r->kind, "ethernet") == 0);
	return as_asked ? asked : k;
}

static bool has_own_rates(const struct links_question *q)
{
	size_t n;
	const struct link_rate *r = link_rates(&n);
	bool own = false;
	for (size_t i = 0; q->kind && i < n; i++)
		own |= strcmp(r[i].kind, q->kind) == 0;
	return own;
}

static void print_rates(const struct links_question *q, FILE *out)
{
	size_t n;
	const struct link_rate *r = link_rates(&n);
	bool own_rates = has_own_rates(q);
	struct grid g;
	grid_init(&g, 4, 1 | 1 << 1);
	grid_add(&g, "rate");
	grid_add(&g, "on");
	grid_add(&g, "Mb/s");
	grid_add(&g, "ceiling Mb/s");
	for (size_t i = 0; i < n; i++) {
		struct link_cost c;
		const struct link_kind *k = kind_at(q, &r[i], own_rates);
		if (!wanted(q, k))
			continue;
		cost_of(q, k, &c);
		grid_add(&g, "%s", r[i].name);
		grid_add(&g, "%s", k->name);
		grid_add(&g, "%.3f", (double)r[i].bps / 1e6);
		grid_add(&g, "%.2f", ceiling(&c, r[i].bps));
	}
	grid_print(&g, out, 2);
	grid_free(&g);
}

/* The same data in other datagrams: on these kinds, each with its usual MTU. */
static const struct {
	const char *kind;
	uint32_t mtu;
} compared[] = {{"ethernet", 1500}, {"ethernet", 9000}, {"atm-llc", 9180},
                {"atm-llc", 1500},  {"fddi", 4352},     {"wireguard", 1420}};
#define COMPARED (sizeof compared / sizeof *compared)

static void print_choices(uint64_t data, FILE *out)
{
	size_t n;
	const struct link_choice *choice = link_choices(&n);
	struct grid g;
	grid_init(&g, 1 + COMPARED, 1);
	grid_add(&g, "UDP payload");
	for (size_t i = 0; i < COMPARED; i++)
		grid_add(&g, "%s %u", compared[i].kind, compared[i].mtu);
	for (size_t k = 0; k < n; k++) {
		grid_add(&g, "%s", choice[k].text);
		for (size_t i = 0; i < COMPARED; i++) {
			struct link_cost c;
			link_cost_choice(&c, link_kind_find(compared[i].kind),
			                 compared[i].mtu, data, &choice[k]);
			grid_add(&g, "%" PRIu64 " (%" PRIu64 ")", c.wire_bytes,
			         c.packets);
		}
	}
	grid_print(&g, out, 2);
	grid_free(&g);
}

int print_links_text(const struct links_question *q, FILE *out, struct err *err)
{
	uint64_t data = q->data ? q->data : DATA_UNIT;
	say_question(q, out);
	fputc('\n', out);
	print_kinds(q, out);
	fprintf(out, "\nCeiling: %s in megabits a second, %s.\n\n",
	        !q->data  ? "IP packets"
	        : q->seen ? "Rx data"
	                  : "file data",
	        q->seen ? "if all these packets shared one direction"
	                : "in one direction, without acks");
	print_rates(q, out);
	fprintf(out,
	        "\n%" PRIu64
	        " bytes of file data in the sizes that Rx chooses: wire bytes "
	        "(IP packets)\n\n",
	        data);
	print_choices(data, out);
	if (fflush(out) == EOF || ferror(out))
		return err_sys(err, errno, "cannot write the result");
	return 0;
}

static json_t *kinds_json(struct json_maker *m, const struct links_question *q)
{
	size_t n;
	const struct link_kind *k = link_kinds(&n);
	json_t *list = json_array();
	for (size_t i = 0; i < n; i++) {
		struct link_cost c;
		if (!wanted(q, &k[i]))
			continue;
		cost_of(q, &k[i], &c);
		json_t *o = json_object();
		json_put_text(m, o, "link", k[i].name);
		json_put_count(m, o, "mtu_bytes", c.mtu);
		json_put_count(m, o, "packets", c.packets);
		json_put_count(m, o, "wire_bytes", c.wire_bytes);
		json_put_known(m, o, "efficiency", c.efficiency, c.wire_bytes != 0);
		if (k[i].usual_rate)
			json_put_known(m, o, "ceiling_mbps",
			               ceiling(&c, k[i].usual_rate), true);
		if (json_array_append_new(list, o) != 0)
			m->failed = true;
	}
	return list;
}

static json_t *rates_json(struct json_maker *m, const struct links_question *q)
{
	size_t n;
	const struct link_rate *r = link_rates(&n);
	bool own_rates = has_own_rates(q);
	json_t *list = json_array();
	for (size_t i = 0; i < n; i++) {
		struct link_cost c;
		const struct link_kind *k = kind_at(q, &r[i], own_rates);
		if (!wanted(q, k))
			continue;
		cost_of(q, k, &c);
		json_t *o = json_object();
		json_put_text(m, o, "rate", r[i].name);
		json_put_text(m, o, "link", k->name);
		json_put_count(m, o, "rate_bps", r[i].bps);
		json_put_known(m, o, "ceiling_mbps", ceiling(&c, r[i].bps),
		               c.wire_bytes != 0);
		if (json_array_append_new(list, o) != 0)
			m->failed = true;
	}
	return list;
}

static json_t *choices_json(struct json_maker *m, uint64_t data)
{
	size_t n;
	const struct link_choice *choice = link_choices(&n);
	json_t *list = json_array();
	for (size_t k = 0; k < n; k++)
		for (size_t i = 0; i < COMPARED; i++) {
			struct link_cost c;
			json_t *o = json_object();
			link_cost_choice(&c, link_kind_find(compared[i].kind),
			                 compared[i].mtu, data, &choice[k]);
			json_put_count(m, o, "udp_payload_bytes",
			               choice[k].udp_payload);
			json_put_text(m, o, "link", compared[i].kind);
			json_put_count(m, o, "mtu_bytes", compared[i].mtu);
			json_put_count(m, o, "packets", c.packets);
			json_put_count(m, o, "wire_bytes", c.wire_bytes);
			if (json_array_append_new(list, o) != 0)
				m->failed = true;
		}
	return list;
}

int print_links_json(const struct links_question *q, FILE *out, struct err *err)
{
	struct json_maker m = {0};
	json_t *o = json_object();
	uint64_t data = q->data ? q->data : DATA_UNIT;
	json_put_text(&m, o, "schema", "netprobe-links/1");
	json_put_unknown(&m, o, "ip_length", q->ip_len, q->ip_len != 0);
	json_put_unknown(&m, o, "data_bytes", q->data, q->data != 0);
	json_put_unknown(&m, o, "udp_payload_bytes", q->udp, q->udp != 0);
	json_put_unknown(&m, o, "ip_packets", q->seen ? q->seen->total : 0,
	                 q->seen != NULL);
	json_put(&m, o, "links", kinds_json(&m, q));
	json_put(&m, o, "rates", rates_json(&m, q));
	json_put_count(&m, o, "compared_data_bytes", data);
	json_put(&m, o, "other_sizes", choices_json(&m, data));
	int rc = m.failed ? err_set(err, ERR_ENVIRONMENT, "out of memory") : 0;
	if (rc == 0 &&
	    (json_dumpf(o, out, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) != 0 ||
	     fputc('\n', out) == EOF || fflush(out) == EOF))
		rc = err_sys(err, errno, "cannot write the result");
	json_decref(o);
	return rc;
}
