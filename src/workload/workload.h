/* What is done to files: a table of named phases a workload. */
#ifndef WORKLOAD_WORKLOAD_H
#define WORKLOAD_WORKLOAD_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/err.h"
#include "src/engine/engine.h"
#include "src/workload/data.h"
#include "src/workload/meter.h"

struct workload_options {
	uint64_t size;         /* bytes of the file */
	uint64_t request_size; /* bytes a read or write */
	uint64_t seeks;
	uint64_t seed;
};

/* A workload at work: what every phase is given. */
struct work {
	const struct engine *engine;
	const struct workload_options *options;
	const volatile sig_atomic_t *stop; /* set: leave after this operation */
	const char *dir;                   /* exists, empty, removed by the runner */
	char path[4096];                   /* the file that all phases share */
	struct data data;
	struct meter meter;
	uint8_t *buf; /* request_size bytes */
	/* what the file holds, for verification */
	unsigned generation;
	bool dirty;
};

struct workload_phase {
	const char *name;
	/* 0, or -1 and e; calls meter_begin, meter_last_call and meter_end. */
	int (*run)(struct work *w, struct err *e);
	/* Reads the data back and compares, untimed; NULL: nothing to verify. */
	int (*verify)(struct work *w, struct err *e);
	bool reads_all; /* cold, all its bytes must come from the server */
};

struct workload {
	const char *name;
	const char *help;
	const struct workload_phase *phases;
	size_t nphases;
};

extern const struct workload *const workload_table[]; /* ended by NULL */

/* The workload of this name, or NULL. */
const struct workload *workload_find(const char *name);

/* Prepares the shared parts; the engine must be started and dir exist. */
int work_init(struct work *w, const struct engine *engine,
              const struct workload_options *o, const char *dir, struct err *e);
/* Removes the file, if there is one, and frees what init made. */
void work_fini(struct work *w);

#define WORK_WHOLE_FILE UINT64_MAX

/* An engine's -errno as a sentence: what was done at which offset of which
 * file (WORK_WHOLE_FILE: at none), and the way out where there is one.  Returns
 * -1. */
int work_error(const struct work *w, struct err *e, int64_t result, const char *what,
               uint64_t offset);

/* Whether the user asked to stop; then e says so. */
bool work_stopped(const struct work *w, struct err *e);

extern const struct workload workload_bonnie;

#endif
