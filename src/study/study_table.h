/* Bonnie's phases of all cells of a study as the table of 1995 has them, a published
 * result beside them. */
#ifndef STUDY_STUDY_TABLE_H
#define STUDY_STUDY_TABLE_H

#include <jansson.h>
#include <stdio.h>

/* result: of study_result; prints nothing where no cell has Bonnie's phases.
 * published: a name of published_table, or "". */
void study_table_print(const json_t *result, const char *published, FILE *out);

#endif
