/* Rows as bonnie++ prints them.  Nothing is ever printed as + signs: a phase that was
 * short keeps its figure, and one that was not run leaves its place empty. */
#ifndef REPORT_BONNIE_PLUS_H
#define REPORT_BONNIE_PLUS_H

#include <stdio.h>

#include "src/report/bonnie_result.h"

/* The tables of bonnie++ 1.0x: whole K/sec. */
void bonnie_plus_table_1(const struct bonnie_result *rows, size_t n, FILE *out);

/* Those of 2.00: k, m or g behind the figure, and the greatest latencies. */
void bonnie_plus_table_2(const struct bonnie_result *rows, size_t n, FILE *out);

/* CSV of format 1.98, which bon_csv2html(1) of bonnie++ 2.00 reads; the machine's
 * name has the cache state behind it. */
void bonnie_plus_csv(const struct bonnie_result *rows, size_t n, FILE *out);

#endif
