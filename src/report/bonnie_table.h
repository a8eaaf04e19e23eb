/* The table as Bonnie prints it, with the columns Cache and MB. */
#ifndef REPORT_BONNIE_TABLE_H
#define REPORT_BONNIE_TABLE_H

#include <stdio.h>

#include "src/run/run.h"

/* One row a cache state that was run, in the order in which they ran; a phase
 * that is missing shows dashes.  "cold?" marks a row with a phase whose data were
 * not shown to have left the cache. */
void bonnie_table_print(const struct run *r, FILE *out);

#endif
