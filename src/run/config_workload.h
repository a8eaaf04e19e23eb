/* The options of `cellbench run` that are about workloads and caches. */
#ifndef RUN_CONFIG_WORKLOAD_H
#define RUN_CONFIG_WORKLOAD_H

#include <argp.h>

#include "src/run/config.h"

/* A child of config_parse's argp; its input is a struct config_workload. */
extern const struct argp config_workload_argp;

struct config_workload {
	struct run_config *c;
	struct err *e;
};

/* The value that an option takes ("" for none), NULL for an unknown one; and sets
 * it, as a word of the command line would: 0, or -1 and e. */
const char *config_workload_takes(const char *name);
int config_workload_set(struct config_workload *p, const char *name, char *value);

/* Fills in the defaults, before the parsing. */
void config_workload_init(struct run_config *c);

/* Refuses what does not go together.  0, or -1 and e. */
int config_workload_check(struct run_config *c, struct err *e);

/* Adds what is in effect to an object. */
void config_workload_json(const struct run_config *c, json_t *o);

#endif
