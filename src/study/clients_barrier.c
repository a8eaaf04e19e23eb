#include "src/study/clients_barrier.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/clock.h"
#include "src/run/cpu.h"

enum rank_state {
	RANK_WORKING,  /* between phases: it will come to the barrier, or finish */
	RANK_WAITING,  /* at the barrier */
	RANK_RUNNING,  /* in a phase */
	RANK_FINISHED, /* its last phase is over, its driver waits for `done` */
	RANK_GONE,
};

struct rank {
	enum rank_state state;
	int id; /* of the phase that it waits for or runs */
	char name[64];
	int64_t heard_ns;
	bool died;   /* its client did, or all of it */
	bool silent; /* all of it: nothing can be said to it any more */
	bool told_done;
	char why[160];
	json_t *record; /* NULL: none came */
};

struct barrier {
	const struct clients_config *c;
	int n;
	struct rank *ranks;
	barrier_say_fn *say;
	void *ctx;
	struct probe_link *probe;
	json_t *marks, *problems;
	/* of the phase that runs */
	bool running;
	int id;
	char name[64];
	int64_t begin_ns;
	struct cpu_reading cpu;
	bool bye;
};

static void read_cpu(const struct barrier *b, struct cpu_reading *out)
{
	long pid = b->c->server_pid;
	const struct cpu_servers servers = {.pids = {pid}, .n = pid > 0};
	cpu_read(&servers, out);
}

static void add_problem(struct barrier *b, const char *text)
{
	json_array_append_new(b->problems, json_string(text));
}

static void drop_probe(struct barrier *b, const struct err *why)
{
	add_problem(b, why->text);
	probe_link_close(b->probe);
	b->probe = NULL;
}

int barrier_new(struct barrier **out, const struct clients_config *c,
                const char *probe_dir, int ranks, barrier_say_fn *say, void *ctx,
                struct err *e)
{
	struct barrier *b = calloc(1, sizeof *b);
	if (b)
		b->ranks = calloc((size_t)ranks, sizeof *b->ranks);
	*out = b;
	if (!b || !b->ranks)
		return err_set(e, ERR_ENVIRONMENT, "out of memory");
	b->c = c;
	b->n = ranks;
	b->say = say;
	b->ctx = ctx;
	b->marks = json_array();
	b->problems = json_array();
	for (int r = 0; r < ranks; r++)
		b->ranks[r].heard_ns = clock_mono_ns();
	return c->probe.interfaces
	               ? probe_link_start(&b->probe, &c->probe, probe_dir, e)
	               : 0;
}

void barrier_free(struct barrier *b)
{
	if (!b)
		return;
	probe_link_close(b->probe);
	for (int r = 0; b->ranks && r < b->n; r++)
		json_decref(b->ranks[r].record);
	json_decref(b->marks);
	json_decref(b->problems);
	free(b->ranks);
	free(b);
}

static void take_exit(struct barrier *b, int from, const char *text)
{
	struct rank *k = &b->ranks[from];
	int failed = 0, at = 0;
	if (sscanf(text, "exit %d %n", &failed, &at) < 1)
		return;
	json_t *o = json_loads(text + at, 0, NULL);
	const char *end = json_string_value(json_object_get(o, "end"));
	snprintf(k->why, sizeof k->why, "%s%s%s", end ? end : "",
	         k->state == RANK_RUNNING || k->state == RANK_WAITING ? " in " : "",
	         k->state == RANK_RUNNING || k->state == RANK_WAITING ? k->name : "");
	k->died = failed != 0;
	k->record = o;
	k->state = RANK_GONE;
}

void barrier_take(struct barrier *b, int from, const char *text)
{
	int id = 0;
	char name[64] = "";
	if (from < 0 || from >= b->n || b->ranks[from].state == RANK_GONE)
		return;
	struct rank *k = &b->ranks[from];
	k->heard_ns = clock_mono_ns();
	if (sscanf(text, "begin %d %*d %63s", &id, name) == 2) {
		k->state = RANK_WAITING;
		k->id = id;
		snprintf(k->name, sizeof k->name, "%s", name);
	} else if (strncmp(text, "end ", 4) == 0) {
		k->state = RANK_WORKING;
	} else if (strcmp(text, "finish") == 0) {
		k->state = RANK_FINISHED;
	} else if (strncmp(text, "exit ", 5) == 0) {
		take_exit(b, from, text);
	}
}

static bool any(const struct barrier *b, enum rank_state state)
{
	for (int r = 0; r < b->n; r++)
		if (b->ranks[r].state == state)
			return true;
	return false;
}

static void give_up(struct barrier *b, int64_t silent_ns)
{
	for (int r = 1; r < b->n; r++) {
		struct rank *k = &b->ranks[r];
		if (k->state == RANK_GONE || k->heard_ns >= silent_ns)
			continue;
		snprintf(k->why, sizeof k->why, "no sign of life, last in %s",
		         k->name[0] ? k->name : "its start");
		k->died = k->silent = true;
		k->state = RANK_GONE;
	}
}

static void end_phase(struct barrier *b)
{
	struct err why = {0};
	struct cpu_reading ended;
	struct run_cpu cpu;
	int64_t now = clock_real_ns();
	read_cpu(b, &ended);
	cpu_between(&b->cpu, &ended, &cpu);
	json_t *mark = json_pack("{s:s, s:i, s:I, s:I}", "name", b->name, "id", b->id,
	                         "begin_ns", (json_int_t)b->begin_ns, "end_ns",
	                         (json_int_t)now);
	if (cpu.has_server)
		json_object_set_new(mark, "server_cpu_ns", json_integer(cpu.server_ns));
	if (cpu.has_machine) {
		json_object_set_new(mark, "machine_busy_ns",
		                    json_integer(cpu.machine_busy_ns));
		json_object_set_new(mark, "machine_time_ns",
		                    json_integer(cpu.machine_time_ns));
	}
	json_array_append_new(b->marks, mark);
	if (b->probe && probe_link_end(b->probe, b->id, now, &why) < 0)
		drop_probe(b, &why);
	b->running = false;
}

