/* The joint result of a study: what each phase of each cell gave, over its runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/grid.h"
#include "src/study/stats.h"
#include "src/study/study.h"
#include "src/study/study_wire.h"

enum { RUNS_MAX = 1000 };

/* Figures of a phase that are reduced to their medians over the runs: where they
 * stand in clients.json ("phases") or in the probe's part. */
static const struct figure_row {
	const char *key;
	bool wire;
	bool spread; /* KEY_spread has the two ends, as those of the rate */
} figures[] = {
        {"rate_sum", false, false},
        {"jain", false, false},
        {"seconds", false, false},
        {"bytes", false, false},
        {"operations", false, false},
        {"client_cpu_ns", false, false},
        {"client_cpu_share", false, false},
        {"client_cpu_s_per_mib", false, true},
        {"server_cpu_ns", false, false},
        {"server_cpu_share", false, false},
        {"server_cpu_s_per_mib", false, true},
        {"machine_busy_share", false, false},
        {"datagram", true, false},
        {"datagram_share", true, false},
        {"datagrams", true, false},
        {"rx_data_bytes", true, false},
        {"fragments", true, false},
        {"resends", true, false},
        {"acks", true, false},
        {"share_of_ceiling", true, false},
        {"ceiling_kib_s", true, false},
};

/* The records of one run. */
struct record {
	json_t *clients, *probe;
};

static const char *text(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));
	return s ? s : "";
}

static const json_t *phase_of(const json_t *clients, const char *cache,
                              const char *name)
{
	size_t i;
	const json_t *p;
	json_array_foreach(json_object_get(clients, "phases"), i,
	                   p) if (strcmp(text(p, "cache"), cache) == 0 &&
	                          strcmp(text(p, "name"), name) == 0) return p;
	return NULL;
}

/* Few figures have a range, and no interval that would cover anything.  Whether it
 * could be worked out. */
static bool spread_of(const double *v, size_t n, struct interval *out)
{
	if (n >= STATS_FEW)
		return stats_interval(v, n, out) == 0;
	*out = (struct interval){v[0], v[0]};
	for (size_t i = 0; i < n; i++) {
		out->low = v[i] < out->low ? v[i] : out->low;
		out->high = v[i] > out->high ? v[i] : out->high;
	}
	return true;
}

static void set_spread(json_t *o, const double *v, size_t n)
{
	struct interval middle;
	json_t *values = json_array();
	for (size_t i = 0; i < n; i++)
		json_array_append_new(values, json_real(v[i]));
	json_object_set_new(o, "values", values);
	json_object_set_new(o, "median", json_real(stats_median(v, n)));
	if (spread_of(v, n, &middle)) {
		json_object_set_new(o, "low", json_real(middle.low));
		json_object_set_new(o, "high", json_real(middle.high));
		json_object_set_new(
		        o, "spread",
		        json_string(n < STATS_FEW ? "range" : "95 % interval"));
	}
}

static void set_figure(json_t *o, const struct figure_row *row, const double *v,
                       size_t n)
{
	char key[64];
	struct interval ends;
	json_object_set_new(o, row->key, json_real(stats_median(v, n)));
	snprintf(key, sizeof key, "%s_spread", row->key);
	if (row->spread && spread_of(v, n, &ends))
		json_object_set_new(o, key, json_pack("[f, f]", ends.low, ends.high));
}

/* The medians of the table's figures over the runs that have them. */
static void set_figures(json_t *o, json_t *const *phases, json_t *const *wires,
                        size_t n)
{
	double v[RUNS_MAX];
	for (size_t f = 0; f < sizeof figures / sizeof *figures; f++) {
		size_t have = 0;
		for (size_t i = 0; i < n; i++) {
			const json_t *x = json_object_get(
			        figures[f].wire ? wires[i] : phases[i], figures[f].key);
			if (json_is_number(x))
				v[have++] = json_number_value(x);
		}
		if (have)
			set_figure(o, &figures[f], v, have);
	}
	for (size_t i = 0; i < n; i++)
		if (wires[i]) {
			json_object_set(o, "interface",
			                json_object_get(wires[i], "interface"));
			json_object_set(o, "direction",
			                json_object_get(wires[i], "direction"));
			break;
		}
}

