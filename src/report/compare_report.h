/* Renders comparisons. */
#ifndef REPORT_COMPARE_REPORT_H
#define REPORT_COMPARE_REPORT_H

#include <stdio.h>

#include "src/study/compare.h"

#define COMPARE_SCHEMA "cellbench-compare/1"

/* For people.  The baseline is named beside every ratio. */
void compare_report_text(const struct comparison *c, FILE *out);

/* {"schema", "comparisons": […]}, the array empty; a new reference. */
json_t *compare_report_new(void);

/* Adds one comparison to it. */
void compare_report_add(json_t *report, const struct comparison *c);

/* A line a row, with a heading if asked for. */
void compare_report_csv(const struct comparison *c, bool heading, FILE *out);

#endif
