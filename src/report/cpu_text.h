/* CPU time in tables: of the driver, the whole machine and the lab's file server. */
#ifndef REPORT_CPU_TEXT_H
#define REPORT_CPU_TEXT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "src/run/run.h"

enum { COST_TEXT = 32 };

/* Seconds a unit as thousandths, with three digits; "-" where it is not known. */
const char *cpu_cost_text(char out[COST_TEXT], double seconds);

/* Whether any phase knows the server's time. */
bool cpu_has_server(const struct run *r);

/* "all 2 processors", or how the record names them. */
const char *cpu_machine_text(const struct run *r, char out[48]);

/* A row for each phase of a run, and what its columns mean. */
void cpu_run_text(const struct run *r, FILE *out);

/* A row for each phase of a summary (cellbench-summary/1): what a unit of its work
 * costs, medians with intervals.  Nothing where the record does not tell. */
void cpu_series_text(const json_t *summary, FILE *out);

#endif
