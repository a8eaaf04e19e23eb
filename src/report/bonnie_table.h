/* The table as Bonnie prints it, with the columns Cache and MB. */
#ifndef REPORT_BONNIE_TABLE_H
#define REPORT_BONNIE_TABLE_H

#include <stdio.h>

#include "src/report/bonnie_result.h"

/* One row a cache state that was run, in the order in which they ran; a phase
 * that is missing shows dashes.  "cold?" marks a row with a phase whose data were
 * not shown to have left the cache. */
void bonnie_table_print(const struct run *r, FILE *out);

/* The same of rows from elsewhere; a cache state that is not told is a dash.  Rows of
 * several names are tables under their names: no row tells whose it is. */
void bonnie_table_rows(const struct bonnie_result *rows, size_t n, FILE *out);

#endif
