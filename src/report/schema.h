/* The JSON Schemas (2020-12) of what cellbench writes, built in. */
#ifndef REPORT_SCHEMA_H
#define REPORT_SCHEMA_H

#include <stddef.h>

struct schema {
	const char *name; /* "run" */
	const char *text; /* JSON */
};

extern const struct schema schema_table[]; /* ended by a NULL name */

/* The schema of this name ("run" or "cellbench-run/1"), or NULL. */
const struct schema *schema_find(const char *name);

#endif
