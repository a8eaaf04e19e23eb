/* Which options of `cellbench run` were given, by their groups: an option that the
 * chosen engine or workload would ignore is a mistake, not a wish to be dropped. */
#ifndef RUN_CONFIG_GIVEN_H
#define RUN_CONFIG_GIVEN_H

#include <argp.h>

#include "src/base/err.h"

struct run_config;

/* The groups of the options, in the order in which --help tells them. */
enum options_group {
	OPTIONS_RUN = 1,
	OPTIONS_OUT,
	OPTIONS_PROBE,
	OPTIONS_AFS,
	OPTIONS_NULL,
	OPTIONS_ANY_WORKLOAD,
	OPTIONS_BONNIE,
	OPTIONS_TREE,
	OPTIONS_PACED,
	OPTIONS_MIXED,
	OPTIONS_COMMAND,
	OPTIONS_CACHES,
	OPTIONS_COUNT
};

/* Notes the option with this key of the table, which stays. */
void given_note(struct run_config *c, const struct argp_option *table, int key);

/* Whether every option that was given goes with the engine, the workload and the
 * probe.  0, or -1 and e, which names the option. */
int given_check(const struct run_config *c, struct err *e);

#endif
