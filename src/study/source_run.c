/* Run directories and summaries of repeated runs, as their JSON files tell them:
 * every key may be absent. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/run/latency.h"
#include "src/study/series.h"
#include "src/study/source.h"

static const char *text_of(const json_t *o, const char *key)
{
	const char *text = json_string_value(json_object_get(o, key));
	return text ? text : "";
}

static double number_of(const json_t *o, const char *key)
{
	return json_number_value(json_object_get(o, key));
}

/* What differs in any two runs and says nothing of the conditions. */
static bool is_incidental(const char *key)
{
	static const char *const keys[] = {
	        "seed", "pid",       "id",  "run_dir",    "output",
	        "argv", "cache_dir", "log", "free_bytes", "steps_seconds"};
	size_t n = strlen(key);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (strcmp(key, keys[i]) == 0)
			return true;
	return n > 3 && strcmp(key + n - 3, "_ns") == 0;
}

/* The words of an AFS client's command line without the folders, which are the run's
 * own; a new reference. */
static json_t *without_folders(const json_t *words)
{
	json_t *out = json_array();
	size_t i;
	json_t *word;
	json_array_foreach(words, i, word)
	{
		const char *text = json_string_value(word);
		if (text &&
		    (strcmp(text, "-confdir") == 0 || strcmp(text, "-cachedir") == 0))
			i++;
		else
			json_array_append(out, word);
	}
	return out;
}

/* Objects inside objects become keys with a point between. */
static void flatten(json_t *to, const char *prefix, const json_t *from, int depth)
{
	char key[128];
	const char *name;
	json_t *value;
	void *it = json_object_iter((json_t *)(uintptr_t)from);
	for (; it; it = json_object_iter_next((json_t *)(uintptr_t)from, it)) {
		name = json_object_iter_key(it);
		value = json_object_iter_value(it);
		if (is_incidental(name))
			continue;
		snprintf(key, sizeof key, "%s%s%s", prefix, prefix[0] ? "." : "", name);
		if (json_is_object(value) && depth > 0)
			flatten(to, key, value, depth - 1);
		else if (strcmp(name, "client_options") == 0 && json_is_array(value))
			json_object_set_new(to, key, without_folders(value));
		else
			json_object_set(to, key, value);
	}
}

static void take_facts(struct source *s, const json_t *o)
{
	static const char *const parts[] = {"engine", "host", "lab"};
	flatten(s->facts, "", json_object_get(o, "options"), 1);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		flatten(s->facts, parts[i], json_object_get(o, parts[i]), 2);
	json_object_set(s->facts, "workload", json_object_get(o, "workload"));
	json_object_set(s->facts, "engine", json_object_get(o, "engine_name"));
	json_object_set(s->facts, "cpu_includes_client",
	                json_object_get(o, "cpu_includes_client"));
}

/* The chunk size in force in an AFS client, whose option is its logarithm; 0: not
 * told. */
static uint64_t chunk_bytes(const json_t *root)
{
	const json_t *words =
	        json_object_get(json_object_get(root, "engine"), "client_options");
	long log = -1;
	for (size_t i = 0; i + 1 < json_array_size(words); i++) {
		const char *word = json_string_value(json_array_get(words, i));
		const char *next = json_string_value(json_array_get(words, i + 1));
		if (word && next && strcmp(word, "-chunksize") == 0)
			log = strtol(next, NULL, 10); /* the last one counts */
	}
	return log >= 10 && log <= 30 ? UINT64_C(1) << log : 0;
}

static struct figure blank_figure(const json_t *root, const json_t *phase)
{
	struct figure f = {
	        .cpu = -1,
	        .size = (uint64_t)json_integer_value(json_object_get(root, "size"))};
	unsigned long long bytes = chunk_bytes(root);
	if (bytes >= 1 << 20)
		snprintf(f.setting, sizeof f.setting, "chunk %lluM", bytes >> 20);
	else if (bytes > 0)
		snprintf(f.setting, sizeof f.setting, "chunk %lluK", bytes >> 10);
	snprintf(f.phase, sizeof f.phase, "%s", text_of(phase, "name"));
	snprintf(f.cache, sizeof f.cache, "%.7s", text_of(phase, "cache"));
	return f;
}

static const char *doubt_of(const json_t *phase)
{
	const json_t *cold = json_object_get(phase, "cold");
	if (json_is_object(cold) && json_is_false(json_object_get(cold, "proven")))
		return "not cold";
	return json_is_true(json_object_get(phase, "short")) ? "short" : NULL;
}

bool series_phase_failed(const json_t *phase)
{
	return json_is_string(json_object_get(phase, "failure"));
}

enum figure_unit series_phase_unit(const json_t *run, const json_t *phase)
{
	const char *workload = text_of(run, "workload");
	if (strcmp(workload, "command") == 0 || strcmp(workload, "tree") == 0)
		return UNIT_SECONDS;
	const struct phase_kind *kind = phase_kind_find(text_of(phase, "name"));
	if (kind)
		return kind->unit;
	if (number_of(phase, "bytes") > 0)
		return UNIT_KIB_S;
	return number_of(phase, "operations") > 1 ? UNIT_OPS_S : UNIT_SECONDS;
}

double series_phase_value(const json_t *phase, enum figure_unit unit)
{
	switch (unit) {
	case UNIT_KIB_S:
		return number_of(phase, "kib_per_s");
	case UNIT_OPS_S:
		return number_of(phase, "operations_per_s");
	default: { /* of one pass */
		size_t passes = json_array_size(json_object_get(phase, "passes"));
		return number_of(phase, "stored_ns") / 1e9 /
		       (double)(passes ? passes : 1);
	}
	}
}

