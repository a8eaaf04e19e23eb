/* One sentence a direction: which datagram size was chosen and why. */
#ifndef REPORT_CHOSEN_H
#define REPORT_CHOSEN_H

#include "netprobe/report/result.h"

/* Writes the sentence for what went this way of the flow; an empty string
 * where no DATA did. */
void chosen_explain(const struct result_flow *f, enum way way, char *out, size_t size);

#endif
