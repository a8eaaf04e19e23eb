/* The published form of the JSON report and of the NDJSON records: JSON Schema
 * 2020-12, kept in netprobe/report/schema/NAME.json, each of which becomes a "$defs"
 * entry NAME. */
#ifndef REPORT_SCHEMA_H
#define REPORT_SCHEMA_H

#include "src/base/err.h"

#include <jansson.h>

/* The schema of "report" (netprobe read --json), "record" (a line of --ndjson) or of
 * one of their parts ("call", "flow", …), with all parts in "$defs".  The caller
 * decrefs it.  NULL: no such part (ERR_USAGE, the message lists them), or no memory. */
json_t *schema_of(const char *name, struct err *err);

#endif
