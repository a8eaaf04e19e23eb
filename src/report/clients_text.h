/* What several clients had together, as a table. */
#ifndef REPORT_CLIENTS_TEXT_H
#define REPORT_CLIENTS_TEXT_H

#include <jansson.h>
#include <stdio.h>

/* A row for each phase of a record of clients (cellbench-clients/1), what its columns
 * mean, and how each rank ended that is not complete. */
void clients_text(const json_t *record, FILE *out);

#endif
