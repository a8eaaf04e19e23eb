/* One sentence a direction: which datagram size was chosen and why. */
#ifndef REPORT_CHOSEN_H
#define REPORT_CHOSEN_H

#include "netprobe/report/announced.h"
#include "netprobe/report/result.h"

/* Writes the sentence for what went this way of the flow; an empty string
 * where no DATA did.  Where a server answers from another address, the acks of
 * the other half of the flow count too; where an end sent none on this flow, what it
 * announced on others. */
void chosen_explain(const struct result_flow *f, const struct track *t,
                    const struct announced *a, enum way way, char *out, size_t size);

#endif
