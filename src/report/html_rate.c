/* Rates: the heat table, the plot and the table of phases, latencies. */
#include <stdlib.h>
#include <string.h>

#include "src/report/html_part.h"
#include "src/run/judge.h"

/* Steps of the heat table: the best figure of the phase is 1. */
static const struct {
	double least;
	const char *class, *says;
} steps[] = {
        {0.97, "q6", "97 % or more"},
        {0.9, "q5", "from 90 %"},
        {0.75, "q4", "from 75 %"},
        {0.5, "q3", "from 50 %"},
        {0.25, "q2", "from 25 %"},
        {0.1, "q1", "from 10 %"},
        {0, "q0", "less"},
};

enum { STEPS = sizeof steps / sizeof *steps };

static int decimals_for(double value)
{
	return value < 10 ? 2 : value < 100 ? 1 : 0;
}

static const char *note_of(const struct measure *m)
{
	if (m->failed)
		return "failed";
	if (m->not_cold)
		return m->is_short ? "not cold; short" : "not cold";
	if (m->not_warm)
		return m->is_short ? "not warm; short" : "not warm";
	if (m->not_stored)
		return m->is_short ? "not stored; short" : "not stored";
	return m->is_short ? "short" : "";
}

/* ---- heat table ------------------------------------------------------------- */

static double best_of(const struct measures *m, const struct measure *of)
{
	double best = 0;
	for (size_t c = 0; c < m->nconfigs; c++) {
		const struct measure *at = measure_find(m, c, of->phase, of->cache);
		if (!at || at->n == 0)
			continue;
		bool better = measure_more_is_better(of->unit) ? at->median > best
		                                               : at->median < best;
		best = best <= 0 || better ? at->median : best;
	}
	return best;
}

static const char *step_of(const struct measure *at, double best)
{
	double share = measure_more_is_better(at->unit) ? at->median / best
	                                                : best / at->median;
	size_t i = 0;
	while (i + 1 < STEPS && share < steps[i].least)
		i++;
	return steps[i].class;
}

static void heat_cell(struct html_table *t, const struct measure *at, double best)
{
	char text[HTML_NUMBER];
	if (!at || at->n == 0) {
		html_cell(t, "%s", at && at->failed ? "failed" : "–");
		return;
	}
	html_cell_open(t, step_of(at, best));
	html_text(t->h, html_number(text, at->median, decimals_for(at->median)));
	if (note_of(at)[0])
		html_say(t->h, " %s", "?");
	if (at->n > 1) {
		html_raw(t->h, "<small>");
		html_say(t->h, "%s to ",
		         html_number(text, at->middle.low, decimals_for(at->median)));
		html_text(t->h,
		          html_number(text, at->middle.high, decimals_for(at->median)));
		html_raw(t->h, "</small>");
	}
	html_cell_close(t);
}

static void heat_table(struct html_page *p, const struct measure **phases, size_t n)
{
	struct html_table t;
	const char **heads = calloc(n + 1, sizeof *heads);
	char(*names)[64] = calloc(n + 1, sizeof *names);
	if (heads && names) {
		heads[0] = "Configuration";
		for (size_t i = 0; i < n; i++) {
			snprintf(names[i], sizeof names[i], "%s %s|%s",
			         phases[i]->cache, phases[i]->phase,
			         unit_names[phases[i]->unit]);
			heads[i + 1] = names[i];
		}
		html_table_begin(&t, &p->h, NULL, heads, n + 1, 1);
		for (size_t c = 0; c < p->m.nconfigs; c++) {
			html_cell(&t, "%s", p->m.configs[c]);
			for (size_t i = 0; i < n; i++)
				heat_cell(&t,
				          measure_find(&p->m, c, phases[i]->phase,
				                       phases[i]->cache),
				          best_of(&p->m, phases[i]));
		}
		html_table_end(&t);
	}
	free(heads);
	free(names);
}

void html_matrix(struct html_page *p)
{
	if (p->m.nconfigs < 2)
		return;
	const struct measure **phases = calloc(p->m.n + 1, sizeof(*phases));
	size_t n = phases ? measure_phases(&p->m, phases) : 0;
	html_section(&p->h, "matrix", "Configurations by phases");
	html_raw(&p->h,
	         "<p>Medians; below them, where runs repeat each other, the 95 % "
	         "interval of the median. The colour tells a figure's share of "
	         "the best one in its column. ? marks figures in doubt.</p>\n"
	         "<ul class=\"legend\">");
	for (size_t i = 0; i < STEPS; i++)
		fprintf(p->h.out, "<li><span class=\"swatch %s\"></span>%s</li>",
		        steps[i].class, steps[i].says);
	html_raw(&p->h, "</ul>\n<div class=\"heat\">");
	heat_table(p, phases, n);
	html_raw(&p->h, "</div>\n");
	html_section_end(&p->h);
	free(phases);
}

