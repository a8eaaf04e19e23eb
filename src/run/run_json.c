/* The run as JSON, out and in: schema cellbench-run/1. */
#include <stdio.h>
#include <string.h>

#include "src/run/run.h"

const char *const run_status_names[RUN_STATUS_COUNT] = {
        [RUN_RUNNING] = "running",
        [RUN_COMPLETE] = "complete",
        [RUN_INTERRUPTED] = "interrupted",
        [RUN_FAILED] = "failed",
};

static json_t *phase_json(const struct run_phase *p)
{
	json_t *cold = json_null();
	if (strcmp(p->cache, "cold") == 0)
		cold = json_pack("{s:b, s:s, s:s}", "proven", p->cold_proven, "means",
		                 p->cold_means, "proof", p->cold_proof);
	return json_pack("{s:i, s:s, s:s, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, "
	                 "s:f, s:f, s:f, s:f, s:b, s:b}",
	                 "id", p->id, "name", p->name, "cache", p->cache, "cold", cold,
	                 "begin_ns", (json_int_t)p->begin_ns, "end_ns",
	                 (json_int_t)p->end_ns, "call_ns", (json_int_t)p->call_ns,
	                 "stored_ns", (json_int_t)p->stored_ns, "cpu_ns",
	                 (json_int_t)p->cpu_ns, "bytes", (json_int_t)p->bytes,
	                 "operations", (json_int_t)p->operations, "kib_per_s",
	                 run_phase_kib_s(p), "kib_per_s_without_close",
	                 run_phase_kib_s_call(p), "cpu_percent", run_phase_cpu(p),
	                 "operations_per_s", run_phase_ops_s(p), "short",
	                 run_phase_short(p), "verified", p->verified);
}

json_t *run_json(const struct run *r)
{
	json_t *phases = json_array();
	for (size_t i = 0; i < r->nphases; i++)
		json_array_append_new(phases, phase_json(&r->phases[i]));
	json_t *o = json_pack("{s:s, s:s, s:s, s:s, s:s, s:b, s:I, s:I, s:O}", "schema",
	                      RUN_SCHEMA, "id", r->id, "status",
	                      run_status_names[r->status], "engine_name", r->engine,
	                      "workload", r->workload, "cpu_includes_client",
	                      r->client_cpu, "size", (json_int_t)r->size, "seed",
	                      (json_int_t)r->seed, "problems", r->problems);
	if (o) {
		json_object_update(o, r->facts);
		json_object_set(o, "phases", phases);
	}
	json_decref(phases);
	return o;
}

static void copy_text(const json_t *o, const char *key, char *to, size_t room)
{
	const char *text = json_string_value(json_object_get(o, key));
	snprintf(to, room, "%s", text ? text : "");
}

static int64_t integer(const json_t *o, const char *key)
{
	return json_integer_value(json_object_get(o, key));
}

static struct run_phase phase_from_json(const json_t *o)
{
	struct run_phase p = {
	        .id = (int)integer(o, "id"),
	        .begin_ns = integer(o, "begin_ns"),
	        .end_ns = integer(o, "end_ns"),
	        .call_ns = integer(o, "call_ns"),
	        .stored_ns = integer(o, "stored_ns"),
	        .cpu_ns = integer(o, "cpu_ns"),
	        .bytes = (uint64_t)integer(o, "bytes"),
	        .operations = (uint64_t)integer(o, "operations"),
	        .verified = json_is_true(json_object_get(o, "verified")),
	};
	const json_t *cold = json_object_get(o, "cold");
	copy_text(o, "name", p.name, sizeof p.name);
	copy_text(o, "cache", p.cache, sizeof p.cache);
	copy_text(cold, "means", p.cold_means, sizeof p.cold_means);
	copy_text(cold, "proof", p.cold_proof, sizeof p.cold_proof);
	p.cold_proven = json_is_true(json_object_get(cold, "proven"));
	return p;
}

/* Keys that are members of struct run; all others are facts, kept as they are. */
static const char *const own_keys[] = {
        "schema",
        "id",
        "status",
        "engine_name",
        "workload",
        "problems",
        "cpu_includes_client",
        "size",
        "seed",
        "phases",
};

int run_from_json(struct run *r, json_t *o, struct err *e)
{
	*r = (struct run){.problems = json_array(), .facts = json_object()};
	const char *schema = json_string_value(json_object_get(o, "schema"));
	if (!schema || strcmp(schema, RUN_SCHEMA) != 0)
		return err_set(e, ERR_USAGE, "not a record of schema %s", RUN_SCHEMA);
	copy_text(o, "id", r->id, sizeof r->id);
	copy_text(o, "engine_name", r->engine, sizeof r->engine);
	copy_text(o, "workload", r->workload, sizeof r->workload);
	const char *status = json_string_value(json_object_get(o, "status"));
	for (int s = 0; status && s < RUN_STATUS_COUNT; s++)
		if (strcmp(status, run_status_names[s]) == 0)
			r->status = (enum run_status)s;
	r->client_cpu = json_is_true(json_object_get(o, "cpu_includes_client"));
	r->size = (uint64_t)integer(o, "size");
	r->seed = (uint64_t)integer(o, "seed");
	size_t i;
	const json_t *item;
	json_array_foreach(json_object_get(o, "problems"), i,
	                   item) if (json_is_string(item))
	        run_add_problem(r, json_string_value(item));
	json_array_foreach(json_object_get(o, "phases"), i, item)
	{
		struct run_phase p = phase_from_json(item);
		if (run_add_phase(r, &p) < 0)
			return err_set(e, ERR_ENVIRONMENT, "out of memory");
	}
	json_object_update(r->facts, o);
	for (i = 0; i < sizeof own_keys / sizeof *own_keys; i++)
		json_object_del(r->facts, own_keys[i]);
	return 0;
}
