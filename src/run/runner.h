/* Carries out a run: probe, engine, phases in every cache state, record. */
#ifndef RUN_RUNNER_H
#define RUN_RUNNER_H

#include <signal.h>

#include "src/base/err.h"
#include "src/run/config.h"
#include "src/run/run.h"

/* A variable of the environment: set where several clients share the server, whose CPU
 * time is then not this run's. */
#define RUNNER_SHARED "CELLBENCH_SHARED_SERVER"

/* Runs what c says into r (from run_init), saving r after each phase.  On
 * return everything that it started or made is ended and removed, and r->status
 * is final.  0, or -1 and e: ERR_PARTIAL where some phases were finished. */
int runner_execute(const struct run_config *c, struct run *r,
                   const volatile sig_atomic_t *stop, struct err *e);

#endif