static json_t *phase_result(const struct record *records, size_t n, const char *cache,
                            const char *name, const json_t *calls)
{
	json_t *phases[RUNS_MAX], *wires[RUNS_MAX];
	double rates[RUNS_MAX];
	size_t have = 0;
	bool not_cold = false;
	const char *unit = "";
	for (size_t i = 0; i < n && have < RUNS_MAX; i++) {
		const json_t *p = phase_of(records[i].clients, cache, name);
		const json_t *marks = json_object_get(records[i].clients, "marks");
		if (!p)
			continue;
		unit = text(p, "unit");
		rates[have] = json_number_value(json_object_get(p, "rate"));
		not_cold = not_cold || json_is_true(json_object_get(p, "not_cold"));
		phases[have] = json_deep_copy(p);
		wires[have++] = study_wire(records[i].probe, marks, cache, name);
	}
	json_t *o = json_pack("{s:s, s:s, s:s, s:i}", "cache", cache, "name", name,
	                      "unit", unit, "runs", (int)have);
	if (have > 0)
		set_spread(o, rates, have);
	set_figures(o, phases, wires, have);
	if (not_cold)
		json_object_set_new(o, "not_cold", json_true());
	if (calls)
		json_object_set_new(
		        o, "calls",
		        study_calls(calls, json_object_get(records[0].clients, "marks"),
		                    cache, name));
	for (size_t i = 0; i < have; i++) {
		json_decref(phases[i]);
		json_decref(wires[i]);
	}
	return o;
}

static bool is_known(const json_t *phases, const json_t *p)
{
	size_t i;
	const json_t *known;
	json_array_foreach(phases, i,
	                   known) if (strcmp(text(known, "cache"), text(p, "cache")) ==
	                                      0 &&
	                              strcmp(text(known, "name"), text(p, "name")) ==
	                                      0) return true;
	return false;
}

/* Findings by id, with the number of runs that have them. */
static void add_findings(json_t *all, const json_t *probe)
{
	json_t *list = study_findings(probe), *f, *counted = json_object();
	size_t i;
	json_array_foreach(list, i, f)
	{
		const char *id = text(f, "id");
		json_t *known = json_object_get(all, id);
		if (json_object_get(counted, id))
			continue;
		json_object_set_new(counted, id, json_true());
		if (!known) {
			json_object_set(all, id, f);
			known = f;
		}
		json_int_t runs = json_integer_value(json_object_get(known, "runs"));
		json_object_set_new(known, "runs", json_integer(runs + 1));
	}
	json_decref(counted);
	json_decref(list);
}

static json_t *load(const char *dir, const char *name)
{
	char path[4800];
	snprintf(path, sizeof path, "%s/%s", dir, name);
	return json_load_file(path, 0, NULL);
}

static json_t *axes_json(const struct cell *c)
{
	json_t *axes = json_object();
	for (int a = 0; a < AXIS_COUNT; a++)
		json_object_set_new(axes, axis_kinds[a].name, json_string(c->value[a]));
	return axes;
}

