/* Findings for people, and their catalogue. */
#ifndef REPORT_TEXT_FINDING_H
#define REPORT_TEXT_FINDING_H

#include "netprobe/report/result.h"

#include <stdio.h>

/* Prints the findings, at most `top` of each kind (0 = all). */
void text_findings(const struct result *r, size_t top, FILE *out);

/* The catalogue as Markdown: doc/findings.md.  -1 (err set) where the stream fails. */
int text_catalogue(FILE *out, struct err *err);

#endif