static int add_costs(struct figure *f, const json_t *phase)
{
	struct run_phase p = run_phase_from_json(phase);
	int r = 0;
	if (json_is_integer(json_object_get(phase, "cpu_ns")))
		for (int k = 0; k < COST_COUNT && r == 0; k++)
			r = figure_add_cost(f, (enum cost_kind)k,
			                    cost_of(&p, f->unit, (enum cost_kind)k));
	run_phase_fini(&p);
	return r;
}

/* Of a run, or of a summary's runs together. */
static void add_latency(struct figure *f, const json_t *phase)
{
	if (!run_latency_add_json(&f->latency, json_object_get(phase, "latency"))) {
		hist_free(&f->latency.hist);
		f->latency.count = 0;
	}
}

/* Of a summary's phase. */
static int add_summary_costs(struct figure *f, const json_t *cpu)
{
	size_t i;
	const json_t *value;
	for (int k = 0; k < COST_COUNT; k++) {
		const json_t *cost = json_object_get(cpu, cost_names[k]);
		json_array_foreach(json_object_get(cost, "values"), i, value)
		{
			if (json_is_number(value) &&
			    figure_add_cost(f, (enum cost_kind)k,
			                    json_number_value(value)) < 0)
				return -1;
		}
	}
	return 0;
}

static int add_phase(struct source *s, const json_t *root, const json_t *phase)
{
	struct figure f = blank_figure(root, phase);
	f.unit = series_phase_unit(root, phase);
	f.failed = series_phase_failed(phase);
	f.doubt = doubt_of(phase);
	const json_t *cpu = json_object_get(phase, "cpu_percent");
	f.cpu = cpu ? json_number_value(cpu) : -1;
	struct figure *at = source_figure(s, &f);
	if (!at)
		return -1;
	if (f.failed)
		return 0;
	add_latency(at, phase);
	return add_costs(at, phase) < 0
	               ? -1
	               : figure_add(at, series_phase_value(phase, f.unit));
}

static int add_summary_phase(struct source *s, const json_t *root, const json_t *phase)
{
	struct figure f = blank_figure(root, phase);
	const char *unit = text_of(phase, "unit");
	for (int u = 0; u < UNIT_COUNT; u++)
		if (strcmp(unit, unit_names[u]) == 0)
			f.unit = (enum figure_unit)u;
	const json_t *values = json_object_get(phase, "values"), *value;
	const json_t *cpu = json_object_get(phase, "cpu_percent");
	size_t i;
	f.cpu = json_is_number(cpu) ? json_number_value(cpu) : -1;
	f.failed = number_of(phase, "failed") > 0 && json_array_size(values) == 0;
	if (json_is_true(json_object_get(phase, "not_cold")))
		f.doubt = "not cold";
	else if (json_is_true(json_object_get(phase, "short")))
		f.doubt = "short";
	struct figure *at = source_figure(s, &f);
	if (!at)
		return -1;
	json_array_foreach(values, i,
	                   value) if (figure_add(at, json_number_value(value)) <
	                              0) return -1;
	add_latency(at, phase);
	return add_summary_costs(at, json_object_get(phase, "cpu"));
}

static const char kind_run[] = "run", kind_repeated[] = "repeated runs";

bool source_is_run(const struct source *s)
{
	return strcmp(s->kind, kind_run) == 0 || strcmp(s->kind, kind_repeated) == 0;
}

/* 1, or 0 where o is no such record, or -1 and e. */
static int take(struct source *s, const json_t *o, struct err *e)
{
	const char *schema = text_of(o, "schema"), *status = text_of(o, "status");
	bool summary = strcmp(schema, SUMMARY_SCHEMA) == 0;
	if (!summary && strcmp(schema, RUN_SCHEMA) != 0)
		return 0;
	size_t i;
	const json_t *phase;
	json_array_foreach(json_object_get(o, "phases"), i, phase)
	{
		if ((summary ? add_summary_phase : add_phase)(s, o, phase) < 0)
			return err_set(e, ERR_ENVIRONMENT, "out of memory");
	}
	take_facts(s, o);
	s->kind = summary ? kind_repeated : kind_run;
	s->partial = strcmp(status, "complete") != 0;
	char note[128];
	snprintf(note, sizeof note, "the run is not complete: %.64s", status);
	if (s->partial)
		json_array_append_new(s->notes, json_string(note));
	return 1;
}

int source_run_json(struct source *s, const char *text, size_t n, struct err *e)
{
	json_t *o = json_loadb(text, n, 0, NULL);
	int r = take(s, o, e);
	json_decref(o);
	return r;
}

int source_run_directory(struct source *s, const char *path, struct err *e)
{
	static const char *const files[] = {"summary.json", "run.json"};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		char file[4200];
		snprintf(file, sizeof file, "%s/%s", path, files[i]);
		if (access(file, F_OK) < 0)
			continue;
		json_t *o = json_load_file(file, 0, NULL);
		int r = take(s, o, e);
		json_decref(o);
		if (r == 0)
			err_set(e, ERR_USAGE, "%s is not a record of a run", file);
		return r == 1 ? 0 : -1;
	}
	return err_set(e, ERR_USAGE,
	               "%s is no run directory: it holds neither run.json nor "
	               "summary.json",
	               path);
}
