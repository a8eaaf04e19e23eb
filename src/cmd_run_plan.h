/* The runs that one command line asks for: one, or the sections of a job file, each
 * once or repeated. */
#ifndef CMD_RUN_PLAN_H
#define CMD_RUN_PLAN_H

#include "src/base/err.h"
#include "src/run/config.h"
#include "src/study/job.h"

struct planned {
	struct run_config config;
	char label[80]; /* of a section: "cold", "run-2"; "" of a single run */
	char out[4096]; /* run directory; "": that of the configuration */
	char **argv;    /* owned; NULL: the command line itself */
};

struct plan {
	struct job job;
	struct planned *runs;
	size_t n;
	bool repeated;
	const struct run_config *given; /* what the command line itself tells */
};

/* Makes the plan.  0, or -1 and e; either way plan_fini is due. */
int plan_make(struct plan *p, const struct run_config *given, struct err *e);
void plan_fini(struct plan *p);

/* Prints what would run. */
void plan_print(const struct plan *p);

/* Carries out a plan of several runs or of repeated ones; the exit code. */
int plan_execute(struct plan *p);

/* Carries out one configuration in the run directory out (NULL: that of c) and
 * writes its report, to standard output too if asked for.  The exit code. */
int run_once(struct run_config *c, const char *out, bool print);

#endif
