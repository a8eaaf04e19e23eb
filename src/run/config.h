/* The options of `cellbench run`. */
#ifndef RUN_CONFIG_H
#define RUN_CONFIG_H

#include <jansson.h>
#include <stdbool.h>

#include "src/base/err.h"
#include "src/cache/cold.h"
#include "src/engine/engine.h"
#include "src/run/config_given.h"
#include "src/run/probe_link.h"
#include "src/workload/workload.h"

enum { CONFIG_CACHES_MAX = 8 };

enum cache_state { CACHE_COLD, CACHE_WARM, CACHE_STATE_COUNT };

extern const char *const cache_state_names[CACHE_STATE_COUNT];

/* How often a run is repeated (src/study/repeat.h). */
struct run_repeat {
	uint64_t times;    /* at least so often; 0: as the other options need */
	uint64_t max;      /* at most; 0: the default */
	double width;      /* until each 95 % interval is narrower than this share of
	                      its median; 0: not asked */
	uint64_t warmup;   /* first runs that are kept and not counted */
	const char *order; /* of the runs of several configurations, or NULL */
};

struct run_config {
	const struct engine_ops *engine;
	const struct workload *workload;
	struct engine_options engine_options;
	struct workload_options workload_options;
	struct probe_config probe; /* interfaces NULL: no probe */
	enum cache_state caches[CONFIG_CACHES_MAX];
	size_t ncaches;
	struct cache_config cache;
	int64_t min_ns;  /* a phase is repeated until its passes took so long */
	unsigned passes; /* and until there are so many; 0 as 1 */
	bool min_given;
	const char *out;    /* NULL: runs/ID */
	const char *volume; /* as --volume gave it, or NULL */
	const char *job;    /* a job file: its sections are the runs; or NULL */
	bool dry_run;
	struct run_repeat repeat;
	bool seed_given;
	const char *given[OPTIONS_COUNT]; /* the last option given of each group */
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

/* As config_parse, for a line that may lack what another source tells: nothing is
 * said of the folder and of options that contradict each other. */
int config_words(struct run_config *c, int argc, char **argv, struct err *e);

/* Whether what was set fits together; completes c.  0, or -1 and e. */
int config_check(struct run_config *c, struct err *e);

/* What an option takes: its argument's name, "" for a switch, NULL where there is
 * no option of this long name. */
const char *config_takes(const char *name);

/* Sets one option by its long name; value is NULL for a switch and must outlive c.
 * 0, or -1 and e. */
int config_set(struct run_config *c, const char *name, char *value, struct err *e);

/* {"argv": […], "options": {…}}: what was asked, and what is in effect. */
json_t *config_json(const struct run_config *c);

#endif
