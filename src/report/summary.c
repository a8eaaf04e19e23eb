#include "src/report/summary.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/report/joined.h"

/* Below this a direction carried requests and acknowledgements, no files. */
#define FILES_BYTES (UINT64_C(256) << 10)
/* Less of a phase's bytes than this on the wire: they came from the cache. */
#define CACHED_SHARE 0.01
/* At most so many phases are named in a sentence. */
enum { NAMES_MAX = 6 };

static void say(json_t *list, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));

static void say(json_t *list, const char *fmt, ...)
{
	char *text;
	va_list args;
	va_start(args, fmt);
	if (vasprintf(&text, fmt, args) >= 0) {
		json_array_append_new(list, json_string(text));
		free(text);
	}
	va_end(args);
}

static const char *text_of(const json_t *o, const char *key)
{
	const char *text = json_string_value(json_object_get(o, key));
	return text ? text : "";
}

static const char *way_name(bool to_client)
{
	return to_client ? "server to client" : "client to server";
}

/* "atm0 (atm-llc, 149.76 Mbit/s, MTU 9180)" */
static void name_link(char *out, size_t room, const struct probe_result *p,
                      const char *name)
{
	const struct probe_total *t = NULL;
	for (size_t i = 0; i < p->ntotals && !t; i++)
		if (strcmp(p->totals[i].name, name) == 0)
			t = &p->totals[i];
	if (!t || !t->kind[0] || t->rate_bps == 0)
		snprintf(out, room, "%s", name);
	else
		snprintf(out, room, "%s (%s, %g Mbit/s, MTU %" PRIu64 ")", name,
		         t->kind, (double)t->rate_bps / 1e6, t->mtu);
}

/* The row whose data fill their link best: the run's best transfer that way. */
static const struct joined *best_row(const struct joined *rows, size_t n,
                                     bool to_client)
{
	const struct joined *best = NULL;
	for (size_t i = 0; i < n; i++)
		if (rows[i].to_client == to_client && rows[i].share >= 0 &&
		    rows[i].rx_data_bytes >= FILES_BYTES &&
		    (!best || rows[i].share > best->share))
			best = &rows[i];
	return best;
}

static void say_best(json_t *list, const struct report_run *from)
{
	size_t n;
	struct joined *rows = joined_rows(from->run, from->probe, &n);
	for (int to_client = 1; rows && to_client >= 0; to_client--) {
		const struct joined *j = best_row(rows, n, to_client);
		if (!j || !j->flow->has_ceiling)
			continue;
		char link[160];
		name_link(link, sizeof link, from->probe, j->interface);
		say(list,
		    "%s best in %s/%s, at %.0f KiB/s: its file data took %.1f %% of "
		    "the "
		    "%.0f KiB/s that %s carries at most in datagrams of %" PRIu64
		    " bytes.",
		    to_client ? "Reading was" : "Writing was", j->phase->cache,
		    j->phase->name, run_phase_kib_s(j->phase), 100 * j->share,
		    j->flow->ceiling / 1024, link, j->flow->top_size);
	}
	free(rows);
}

static void say_packets(json_t *list, const struct probe_total *t, bool to_client)
{
	const struct probe_flow *f = to_client ? &t->to_client : &t->to_server;
	if (f->rx_data_bytes < FILES_BYTES || f->sized == 0)
		return;
	say(list,
	    "On %s, %s, %.1f %% of %" PRIu64 " data datagrams had %" PRIu64
	    " bytes of UDP payload; %" PRIu64 " of %" PRIu64
	    " IP packets were fragments, %" PRIu64
	    " packets were sent again (%.3g %%).",
	    t->name, way_name(to_client), 100 * (double)f->top_count / (double)f->sized,
	    f->sized, f->top_size, f->fragments, f->ip_packets, f->resends,
	    100 * (double)f->resends / (double)f->sized);
}

/* Why the datagrams of file traffic have their size, where files went. */
static void say_choice(json_t *list, const struct probe_result *p,
                       const struct probe_total *t, bool to_client)
{
	const struct probe_flow *f = to_client ? &t->to_client : &t->to_server;
	size_t i;
	const json_t *v;
	if (f->rx_data_bytes < FILES_BYTES)
		return;
	json_array_foreach(p->verdicts, i, v)
	{
		bool is_to_client = strcmp(text_of(v, "direction"), "to_client") == 0;
		if (strcmp(text_of(v, "service"), "fs") != 0 ||
		    strcmp(text_of(v, "interface"), t->name) != 0 ||
		    is_to_client != to_client)
			continue;
		say(list, "That size, %s on %s, was chosen so: %s.",
		    way_name(to_client), t->name, text_of(v, "text"));
		return;
	}
}

