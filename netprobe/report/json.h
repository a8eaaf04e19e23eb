/* The result as JSON, schema "netprobe-report/1" (doc/formats.md). */
#ifndef REPORT_JSON_H
#define REPORT_JSON_H

#include "netprobe/report/result.h"

#include <stdio.h>

/* Prints the whole report.  -1 (err set) where memory or the stream fails. */
int report_json(const struct result *r, FILE *out, struct err *err);

#endif
