#include "src/run/phase_run.h"

#include <stdio.h>
#include <string.h>

#include "src/base/clock.h"
#include "src/cache/traffic.h"
#include "src/run/judge.h"
#include "src/run/latency.h"

enum { WALL_FACTOR = 20 }; /* of the time a phase shall take; then it ends anyway */

void phase_run_init(struct phase_run *ph, const struct workload_phase *what,
                    enum cache_state cache)
{
	*ph = (struct phase_run){
	        .what = what, .cache = cache, .began_ns = clock_mono_ns()};
	snprintf(ph->p.name, sizeof ph->p.name, "%s", what->name);
	snprintf(ph->p.cache, sizeof ph->p.cache, "%s", cache_state_names[cache]);
	ph->p.reads_all = what->reads_all;
	ph->p.cold_proven = cache == CACHE_COLD;
	ph->p.received_bytes = ph->p.sent_bytes = -1;
	snprintf(ph->p.server_cache, sizeof ph->p.server_cache, "not touched");
}

static struct cache_place place_of(const struct runner *n,
                                   const struct workload_phase *what)
{
	bool one = n->c->workload->one_file && !what->names;
	return (struct cache_place){
	        .engine = &n->engine,
	        .dir = n->dir,
	        .file = one ? n->work.path : NULL,
	        .log = n->command_log,
	        .names = what->names,
	        .stop = n->work.stop,
	};
}

static void make_cold(struct runner *n, struct phase_run *ph)
{
	struct engine_drop drop;
	struct run_phase *p = &ph->p;
	struct cache_place place = place_of(n, ph->what);
	cold_apply(&n->c->cache, &place, &drop);
	if (n->c->cache.server_command)
		cold_server(&n->c->cache, &place, p->server_cache,
		            sizeof p->server_cache);
	if (!p->cold_proven)
		return; /* what was not proven once stays so, and why */
	p->cold_proven = drop.proven;
	memcpy(p->cold_means, drop.means, sizeof p->cold_means);
	memcpy(p->cold_proof, drop.proof, sizeof p->cold_proof);
	memcpy(ph->proof, drop.proof, sizeof ph->proof);
}

/* A pass before the first one, which counts for nothing but is counted.  Later
 * passes are warm from those before. */
static int make_warm(struct runner *n, struct phase_run *ph, struct err *e)
{
	struct run_phase *p = &ph->p;
	const struct workload *w = n->c->workload;
	struct meter *m = &n->work.meter;
	if (p->npasses > 0)
		return 0;
	if (!ph->what->reads || !w->warm_up) {
		bool none = !ph->what->reads;
		snprintf(p->warm_means, sizeof p->warm_means, "%s",
		         none ? "none needed" : "what came before");
		snprintf(p->warm_proof, sizeof p->warm_proof, "%s",
		         none ? "the phase reads no file"
		              : "what commands read is not known");
		p->warm_proven = none;
		memcpy(ph->proof, p->warm_proof, sizeof ph->proof);
		return 0;
	}
	int64_t interval = m->interval_ns;
	n->unmarked = true;
	m->interval_ns = 0;
	m->bytes = m->operations = 0;
	int r = w->warm_up(&n->work, e);
	n->unmarked = false;
	m->interval_ns = interval;
	p->warm_bytes = m->bytes;
	p->warm_operations = m->operations;
	snprintf(p->warm_means, sizeof p->warm_means, "all was read once, untimed");
	struct cache_place place = place_of(n, ph->what);
	if (r == 0)
		cache_residency(&place, &p->warm_proven, p->warm_proof,
		                sizeof p->warm_proof);
	memcpy(ph->proof, p->warm_proof, sizeof ph->proof);
	return r;
}

/* A phase that does not tell both moves bytes one way. */
static void add_directions(const struct meter *m, struct phase_run *ph)
{
	bool told = m->read || m->written, reads = ph->what->reads;
	ph->p.read_bytes += told ? m->read : reads ? m->bytes : 0;
	ph->p.written_bytes += told ? m->written : reads ? 0 : m->bytes;
}

static int keep_pass(const struct runner *n, struct phase_run *ph, struct err *e)
{
	const struct meter *m = &n->work.meter;
	struct run_pass pass = {
	        .id = n->id,
	        .begin_ns = m->begin_real_ns,
	        .end_ns = m->end_real_ns,
	        .call_ns = m->call_ns,
	        .stored_ns = m->stored_ns,
	        .cpu_ns = m->cpu_ns + m->children_cpu_ns,
	        .bytes = m->bytes,
	        .operations = m->operations,
	        .cpu = n->cpu,
	};
	int64_t user = m->cpu_user_ns + m->children_user_ns;
	pass.cpu.has_split = true;
	pass.cpu.user_ns = user;
	pass.cpu.system_ns = pass.cpu_ns - user;
	struct run_latency *l = &ph->p.latency;
	if (run_add_pass(&ph->p, &pass) < 0)
		return err_set(e, ERR_ENVIRONMENT, "out of memory");
	ph->p.children_cpu_ns += m->children_cpu_ns;
	add_directions(m, ph);
	hist_merge(&l->hist, &m->latency);
	l->count += m->timed;
	snprintf(l->of, sizeof l->of, "%s", m->latency_of);
	l->intended = m->interval_ns > 0;
	if (m->stride > l->every)
		l->every = m->stride;
	if (m->late_ns > l->late_ns)
		l->late_ns = m->late_ns;
	return 0;
}

