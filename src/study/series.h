/* The summary of repeated runs of one configuration: summary.json. */
#ifndef STUDY_SERIES_H
#define STUDY_SERIES_H

#include <jansson.h>
#include <stdbool.h>

#include "src/study/phases.h"
#include "src/study/stats.h"

#define SUMMARY_SCHEMA "cellbench-summary/1"

/* The key, among the costs of a phase, of the share of the machine that was busy. */
#define MACHINE_BUSY "machine_busy_share"

/* The summary of n runs, each the content of its run.json, in their order; the first
 * `warmup` are listed and not counted.  A new reference; NULL where memory is out. */
json_t *series_make(json_t *const *runs, size_t n, size_t warmup);

/* The widest interval of any phase of a summary, as a share of its median, and whose
 * it is ("cold/rewrite"); INFINITY while a phase has fewer than STATS_FEW figures.
 * 0 where no phase has any. */
double series_width(const json_t *summary, char *whose, size_t room);

/* What the phases of run.json (run) are read as; a step of a command or of work on a
 * tree is told by its time. */
bool series_phase_failed(const json_t *phase);
enum figure_unit series_phase_unit(const json_t *run, const json_t *phase);
double series_phase_value(const json_t *phase, enum figure_unit unit);

#endif
