/* Option values that are lists: cache states, delays, a programmed failure. */
#ifndef RUN_CONFIG_LISTS_H
#define RUN_CONFIG_LISTS_H

#include "src/run/config.h"

/* "cold,warm".  0, or -1 and e. */
int caches_parse(struct run_config *c, const char *text, struct err *e);

/* "write=1ms,read=20us", and "write@20=9ms": every twentieth.  0, or -1 and e. */
int delays_parse(struct null_options *o, const char *text, struct err *e);

/* "write:100=ENOSPC": the hundredth write fails.  0, or -1 and e. */
int fail_parse(struct null_options *o, const char *text, struct err *e);

/* "[NAME=]COMMAND"; without a name it is step-1, step-2…  0, or -1 and e. */
int step_parse(struct workload_options *w, const char *text, struct err *e);

/* "NUM[:MAX[:MIN[:DIRS]]]" as bonnie++ -n: NUM, which may be a fraction, in 1024
 * files.  0, or -1 and e. */
int files_parse(struct workload_options *w, const char *text, struct err *e);

#endif