/* What it writes is not paced: only the phase itself has a rate. */
static int prepare(struct runner *n, const struct workload_phase *what, struct err *e)
{
	struct meter *m = &n->work.meter;
	int64_t interval = m->interval_ns;
	m->interval_ns = 0;
	int r = what->prepare ? what->prepare(&n->work, e) : 0;
	m->interval_ns = interval;
	return r;
}

static void add_traffic(struct traffic *sum, struct traffic t)
{
	sum->sent += t.sent;
	sum->received =
	        sum->received < 0 || t.received < 0 ? -1 : sum->received + t.received;
}

/* A phase that did less than it was to do is no result, however fast it was. */
static int check_moved(const struct meter *m, struct err *e)
{
	double seconds = (double)m->stored_ns / 1e9;
	if (m->operations == 0)
		return err_set(e, ERR_ENVIRONMENT, "nothing was done in %.3f s",
		               seconds);
	if (m->bytes < m->expected)
		return err_set(e, ERR_ENVIRONMENT,
		               "%llu bytes in %.3f s; %llu were to be moved",
		               (unsigned long long)m->bytes, seconds,
		               (unsigned long long)m->expected);
	return 0;
}

/* Which phase failed and, where that took its time, after how much of it. */
static int failed_in(const struct runner *n, struct err *e)
{
	enum { LONG_S = 5 };
	const struct meter *m = &n->work.meter;
	double seconds = (double)(clock_mono_ns() - m->start_ns) / 1e9;
	if (m->start_ns == 0 || m->ended || seconds < LONG_S)
		return err_prefix(e, "%s", n->mark);
	return err_prefix(e, "%s (%llu bytes went through calls in %.1f s)", n->mark,
	                  (unsigned long long)m->bytes, seconds);
}

int phase_run_pass(struct runner *n, struct phase_run *ph, struct err *e)
{
	struct work *w = &n->work;
	struct run_phase *p = &ph->p;
	snprintf(w->step, sizeof w->step, "%s", p->name);
	w->pass = (unsigned)p->npasses;
	n->id++;
	if (p->npasses == 0) {
		p->id = n->id;
		snprintf(n->mark, sizeof n->mark, "%s/%s", p->cache, p->name);
	} else {
		snprintf(n->mark, sizeof n->mark, "%s/%s#%zu", p->cache, p->name,
		         p->npasses + 1);
	}
	progress_phase(n->progress, n->mark);
	if (prepare(n, ph->what, e) < 0)
		return err_prefix(e, "before %s", n->mark);
	if (n->c->workload->one_file && work_path(w, e, "data") < 0)
		return -1;
	if (ph->cache == CACHE_COLD)
		make_cold(n, ph);
	else if (make_warm(n, ph, e) < 0)
		return err_prefix(e, "warming up for %s", n->mark);
	if (work_stopped(w, e))
		return -1;
	progress_phase(n->progress, n->mark);
	w->meter.ended = false;
	w->meter.start_ns = 0;
	struct traffic before = traffic_now();
	if (ph->what->run(w, e) < 0 || !w->meter.ended || check_moved(&w->meter, e) < 0)
		return failed_in(n, e);
	add_traffic(&ph->traffic, traffic_since(before));
	return keep_pass(n, ph, e);
}

bool phase_run_enough(const struct runner *n, const struct phase_run *ph)
{
	const struct run_config *c = n->c;
	int64_t wall = clock_mono_ns() - ph->began_ns;
	if (ph->p.failed || ph->p.npasses >= PHASE_PASSES_MAX)
		return true;
	if (ph->p.npasses < c->passes)
		return false;
	return ph->p.stored_ns >= c->min_ns || wall >= WALL_FACTOR * c->min_ns;
}

/* By the bytes that this host received, where they are of use. */
static void judge(const struct runner *n, struct phase_run *ph)
{
	struct run_phase *p = &ph->p;
	bool network = engine_caps(&n->engine) & ENGINE_NETWORK;
	bool known = network && ph->traffic.received >= 0;
	p->received_bytes = known ? ph->traffic.received : -1;
	p->sent_bytes = known ? ph->traffic.sent : -1;
	if (known && ph->what->reads)
		judge_phase(p, JUDGE_HOST, ph->proof, (uint64_t)p->received_bytes,
		            (uint64_t)p->sent_bytes);
	else if (ph->cache == CACHE_WARM && !p->warm_proof[0])
		snprintf(p->warm_proof, sizeof p->warm_proof,
		         "with this engine, neither pages nor bytes that come can be "
		         "counted");
}

void phase_run_end(struct runner *n, struct phase_run *ph)
{
	if (ph->p.npasses > 0)
		judge(n, ph);
	run_latency_sum_up(&ph->p.latency);
}

/* Reading back goes to the server where the engine can make it do so; the
 * phase's own figures are complete before. */
int phase_run_verify(struct runner *n, struct phase_run *ph, struct err *e)
{
	struct engine_drop drop;
	char text[96];
	if (!ph->what->verify)
		return 0;
	snprintf(text, sizeof text, "verifying after %s/%s", ph->p.cache, ph->p.name);
	progress_phase(n->progress, text);
	if (n->engine.ops->caps & ENGINE_CAN_DROP)
		cold_make(&n->engine, n->work.path, &drop);
	int r = ph->what->verify(&n->work, e);
	ph->p.verified = r == 0;
	return r < 0 ? err_prefix(e, "after %s/%s", ph->p.cache, ph->p.name) : 0;
}