/* ---- plots --------------------------------------------------------------------- */

static json_t *bar(const struct measure *m, json_t *label)
{
	bool cached = m->wire_share >= 0 && m->wire_share < 0.01;
	json_t *o =
	        json_pack("{s:o, s:f, s:b, s:s}", "label", label, "value", m->median,
	                  "cached", cached, "series", m->cache[0] ? m->cache : "all");
	if (o && m->n > 1) {
		json_object_set_new(o, "low", json_real(m->middle.low));
		json_object_set_new(o, "high", json_real(m->middle.high));
	}
	if (o && m->ceiling > 0)
		json_object_set_new(o, "ceiling", json_real(m->ceiling));
	return o;
}

static json_t *bars(json_t *rows, enum figure_unit unit)
{
	if (json_array_size(rows) == 0) {
		json_decref(rows);
		return NULL;
	}
	return json_pack("{s:s, s:s, s:o}", "kind", "bars", "unit", unit_names[unit],
	                 "rows", rows);
}

/* One configuration: its phases, a plot for each unit. */
static void plot_phases(struct html_page *p)
{
	static const char *const says[UNIT_COUNT] = {"Rates by phase, KiB/s",
	                                             "Operations a second by phase",
	                                             "Seconds by phase"};
	for (int u = 0; u < UNIT_COUNT; u++) {
		json_t *rows = json_array();
		for (size_t i = 0; i < p->m.n; i++) {
			const struct measure *m = &p->m.list[i];
			char label[64];
			if ((int)m->unit != u || m->n == 0)
				continue;
			snprintf(label, sizeof label, "%s %s", m->cache, m->phase);
			json_array_append_new(rows, bar(m, html_json_text(label)));
		}
		html_plot(&p->h, bars(rows, (enum figure_unit)u), says[u]);
	}
}

/* Several: a plot for each phase. */
static void plot_configs(struct html_page *p)
{
	const struct measure **phases = calloc(p->m.n + 1, sizeof(*phases));
	size_t n = phases ? measure_phases(&p->m, phases) : 0;
	html_raw(&p->h, "<div class=\"multiples\">\n");
	for (size_t i = 0; i < n && p->h.can_plot; i++) {
		char title[96];
		json_t *rows = json_array();
		for (size_t c = 0; c < p->m.nconfigs; c++) {
			const struct measure *m = measure_find(
			        &p->m, c, phases[i]->phase, phases[i]->cache);
			if (m && m->n > 0)
				json_array_append_new(
				        rows, bar(m, html_json_text(p->m.configs[c])));
		}
		snprintf(title, sizeof title, "%s %s, %s", phases[i]->cache,
		         phases[i]->phase, unit_names[phases[i]->unit]);
		html_raw(&p->h, "<div><h3>");
		html_text(&p->h, title);
		html_raw(&p->h, "</h3>\n");
		html_plot(&p->h, bars(rows, phases[i]->unit), title);
		html_raw(&p->h, "</div>\n");
	}
	html_raw(&p->h, "</div>\n");
	free(phases);
}

/* ---- tables ---------------------------------------------------------------------- */

static void phases_table(struct html_page *p, const struct run *r)
{
	static const char *const heads[] = {
	        "Phase",         "Data|bytes", "To last call|s",
	        "To stored|s",   "Rate|KiB/s", "Rate, close not counted|KiB/s",
	        "Operations|/s", "CPU|%",      "Passes",
	        "Note"};
	struct html_table t;
	char doubts[64];
	html_table_begin(&t, &p->h, NULL, heads, sizeof heads / sizeof *heads,
	                 1u << 0 | 1u << 9);
	for (size_t i = 0; i < r->nphases; i++) {
		const struct run_phase *ph = &r->phases[i];
		html_cell(&t, "%s %s", ph->cache, ph->name);
		html_cell_number(&t, (double)ph->bytes, 0);
		html_cell_number(&t, (double)ph->call_ns / 1e9, 3);
		html_cell_number(&t, (double)ph->stored_ns / 1e9, 3);
		html_cell_number(&t, run_phase_kib_s(ph), 0);
		html_cell_number(&t, run_phase_kib_s_call(ph), 0);
		html_cell_number(&t, run_phase_ops_s(ph), 1);
		html_cell_number(&t, run_phase_cpu(ph), 1);
		html_cell(&t, "%zu", ph->npasses > 0 ? ph->npasses : 1);
		html_cell(&t, "%s%s%s", ph->failed ? "failed: " : "", ph->failure,
		          judge_doubts(ph, doubts, sizeof doubts));
	}
	html_table_end(&t);
	fprintf(p->h.out,
	        "<p class=\"note\">A rate holds until the last byte was stored, the "
	        "close included; “close not counted” until the last call returned. "
	        "CPU is that of the driver process, all threads%s. Short: less than "
	        "half a second. Not stored: less than was written had left this host "
	        "when the phase ended.</p>\n",
	        r->client_cpu ? "; the client (cache manager) works in it" : "");
}

