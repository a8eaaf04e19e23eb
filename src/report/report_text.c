#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/grid.h"
#include "src/report/bonnie_table.h"
#include "src/report/cpu_text.h"
#include "src/report/joined.h"
#include "src/report/latency_text.h"
#include "src/report/report.h"
#include "src/report/summary.h"
#include "src/run/judge.h"

static const char *text_of(const json_t *o, const char *a, const char *b)
{
	const json_t *in = b ? json_object_get(o, a) : o;
	const char *text = json_string_value(json_object_get(in, b ? b : a));
	return text ? text : "";
}

static void print_head(const struct run *r, FILE *out)
{
	const json_t *engine = json_object_get(r->facts, "engine");
	const json_t *options = json_object_get(r->facts, "options");
	fprintf(out, "%s, run %s: %s\n", r->workload, r->id,
	        run_status_names[r->status]);
	fprintf(out, "host %s, Linux %s; engine %s", text_of(r->facts, "host", "name"),
	        text_of(r->facts, "host", "kernel"), r->engine);
	if (text_of(engine, "version", NULL)[0])
		fprintf(out, ", %s, cell %s", text_of(engine, "version", NULL),
		        text_of(engine, "cell", NULL));
	const json_t *mount = json_object_get(engine, "mount");
	if (text_of(mount, "type", NULL)[0])
		fprintf(out, ", %s on %s", text_of(mount, "type", NULL),
		        text_of(mount, "target", NULL));
	fprintf(out, "\nrequests of %lld bytes, seed %llu\n\n",
	        json_integer_value(json_object_get(options, "request_size")),
	        (unsigned long long)r->seed);
}

static void print_summary(const struct run *r, const struct probe_result *probe,
                          FILE *out)
{
	json_t *list = summary_of_run(r, probe);
	size_t i;
	const json_t *sentence;
	json_array_foreach(list, i, sentence)
	        fprintf(out, "- %s\n", json_string_value(sentence));
	if (json_array_size(list) > 0)
		fputc('\n', out);
	json_decref(list);
}

static void print_phases(const struct run *r, FILE *out)
{
	static const char *const heads[] = {"Phase",           "passes",      "bytes",
	                                    "s to last call",  "s to stored", "KiB/s",
	                                    "KiB/s, no close", "ops/s",       "note"};
	struct grid g;
	char doubts[64];
	bool any_short = false, any_unstored = false, any_doubt = false;
	grid_init(&g, sizeof heads / sizeof *heads, 1u << 0 | 1u << 8);
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		grid_add(&g, "%s", heads[i]);
	for (size_t i = 0; i < r->nphases; i++) {
		const struct run_phase *p = &r->phases[i];
		grid_add(&g, "%s/%s", p->cache, p->name);
		grid_add(&g, "%zu", p->npasses);
		grid_add(&g, "%llu", (unsigned long long)p->bytes);
		grid_add(&g, "%.3f", (double)p->call_ns / 1e9);
		grid_add(&g, "%.3f", (double)p->stored_ns / 1e9);
		grid_add(&g, "%.0f", run_phase_kib_s(p));
		grid_add(&g, "%.0f", run_phase_kib_s_call(p));
		grid_add(&g, "%.1f", run_phase_ops_s(p));
		grid_add(&g, "%s", judge_doubts(p, doubts, sizeof doubts));
		any_short |= run_phase_short(p);
		any_unstored |= run_phase_not_stored(p);
		any_doubt |= run_phase_not_cold(p) || run_phase_not_warm(p);
	}
	grid_print(&g, out, 0);
	grid_free(&g);
	if (any_short)
		fprintf(out, "short: took less than 0.5 s; a larger --size measures "
		             "better\n");
	if (any_unstored)
		fprintf(out,
		        "not stored: less than was written had left this host when "
		        "the phase ended\n");
	for (size_t i = 0; any_doubt && i < r->nphases; i++) {
		const struct run_phase *p = &r->phases[i];
		if (run_phase_not_cold(p))
			fprintf(out, "not cold: %s, by %s: %s\n", p->name,
			        p->cold_means, p->cold_proof);
		if (run_phase_not_warm(p))
			fprintf(out, "not warm: %s: %s\n", p->name, p->warm_proof);
	}
}

