#include "src/study/clients.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/clock.h"
#include "src/run/json_text.h"
#include "src/study/clients_barrier.h"
#include "src/study/clients_worker.h"

enum {
	POLL_MS = 2, /* between looks for messages, which cannot be polled for */
	POLL_ALONE_MS = 50,
	ALIVE_MS = 500,
	SILENT_MS = 10000, /* who says nothing for so long is dead */
};

/* One rank at work. */
struct part {
	const struct clients_config *c;
	const struct comm *comm;
	struct worker worker;
	struct barrier *barrier; /* of rank 0, else NULL */
	char host[128], dir[4200];
	int id;       /* of the phase at the gate */
	bool at_gate; /* the client waits for an answer */
	bool reported, released;
	bool broken;                /* a rank fell silent: MPI cannot end in order */
	int64_t alive_ns, heard_ns; /* said so last; heard of rank 0 last */
};

static void answer(struct part *p, const char *text)
{
	if (strcmp(text, "go") == 0 && p->at_gate) {
		p->at_gate = false;
		worker_say(&p->worker, "marked %d", p->id);
	} else if (strcmp(text, "done") == 0) {
		p->at_gate = false;
		worker_done(&p->worker);
	} else if (strncmp(text, "bye", 3) == 0) {
		p->released = true;
		p->broken = text[3] != '\0';
	}
}

static void tell(struct part *p, const char *text)
{
	if (p->barrier)
		barrier_take(p->barrier, 0, text);
	else
		comm_send(p->comm, 0, text);
}

/* What rank 0 says, also to itself. */
static void on_say(void *ctx, int to, const char *text)
{
	struct part *p = ctx;
	if (to == p->comm->rank)
		answer(p, text);
	else
		comm_send(p->comm, to, text);
}

static void take_line(struct part *p, const char *line)
{
	int id;
	if (sscanf(line, "begin %d", &id) == 1) {
		p->id = id;
		p->at_gate = true;
	} else if (sscanf(line, "end %d", &id) == 1) {
		worker_say(&p->worker, "marked %d", id);
	} else if (strcmp(line, "finish") == 0) {
		p->at_gate = true;
	}
	tell(p, line);
}

/* "exit STATUS TEXT\nRECORD": how the client ended and what it has to show. */
static void report_end(struct part *p, int status)
{
	char why[128] = "complete";
	struct utsname node;
	uname(&node);
	if (WIFSIGNALED(status))
		snprintf(why, sizeof why, "killed by signal %d", WTERMSIG(status));
	else if (WEXITSTATUS(status) != 0)
		snprintf(why, sizeof why, "ended with exit code %d",
		         WEXITSTATUS(status));
	json_t *o = clients_record(p->dir);
	if (!o)
		o = json_pack("{s:s, s:[], s:[]}", "status", "failed", "problems",
		              "phases");
	json_object_set_new(o, "node", json_string(node.nodename));
	json_object_set_new(o, "end", json_string(why));
	char *record = json_dumps(o, JSON_COMPACT), *text = NULL;
	if (asprintf(&text, "exit %d %s", WIFSIGNALED(status) ? 1 : 0,
	             record ? record : "{}") >= 0)
		tell(p, text);
	free(text);
	free(record);
	json_decref(o);
	p->reported = true;
}

static void watch_worker(struct part *p)
{
	char line[512];
	int status;
	while (p->worker.in >= 0 && worker_line(&p->worker, line, sizeof line) > 0)
		take_line(p, line);
	if (!p->reported && worker_ended(&p->worker, &status))
		report_end(p, status);
}

static void take_messages(struct part *p)
{
	int from;
	char *text;
	while ((text = comm_receive(p->comm, &from)) != NULL) {
		p->heard_ns = clock_mono_ns();
		if (p->barrier)
			barrier_take(p->barrier, from, text);
		else
			answer(p, text);
		free(text);
	}
}

static void say_alive(struct part *p, int64_t now)
{
	if (now - p->alive_ns < ALIVE_MS * NS_PER_MS)
		return;
	p->alive_ns = now;
	if (p->at_gate)
		worker_say(&p->worker, "waiting");
	if (!p->barrier)
		comm_send(p->comm, 0, "alive");
	else
		for (int r = 1; r < p->comm->size; r++)
			comm_send(p->comm, r, "alive");
}

static bool finished(const struct part *p, int64_t now)
{
	if (p->barrier)
		return barrier_over(p->barrier);
	/* without rank 0 nobody would let go of this one */
	return p->released || now - p->heard_ns > SILENT_MS * NS_PER_MS;
}

