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

/* Judges each phase's cache state by the file data that the probe saw come from the
 * server, and adds them to its proof. */
void report_judge_caches(struct run *r, const struct probe_result *probe);

#endif