static void add_joined(struct grid *g, const struct joined *j)
{
	grid_add(g, "%s/%s", j->phase->cache, j->phase->name);
	grid_add(g, "%s", j->interface);
	grid_add(g, "%s", j->to_client ? "to client" : "to server");
	grid_add(g, "%.0f", run_phase_kib_s(j->phase));
	grid_add(g, "%.0f", j->wire_kib_s);
	if (j->share >= 0)
		grid_add(g, "%.1f", 100 * j->share);
	else
		grid_add(g, "-");
	if (j->flow->sized) {
		grid_add(g, "%llu", (unsigned long long)j->flow->top_size);
		grid_add(g, "%.1f", 100 * j->top_share);
	} else {
		grid_add(g, "-");
		grid_add(g, "-");
	}
	grid_add(g, "%llu", (unsigned long long)j->fragments);
	grid_add(g, "%llu", (unsigned long long)j->resends);
}

static void print_joined(const struct run *r, const struct probe_result *probe,
                         FILE *out)
{
	static const char *const heads[] = {
	        "On the wire",  "interface", "direction", "app KiB/s", "IP KiB/s",
	        "% of ceiling", "datagram",  "% of them", "fragments", "resends",
	};
	struct grid g;
	grid_init(&g, sizeof heads / sizeof *heads, 1u << 0 | 1u << 1 | 1u << 2);
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		grid_add(&g, "%s", heads[i]);
	size_t n;
	struct joined *rows = joined_rows(r, probe, &n);
	for (size_t i = 0; rows && i < n; i++)
		add_joined(&g, &rows[i]);
	free(rows);
	grid_print(&g, out, 0);
	grid_free(&g);
	fprintf(out,
	        "%% of ceiling: Rx data of this direction over the phase's time, of "
	        "the "
	        "most that the link\ncarries at this datagram size; %% of them: of "
	        "the data datagrams\n");
}

/* Of the choices of size that the probe explains, those of file traffic: what the
 * client says to the location server is small and the record holds it. */
static void print_verdicts(const json_t *list, FILE *out)
{
	size_t i;
	const json_t *item;
	json_array_foreach(list, i, item)
	{
		const char *service = text_of(item, "service", NULL);
		bool to_client =
		        strcmp(text_of(item, "direction", NULL), "to_client") == 0;
		const char *client = text_of(item, "client", NULL);
		const char *server = text_of(item, "server", NULL);
		if (service[0] && strcmp(service, "fs") != 0)
			continue;
		fprintf(out, "%s, %s to %s: %s\n", text_of(item, "interface", NULL),
		        to_client ? server : client, to_client ? client : server,
		        text_of(item, "text", NULL));
	}
}

static void print_findings(const json_t *list, FILE *out)
{
	size_t i;
	const json_t *item;
	json_array_foreach(list, i, item) if (text_of(item, "text", NULL)[0])
	        fprintf(out, "%s\n", text_of(item, "text", NULL));
}

void report_text(const struct run *r, const struct probe_result *probe, FILE *out)
{
	print_head(r, out);
	print_summary(r, probe, out);
	if (strcmp(r->workload, "bonnie") == 0) {
		bonnie_table_print(r, out);
		fputc('\n', out);
	}
	print_phases(r, out);
	fputc('\n', out);
	cpu_run_text(r, out);
	latency_run_text(r, out);
	if (probe) {
		fputc('\n', out);
		print_joined(r, probe, out);
		if (json_array_size(probe->verdicts))
			fputc('\n', out);
		print_verdicts(probe->verdicts, out);
		print_findings(probe->findings, out);
	}
	size_t i;
	const json_t *item;
	json_array_foreach(r->problems, i, item)
	        fprintf(out, "%sproblem: %s\n", i ? "" : "\n", json_string_value(item));
}