enum severity { SEVERE_ERROR, SEVERE_WARNING, SEVERE_NOTE, SEVERITIES };

static enum severity severity_of(const json_t *finding)
{
	const char *name = text_of(finding, "severity");
	if (strcmp(name, "error") == 0)
		return SEVERE_ERROR;
	return strcmp(name, "warning") == 0 ? SEVERE_WARNING : SEVERE_NOTE;
}

/* How many there are, and the gravest. */
static void say_findings(json_t *list, const struct report_run *runs, size_t nruns)
{
	size_t n[SEVERITIES] = {0}, total = 0, looked = 0, having = 0, i;
	const json_t *f, *first[SEVERITIES] = {0};
	for (size_t r = 0; r < nruns; r++) {
		if (!runs[r].probe)
			continue;
		looked += runs[r].probe->diagnosed;
		having += json_array_size(runs[r].probe->findings) > 0;
		json_array_foreach(runs[r].probe->findings, i, f)
		{
			enum severity s = severity_of(f);
			first[s] = first[s] ? first[s] : f;
			n[s]++;
			total++;
		}
	}
	if (total == 0 && looked > 0)
		say(list, "The probe found nothing wrong.");
	if (total == 0)
		return;
	enum severity worst = SEVERE_ERROR;
	while (n[worst] == 0)
		worst++;
	const char *text = text_of(first[worst], "text");
	size_t end = strlen(text);
	bool stopped = end > 0 && text[end - 1] == '.';
	char where[64] = "Findings";
	if (nruns > 1)
		snprintf(where, sizeof where, "Findings in %zu of %zu runs", having,
		         nruns);
	say(list, "%s: %zu error%s, %zu warning%s, %zu note%s; the gravest: %s%s",
	    where, n[0], n[0] == 1 ? "" : "s", n[1], n[1] == 1 ? "" : "s", n[2],
	    n[2] == 1 ? "" : "s", text, stopped ? "" : ".");
}

/* One sentence naming the phases of which `is` holds, before and after them. */
static void say_phases(json_t *list, const struct measures *m,
                       bool (*is)(const struct measure *), const char *before,
                       const char *after)
{
	char names[512] = "";
	size_t n = 0, used = 0;
	const struct measure **phases = calloc(m->n + 1, sizeof(*phases));
	size_t nphases = phases ? measure_phases(m, phases) : 0;
	for (size_t i = 0; i < nphases; i++) {
		bool any = false;
		for (size_t c = 0; c < m->nconfigs && !any; c++) {
			const struct measure *at =
			        measure_find(m, c, phases[i]->phase, phases[i]->cache);
			any = at && is(at);
		}
		if (!any || ++n > NAMES_MAX || used >= sizeof names)
			continue;
		used += (size_t)snprintf(names + used, sizeof names - used, "%s%s/%s",
		                         n > 1 ? ", " : "", phases[i]->cache,
		                         phases[i]->phase);
	}
	free(phases);
	if (n > NAMES_MAX)
		say(list, "%s%s and %zu more %s", before, names, n - NAMES_MAX, after);
	else if (n > 0)
		say(list, "%s%s %s", before, names, after);
}

static bool is_cached(const struct measure *m)
{
	return m->unit == UNIT_KIB_S && m->wire_share >= 0 &&
	       m->wire_share < CACHED_SHARE;
}

static bool is_short(const struct measure *m)
{
	return m->is_short && !is_cached(m);
}

static bool is_not_cold(const struct measure *m)
{
	return m->not_cold;
}

static bool is_not_warm(const struct measure *m)
{
	return m->not_warm;
}

static bool is_not_stored(const struct measure *m)
{
	return m->not_stored && !is_cached(m);
}

static bool has_failed(const struct measure *m)
{
	return m->failed;
}

