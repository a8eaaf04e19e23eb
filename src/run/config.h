/* The options of `cellbench run`. */
#ifndef RUN_CONFIG_H
#define RUN_CONFIG_H

#include <jansson.h>
#include <stdbool.h>

#include "src/base/err.h"
#include "src/engine/engine.h"
#include "src/run/probe_link.h"
#include "src/workload/workload.h"

enum { CONFIG_CACHES_MAX = 8 };

enum cache_state { CACHE_COLD, CACHE_WARM, CACHE_STATE_COUNT };

extern const char *const cache_state_names[CACHE_STATE_COUNT];

struct run_config {
	const struct engine_ops *engine;
	const struct workload *workload;
	struct engine_options engine_options;
	struct workload_options workload_options;
	struct probe_config probe; /* interfaces NULL: no probe */
	enum cache_state caches[CONFIG_CACHES_MAX];
	size_t ncaches;
	const char *out; /* NULL: runs/ID */
	bool seed_given;
	bool json;
	bool quiet;
	int argc;
	char **argv;
	char dir[4096]; /* holds engine_options.dir where --volume told it */
};

/* Fills c with the defaults and the words of argv; strings point into argv.
 * 0, or -1 with ERR_USAGE; argp itself ends the program on --help and on an
 * unknown option. */
int config_parse(struct run_config *c, int argc, char **argv, struct err *e);

/* {"argv": […], "options": {…}}: what was asked, and what is in effect. */
json_t *config_json(const struct run_config *c);

#endif
