/* Hosts and security as text. */
#ifndef REPORT_TEXT_HOST_H
#define REPORT_TEXT_HOST_H

#include "netprobe/report/result.h"

#include <stdio.h>

/* The hosts of which there is more to tell than an address; nothing if there is
 * none. */
void text_hosts(const struct result *r, FILE *out);

/* The lines of a flow that tell of its security; none for rxnull. */
void text_security(const struct result_flow *f, FILE *out);

#endif
