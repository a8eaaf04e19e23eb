/* The run as JSON, out and in: schema cellbench-run/1. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/run/latency.h"
#include "src/run/run.h"

const char *const run_status_names[RUN_STATUS_COUNT] = {
        [RUN_RUNNING] = "running",
        [RUN_COMPLETE] = "complete",
        [RUN_INTERRUPTED] = "interrupted",
        [RUN_FAILED] = "failed",
};

static json_t *pass_json(const struct run_pass *p)
{
	return json_pack("{s:i, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o}", "id", p->id,
	                 "begin_ns", (json_int_t)p->begin_ns, "end_ns",
	                 (json_int_t)p->end_ns, "call_ns", (json_int_t)p->call_ns,
	                 "stored_ns", (json_int_t)p->stored_ns, "cpu_ns",
	                 (json_int_t)p->cpu_ns, "bytes", (json_int_t)p->bytes,
	                 "operations", (json_int_t)p->operations, "cpu",
	                 cpu_json(&p->cpu));
}

static json_t *real_or_null(bool known, double value)
{
	return known && isfinite(value) ? json_real(value) : json_null();
}

/* With what follows from it. */
static json_t *phase_cpu_json(const struct run_phase *p)
{
	json_t *o = cpu_json(&p->cpu);
	json_object_set_new(o, "machine_busy_share",
	                    real_or_null(true, run_phase_machine(p)));
	json_object_set_new(o, "driver_s_per_mib",
	                    real_or_null(true, run_phase_s_per_mib(p, p->cpu_ns)));
	json_object_set_new(o, "server_s_per_mib",
	                    real_or_null(p->cpu.has_server,
	                                 run_phase_s_per_mib(p, p->cpu.server_ns)));
	return o;
}

static json_t *passes_json(const struct run_phase *p)
{
	json_t *list = json_array();
	for (size_t i = 0; i < p->npasses; i++)
		json_array_append_new(list, pass_json(&p->passes[i]));
	return list;
}

static json_t *caches_json(const struct run_phase *p, bool cold)
{
	if (strcmp(p->cache, cold ? "cold" : "warm") != 0)
		return json_null();
	if (cold)
		return json_pack("{s:b, s:s, s:s}", "proven", p->cold_proven, "means",
		                 p->cold_means, "proof", p->cold_proof);
	return json_pack("{s:b, s:b, s:s, s:s, s:I, s:I}", "proven", p->warm_proven,
	                 "refuted", p->warm_refuted, "means", p->warm_means, "proof",
	                 p->warm_proof, "bytes", (json_int_t)p->warm_bytes,
	                 "operations", (json_int_t)p->warm_operations);
}

static json_t *bytes_or_null(int64_t bytes)
{
	return bytes < 0 ? json_null() : json_integer(bytes);
}