/* All that wait for the phase that is due first.  Who lost a pass waits on. */
static void begin_phase(struct barrier *b)
{
	struct err why = {0};
	const struct rank *first = NULL;
	for (int r = 0; r < b->n; r++)
		if (b->ranks[r].state == RANK_WAITING &&
		    (!first || b->ranks[r].id < first->id))
			first = &b->ranks[r];
	if (!first)
		return;
	b->id = first->id;
	snprintf(b->name, sizeof b->name, "%s", first->name);
	read_cpu(b, &b->cpu);
	b->begin_ns = clock_real_ns();
	b->running = true;
	if (b->probe &&
	    probe_link_begin(b->probe, b->id, b->begin_ns, b->name, &why) < 0)
		drop_probe(b, &why);
	for (int r = 0; r < b->n; r++) {
		struct rank *k = &b->ranks[r];
		if (k->state != RANK_WAITING || strcmp(k->name, b->name) != 0)
			continue;
		k->state = RANK_RUNNING;
		b->say(b->ctx, r, "go");
	}
}

/* The probe's files are complete before rank 0's driver reads them. */
static void let_finish(struct barrier *b)
{
	struct err why = {0};
	if (b->probe) {
		if (probe_link_finish(b->probe, &why) < 0)
			add_problem(b, why.text);
		probe_link_close(b->probe);
		b->probe = NULL;
	}
	for (int r = 0; r < b->n; r++) {
		struct rank *k = &b->ranks[r];
		if (k->state == RANK_FINISHED && !k->told_done) {
			k->told_done = true;
			b->say(b->ctx, r, "done");
		}
	}
}

void barrier_step(struct barrier *b, int64_t silent_ns)
{
	give_up(b, silent_ns);
	if (b->running && !any(b, RANK_RUNNING))
		end_phase(b);
	if (b->running || any(b, RANK_WORKING))
		return;
	if (any(b, RANK_WAITING))
		begin_phase(b);
	else if (any(b, RANK_FINISHED))
		let_finish(b);
}

bool barrier_over(struct barrier *b)
{
	for (int r = 0; r < b->n; r++)
		if (b->ranks[r].state != RANK_GONE)
			return false;
	bool whole = true;
	for (int r = 0; r < b->n; r++)
		whole = whole && !b->ranks[r].silent;
	for (int r = 1; !b->bye && r < b->n; r++)
		if (!b->ranks[r].silent)
			b->say(b->ctx, r, whole ? "bye" : "bye broken");
	b->bye = true;
	return true;
}

/* The record of a rank; one that died without a word may have left its run
 * directory where rank 0 can read it. */
static json_t *rank_record(const struct barrier *b, int r)
{
	char dir[4300], host[128] = "";
	const struct rank *k = &b->ranks[r];
	snprintf(dir, sizeof dir, "%s/rank%d", b->c->out, r);
	json_t *o = k->record ? json_incref(k->record) : clients_record(dir);
	if (!o)
		o = json_pack("{s:[]}", "phases");
	if (b->c->hosts)
		clients_host(b->c->hosts, r, host, sizeof host);
	else
		snprintf(host, sizeof host, "%s",
		         json_string_value(json_object_get(o, "node"))
		                 ? json_string_value(json_object_get(o, "node"))
		                 : "");
	json_object_set_new(o, "rank", json_integer(r));
	json_object_set_new(o, "host", json_string(host));
	json_object_set_new(o, "died", json_boolean(k->died));
	json_object_set_new(o, "end", json_string(k->why));
	return o;
}

json_t *barrier_record(struct barrier *b, bool *whole, struct err *e)
{
	json_t *ranks = json_array();
	*whole = true;
	for (int r = 0; r < b->n; r++) {
		json_t *o = rank_record(b, r);
		const struct rank *k = &b->ranks[r];
		const char *host = json_string_value(json_object_get(o, "host"));
		const json_t *of = json_object_get(o, "problems");
		const char *problem = json_string_value(json_array_get(of, 0));
		*whole = *whole && !k->silent;
		if (k->died) {
			err_set(e, ERR_PARTIAL,
			        "rank %d (%s) died: %s; the others' results "
			        "are kept",
			        r, host, k->why);
		} else if (strncmp(k->why, "complete", 8) != 0) {
			err_set(e, ERR_PARTIAL, "rank %d (%s) %s%s%s", r, host, k->why,
			        problem ? ": " : "", problem ? problem : "");
		}
		json_array_append_new(ranks, o);
	}
	const char *problem = json_string_value(json_array_get(b->problems, 0));
	if (problem)
		err_set(e, ERR_PARTIAL, "%s", problem);
	if (e->code != ERR_NONE)
		json_array_append_new(b->problems, json_string(e->text));
	return json_pack("{s:s, s:i, s:b, s:o, s:O, s:O, s:o}", "schema",
	                 CLIENTS_SCHEMA, "size", b->n, "whole", *whole, "phases",
	                 clients_phases(ranks, b->marks), "marks", b->marks, "problems",
	                 b->problems, "ranks", ranks);
}
