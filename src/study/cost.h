/* What work costs in CPU time: of the driver process and of the file server, a unit of
 * the phase's work, so that runs with more passes or larger files compare. */
#ifndef STUDY_COST_H
#define STUDY_COST_H

#include "src/run/run.h"
#include "src/study/phases.h"

enum cost_kind {
	COST_DRIVER,        /* the driver process and its commands */
	COST_DRIVER_USER,   /* in user mode */
	COST_DRIVER_SYSTEM, /* in the kernel */
	COST_SERVER,        /* the file server's processes, whoever they worked for */
	COST_COUNT
};

extern const char *const cost_names[COST_COUNT];

/* Of a phase whose figure has this unit: seconds a MiB, an operation, a pass. */
extern const char *const cost_units[UNIT_COUNT];
/* The same in thousandths, as tables print it: "ms/MiB". */
extern const char *const cost_units_ms[UNIT_COUNT];

/* In that unit; NAN where it is not known, or nothing was done. */
double cost_of(const struct run_phase *p, enum figure_unit unit, enum cost_kind kind);

#endif
