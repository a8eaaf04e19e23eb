/* Goodput over time, with the phases and the ceilings; fragments and resends. */
#include <stdlib.h>
#include <string.h>

#include "src/base/clock.h"
#include "src/report/html_part.h"

/* More points than pixels tell nothing more. */
enum { POINTS_MAX = 1500 };

/* A time axis of equal steps. */
struct axis {
	int64_t first_ns, step_ns;
	size_t n;
};

static struct axis axis_of(const struct probe_result *p)
{
	struct axis a = {.first_ns = p->intervals[0].begin_ns,
	                 .step_ns = p->intervals[0].length_ns};
	int64_t last = a.first_ns;
	for (size_t i = 0; i < p->nintervals; i++) {
		const struct probe_interval *at = &p->intervals[i];
		a.first_ns = at->begin_ns < a.first_ns ? at->begin_ns : a.first_ns;
		last = at->begin_ns > last ? at->begin_ns : last;
		a.step_ns = at->length_ns > a.step_ns ? at->length_ns : a.step_ns;
	}
	uint64_t span = (uint64_t)last - (uint64_t)a.first_ns;
	uint64_t times = span / (uint64_t)a.step_ns / POINTS_MAX + 1;
	a.step_ns *= (int64_t)times;
	a.n = (size_t)(span / (uint64_t)a.step_ns) + 1;
	return a;
}

enum figure { GOODPUT, RESENDS, FRAGMENTS };

static double figure_of(const struct probe_interval *at, enum figure f,
                        const struct axis *a)
{
	switch (f) {
	case GOODPUT:
		return (double)at->goodput_bytes / 1024 * 1e9 / (double)a->step_ns;
	case RESENDS:
		return (double)at->resends;
	default:
		return (double)at->fragments;
	}
}

/* A figure over time, of one way of an interface, or of all (total SIZE_MAX); an empty
 * array where there is nothing but zeros. */
static json_t *values_over(const struct probe_result *p, const struct axis *a,
                           size_t total, bool to_client, enum figure f)
{
	json_t *list = json_array();
	double *sums = calloc(a->n, sizeof *sums), all = 0;
	for (size_t i = 0; sums && i < p->nintervals; i++) {
		const struct probe_interval *at = &p->intervals[i];
		if (total != SIZE_MAX &&
		    (at->total != total || at->to_client != to_client))
			continue;
		uint64_t k = ((uint64_t)at->begin_ns - (uint64_t)a->first_ns) /
		             (uint64_t)a->step_ns;
		sums[k < a->n ? k : a->n - 1] += figure_of(at, f, a);
		all += figure_of(at, f, a);
	}
	for (size_t i = 0; sums && all > 0 && i < a->n; i++)
		json_array_append_new(list, json_integer((json_int_t)(sums[i] + 0.5)));
	free(sums);
	return list;
}

/* Times in records may be anything. */
static double seconds_from(const struct axis *a, int64_t time_ns)
{
	return ((double)time_ns - (double)a->first_ns) / 1e9;
}

static json_t *phases_over(const struct probe_result *p, const struct axis *a)
{
	json_t *list = json_array();
	for (size_t i = 0; i < p->nphases; i++) {
		const struct probe_phase *ph = &p->phases[i];
		if (ph->begin_ns > 0 && ph->end_ns > ph->begin_ns)
			json_array_append_new(list,
			                      json_pack("[f,f,o]",
			                                seconds_from(a, ph->begin_ns),
			                                seconds_from(a, ph->end_ns),
			                                html_json_text(ph->name)));
	}
	return list;
}

static json_t *plot(const struct probe_result *p, const struct axis *a,
                    const char *unit, json_t *series)
{
	return json_pack("{s:s, s:s, s:f, s:o, s:o}", "kind", "time", "unit", unit,
	                 "step", (double)a->step_ns / 1e9, "phases", phases_over(p, a),
	                 "series", series);
}

