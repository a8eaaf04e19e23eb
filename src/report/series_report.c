#include "src/report/series_report.h"

#include <string.h>

#include "src/base/grid.h"
#include "src/report/cpu_text.h"
#include "src/report/latency_text.h"
#include "src/study/cost.h"
#include "src/study/series.h"
#include "src/study/stats.h"

static const char *text_of(const json_t *o, const char *key)
{
	const char *text = json_string_value(json_object_get(o, key));
	return text ? text : "";
}

static double number_of(const json_t *o, const char *key)
{
	return json_number_value(json_object_get(o, key));
}

static void add_number(struct grid *g, const json_t *v)
{
	double x = json_number_value(v);
	if (json_is_number(v))
		grid_add(g, "%.*f", x >= 1000 ? 0 : x >= 100 ? 1 : 3, x);
	else
		grid_add(g, "-");
}

/* "run 4, run 7" */
static void list_runs(const json_t *runs, char *text, size_t room)
{
	size_t i, used = 0;
	const json_t *run;
	text[0] = '\0';
	json_array_foreach(runs, i, run)
	{
		if (used < room)
			used += (size_t)snprintf(text + used, room - used, "%s%lld",
			                         i ? ", " : "run ",
			                         json_integer_value(run));
	}
}

static void add_notes(struct grid *g, const json_t *p)
{
	char outliers[128], note[320];
	const json_t *drift = json_object_get(p, "drift");
	double median = number_of(p, "median");
	size_t used = 0;
	list_runs(json_object_get(p, "outliers"), outliers, sizeof outliers);
	note[0] = '\0';
	if (outliers[0])
		used += (size_t)snprintf(note, sizeof note, "outlier: %s", outliers);
	if (json_is_true(json_object_get(drift, "shown")))
		used += (size_t)snprintf(note + used, sizeof note - used,
		                         "%sdrifts by %+.2f %% a run", used ? "; " : "",
		                         100 * number_of(drift, "slope_per_run") /
		                                 median);
	if (json_is_true(json_object_get(p, "not_cold")))
		used += (size_t)snprintf(note + used, sizeof note - used, "%snot cold",
		                         used ? "; " : "");
	if (json_is_true(json_object_get(p, "short")))
		used += (size_t)snprintf(note + used, sizeof note - used, "%sshort",
		                         used ? "; " : "");
	if (number_of(p, "failed") > 0)
		snprintf(note + used, sizeof note - used, "%sfailed in %.0f",
		         used ? "; " : "", number_of(p, "failed"));
	grid_add(g, "%s", note);
}

static void add_phase(struct grid *g, const json_t *p)
{
	const json_t *in = json_object_get(p, "interval");
	const json_t *runs = json_object_get(p, "runs");
	const json_t *values = json_object_get(p, "values");
	double low = json_number_value(json_array_get(in, 0));
	double high = json_number_value(json_array_get(in, 1));
	double median = number_of(p, "median");
	grid_add(g, "%s%s%s", text_of(p, "cache"), text_of(p, "cache")[0] ? "/" : "",
	         text_of(p, "name"));
	grid_add(g, "%s", text_of(p, "unit"));
	grid_add(g, "%zu", json_array_size(values));
	add_number(g, json_object_get(p, "median"));
	add_number(g, json_array_get(in, 0));
	add_number(g, json_array_get(in, 1));
	if (median > 0)
		grid_add(g, "%.1f %%", 100 * (high - low) / median);
	else
		grid_add(g, "-");
	add_number(g, json_object_get(p, "fastest"));
	add_number(g, json_integer_value(json_array_get(runs, 0)) == 1
	                      ? json_array_get(values, 0)
	                      : NULL);
	if (json_is_number(json_object_get(p, "cpu_percent")))
		grid_add(g, "%.1f", number_of(p, "cpu_percent"));
	else
		grid_add(g, "-");
	add_notes(g, p);
}

static void print_head(const json_t *s, FILE *out)
{
	size_t n = json_array_size(json_object_get(s, "runs"));
	fprintf(out, "%s, engine %s, %zu run%s", text_of(s, "workload"),
	        text_of(s, "engine_name"), n, n == 1 ? "" : "s");
	if (number_of(s, "warm_up") > 0)
		fprintf(out, ", of which the first %.0f not counted",
		        number_of(s, "warm_up"));
	fprintf(out, ": %s", text_of(s, "status"));
	if (text_of(s, "ended")[0])
		fprintf(out, "; %s", text_of(s, "ended"));
	fputs("\n\n", out);
}

void series_report_text(const json_t *s, FILE *out)
{
	static const char *const heads[] = {"Phase",     "unit", "n",     "median",
	                                    "95 % from", "to",   "width", "fastest",
	                                    "first run", "%CPU", "note"};
	enum { COLUMNS = sizeof heads / sizeof *heads };
	struct grid g;
	size_t i;
	bool few = false;
	const json_t *p;
	print_head(s, out);
	grid_init(&g, COLUMNS, 1u << 0 | 1u << 1 | 1u << (COLUMNS - 1));
	for (i = 0; i < COLUMNS; i++)
		grid_add(&g, "%s", heads[i]);
	json_array_foreach(json_object_get(s, "phases"), i, p)
	{
		size_t n = json_array_size(json_object_get(p, "values"));
		add_phase(&g, p);
		few |= n > 0 && n < STATS_FEW;
	}
	grid_print(&g, out, 0);
	grid_free(&g);
	fputs("95 %: the interval of the median, by bootstrap; width: in parts of the "
	      "median; first run:\noften slower, and counted unless --warm-up says "
	      "otherwise; outliers are counted too.\n",
	      out);
	if (few)
		fprintf(out,
		        "Of fewer than %d figures the interval covers less than 95 %%."
		        "\n",
		        STATS_FEW);
	cpu_series_text(s, out);
	latency_series_text(s, out);
}

/* A cost of the k-th run that has the phase, as a field behind a comma. */
static void csv_cost(const json_t *phase, const char *name, size_t k, FILE *out)
{
	const json_t *cost = json_object_get(json_object_get(phase, "cpu"), name);
	const json_t *v = json_array_get(json_object_get(cost, "values"), k);
	fputc(',', out);
	if (json_is_number(v))
		fprintf(out, "%.6g", json_number_value(v));
}

void series_report_csv(const json_t *s, FILE *out)
{
	size_t i, k;
	const json_t *p, *value;
	fprintf(out, "run,cache,phase,unit,value,cpu_unit");
	for (int c = 0; c < COST_COUNT; c++)
		fprintf(out, ",%s_cpu", cost_names[c]);
	fprintf(out, ",%s\n", MACHINE_BUSY);
	json_array_foreach(json_object_get(s, "phases"), i, p)
	{
		json_array_foreach(json_object_get(p, "values"), k, value)
		{
			fprintf(out, "%lld,%s,%s,%s,%.6g,%s",
			        json_integer_value(
			                json_array_get(json_object_get(p, "runs"), k)),
			        text_of(p, "cache"), text_of(p, "name"),
			        text_of(p, "unit"), json_number_value(value),
			        text_of(json_object_get(p, "cpu"), "unit"));
			for (int c = 0; c < COST_COUNT; c++)
				csv_cost(p, cost_names[c], k, out);
			csv_cost(p, MACHINE_BUSY, k, out);
			fputc('\n', out);
		}
	}
}
