/* CSV of what other programs shall read on: a heading, then a line a phase. */
#ifndef REPORT_RUN_CSV_H
#define REPORT_RUN_CSV_H

#include <stdio.h>

#include "src/run/run.h"
#include "src/study/source.h"

/* A run, with everything that is known of its phases. */
void run_csv_print(const struct run *r, FILE *out);

/* Any result: a line a figure. */
void source_csv_print(const struct source *s, FILE *out);

#endif
