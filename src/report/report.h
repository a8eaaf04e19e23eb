/* Renders a run, joined with the probe's result where there is one. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "src/report/probe_result.h"
#include "src/run/run.h"

/* The report for people.  probe may be NULL. */
void report_text(const struct run *r, const struct probe_result *probe, FILE *out);

/* run.json's content with "summary", the sentences of the text report, and "probe"
 * where there is a result: for each phase and interface its figures.  A new reference. */
json_t *report_json(const struct run *r, const struct probe_result *probe);

/* Adds to each cold phase's proof the file data that the probe saw come from the
 * server; a phase that reads everything and of which less than 98 % came is no
 * longer proven cold. */
void report_judge_cold(struct run *r, const struct probe_result *probe);

#endif