static json_t *phase_json(const struct run_phase *p)
{
	json_t *o = json_pack(
	        "{s:i, s:s, s:s, s:o, s:o, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, "
	        "s:I, "
	        "s:I, s:I, s:f, s:f, s:f, s:f, s:b, s:b, s:b, s:o, s:o}",
	        "id", p->id, "name", p->name, "cache", p->cache, "cold",
	        caches_json(p, true), "warm", caches_json(p, false), "server_cache",
	        p->server_cache, "begin_ns", (json_int_t)p->begin_ns, "end_ns",
	        (json_int_t)p->end_ns, "call_ns", (json_int_t)p->call_ns, "stored_ns",
	        (json_int_t)p->stored_ns, "cpu_ns", (json_int_t)p->cpu_ns,
	        "children_cpu_ns", (json_int_t)p->children_cpu_ns, "bytes",
	        (json_int_t)p->bytes, "operations", (json_int_t)p->operations,
	        "read_bytes", (json_int_t)p->read_bytes, "written_bytes",
	        (json_int_t)p->written_bytes, "kib_per_s", run_phase_kib_s(p),
	        "kib_per_s_without_close", run_phase_kib_s_call(p), "cpu_percent",
	        run_phase_cpu(p), "operations_per_s", run_phase_ops_s(p), "short",
	        run_phase_short(p), "verified", p->verified, "reads_all", p->reads_all,
	        "latency", run_latency_json(&p->latency), "passes", passes_json(p));
	if (o) {
		json_object_set_new(o, "cpu", phase_cpu_json(p));
		json_object_set_new(o, "received_bytes",
		                    bytes_or_null(p->received_bytes));
		json_object_set_new(o, "sent_bytes", bytes_or_null(p->sent_bytes));
	}
	if (o && p->failed)
		json_object_set_new(o, "failure", json_string(p->failure));
	return o;
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

static struct run_pass pass_from_json(const json_t *o)
{
	return (struct run_pass){
	        .id = (int)integer(o, "id"),
	        .begin_ns = integer(o, "begin_ns"),
	        .end_ns = integer(o, "end_ns"),
	        .call_ns = integer(o, "call_ns"),
	        .stored_ns = integer(o, "stored_ns"),
	        .cpu_ns = integer(o, "cpu_ns"),
	        .bytes = (uint64_t)integer(o, "bytes"),
	        .operations = (uint64_t)integer(o, "operations"),
	        .cpu = cpu_from_json(json_object_get(o, "cpu")),
	};
}

static int passes_from_json(struct run_phase *p, const json_t *list)
{
	size_t n = json_array_size(list);
	p->npasses = 0;
	p->passes = n ? calloc(n, sizeof *p->passes) : NULL;
	if (n && !p->passes)
		return -1;
	for (; p->npasses < n; p->npasses++)
		p->passes[p->npasses] =
		        pass_from_json(json_array_get(list, p->npasses));
	return 0;
}

static void caches_from_json(struct run_phase *p, const json_t *o)
{
	const json_t *cold = json_object_get(o, "cold");
	const json_t *warm = json_object_get(o, "warm");
	copy_text(cold, "means", p->cold_means, sizeof p->cold_means);
	copy_text(cold, "proof", p->cold_proof, sizeof p->cold_proof);
	p->cold_proven = json_is_true(json_object_get(cold, "proven"));
	copy_text(warm, "means", p->warm_means, sizeof p->warm_means);
	copy_text(warm, "proof", p->warm_proof, sizeof p->warm_proof);
	p->warm_proven = json_is_true(json_object_get(warm, "proven"));
	p->warm_refuted = json_is_true(json_object_get(warm, "refuted"));
	p->warm_bytes = (uint64_t)integer(warm, "bytes");
	p->warm_operations = (uint64_t)integer(warm, "operations");
	copy_text(o, "server_cache", p->server_cache, sizeof p->server_cache);
}

static int64_t bytes_or_unknown(const json_t *o, const char *key)
{
	const json_t *bytes = json_object_get(o, key);
	return json_is_integer(bytes) ? json_integer_value(bytes) : -1;
}

struct run_phase run_phase_from_json(const json_t *o)
{
	struct run_phase p = {
	        .id = (int)integer(o, "id"),
	        .begin_ns = integer(o, "begin_ns"),
	        .end_ns = integer(o, "end_ns"),
	        .call_ns = integer(o, "call_ns"),
	        .stored_ns = integer(o, "stored_ns"),
	        .cpu_ns = integer(o, "cpu_ns"),
	        .children_cpu_ns = integer(o, "children_cpu_ns"),
	        .cpu = cpu_from_json(json_object_get(o, "cpu")),
	        .bytes = (uint64_t)integer(o, "bytes"),
	        .operations = (uint64_t)integer(o, "operations"),
	        .read_bytes = (uint64_t)integer(o, "read_bytes"),
	        .written_bytes = (uint64_t)integer(o, "written_bytes"),
	        .verified = json_is_true(json_object_get(o, "verified")),
	        .reads_all = json_is_true(json_object_get(o, "reads_all")),
	        .failed = json_object_get(o, "failure") != NULL,
	        .latency = run_latency_from_json(json_object_get(o, "latency")),
	};
	p.received_bytes = bytes_or_unknown(o, "received_bytes");
	p.sent_bytes = bytes_or_unknown(o, "sent_bytes");
	copy_text(o, "name", p.name, sizeof p.name);
	copy_text(o, "cache", p.cache, sizeof p.cache);
	copy_text(o, "failure", p.failure, sizeof p.failure);
	caches_from_json(&p, o);
	p.npasses = json_array_size(json_object_get(o, "passes"));
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
		struct run_phase p = run_phase_from_json(item);
		if (passes_from_json(&p, json_object_get(item, "passes")) < 0 ||
		    run_add_phase(r, &p) < 0)
			return err_set(e, ERR_ENVIRONMENT, "out of memory");
	}
	json_object_update(r->facts, o);
	for (i = 0; i < sizeof own_keys / sizeof *own_keys; i++)
		json_object_del(r->facts, own_keys[i]);
	return 0;
}
