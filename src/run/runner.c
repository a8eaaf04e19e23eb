#include "src/run/runner.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "src/cache/cold.h"
#include "src/cache/received.h"
#include "src/run/facts.h"
#include "src/run/progress.h"

struct runner {
	const struct run_config *c;
	struct run *r;
	struct engine engine;
	struct work work;
	struct probe_link *probe;
	struct progress *progress;
	char dir[4096]; /* the work folder; "" where there is none */
	char mark[64];  /* CACHE/PHASE of the phase that runs */
	int id;
};

/* A probe that fails leaves a run without wire figures, not without a run. */
static void drop_probe(struct runner *n, const struct err *why)
{
	run_add_problem(n->r, why->text);
	probe_link_close(n->probe);
	n->probe = NULL;
}

static void on_begin(void *ctx, int64_t real_ns)
{
	struct runner *n = ctx;
	struct err why = {0};
	if (n->probe && probe_link_begin(n->probe, n->id, real_ns, n->mark, &why) < 0)
		drop_probe(n, &why);
}

static void on_end(void *ctx, int64_t real_ns)
{
	struct runner *n = ctx;
	struct err why = {0};
	if (n->probe && probe_link_end(n->probe, n->id, real_ns, &why) < 0)
		drop_probe(n, &why);
}

static void set_facts(struct runner *n)
{
	json_t *facts = n->r->facts, *config = config_json(n->c);
	json_object_update(facts, config);
	json_decref(config);
	json_object_set_new(facts, "host", facts_host());
	json_object_set_new(facts, "clock", facts_clock());
	json_t *lab = facts_lab();
	if (lab)
		json_object_set_new(facts, "lab", lab);
	n->r->size = n->c->workload_options.size;
	n->r->seed = n->c->workload_options.seed;
	n->r->client_cpu = n->c->engine->caps & ENGINE_IN_PROCESS;
	snprintf(n->r->engine, sizeof n->r->engine, "%s", n->c->engine->name);
	snprintf(n->r->workload, sizeof n->r->workload, "%s", n->c->workload->name);
}

static int make_work_dir(struct runner *n, struct err *e)
{
	const char *in = n->c->engine_options.dir;
	char dir[sizeof n->dir];
	int len = snprintf(dir, sizeof dir, "%s/cellbench-%s", in, n->r->id);
	int r = len < 0 || (size_t)len >= sizeof dir
	                ? -ENAMETOOLONG
	                : n->engine.ops->mkdir(n->engine.st, dir, 0755);
	if (r < 0)
		return err_sys(e, -r, "cannot make a work folder in %s", in);
	memcpy(n->dir, dir, sizeof dir);
	json_object_set_new(n->r->facts, "work_dir", json_string(dir));
	return 0;
}

static int start(struct runner *n, struct err *e)
{
	const struct run_config *c = n->c;
	struct engine_options o = c->engine_options;
	o.run_dir = n->r->dir;
	if (run_save(n->r, e) < 0)
		return -1;
	if (c->probe.interfaces &&
	    probe_link_start(&n->probe, &c->probe, n->r->dir, e) < 0)
		return -1;
	if (engine_start(&n->engine, c->engine, &o, e) < 0)
		return -1;
	json_t *facts = n->engine.ops->describe(n->engine.st);
	json_object_set_new(facts, "name", json_string(c->engine->name));
	json_object_set_new(n->r->facts, "engine", facts);
	if (make_work_dir(n, e) < 0)
		return -1;
	return work_init(&n->work, &n->engine, &c->workload_options, n->dir, e);
}

static void keep_phase(struct runner *n, struct run_phase *p)
{
	const struct meter *m = &n->work.meter;
	p->begin_ns = m->begin_real_ns;
	p->end_ns = m->end_real_ns;
	p->call_ns = m->call_ns;
	p->stored_ns = m->stored_ns;
	p->cpu_ns = m->cpu_ns;
	p->bytes = m->bytes;
	p->operations = m->operations;
}

/* Reading back goes to the server where the engine can make it do so; the
 * phase's own figures are complete before. */
static int verify(struct runner *n, const struct workload_phase *what, struct err *e)
{
	struct engine_drop drop;
	char text[96];
	snprintf(text, sizeof text, "verifying after %s", n->mark);
	progress_phase(n->progress, text);
	if (n->engine.ops->caps & ENGINE_CAN_DROP)
		cold_make(&n->engine, n->work.path, &drop);
	return what->verify(&n->work, e);
}

