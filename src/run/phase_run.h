/* Runs a phase in a cache state: as many passes as it takes to measure it. */
#ifndef RUN_PHASE_RUN_H
#define RUN_PHASE_RUN_H

#include "src/cache/traffic.h"
#include "src/run/config.h"
#include "src/run/progress.h"
#include "src/run/run.h"

enum { PHASE_PASSES_MAX = 1000 };

/* What passes share: the run in the making. */
struct runner {
	const struct run_config *c;
	struct run *r;
	const volatile sig_atomic_t *stop;
	struct engine engine;
	struct work work;
	struct probe_link *probe;
	struct progress *progress;
	char dir[4096];         /* the work folder; "" where there is none */
	char command_log[4200]; /* of commands that the user gave */
	char mark[64];          /* CACHE/PHASE of the phase that runs */
	int id;                 /* of the latest pass */
	struct cpu_servers servers;
	struct cpu_reading began; /* when the pass that runs began */
	struct run_cpu cpu;       /* of the machine and the server in the latest pass */
	unsigned failed;          /* phases */
	bool unmarked;            /* a warm-up: the probe is not told */
};

/* A phase in the making. */
struct phase_run {
	const struct workload_phase *what;
	enum cache_state cache;
	struct run_phase p;
	int64_t began_ns;       /* CLOCK_MONOTONIC */
	struct traffic traffic; /* of this host during the passes */
	char proof[192];        /* of the cache state, without what was received */
};

void phase_run_init(struct phase_run *ph, const struct workload_phase *what,
                    enum cache_state cache);

/* One more pass: preparation, cache, work.  0; or -1 and e, ph->p then has the
 * passes before. */
int phase_run_pass(struct runner *n, struct phase_run *ph, struct err *e);

/* Whether it has been measured long enough, or will not be. */
bool phase_run_enough(const struct runner *n, const struct phase_run *ph);

/* The figures are complete: judges and sums up.  The phase is then to be added to
 * the run, ph is done with. */
void phase_run_end(struct runner *n, struct phase_run *ph);

/* Reads back what the phase wrote.  0, or -1 and e. */
int phase_run_verify(struct runner *n, struct phase_run *ph, struct err *e);

#endif