static json_t *cell_result(const struct study *s, size_t index)
{
	const struct study_cell *cell = &s->cells[index];
	struct record *records = calloc(s->job->repeats, sizeof *records);
	json_t *phases = json_array(), *findings = json_object(), *calls = NULL;
	json_t *troubles = json_array();
	char dir[4600], path[4800];
	size_t n = 0;
	for (size_t k = 0; records && k < s->job->repeats; k++) {
		const struct study_run *r = &cell->runs[k];
		const struct study_step at = {index, k};
		study_run_dir(s, &at, dir, sizeof dir);
		if (r->why[0])
			json_array_append_new(troubles, json_string(r->why));
		if (r->status != STUDY_DONE && r->status != STUDY_PARTIAL)
			continue;
		records[n].clients = load(dir, "clients.json");
		records[n].probe = load(dir, "rank0/probe.json");
		add_findings(findings, records[n].probe);
		if (s->job->calls && n == 0) {
			snprintf(path, sizeof path, "%s/rank0/capture.pcapng", dir);
			calls = study_read_calls(path);
		}
		n++;
	}
	for (size_t i = 0; i < n; i++) {
		size_t k;
		const json_t *p;
		json_array_foreach(json_object_get(records[i].clients, "phases"), k,
		                   p) if (!is_known(phases, p))
		        json_array_append_new(phases,
		                              phase_result(records, n, text(p, "cache"),
		                                           text(p, "name"), calls));
	}
	for (size_t i = 0; i < n; i++) {
		json_decref(records[i].clients);
		json_decref(records[i].probe);
	}
	free(records);
	json_decref(calls);
	return json_pack("{s:s, s:s, s:o, s:i, s:o, s:o, s:o}", "label", cell->label,
	                 "dir", cell->dir, "axes", axes_json(cell->c), "runs", (int)n,
	                 "phases", phases, "findings", findings, "troubles", troubles);
}

json_t *study_result(const struct study *s)
{
	json_t *cells = json_array();
	for (size_t i = 0; i < s->n; i++)
		json_array_append_new(cells, cell_result(s, i));
	return json_pack("{s:s, s:s, s:s, s:O, s:O, s:o}", "schema",
	                 "cellbench-study-result/1", "name", s->job->name, "question",
	                 s->job->question ? s->job->question : "", "facts", s->facts,
	                 "left_out", s->left_out, "cells", cells);
}

static double number(const json_t *o, const char *key)
{
	return json_number_value(json_object_get(o, key));
}

static bool has(const json_t *o, const char *key)
{
	return json_is_number(json_object_get(o, key));
}

static void add_if(struct grid *g, const json_t *o, const char *key, const char *fmt,
                   double scale)
{
	char cell[32];
	cell[0] = '\0';
	if (has(o, key))
		snprintf(cell, sizeof cell, strcmp(fmt, "%") == 0 ? "%.0f %%" : "%.0f",
		         number(o, key) * scale);
	grid_add(g, "%s", cell);
}

static void print_cell(const json_t *cell, FILE *out)
{
	struct grid g;
	size_t i;
	const json_t *p;
	fprintf(out, "\n%s  (%d runs)\n", text(cell, "label"),
	        (int)number(cell, "runs"));
	grid_init(&g, 10, 1);
	static const char *const heads[] = {
	        "phase",    "rate",      "spread",  "unit",       "seconds",
	        "datagram", "fragments", "resends", "of ceiling", "Jain"};
	for (size_t h = 0; h < sizeof heads / sizeof *heads; h++)
		grid_add(&g, "%s", heads[h]);
	json_array_foreach(json_object_get(cell, "phases"), i, p)
	{
		grid_add(&g, "%s/%s%s", text(p, "cache"), text(p, "name"),
		         json_object_get(p, "not_cold") ? " (cold?)" : "");
		grid_add(&g, "%.0f", number(p, "median"));
		if (number(p, "runs") > 1)
			grid_add(&g, "%.0f-%.0f", number(p, "low"), number(p, "high"));
		else
			grid_add(&g, "%s", "");
		grid_add(&g, "%s", text(p, "unit"));
		grid_add(&g, "%.2f", number(p, "seconds"));
		add_if(&g, p, "datagram", "", 1);
		add_if(&g, p, "fragments", "", 1);
		add_if(&g, p, "resends", "", 1);
		add_if(&g, p, "share_of_ceiling", "%", 100);
		if (json_array_size(json_object_get(p, "values")) > 0 &&
		    number(p, "jain") < 0.9999999)
			grid_add(&g, "%.3f", number(p, "jain"));
		else
			grid_add(&g, "%s", "");
	}
	grid_print(&g, out, 2);
	grid_free(&g);
}

