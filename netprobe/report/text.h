/* The result as tables for people. */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include "netprobe/report/result.h"

#include <stdio.h>

struct report_text_options {
	size_t top; /* flows shown per interface; 0 = all */
	bool local; /* times in the zone of TZ, with their offset; else UTC */
	bool color; /* escape sequences of a terminal */
};

/* Prints the whole report.  -1 (err set) where the stream fails. */
int report_text(const struct result *r, const struct report_text_options *o, FILE *out,
                struct err *err);

#endif