static void loop(struct part *p, const volatile sig_atomic_t *stop)
{
	bool stopped = false;
	p->heard_ns = clock_mono_ns();
	for (int64_t now = p->heard_ns; !finished(p, now); now = clock_mono_ns()) {
		struct pollfd f = {.fd = p->worker.pid ? p->worker.in : -1,
		                   .events = POLLIN};
		poll(&f, 1, p->comm->size > 1 ? POLL_MS : POLL_ALONE_MS);
		if (f.revents & POLLHUP) /* closed, but the client may live on */
			poll(NULL, 0, POLL_MS);
		watch_worker(p);
		take_messages(p);
		say_alive(p, now);
		if (p->barrier)
			barrier_step(p->barrier, now - SILENT_MS * NS_PER_MS);
		if (stop && *stop && !stopped && p->worker.pid)
			kill(p->worker.pid, SIGTERM);
		stopped = stopped || (stop && *stop);
	}
}

static int prepare(struct part *p, struct err *e)
{
	const struct clients_config *c = p->c;
	struct utsname node;
	uname(&node);
	snprintf(p->host, sizeof p->host, "%.120s", node.nodename);
	if (c->hosts && !clients_host(c->hosts, p->comm->rank, p->host, sizeof p->host))
		return err_set(e, ERR_USAGE,
		               "rank %d has no host: --hosts names fewer than the %d "
		               "ranks",
		               p->comm->rank, p->comm->size);
	snprintf(p->dir, sizeof p->dir, "%s/rank%d", c->out, p->comm->rank);
	if (mkdir(c->out, 0755) < 0 && errno != EEXIST)
		return err_sys(e, errno, "cannot make the folder %s", c->out);
	if (mkdir(p->dir, 0755) < 0)
		return err_sys(e, errno, "cannot make the run directory %s", p->dir);
	return 0;
}

static int start(struct part *p, struct err *e)
{
	char log[4300];
	snprintf(log, sizeof log, "%s.log", p->dir);
	const struct worker_config w = {.via = p->c->via,
	                                .host = p->host,
	                                .shared = p->comm->size > 1,
	                                .dir = p->dir,
	                                .log = log,
	                                .words = p->c->words};
	if (worker_start(&p->worker, &w, e) < 0)
		return -1;
	worker_say(&p->worker, "ready gate");
	return 0;
}

/* Rank 0, when all is over. */
static int finish(struct part *p, bool *whole, struct err *e)
{
	struct err why = {0};
	char path[4300], temporary[4400];
	json_t *record = barrier_record(p->barrier, whole, &why);
	snprintf(path, sizeof path, "%s/clients.json", p->c->out);
	snprintf(temporary, sizeof temporary, "%s.new", path);
	FILE *f = record ? fopen(temporary, "we") : NULL;
	bool good = f && json_text_print(record, f) == 0;
	good = f && fclose(f) == 0 && good;
	if (!good || rename(temporary, path) < 0)
		err_set(e, ERR_ENVIRONMENT, "cannot write %s", path);
	json_decref(record);
	if (e->code == ERR_NONE)
		*e = why;
	return e->code == ERR_NONE ? 0 : -1;
}

/* A rank that could not start has this to show. */
static void report_failure(const struct part *p, const struct err *e)
{
	char *text = NULL;
	json_t *o = json_pack("{s:s, s:[s], s:[], s:s}", "status", "failed", "problems",
	                      e->text, "phases", "end", "could not start");
	char *record = json_dumps(o, JSON_COMPACT);
	if (p->comm->rank > 0 &&
	    asprintf(&text, "exit 1 %s", record ? record : "{}") > 0)
		comm_send(p->comm, 0, text);
	free(text);
	free(record);
	json_decref(o);
}

int clients_run(const struct clients_config *c, const struct comm *comm,
                const volatile sig_atomic_t *stop, bool *whole, struct err *e)
{
	struct part p = {.c = c, .comm = comm, .worker = {.in = -1, .out = -1}};
	int r = prepare(&p, e);
	*whole = true;
	if (r == 0 && comm->rank == 0)
		r = barrier_new(&p.barrier, c, p.dir, comm->size, on_say, &p, e);
	if (r == 0)
		r = start(&p, e);
	if (r < 0) {
		/* rank 0's silence tells the others */
		*whole = comm->rank > 0 || comm->size == 1;
		report_failure(&p, e);
	} else {
		loop(&p, stop);
		worker_stop(&p.worker, SIGTERM);
		*whole = p.released && !p.broken;
		if (p.barrier)
			r = finish(&p, whole, e);
	}
	barrier_free(p.barrier);
	return r;
}
