/* The report as one HTML file that needs nothing beside it: of a run, or of many.
 *
 * Its plots are drawn by Chart.js, which is read where Debian's libjs-chart.js has put
 * it (or from the file that CELLBENCH_CHARTJS names) and becomes part of the page;
 * without it the page holds the same tables and says what the plots need. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "src/base/err.h"

#include "src/report/measure.h"

struct html_report {
	const char *title;             /* NULL: made from the run */
	const char *question;          /* what the runs shall answer, or NULL */
	const struct report_run *runs; /* one or more; the same label: repeats */
	size_t nruns;
	const json_t *study; /* record of what holds the runs together, or NULL */
};

/* Whether the plotting library is there. */
bool report_html_can_plot(void);

/* Writes the page.  0, or -1 and e. */
int report_html(const struct html_report *r, FILE *out, struct err *e);

/* report.html in the folder of a run, where plots can be drawn; else nothing is
 * written.  probe may be NULL.  0, or -1 and e. */
int report_html_of_run(const struct run *r, const struct probe_result *probe,
                       struct err *e);

/* Writes the page of a run directory, or of the runs in the folders below dir, to
 * path ("-": standard output).  Below dir the folder's path is the label, without a
 * last part that is a number, rN, rep-N or run-N: those runs are repeats.  A file
 * study.json in dir may tell "title", "question" and the labels of folders ("cells": a
 * list of {"dir", "label"}).  0, or -1 and e. */
int report_html_show(const char *dir, const char *path, struct err *e);

#endif
