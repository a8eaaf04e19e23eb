/* Latency of single operations, as a table. */
#ifndef REPORT_LATENCY_TEXT_H
#define REPORT_LATENCY_TEXT_H

#include <stdio.h>

#include "src/run/run.h"

/* A blank line, a row for each phase of which operations were timed, in microseconds,
 * and what the columns mean; nothing where there is none. */
void latency_run_text(const struct run *r, FILE *out);

#endif
