/* The findings of a result. */
#ifndef REPORT_RESULT_FINDING_H
#define REPORT_RESULT_FINDING_H

#include "netprobe/report/result.h"

/* Runs the rules over a result that is complete but for its findings.  -1 (err set)
 * where memory is out. */
int result_findings_make(struct result *r, struct err *err);

#endif
