/* A line that tells phase, rate and time left, on a terminal, from a thread of
 * its own, so that the workload reads no clock for it. */
#ifndef RUN_PROGRESS_H
#define RUN_PROGRESS_H

#include "src/workload/meter.h"

struct progress;

/* Shows m on standard error until progress_stop; NULL where that is no terminal. */
struct progress *progress_start(struct meter *m);

/* What the line begins with; text is copied.  NULL p is harmless. */
void progress_phase(struct progress *p, const char *text);

/* Clears the line and frees p. */
void progress_stop(struct progress *p);

#endif