static void configs_table(struct html_page *p)
{
	static const char *const heads[] = {
	        "Configuration", "Phase",         "Median",       "Unit", "from", "to",
	        "Runs",          "Ceiling|KiB/s", "Of ceiling|%", "Note"};
	struct html_table t;
	html_table_begin(&t, &p->h,
	                 "from, to: 95 % interval of the median, where runs repeat",
	                 heads, sizeof heads / sizeof *heads,
	                 1u << 0 | 1u << 1 | 1u << 3 | 1u << 9);
	for (size_t i = 0; i < p->m.n; i++) {
		const struct measure *m = &p->m.list[i];
		int decimals = decimals_for(m->median);
		html_cell(&t, "%s", p->m.configs[m->config]);
		html_cell(&t, "%s %s", m->cache, m->phase);
		html_cell_number(&t, m->median, decimals);
		html_cell(&t, "%s", unit_names[m->unit]);
		if (m->n > 1) {
			html_cell_number(&t, m->middle.low, decimals);
			html_cell_number(&t, m->middle.high, decimals);
		} else {
			html_cell(&t, "–");
			html_cell(&t, "–");
		}
		html_cell(&t, "%zu", m->n);
		if (m->ceiling > 0) {
			html_cell_number(&t, m->ceiling, 0);
			html_cell_number(&t, 100 * m->median / m->ceiling, 1);
		} else {
			html_cell(&t, "–");
			html_cell(&t, "–");
		}
		html_cell(&t, "%s", note_of(m));
	}
	html_table_end(&t);
}

void html_rates(struct html_page *p)
{
	html_section(&p->h, "rates", "Rate by phase");
	if (p->m.nconfigs > 1)
		plot_configs(p);
	else
		plot_phases(p);
	if (p->h.can_plot)
		html_raw(&p->h,
		         "<p class=\"note\">The upright mark across a bar is the "
		         "ceiling: the file data that the link carries at most in "
		         "datagrams of that phase’s commonest size. A whisker is the "
		         "95 % interval of the median over repeated runs. A bar that "
		         "ends in an arrow is longer than the plot: its data came from "
		         "the cache.</p>\n");
	if (p->r->nruns == 1)
		phases_table(p, p->r->runs[0].run);
	else
		configs_table(p);
	html_section_end(&p->h);
}

static void latency_rows(struct html_page *p, struct html_table *t,
                         const struct report_run *from)
{
	char label[256];
	for (size_t i = 0; i < from->run->nphases; i++) {
		const struct run_phase *ph = &from->run->phases[i];
		const struct run_latency *l = &ph->latency;
		if (!l->of[0])
			continue;
		html_cell(t, "%s%s %s", html_label(p, from, label), ph->cache,
		          ph->name);
		char some[32] = ""; /* then the most is that of those */
		if (l->every > 1)
			snprintf(some, sizeof some, ", 1 in %u timed", l->every);
		html_cell(t, "%s%s%s", l->of,
		          l->intended ? ", from intended start" : "", some);
		html_cell_number(t, (double)l->count, 0);
		html_cell_number(t, (double)l->min_ns / 1e3, 1);
		html_cell_number(t, (double)l->p50_ns / 1e3, 1);
		html_cell_number(t, (double)l->p95_ns / 1e3, 1);
		html_cell_number(t, (double)l->p99_ns / 1e3, 1);
		html_cell_number(t, (double)l->max_ns / 1e3, 1);
	}
}

void html_latency(struct html_page *p)
{
	static const char *const heads[] = {"Phase",    "Operation", "Timed",
	                                    "least|µs", "median|µs", "95 %|µs",
	                                    "99 %|µs",  "most|µs"};
	struct html_table t;
	bool any = false;
	for (size_t i = 0; i < p->r->nruns; i++)
		for (size_t k = 0; k < p->r->runs[i].run->nphases; k++)
			any |= p->r->runs[i].run->phases[k].latency.of[0] != '\0';
	if (!any)
		return;
	html_section(&p->h, "latency", "Latency of single operations");
	html_table_begin(&t, &p->h, NULL, heads, sizeof heads / sizeof *heads,
	                 1u << 0 | 1u << 1);
	for (size_t i = 0; i < p->r->nruns; i++)
		latency_rows(p, &t, &p->r->runs[i]);
	html_table_end(&t);
	html_section_end(&p->h);
}