static void say_doubts(json_t *list, const struct measures *m)
{
	say_phases(
	        list, m, is_cached, "",
	        "moved less than 1 % of the data over the wire: those figures are the "
	        "cache's, not the network's.");
	say_phases(list, m, has_failed, "Failed: ", "(see the problems below).");
	say_phases(list, m, is_not_cold, "Not shown to be cold, so not to be trusted: ",
	           "(the proof that is missing is told in the record).");
	say_phases(list, m, is_not_warm, "Not warm, for the cache did not keep it: ",
	           "(half of what was read, or more, came from the server again).");
	say_phases(list, m, is_not_stored, "Not stored yet when it ended: ",
	           "(less had left this host than was written; that is the rate of "
	           "its cache).");
	say_phases(list, m, is_short,
	           "Too short to be measured well: ", "(less than half a second).");
}

/* The best and the worst configuration of a phase, and how far they are apart. */
static void say_range(json_t *list, const struct measures *m, const struct measure *of)
{
	const struct measure *top = NULL, *low = NULL;
	for (size_t c = 0; c < m->nconfigs; c++) {
		const struct measure *at = measure_find(m, c, of->phase, of->cache);
		if (!at || at->n == 0)
			continue;
		top = !top || at->median > top->median ? at : top;
		low = !low || at->median < low->median ? at : low;
	}
	struct interval ratio;
	if (!top || top == low ||
	    stats_ratio_interval(low->values, low->n, top->values, top->n, &ratio) < 0)
		return;
	const struct measure *best = measure_more_is_better(of->unit) ? top : low;
	const struct measure *worst = best == top ? low : top;
	char sure[96] = "";
	if (top->n > 1 && low->n > 1)
		snprintf(sure, sizeof sure, " (95 %%: %.2f to %.2f)%s", ratio.low,
		         ratio.high,
		         ratio.low <= 1 ? ", so no difference is shown" : "");
	say(list,
	    "%s/%s: best with %s, %.*f %s, worst with %s, %.*f: a factor of %.2f%s.",
	    of->cache, of->phase, m->configs[best->config], best->median < 100 ? 2 : 0,
	    best->median, unit_names[of->unit], m->configs[worst->config],
	    worst->median < 100 ? 2 : 0, worst->median, top->median / low->median,
	    sure);
}

static void say_configurations(json_t *list, const struct report_run *runs,
                               size_t nruns, const struct measures *m)
{
	size_t complete = 0;
	for (size_t i = 0; i < nruns; i++)
		complete += runs[i].run->status == RUN_COMPLETE;
	say(list, "%zu configuration%s in %zu runs, %zu of them complete.", m->nconfigs,
	    m->nconfigs == 1 ? "" : "s", nruns, complete);
	const struct measure **phases = calloc(m->n + 1, sizeof(*phases));
	size_t n = phases ? measure_phases(m, phases) : 0;
	for (size_t i = 0; i < n; i++)
		say_range(list, m, phases[i]);
	free(phases);
}

static void say_run(json_t *list, const struct report_run *from)
{
	const struct run *r = from->run;
	say(list, "%s on %.4g MiB through the engine %s: %zu phases, the run is %s.",
	    r->workload, (double)r->size / (1 << 20), r->engine, r->nphases,
	    r->status == RUN_RUNNING ? "still running, or was killed"
	                             : run_status_names[r->status]);
	if (!from->probe)
		return;
	say_best(list, from);
	for (size_t i = 0; i < 2 * from->probe->ntotals; i++)
		say_packets(list, &from->probe->totals[i / 2], i % 2 == 0);
	for (size_t i = 0; i < 2 * from->probe->ntotals; i++)
		say_choice(list, from->probe, &from->probe->totals[i / 2], i % 2 == 0);
}

json_t *summary_sentences(const struct report_run *runs, size_t nruns,
                          const struct measures *m)
{
	json_t *list = json_array();
	if (!list)
		return NULL;
	if (nruns == 1)
		say_run(list, &runs[0]);
	else
		say_configurations(list, runs, nruns, m);
	say_findings(list, runs, nruns);
	say_doubts(list, m);
	return list;
}

json_t *summary_of_run(const struct run *r, const struct probe_result *probe)
{
	const struct report_run one = {
	        .label = "", .dir = r->dir, .run = r, .probe = probe};
	struct measures m;
	if (measures_make(&m, &one, 1) < 0)
		return NULL;
	json_t *list = summary_sentences(&one, 1, &m);
	measures_fini(&m);
	return list;
}
