/* The parts of the HTML page, in their order. */
#ifndef REPORT_HTML_PART_H
#define REPORT_HTML_PART_H

#include "src/report/html.h"
#include "src/report/html_out.h"

/* Everything that the parts are made from. */
struct html_page {
	struct html h;
	const struct html_report *r;
	struct measures m;
	json_t *summary; /* array of sentences */
};

/* What the probe found, with remedies. */
void html_findings(struct html_page *p);

/* Configurations by phases as a heat table: where there is more than one. */
void html_matrix(struct html_page *p);

/* Rate by phase: plot and table. */
void html_rates(struct html_page *p);

/* CPU time of the driver, the machine and the lab's file server. */
void html_cpu(struct html_page *p);

/* Latencies of single operations, where they were timed. */
void html_latency(struct html_page *p);

/* Phases side by side with what the wire carried. */
void html_wire(struct html_page *p);

/* Sizes of DATA datagrams: plots and table. */
void html_sizes(struct html_page *p);

/* Goodput over time with phases and ceilings; resends and fragments. */
void html_time(struct html_page *p);

/* What was captured, and why datagrams have their sizes. */
void html_links(struct html_page *p);

/* All options, problems, and the whole record. */
void html_record(struct html_page *p);

/* "label, " where the page has several configurations; else "". */
const char *html_label(const struct html_page *p, const struct report_run *run,
                       char out[256]);

#endif
