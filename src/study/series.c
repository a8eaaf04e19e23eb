#include "src/study/series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/run/latency.h"
#include "src/study/cost.h"

static const char *text_of(const json_t *o, const char *key)
{
	const char *text = json_string_value(json_object_get(o, key));
	return text ? text : "";
}

/* The summary's phase that this phase of a run belongs to, made if need be. */
static json_t *phase_of(json_t *phases, const json_t *run, const json_t *phase)
{
	size_t i;
	json_t *p;
	const char *name = text_of(phase, "name"), *cache = text_of(phase, "cache");
	json_array_foreach(phases, i,
	                   p) if (strcmp(text_of(p, "name"), name) == 0 &&
	                          strcmp(text_of(p, "cache"), cache) == 0) return p;
	enum figure_unit unit = series_phase_unit(run, phase);
	p = json_pack("{s:s, s:s, s:s, s:[], s:[], s:[], s:i, s:{s:s}}", "name", name,
	              "cache", cache, "unit", unit_names[unit], "values", "runs",
	              "cpu_values", "failed", 0, "cpu", "unit", cost_units[unit]);
	json_array_append_new(phases, p);
	return p;
}

/* The costs of the phase behind those of the runs before: null where not known, so
 * that values and runs go together. */
static void take_costs(json_t *p, const json_t *phase, enum figure_unit unit)
{
	struct run_phase was = run_phase_from_json(phase);
	json_t *cpu = json_object_get(p, "cpu");
	double value[COST_COUNT + 1];
	bool known = json_is_integer(json_object_get(phase, "cpu_ns"));
	for (int k = 0; k < COST_COUNT; k++)
		value[k] = known ? cost_of(&was, unit, (enum cost_kind)k) : NAN;
	value[COST_COUNT] = run_phase_machine(&was);
	for (int k = 0; k <= COST_COUNT; k++) {
		const char *name = k < COST_COUNT ? cost_names[k] : MACHINE_BUSY;
		json_t *o = json_object_get(cpu, name);
		if (!o) {
			o = json_pack("{s:[]}", "values");
			json_object_set_new(cpu, name, o);
		}
		json_array_append_new(json_object_get(o, "values"),
		                      isfinite(value[k]) ? json_real(value[k])
		                                         : json_null());
	}
	run_phase_fini(&was);
}

/* Percentiles of all runs together, from their histograms: absent before the first run,
 * null once they cannot be told. */
static void take_latency(json_t *p, const json_t *phase)
{
	const json_t *before = json_object_get(p, "latency");
	struct run_latency all = run_latency_from_json(before);
	bool known = !json_is_null(before) &&
	             run_latency_add_json(&all, json_object_get(phase, "latency"));
	if (!known || all.count > 0)
		json_object_set_new(p, "latency",
		                    known ? run_latency_json(&all) : json_null());
	hist_free(&all.hist);
}

static void take_phase(json_t *phases, const json_t *run, const json_t *phase, size_t i)
{
	json_t *p = phase_of(phases, run, phase);
	const json_t *cold = json_object_get(phase, "cold");
	if (series_phase_failed(phase)) {
		json_int_t failed = json_integer_value(json_object_get(p, "failed"));
		json_object_set_new(p, "failed", json_integer(failed + 1));
		return;
	}
	double value = series_phase_value(phase, series_phase_unit(run, phase));
	if (!(value > 0))
		return;
	json_array_append_new(json_object_get(p, "values"), json_real(value));
	json_array_append_new(json_object_get(p, "runs"), json_integer((json_int_t)i));
	take_costs(p, phase, series_phase_unit(run, phase));
	take_latency(p, phase);
	if (json_is_number(json_object_get(phase, "cpu_percent")))
		json_array_append(json_object_get(p, "cpu_values"),
		                  json_object_get(phase, "cpu_percent"));
	if (json_is_object(cold) && json_is_false(json_object_get(cold, "proven")))
		json_object_set_new(p, "not_cold", json_true());
	if (json_is_true(json_object_get(phase, "short")))
		json_object_set_new(p, "short", json_true());
}

/* The numbers of an array; NULL where there are none or memory is out. */
static double *numbers(const json_t *list, size_t *n)
{
	size_t room = json_array_size(list);
	double *v = room ? malloc(room * sizeof *v) : NULL;
	*n = v ? 0 : room;
	for (size_t i = 0; v && i < room; i++)
		if (json_is_number(json_array_get(list, i)))
			v[(*n)++] = json_number_value(json_array_get(list, i));
	return v;
}

