/* Prints a result that is no run of ours: a published one, another program's. */
#ifndef REPORT_SOURCE_REPORT_H
#define REPORT_SOURCE_REPORT_H

#include <stdio.h>

#include "src/study/source.h"

/* For people: what is told of it, Bonnie's table where it has such phases, and the
 * other figures. */
void source_report_text(const struct source *s, FILE *out);

/* {"name", "kind", "facts", "notes", "figures": […]}, a new reference. */
json_t *source_report_json(const struct source *s);

#endif