static void add_series(json_t *series, json_t *name, json_t *values, const char *style,
                       const struct probe_flow *ceiling_of)
{
	if (json_array_size(values) == 0) {
		json_decref(name);
		json_decref(values);
		return;
	}
	json_t *o = json_pack("{s:o, s:o, s:s}", "name", name, "values", values,
	                      "style", style);
	if (ceiling_of && ceiling_of->has_ceiling &&
	    ceiling_of->rx_data_bytes > 256 << 10)
		json_object_set_new(o, "ceiling",
		                    json_real(ceiling_of->ceiling / 1024));
	json_array_append_new(series, o);
}

static json_t *goodput(const struct probe_result *p, const struct axis *a)
{
	json_t *series = json_array();
	for (size_t i = 0; i < 2 * p->ntotals; i++) {
		const struct probe_total *t = &p->totals[i / 2];
		bool to_client = i % 2 == 0;
		char name[96];
		snprintf(name, sizeof name, "%s, %s", t->name,
		         to_client ? "server to client" : "client to server");
		add_series(series, html_json_text(name),
		           values_over(p, a, i / 2, to_client, GOODPUT), "line",
		           to_client ? &t->to_client : &t->to_server);
	}
	return plot(p, a, "KiB/s", series);
}

/* Both in one plot, or NULL where there was neither. */
static json_t *troubles(const struct probe_result *p, const struct axis *a)
{
	json_t *series = json_array();
	add_series(series, json_string("packets sent again"),
	           values_over(p, a, SIZE_MAX, false, RESENDS), "bars", NULL);
	add_series(series, json_string("fragments"),
	           values_over(p, a, SIZE_MAX, false, FRAGMENTS), "bars", NULL);
	if (json_array_size(series) > 0)
		return plot(p, a, "packets", series);
	json_decref(series);
	return NULL;
}

static void one_run(struct html_page *p, const struct report_run *from)
{
	struct axis a = axis_of(from->probe);
	char unit[64];
	snprintf(unit, sizeof unit, "Goodput over time, KiB/s in steps of %g s",
	         (double)a.step_ns / 1e9);
	html_raw(&p->h, "<h3>");
	html_text(&p->h, unit);
	html_raw(&p->h, "</h3>\n");
	html_plot(&p->h, goodput(from->probe, &a), unit);
	json_t *trouble = troubles(from->probe, &a);
	if (!trouble)
		return;
	snprintf(unit, sizeof unit, "Packets sent again and fragments, in each %g s",
	         (double)a.step_ns / 1e9);
	html_raw(&p->h, "<h3>");
	html_text(&p->h, unit);
	html_raw(&p->h, "</h3>\n");
	html_plot(&p->h, trouble, unit);
}

/* Whether no run before it has its label. */
static bool is_first(const struct html_report *r, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcmp(r->runs[k].label, r->runs[i].label) == 0)
			return false;
	return true;
}

void html_time(struct html_page *p)
{
	bool any = false, many = p->m.nconfigs > 1;
	for (size_t i = 0; i < p->r->nruns; i++)
		any |= p->r->runs[i].probe && p->r->runs[i].probe->nintervals > 0;
	if (!any || !p->h.can_plot)
		return;
	html_section(&p->h, "time", "Goodput over time");
	for (size_t i = 0; i < p->r->nruns; i++) {
		const struct report_run *from = &p->r->runs[i];
		if (!from->probe || from->probe->nintervals == 0 || !is_first(p->r, i))
			continue;
		if (many) {
			html_raw(&p->h, "<details><summary>");
			html_text(&p->h, from->label);
			html_raw(&p->h, "</summary>\n");
		}
		one_run(p, from);
		if (many)
			html_raw(&p->h, "</details>\n");
	}
	fprintf(p->h.out,
	        "<p class=\"note\">Goodput: Rx data that were sent for the first time. "
	        "Dashed: the ceiling of the link at that direction’s commonest size. "
	        "Shaded: the phases.%s</p>\n",
	        p->r->nruns > p->m.nconfigs ? " Of repeated runs the first." : "");
	html_section_end(&p->h);
}