/* Median and interval of each cost; one that no run knows is null. */
static int close_costs(json_t *cpu)
{
	const char *name;
	json_t *o;
	void *next;
	int r = 0;
	json_object_foreach_safe(cpu, next, name, o)
	{
		size_t n;
		struct interval in;
		double *v = json_is_object(o)
		                    ? numbers(json_object_get(o, "values"), &n)
		                    : NULL;
		if (!json_is_object(o))
			continue;
		if (!v)
			return -1;
		if (n == 0) {
			json_object_set_new(cpu, name, json_null());
		} else if ((r = stats_interval(v, n, &in)) == 0) {
			json_object_set_new(o, "median", json_real(stats_median(v, n)));
			json_object_set_new(
			        o, "interval",
			        json_pack("[f, f]", fmax(in.low, 0), in.high));
		}
		free(v);
		if (r < 0)
			return -1;
	}
	return 0;
}

static void set_outliers(json_t *p, const double *v, size_t n)
{
	json_t *list = json_array();
	bool *is = malloc(n * sizeof *is);
	if (is)
		stats_outliers(v, n, is);
	for (size_t i = 0; is && i < n; i++)
		if (is[i])
			json_array_append(
			        list, json_array_get(json_object_get(p, "runs"), i));
	free(is);
	json_object_set_new(p, "outliers", list);
}

static int close_phase(json_t *p)
{
	size_t n, ncpu;
	double *v = numbers(json_object_get(p, "values"), &n);
	double *cpu = numbers(json_object_get(p, "cpu_values"), &ncpu);
	struct interval in;
	bool times = strcmp(text_of(p, "unit"), unit_names[UNIT_SECONDS]) == 0;
	int r = 0;
	if (v && (r = stats_interval(v, n, &in)) == 0) {
		double fastest = v[0];
		for (size_t i = 1; i < n; i++)
			fastest = times ? fmin(fastest, v[i]) : fmax(fastest, v[i]);
		struct drift d = stats_drift(v, n);
		json_object_set_new(p, "median", json_real(stats_median(v, n)));
		json_object_set_new(p, "interval",
		                    json_pack("[f, f]", in.low, in.high));
		json_object_set_new(p, "fastest", json_real(fastest));
		json_object_set_new(p, "drift",
		                    json_pack("{s:f, s:f, s:b}", "slope_per_run",
		                              d.slope, "p", d.p, "shown", d.shown));
		set_outliers(p, v, n);
	}
	if (cpu)
		json_object_set_new(p, "cpu_percent",
		                    json_real(stats_median(cpu, ncpu)));
	free(v);
	free(cpu);
	if (r == 0)
		r = close_costs(json_object_get(p, "cpu"));
	return n > 0 && !v ? -1 : r;
}

static void copy_head(json_t *to, const json_t *run)
{
	static const char *const keys[] = {
	        "workload", "engine_name", "size", "options",
	        "engine",   "host",        "lab",  "cpu_includes_client"};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (json_object_get(run, keys[i]))
			json_object_set(to, keys[i], json_object_get(run, keys[i]));
}

json_t *series_make(json_t *const *runs, size_t n, size_t warmup)
{
	json_t *list = json_array(), *phases = json_array();
	json_t *s = json_pack("{s:s, s:s, s:f, s:I}", "schema", SUMMARY_SCHEMA,
	                      "status", "complete", "level", STATS_LEVEL, "warm_up",
	                      (json_int_t)warmup);
	size_t k;
	json_t *phase;
	bool ok = s != NULL;
	if (ok && n > 0)
		copy_head(s, runs[0]);
	for (size_t i = 0; ok && i < n; i++) {
		const char *status = text_of(runs[i], "status");
		json_array_append_new(list, json_pack("{s:I, s:s, s:s, s:b, s:b}",
		                                      "run", (json_int_t)i + 1, "id",
		                                      text_of(runs[i], "id"), "status",
		                                      status, "first", i == 0,
		                                      "counted", i >= warmup));
		if (strcmp(status, "complete") != 0)
			json_object_set_new(s, "status", json_string("partial"));
		json_array_foreach(json_object_get(runs[i], "phases"), k,
		                   phase) if (i >= warmup)
		        take_phase(phases, runs[i], phase, i + 1);
	}
	json_array_foreach(phases, k, phase) ok = ok && close_phase(phase) == 0;
	if (ok) {
		json_object_set(s, "runs", list);
		json_object_set(s, "phases", phases);
	}
	json_decref(list);
	json_decref(phases);
	if (ok)
		return s;
	json_decref(s);
	return NULL;
}

double series_width(const json_t *summary, char *whose, size_t room)
{
	double widest = 0;
	size_t i;
	const json_t *p;
	snprintf(whose, room, "none");
	json_array_foreach(json_object_get(summary, "phases"), i, p)
	{
		const json_t *in = json_object_get(p, "interval");
		double low = json_number_value(json_array_get(in, 0));
		double high = json_number_value(json_array_get(in, 1));
		double width =
		        (high - low) / json_number_value(json_object_get(p, "median"));
		size_t n = json_array_size(json_object_get(p, "values"));
		if (n == 0)
			continue;
		if (n < STATS_FEW)
			width = INFINITY;
		if (!(width > widest))
			continue;
		widest = width;
		snprintf(whose, room, "%s/%s", text_of(p, "cache"), text_of(p, "name"));
	}
	return widest;
}
