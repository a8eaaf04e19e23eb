/* The client of a rank: `cellbench run` as a child process, held at the gate before
 * each of its phases.
 *
 * The gate is the probe's control protocol (doc/design.md): the child takes this
 * rank for its probe, tells it `begin` and `end`, and waits for `marked`.  So MPI
 * and the AFS client are never in one process, and a client that dies is a child
 * that ended. */
#ifndef STUDY_CLIENTS_WORKER_H
#define STUDY_CLIENTS_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "src/base/err.h"

struct worker {
	pid_t pid; /* 0: ended */
	int in, out;
	char buf[1024];
	size_t used;
};

struct worker_config {
	const char *via; /* shell words before the command, {} is the host; or NULL */
	const char *host;
	bool shared;        /* there are other clients of the server */
	const char *dir;    /* its run directory */
	const char *log;    /* what it says to people */
	char *const *words; /* of cellbench run, ended by NULL */
};

/* 0, or -1 and e. */
int worker_start(struct worker *w, const struct worker_config *c, struct err *e);

/* The next line of the gate: 1; 0 none there; -1 the gate is closed. */
int worker_line(struct worker *w, char *line, size_t size);

void worker_say(const struct worker *w, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));

/* The last word: the gate is then closed in this direction. */
void worker_done(const struct worker *w);

/* Whether the child has ended; then its wait status. */
bool worker_ended(struct worker *w, int *status);

/* Ends it with this signal if it still runs, and closes the gate. */
void worker_stop(struct worker *w, int signal);

/* text with each {} replaced; to be freed.  NULL where memory is out. */
char *worker_fill(const char *text, const char *host);

#endif
