#include "src/run/runner.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/clock.h"
#include "src/run/facts.h"
#include "src/run/phase_run.h"
#include "src/workload/owned.h"

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
	if (n->probe && !n->unmarked &&
	    probe_link_begin(n->probe, n->id, real_ns, n->mark, &why) < 0)
		drop_probe(n, &why);
	cpu_read(&n->servers, &n->began);
}

static void on_end(void *ctx, int64_t real_ns)
{
	struct runner *n = ctx;
	struct err why = {0};
	struct cpu_reading ended;
	cpu_read(&n->servers, &ended);
	cpu_between(&n->began, &ended, &n->cpu);
	if (n->probe && !n->unmarked &&
	    probe_link_end(n->probe, n->id, real_ns, &why) < 0)
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

/* Written into the record first: who cleans up after a kill reads it there. */
static int make_work_dir(struct runner *n, struct err *e)
{
	const char *in = n->c->engine_options.dir;
	char dir[sizeof n->dir];
	char *whole = n->engine.ops->caps & ENGINE_MOUNTED ? realpath(in, NULL) : NULL;
	int len = snprintf(dir, sizeof dir, "%s/cellbench-%s", whole ? whole : in,
	                   n->r->id);
	free(whole);
	if (len < 0 || (size_t)len >= sizeof dir)
		return err_sys(e, ENAMETOOLONG, "cannot work in %s", in);
	json_object_set_new(n->r->facts, "work_dir", json_string(dir));
	if (run_save(n->r, e) < 0)
		return -1;
	int r = n->engine.ops->mkdir(n->engine.st, dir, 0755);
	if (r == -EEXIST)
		return err_set(e, ERR_ENVIRONMENT,
		               "%s exists already, and is not of this run", dir);
	if (r == -EROFS)
		return err_sys(e, -r,
		               "cannot make a work folder in %s; name one that may be "
		               "written",
		               in);
	if (r < 0)
		return err_sys(e, -r, "cannot make a work folder in %s", in);
	memcpy(n->dir, dir, sizeof dir);
	return 0;
}

/* The file server's time is counted where it runs on this machine and works for this
 * run alone: with several clients it is theirs together, and who started them counts
 * it. */
static void find_servers(struct runner *n, const json_t *engine)
{
	const json_t *lab = json_object_get(n->r->facts, "lab");
	const json_t *cell = json_object_get(engine, "cell");
	if ((n->c->engine->caps & ENGINE_NETWORK) && !getenv(RUNNER_SHARED) && cell &&
	    json_equal(cell, json_object_get(lab, "cell")))
		cpu_servers_of_lab(&n->servers, lab);
}

static int64_t received(void)
{
	return traffic_now().received;
}

/* In the watching thread, while this run waits in a call that does not come back: what
 * is there is kept, and the process ends. */
static void give_up(void *ctx, const char *why)
{
	const struct runner *n = ctx;
	const struct meter *m = &n->work.meter;
	char text[700] = "";
	struct err e = {0};
	if (m->start_ns > 0 && !m->ended)
		snprintf(text, sizeof text,
		         "%s: %llu bytes went through calls in %.1f s; ", n->mark,
		         (unsigned long long)m->done,
		         (double)(clock_mono_ns() - m->start_ns) / 1e9);
	size_t used = strlen(text);
	snprintf(text + used, sizeof text - used, "%.480s", why);
	run_add_problem(n->r, text);
	n->r->status = n->stop && *n->stop ? RUN_INTERRUPTED : RUN_FAILED;
	run_save(n->r, &e);
	fprintf(stderr,
	        "cellbench: %s; cellbench clean %s removes what the run left, once the "
	        "server answers\n",
	        text, n->r->dir);
	_exit(n->r->nphases > 0 ? ERR_PARTIAL : ERR_ENVIRONMENT);
}

static int start(struct runner *n, struct err *e)
{
	const struct run_config *c = n->c;
	struct engine_options o = c->engine_options;
	o.run_dir = n->r->dir;
	o.watch.quiet = c->quiet;
	o.watch.received = received;
	o.watch.stop = n->stop;
	o.watch.give_up = give_up;
	o.watch.ctx = n;
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
	find_servers(n, facts);
	if (make_work_dir(n, e) < 0)
		return -1;
	snprintf(n->command_log, sizeof n->command_log, "%s/command.log", n->r->dir);
	return work_init(&n->work, c->workload, &n->engine, &c->workload_options,
	                 n->dir, e);
}

/* A failure that is the phase's own, where the others go on. */
static int forgive(struct runner *n, struct phase_run *ph, struct err *e)
{
	struct run_phase *p = &ph->p;
	if (!n->c->workload->independent || (n->work.stop && *n->work.stop))
		return -1;
	char text[sizeof e->text + 32];
	snprintf(p->failure, sizeof p->failure, "%.255s", e->text);
	snprintf(text, sizeof text, "failed: %s", e->text);
	p->failed = true;
	run_add_problem(n->r, text);
	n->failed++;
	*e = (struct err){0};
	return 0;
}

static int add_phase(struct runner *n, struct phase_run *ph, struct err *e)
{
	phase_run_end(n, ph);
	if (run_add_phase(n->r, &ph->p) < 0)
		return err_set(e, ERR_ENVIRONMENT, "out of memory");
	return run_save(n->r, e);
}

/* A phase by itself, repeated until it is long enough. */
static int run_phase(struct runner *n, enum cache_state cache,
                     const struct workload_phase *what, struct err *e)
{
	struct phase_run ph;
	phase_run_init(&ph, what, cache);
	int r = 0;
	do
		r = phase_run_pass(n, &ph, e);
	while (r == 0 && !phase_run_enough(n, &ph));
	if (r < 0 && ph.p.npasses > 0 && !(n->work.stop && *n->work.stop)) {
		ph.p.failed = true;
		snprintf(ph.p.failure, sizeof ph.p.failure, "%.255s", e->text);
	}
	if (r == 0)
		r = phase_run_verify(n, &ph, e);
	struct err why = {0};
	if (ph.p.npasses > 0 && add_phase(n, &ph, &why) < 0 && r == 0) {
		*e = why;
		r = -1;
	}
	return r;
}

/* Writes what the rounds gave so far: a copy in the place of the last one. */
static int keep_round(struct runner *n, struct phase_run *ph, size_t at, struct err *e)
{
	phase_run_end(n, ph);
	if (at == n->r->nphases)
		return run_add_phase(n->r, &ph->p) < 0
		               ? err_set(e, ERR_ENVIRONMENT, "out of memory")
		               : run_save(n->r, e);
	n->r->phases[at] = ph->p;
	return run_save(n->r, e);
}

static int run_round(struct runner *n, struct phase_run *ph, size_t nphases,
                     size_t base, struct err *e)
{
	const struct workload *w = n->c->workload;
	if (w->round_begin && w->round_begin(&n->work, e) < 0)
		return -1;
	int r = 0;
	for (size_t i = 0; i < nphases && r == 0; i++) {
		r = phase_run_pass(n, &ph[i], e);
		if (r < 0)
			r = forgive(n, &ph[i], e);
		if (r == 0)
			r = keep_round(n, &ph[i], base + i, e);
	}
	struct err why = {0};
	if (w->round_end && w->round_end(&n->work, r < 0 ? &why : e) < 0 && r == 0)
		r = -1;
	return r;
}

static bool rounds_enough(const struct runner *n, const struct phase_run *ph,
                          size_t nphases)
{
	for (size_t i = 0; i < nphases; i++)
		if (!phase_run_enough(n, &ph[i]))
			return false;
	return true;
}

/* Phases that build on each other: all of them once, again if need be.  A round in
 * which a phase failed is the last. */
static int run_rounds(struct runner *n, enum cache_state cache,
                      const struct workload_phase *what, size_t nphases, struct err *e)
{
	struct phase_run *ph = calloc(nphases, sizeof *ph);
	size_t base = n->r->nphases;
	unsigned failed = n->failed;
	if (!ph)
		return err_set(e, ERR_ENVIRONMENT, "out of memory");
	for (size_t i = 0; i < nphases; i++)
		phase_run_init(&ph[i], &what[i], cache);
	int r = 0;
	do
		r = run_round(n, ph, nphases, base, e);
	while (r == 0 && n->failed == failed && !rounds_enough(n, ph, nphases));
	for (size_t i = 0; i < nphases; i++) {
		if (base + i < n->r->nphases) { /* what they own is the run's by now */
			struct run_phase *p = &n->r->phases[base + i];
			p->passes = ph[i].p.passes;
			p->latency.hist = ph[i].p.latency.hist;
		} else {
			run_phase_fini(&ph[i].p);
		}
	}
	free(ph);
	return r;
}

static int run_phases(struct runner *n, struct err *e)
{
	struct workload_phase what[WORKLOAD_PHASES];
	size_t nphases = workload_phases(n->c->workload, &n->c->workload_options, what);
	int r = 0;
	if (nphases == 0)
		return err_set(e, ERR_USAGE, "no phase was selected");
	for (size_t c = 0; c < n->c->ncaches && r == 0; c++) {
		if (n->c->workload->rounds) {
			r = run_rounds(n, n->c->caches[c], what, nphases, e);
			continue;
		}
		for (size_t i = 0; i < nphases && r == 0; i++)
			r = work_stopped(&n->work, e)
			            ? -1
			            : run_phase(n, n->c->caches[c], &what[i], e);
	}
	return r;
}

static int work(struct runner *n, const volatile sig_atomic_t *stop, struct err *e)
{
	struct meter *m = &n->work.meter;
	double rate = n->c->workload_options.rate;
	n->work.stop = stop;
	n->work.run_dir = n->r->dir;
	m->on_begin = on_begin;
	m->on_end = on_end;
	m->ctx = n;
	m->interval_ns = rate > 0 ? (int64_t)((double)NS_PER_S / rate) : 0;
	if (!n->c->quiet)
		n->progress = progress_start(m);
	int r = run_phases(n, e);
	progress_stop(n->progress);
	return r;
}

static void remove_work_dir(struct runner *n)
{
	char foreign[4096], text[8400];
	struct err why = {0};
	int left =
	        owned_remove(&n->engine, n->dir, false, foreign, sizeof foreign, &why);
	if (left == 0) {
		int r = n->engine.ops->rmdir(n->engine.st, n->dir);
		if (r == 0 || r == -ENOENT)
			return;
	}
	if (left > 0)
		snprintf(text, sizeof text,
		         "the work folder %s stays: this run did not make %s", n->dir,
		         foreign);
	else
		snprintf(text, sizeof text,
		         "the work folder %s could not be removed (%s); try cellbench "
		         "clean %s",
		         n->dir, why.text, n->r->dir);
	run_add_problem(n->r, text);
}

static void finish(struct runner *n)
{
	struct err why = {0};
	work_fini(&n->work, n->c->workload);
	if (n->dir[0])
		remove_work_dir(n);
	engine_stop(&n->engine);
	if (n->probe && probe_link_finish(n->probe, &why) < 0)
		run_add_problem(n->r, why.text);
	probe_link_close(n->probe);
}

int runner_execute(const struct run_config *c, struct run *r,
                   const volatile sig_atomic_t *stop, struct err *e)
{
	struct runner n = {.c = c, .r = r, .stop = stop};
	set_facts(&n);
	int result = start(&n, e);
	if (result == 0)
		result = work(&n, stop, e);
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
	bool nothing = n.failed > 0 && n.failed == r->nphases;
	if (result == 0 && json_array_size(r->problems) > 0)
		result = err_set(e, nothing ? ERR_FINDINGS : ERR_PARTIAL, "%s",
		                 json_string_value(json_array_get(r->problems, 0)));
	return result;
}
