/* Renders the summary of repeated runs (src/study/series.h). */
#ifndef REPORT_SERIES_REPORT_H
#define REPORT_SERIES_REPORT_H

#include <jansson.h>
#include <stdio.h>

/* For people: median, interval, fastest, first run, outliers and drift. */
void series_report_text(const json_t *summary, FILE *out);

/* A line a figure: run, cache, phase, unit, value. */
void series_report_csv(const json_t *summary, FILE *out);

#endif
