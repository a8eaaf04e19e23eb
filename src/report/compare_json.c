#include <math.h>
#include <string.h>

#include "src/report/compare_report.h"
#include "src/run/latency.h"

static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *side_json(const struct side *s)
{
	return json_pack("{s:s, s:s, s:O, s:O}", "name", s->name, "kind",
	                 s->source->kind, "facts", s->source->facts, "notes",
	                 s->source->notes);
}

static json_t *values_json(const struct figure *f)
{
	json_t *list = json_array();
	for (size_t i = 0; i < f->n; i++)
		json_array_append_new(list, json_real(f->values[i]));
	return list;
}

/* The percentiles; the histogram stays in the records. */
static json_t *latency_json(const struct run_latency *l)
{
	json_t *o = l->count > 0 ? run_latency_json(l) : json_null();
	if (json_is_object(o))
		json_object_del(o, "histogram");
	return o;
}

static json_t *figure_json(const struct figure *f, double median)
{
	return json_pack("{s:s, s:s, s:s, s:I, s:b, s:o, s:o, s:o, s:o}", "phase",
	                 f->phase, "cache", f->cache, "setting", f->setting, "size",
	                 (json_int_t)f->size, "failed", f->failed, "median",
	                 number(median), "cpu_percent",
	                 f->cpu >= 0 ? json_real(f->cpu) : json_null(), "values",
	                 values_json(f), "latency", latency_json(&f->latency));
}

/* An end that few and scattered figures leave open is null. */
static json_t *interval_json(bool has, const struct interval *in)
{
	return has ? json_pack("[o, o]", number(in->low), number(in->high))
	           : json_null();
}

static json_t *cost_json(const struct compare_cost *c)
{
	return json_pack("{s:o, s:o, s:o, s:o}", "a", number(c->median_a), "b",
	                 number(c->median_b), "ratio", number(c->ratio),
	                 "ratio_interval",
	                 interval_json(c->has_interval, &c->interval));
}

/* {"unit", "driver", "driver_user", …}: what neither side tells is null. */
static json_t *costs_json(const struct compare_row *r)
{
	json_t *o = json_pack("{s:s}", "unit", cost_units[r->a->unit]);
	for (int k = 0; k < COST_COUNT; k++) {
		const struct compare_cost *c = &r->cost[k];
		bool told = isfinite(c->median_a) || isfinite(c->median_b);
		json_object_set_new(o, cost_names[k],
		                    told ? cost_json(c) : json_null());
	}
	return o;
}

static json_t *row_json(const struct compare_row *r)
{
	return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:o}", "phase",
	                 r->a->phase, "unit", unit_names[r->a->unit], "a",
	                 figure_json(r->a, r->median_a), "b",
	                 figure_json(r->b, r->median_b), "ratio", number(r->ratio),
	                 "ratio_interval", interval_json(r->has_interval, &r->interval),
	                 "speed_percent_of_baseline", number(100 * r->speed),
	                 "change_percent", number(100 * (r->speed - 1)), "verdict",
	                 verdict_names[r->verdict], "cpu", costs_json(r));
}

static json_t *mean_json(const struct compare_mean *m)
{
	return json_pack(
	        "{s:s, s:s, s:s, s:I, s:f, s:f, s:f, s:f}", "group",
	        group_names[m->group], "cache", m->cache, "setting", m->setting,
	        "phases", (json_int_t)m->n, "arithmetic", m->arithmetic, "geometric",
	        m->geometric, "speed_percent_of_baseline_arithmetic",
	        100 * m->speed_arithmetic, "speed_percent_of_baseline_geometric",
	        100 * m->speed_geometric);
}

json_t *compare_report_new(void)
{
	return json_pack("{s:s, s:[]}", "schema", COMPARE_SCHEMA, "comparisons");
}

void compare_report_add(json_t *report, const struct comparison *c)
{
	json_t *rows = json_array(), *means = json_array();
	for (size_t i = 0; i < c->n; i++) {
		struct compare_mean m;
		json_array_append_new(rows, row_json(&c->rows[i]));
		if (compare_mean(c, i, &m))
			json_array_append_new(means, mean_json(&m));
	}
	json_array_append_new(json_object_get(report, "comparisons"),
	                      json_pack("{s:o, s:o, s:O, s:O, s:o, s:o}", "baseline",
	                                side_json(&c->a), "other", side_json(&c->b),
	                                "differences", c->differences, "warnings",
	                                c->warnings, "phases", rows, "means", means));
}

/* A field in quotes where it must be (RFC 4180). */
static void csv_text(FILE *out, const char *text)
{
	if (!strpbrk(text, ",\"\n\r")) {
		fprintf(out, "%s,", text);
		return;
	}
	fputc('"', out);
	for (; *text; text++)
		fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
	fprintf(out, "\",");
}

static void csv_number(FILE *out, double value, const char *end)
{
	if (isfinite(value))
		fprintf(out, "%.6g", value);
	fputs(end, out);
}

static void csv_cost(FILE *out, const struct compare_cost *c)
{
	fputc(',', out);
	csv_number(out, c->median_a, ",");
	csv_number(out, c->median_b, ",");
	csv_number(out, c->ratio, "");
}

void compare_report_csv(const struct comparison *c, bool heading, FILE *out)
{
	if (heading)
		fprintf(out, "baseline,other,cache,phase,setting,unit,baseline_median,"
		             "other_median,ratio,ratio_low,ratio_high,"
		             "speed_percent_of_baseline,change_percent,verdict,"
		             "cpu_unit,driver_cpu_baseline,driver_cpu_other,"
		             "driver_cpu_ratio,server_cpu_baseline,server_cpu_other,"
		             "server_cpu_ratio\n");
	for (size_t i = 0; i < c->n; i++) {
		const struct compare_row *r = &c->rows[i];
		csv_text(out, c->a.name);
		csv_text(out, c->b.name);
		csv_text(out, r->a->cache[0] ? r->a->cache : r->b->cache);
		csv_text(out, r->a->phase);
		csv_text(out, r->a->setting);
		csv_text(out, unit_names[r->a->unit]);
		csv_number(out, r->median_a, ",");
		csv_number(out, r->median_b, ",");
		csv_number(out, r->ratio, ",");
		csv_number(out, r->has_interval ? r->interval.low : NAN, ",");
		csv_number(out, r->has_interval ? r->interval.high : NAN, ",");
		csv_number(out, 100 * r->speed, ",");
		csv_number(out, 100 * (r->speed - 1), ",");
		csv_text(out, verdict_names[r->verdict]);
		fputs(cost_units[r->a->unit], out);
		csv_cost(out, &r->cost[COST_DRIVER]);
		csv_cost(out, &r->cost[COST_SERVER]);
		fputc('\n', out);
	}
}
