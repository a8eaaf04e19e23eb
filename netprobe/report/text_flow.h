/* One flow as text: both ways side by side, then sizes, announcements, reasons. */
#ifndef REPORT_TEXT_FLOW_H
#define REPORT_TEXT_FLOW_H

#include "netprobe/report/result.h"
#include "src/base/grid.h"

#include <stdio.h>

void text_flow(const struct result_flow *rf, FILE *out);

/* A cell in KiB/s, "-" where there is no time. */
void text_add_rate(struct grid *g, uint64_t bytes, double seconds);

#endif
