/* What is beyond Rx flows, as text: pairs of hosts and ICMP errors. */
#ifndef REPORT_TEXT_PAIR_H
#define REPORT_TEXT_PAIR_H

#include "netprobe/report/result.h"

#include <stdio.h>

/* Prints nothing where there is nothing but Rx flows without trouble.  top: pairs
 * and errors shown per interface, 0 = all. */
void text_pairs(const struct result *r, size_t top, FILE *out);

/* Notes on one interface: bytes behind IP packets, first fragments only. */
void text_pair_notes(const struct result_iface *i, FILE *out);

#endif
