/* The figures of reports of one or more runs: what each phase gave under each
 * configuration, over the runs that repeat it. */
#ifndef REPORT_MEASURE_H
#define REPORT_MEASURE_H

#include <stdbool.h>
#include <stddef.h>

#include "src/report/probe_result.h"
#include "src/run/run.h"
#include "src/study/cost.h"
#include "src/study/phases.h"
#include "src/study/stats.h"

/* A run as a report takes it.  Runs of the same label repeat each other. */
struct report_run {
	const char *label; /* of its configuration: "atm, -jumbo"; "" where it is one */
	const char *dir;   /* shown where it is named */
	const struct run *run;
	const struct probe_result *probe; /* or NULL */
};

/* Figures of the runs that know them. */
struct measure_values {
	double *values; /* owned */
	size_t n;
	double median; /* where n > 0 */
	struct interval middle;
};

/* The costs of cost.h, in seconds a cost_units[unit], and the machine's busy share. */
enum { MEASURE_MACHINE = COST_COUNT, MEASURE_COSTS };

struct measure {
	size_t config; /* index of the configuration */
	const char *phase, *cache;
	enum figure_unit unit;
	double *values; /* owned; of each run in which the phase did not fail */
	size_t n;
	double median;          /* 0: there is no value */
	struct interval middle; /* of the median; wider than a point where n > 1 */
	double ceiling;         /* KiB/s of file data that the link carries at most in
	                           this phase's datagrams; 0: not told */
	double wire_share; /* of its bytes, those that crossed the wire; < 0: not told
	                    */
	struct measure_values cost[MEASURE_COSTS];
	bool not_cold, not_warm, not_stored, is_short, failed; /* in any of the runs */
};

struct measures {
	const char **configs; /* labels, in the order of the runs */
	size_t nconfigs;
	struct measure *list; /* by configuration, in the order of the phases */
	size_t n;
};

/* Works them out; they point into the runs.  0, or -1 where memory is out. */
int measures_make(struct measures *m, const struct report_run *runs, size_t nruns);
void measures_fini(struct measures *m);

/* Of this configuration, phase and cache state, or NULL. */
const struct measure *measure_find(const struct measures *m, size_t config,
                                   const char *phase, const char *cache);

/* The measures that differ in phase or cache state: the first of each, in order of
 * appearance; out holds m->n.  How many there are. */
size_t measure_phases(const struct measures *m, const struct measure **out);

/* Whether a greater value of this unit is the better one. */
bool measure_more_is_better(enum figure_unit unit);

/* The unit of a phase's figure: the table's, else by what the phase counted. */
enum figure_unit measure_unit(const struct run_phase *p);

/* Of what came and went in the phase: its value in that unit. */
double measure_value(const struct run_phase *p, enum figure_unit unit);

#endif