/* A cost in ms, and its spread. */
static void add_cost(struct grid *g, const json_t *p, const char *key)
{
	char spread_key[64];
	snprintf(spread_key, sizeof spread_key, "%s_spread", key);
	const json_t *ends = json_object_get(p, spread_key);
	if (has(p, key))
		grid_add(g, "%.3g", 1e3 * number(p, key));
	else
		grid_add(g, "%s", "");
	if (has(p, key) && number(p, "runs") > 1)
		grid_add(g, "%.3g-%.3g",
		         1e3 * json_number_value(json_array_get(ends, 0)),
		         1e3 * json_number_value(json_array_get(ends, 1)));
	else
		grid_add(g, "%s", "");
}

/* Shares of one CPU but for the machine's, which is of all of them. */
static void print_cpu(const json_t *cell, FILE *out)
{
	static const char *const heads[] = {"CPU time",      "clients",       "server",
	                                    "machine",       "client ms/MiB", "spread",
	                                    "server ms/MiB", "spread"};
	struct grid g;
	size_t i;
	const json_t *p;
	grid_init(&g, sizeof heads / sizeof *heads, 1);
	for (size_t h = 0; h < sizeof heads / sizeof *heads; h++)
		grid_add(&g, "%s", heads[h]);
	json_array_foreach(json_object_get(cell, "phases"), i, p)
	{
		grid_add(&g, "%s/%s", text(p, "cache"), text(p, "name"));
		add_if(&g, p, "client_cpu_share", "%", 100);
		add_if(&g, p, "server_cpu_share", "%", 100);
		add_if(&g, p, "machine_busy_share", "%", 100);
		add_cost(&g, p, "client_cpu_s_per_mib");
		add_cost(&g, p, "server_cpu_s_per_mib");
	}
	grid_print(&g, out, 2);
	grid_free(&g);
}

static void print_calls(const json_t *cell, FILE *out)
{
	size_t i;
	const json_t *p;
	json_array_foreach(json_object_get(cell, "phases"), i, p)
	{
		const char *operation;
		json_t *n;
		json_t *calls = json_object_get(p, "calls");
		if (json_object_size(calls) == 0)
			continue;
		fprintf(out, "  calls in %s/%s:", text(p, "cache"), text(p, "name"));
		json_object_foreach(calls, operation, n)
		        fprintf(out, " %s %d", operation, (int)json_number_value(n));
		fputc('\n', out);
	}
}

static void print_findings(const json_t *cell, FILE *out)
{
	const char *id;
	json_t *f;
	size_t i;
	const json_t *why;
	json_object_foreach(json_object_get(cell, "findings"), id, f)
	        fprintf(out, "  finding %s (%s), in %d runs: %s\n", id,
	                text(f, "severity"), (int)number(f, "runs"), text(f, "text"));
	json_array_foreach(json_object_get(cell, "troubles"), i, why)
	        fprintf(out, "  trouble: %s\n", json_string_value(why));
}

void study_result_text(const json_t *result, FILE *out)
{
	size_t i;
	const json_t *cell;
	fprintf(out, "Study %s\n", text(result, "name"));
	if (text(result, "question")[0])
		fprintf(out, "%s\n", text(result, "question"));
	json_array_foreach(json_object_get(result, "cells"), i, cell)
	{
		if (number(cell, "runs") > 0) {
			print_cell(cell, out);
			print_cpu(cell, out);
		} else
			fprintf(out, "\n%s  (not run)\n", text(cell, "label"));
		print_calls(cell, out);
		print_findings(cell, out);
	}
	fprintf(out, "\nCPU time of clients (driver and cache manager) and of the file "
	             "server: shares of one CPU; machine: of\nall CPUs of rank 0's "
	             "machine, whoever kept them busy: in the lab clients, server and "
	             "all else.\n");
	if (json_array_size(json_object_get(result, "left_out")) > 0)
		fprintf(out, "\nLeft out:\n");
	json_array_foreach(json_object_get(result, "left_out"), i, cell)
	        fprintf(out, "  %s\n", json_string_value(cell));
}
