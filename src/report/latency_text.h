/* Latency of single operations, as a table. */
#ifndef REPORT_LATENCY_TEXT_H
#define REPORT_LATENCY_TEXT_H

#include <stdio.h>

#include "src/run/run.h"
#include "src/study/compare.h"

/* A blank line, a row for each phase of which operations were timed, in microseconds,
 * and what the columns mean; nothing where there is none. */
void latency_run_text(const struct run *r, FILE *out);

/* The same of repeated runs (their summary), all operations together. */
void latency_series_text(const json_t *summary, FILE *out);

/* Of both sides of a comparison, where both tell it; of repeated runs, all operations
 * together. */
void latency_compare_text(const struct comparison *c, FILE *out);

#endif
