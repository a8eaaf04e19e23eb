#include "netprobe/report/stream.h"

#include "netprobe/report/record.h"
#include "netprobe/report/record_finding.h"
#include "netprobe/report/record_host.h"
#include "netprobe/report/record_pair.h"
#include "netprobe/report/record_points.h"
#include "netprobe/report/schema.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Their names as options have them, and in the schema. */
static const struct {
	const char *name, *part;
} kind_names[STREAM_KINDS] = {
        [STREAM_INTERFACES] = {"interfaces", "interface"},
        [STREAM_PHASES] = {"phases", "phase"},
        [STREAM_INTERVALS] = {"intervals", "interval"},
        [STREAM_OPERATIONS] = {"operations", "operation"},
        [STREAM_FLOWS] = {"flows", "flow"},
        [STREAM_HOSTS] = {"hosts", "host"},
        [STREAM_CALLS] = {"calls", "call"},
        [STREAM_PAIRS] = {"pairs", "pair"},
        [STREAM_ICMP] = {"icmp", "icmp"},
        [STREAM_POINTS] = {"points", "points"},
        [STREAM_FINDINGS] = {"findings", "finding"},
};

int stream_kind_find(const char *name)
{
	for (int i = 0; i < STREAM_KINDS; i++)
		if (strcmp(kind_names[i].name, name) == 0)
			return i;
	return -1;
}

static bool wants(const struct stream *s, enum stream_kind k)
{
	return s->kinds >> k & 1;
}

/* RFC 4180: quoted where it holds a comma, a quote or a line end. */
static void put_csv_text(FILE *out, const char *text)
{
	if (!text[strcspn(text, ",\"\r\n")]) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void put_csv_value(FILE *out, const json_t *v)
{
	if (json_is_string(v))
		put_csv_text(out, json_string_value(v));
	else if (json_is_integer(v))
		fprintf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
	else if (json_is_real(v))
		fprintf(out, "%.9g", json_real_value(v));
	else if (json_is_boolean(v))
		fputs(json_boolean_value(v) ? "true" : "false", out);
}

/* The heads are the keys that the schema asks for; so they are there without a record
 * too. */
static void put_csv_heads(struct stream *s)
{
	enum stream_kind k = STREAM_INTERFACES;
	while (!wants(s, k))
		k++;
	struct err err;
	json_t *schema = schema_of(kind_names[k].part, &err);
	const json_t *defs = json_object_get(schema, "$defs");
	const json_t *keys =
	        json_object_get(json_object_get(defs, kind_names[k].part), "required");
	for (size_t i = 0; i < json_array_size(keys); i++)
		fprintf(s->out, "%s%s", i ? "," : "",
		        json_string_value(json_array_get(keys, i)));
	fputc('\n', s->out);
	if (!schema)
		s->failed = true;
	json_decref(schema);
	s->head_done = true;
}

static void put_csv(struct stream *s, json_t *record)
{
	const char *key, *gap = "";
	json_t *value;
	if (!s->head_done)
		put_csv_heads(s);
	json_object_foreach(record, key, value)
	{
		fputs(gap, s->out);
		put_csv_value(s->out, value);
		gap = ",";
	}
	fputc('\n', s->out);
}

/* Writes one record, whose reference it takes. */
static void put_record(struct stream *s, const struct json_maker *m, json_t *record)
{
	if (m->failed || !record) {
		s->failed = true;
	} else if (s->csv) {
		put_csv(s, record);
	} else {
		size_t flags =
		        JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(9);
		if (json_dumpf(record, s->out, flags) != 0 ||
		    fputc('\n', s->out) == EOF)
			s->failed = true;
	}
	if (ferror(s->out) && !s->failed) {
		s->failed = true;
		s->sys = errno;
	}
	json_decref(record);
}

static void call_ended(void *ctx, const struct conn *conn, const struct call *call,
                       unsigned channel, enum call_end end)
{
	struct stream *s = ctx;
	struct json_maker m = {false};
	if (!s->failed)
		put_record(s, &m, record_call(&m, conn, call, channel, end));
}

void stream_attach(struct stream *s, struct track *t)
{
	if (wants(s, STREAM_CALLS))
		track_on_call(t, call_ended, s);
}

static void put_intervals(struct stream *s, struct json_maker *m,
                          const struct result *r)
{
	size_t n;
	const struct series_row **rows = series_sorted(track_series(r->track), &n);
	for (size_t i = 0; i < n; i++)
		put_record(s, m, record_interval(m, r, rows[i]));
	free(rows);
}

static void put_phases(struct stream *s, struct json_maker *m, const struct result *r)
{
	for (size_t i = 0; i < r->n_phases; i++)
		for (size_t n = 0; n < r->n_ifaces; n++)
			for (int w = 0; w < WAYS; w++)
				put_record(s, m,
				           record_phase(m, &r->phases[i],
				                        &r->phases[i].parts[n],
				                        (enum way)w));
}

static void put_hosts(struct stream *s, struct json_maker *m, const struct result *r)
{
	for (size_t i = 0; i < r->hosts.n; i++) {
		const struct result_host *h = &r->hosts.list[i];
		for (size_t n = 0; n < h->n_addresses; n++)
			put_record(s, m, record_host(m, h, &h->addresses[n]));
	}
}

static void put_points(struct stream *s, struct json_maker *m, const struct result *r)
{
	for (size_t i = 0; i < r->n_points; i++)
		for (size_t n = 0; n < r->points[i].n; n++)
			put_record(s, m,
			           record_points(m, &r->points[i],
			                         &r->points[i].passages[n]));
}

int stream_finish(struct stream *s, const struct result *r, struct err *err)
{
	struct json_maker m = {false};
	for (size_t i = 0; wants(s, STREAM_INTERFACES) && i < r->n_ifaces; i++)
		put_record(s, &m, record_interface(&m, &r->ifaces[i]));
	if (wants(s, STREAM_PHASES))
		put_phases(s, &m, r);
	if (wants(s, STREAM_INTERVALS))
		put_intervals(s, &m, r);
	for (size_t i = 0; wants(s, STREAM_OPERATIONS) && i < r->n_ops; i++)
		put_record(s, &m, record_operation(&m, r->ops[i]));
	for (size_t i = 0; wants(s, STREAM_FLOWS) && i < r->n_flows; i++)
		for (int w = 0; w < WAYS; w++)
			put_record(s, &m, record_flow(&m, &r->flows[i], (enum way)w));
	if (wants(s, STREAM_HOSTS))
		put_hosts(s, &m, r);
	for (size_t i = 0; wants(s, STREAM_PAIRS) && i < r->n_pairs; i++)
		put_record(s, &m, record_pair(&m, &r->pairs[i]));
	for (size_t i = 0; wants(s, STREAM_ICMP) && i < r->n_icmp; i++)
		put_record(s, &m, record_icmp(&m, &r->icmp[i]));
	if (wants(s, STREAM_POINTS))
		put_points(s, &m, r);
	for (size_t i = 0; wants(s, STREAM_FINDINGS) && i < r->findings.n; i++)
		put_record(s, &m, record_finding(&m, r, &r->findings.list[i]));
	if (s->csv && !s->head_done && !s->failed)
		put_csv_heads(s);
	if (fflush(s->out) != 0 && !s->failed) {
		s->failed = true;
		s->sys = errno;
	}
	if (!s->failed)
		return 0;
	if (s->sys)
		return err_sys(err, s->sys, "cannot write the records");
	return err_set(err, ERR_ENVIRONMENT, "cannot write the records");
}