/* A cold phase that reads everything must have received everything. */
static void judge_cold(const struct runner *n, struct run_phase *p,
                       const struct workload_phase *what, int64_t received_before)
{
	int64_t came = received_bytes() - received_before;
	if (strcmp(p->cache, "cold") != 0 || !what->reads_all || received_before < 0 ||
	    !(n->engine.ops->caps & ENGINE_NETWORK))
		return;
	size_t used = strlen(p->cold_proof);
	snprintf(p->cold_proof + used, sizeof p->cold_proof - used,
	         "; %lld bytes were received by this host during the phase",
	         (long long)came);
	if ((double)came < 0.98 * (double)p->bytes)
		p->cold_proven = false;
}

static int run_phase(struct runner *n, enum cache_state cache,
                     const struct workload_phase *what, struct err *e)
{
	struct run_phase p = {.id = ++n->id};
	struct engine_drop drop = {0};
	snprintf(p.name, sizeof p.name, "%s", what->name);
	snprintf(p.cache, sizeof p.cache, "%s", cache_state_names[cache]);
	snprintf(n->mark, sizeof n->mark, "%s/%s", p.cache, p.name);
	if (cache == CACHE_COLD)
		cold_make(&n->engine, n->work.path, &drop);
	p.cold_proven = drop.proven;
	memcpy(p.cold_means, drop.means, sizeof p.cold_means);
	memcpy(p.cold_proof, drop.proof, sizeof p.cold_proof);
	progress_phase(n->progress, n->mark);
	n->work.meter.ended = false;
	int64_t received_before = received_bytes();
	int r = what->run(&n->work, e);
	if (r < 0 || !n->work.meter.ended)
		return err_prefix(e, "%s", n->mark);
	keep_phase(n, &p);
	judge_cold(n, &p, what, received_before);
	r = what->verify ? verify(n, what, e) : 0;
	p.verified = what->verify && r == 0;
	if (run_add_phase(n->r, &p) < 0)
		return err_set(e, ERR_ENVIRONMENT, "out of memory");
	if (r < 0)
		return err_prefix(e, "after %s", n->mark);
	return run_save(n->r, e);
}

static int run_phases(struct runner *n, const volatile sig_atomic_t *stop,
                      struct err *e)
{
	const struct workload *w = n->c->workload;
	n->work.stop = stop;
	n->work.meter.on_begin = on_begin;
	n->work.meter.on_end = on_end;
	n->work.meter.ctx = n;
	if (!n->c->quiet)
		n->progress = progress_start(&n->work.meter);
	int r = 0;
	for (size_t c = 0; c < n->c->ncaches && r == 0; c++)
		for (size_t i = 0; i < w->nphases && r == 0; i++)
			r = work_stopped(&n->work, e)
			            ? -1
			            : run_phase(n, n->c->caches[c], &w->phases[i], e);
	progress_stop(n->progress);
	return r;
}

static void finish(struct runner *n)
{
	struct err why = {0};
	work_fini(&n->work);
	int r = n->dir[0] ? n->engine.ops->rmdir(n->engine.st, n->dir) : 0;
	if (r < 0 && r != -ENOENT) {
		char text[4200];
		snprintf(text, sizeof text, "the work folder %s could not be removed",
		         n->dir);
		run_add_problem(n->r, text);
	}
	engine_stop(&n->engine);
	if (n->probe && probe_link_finish(n->probe, &why) < 0)
		run_add_problem(n->r, why.text);
	probe_link_close(n->probe);
}

int runner_execute(const struct run_config *c, struct run *r,
                   const volatile sig_atomic_t *stop, struct err *e)
{
	struct runner n = {.c = c, .r = r};
	set_facts(&n);
	int result = start(&n, e);
	if (result == 0)
		result = run_phases(&n, stop, e);
	finish(&n);
	if (result == 0)
		r->status = RUN_COMPLETE;
	else
		r->status = stop && *stop ? RUN_INTERRUPTED : RUN_FAILED;
	if (result < 0)
		run_add_problem(r, e->text);
	if (result < 0 && r->nphases > 0)
		e->code = ERR_PARTIAL;
	if (run_save(r, result < 0 ? NULL : e) < 0)
		result = -1;
	if (result == 0 && json_array_size(r->problems) > 0)
		result = err_set(e, ERR_PARTIAL, "%s",
		                 json_string_value(json_array_get(r->problems, 0)));
	return result;
}
