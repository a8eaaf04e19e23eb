/* The matrix in four forms. */
#ifndef CHECK_PRINT_H
#define CHECK_PRINT_H

#include "netprobe/check/matrix.h"

#include <stdio.h>

struct print_options {
	bool active;
	bool both_ways;  /* tell how to ask at the far end */
	int64_t time_ns; /* when it was checked, 1970 */
};

typedef int print_fn(const struct matrix *m, const struct print_options *o, FILE *out,
                     struct err *err);

print_fn print_table;      /* for people */
print_fn print_json;       /* netprobe-check/1 */
print_fn print_nagios;     /* one line and performance data */
print_fn print_prometheus; /* for node_exporter's textfile folder */

/* Nagios's own: 0 OK, 1 WARNING, 2 CRITICAL, 3 UNKNOWN. */
int print_nagios_code(const struct matrix *m);

/* The command to run at the far end of a row: the same question from there. */
void print_far_command(const struct row *r, char *buf, size_t size);

#endif
