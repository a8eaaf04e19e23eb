/* From facts to findings: a table of rules, each a small function. */
#ifndef DIAGNOSE_DIAGNOSE_H
#define DIAGNOSE_DIAGNOSE_H

#include "netprobe/diagnose/facts.h"
#include "netprobe/diagnose/finding.h"

/* Runs all rules over the facts (the paths are made and freed here).  findings are
 * sorted; starved is set where memory ran out. */
void diagnose(struct facts *f, struct findings *out);

#endif
