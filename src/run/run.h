/* A run: what `cellbench run` did and found, in memory and as run.json.
 *
 * Reports are rendered from this struct, whether it was just filled or loaded. */
#ifndef RUN_RUN_H
#define RUN_RUN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/err.h"

#define RUN_SCHEMA "cellbench-run/1"

/* Below this a phase is too short to be measured well. */
#define RUN_SHORT_NS INT64_C(500000000)

enum run_status {
	RUN_RUNNING, /* or killed: what is there is good */
	RUN_COMPLETE,
	RUN_INTERRUPTED, /* by a signal, in order */
	RUN_FAILED,
	RUN_STATUS_COUNT
};

extern const char *const run_status_names[RUN_STATUS_COUNT];

struct run_phase {
	int id;        /* from 1 */
	char name[32]; /* "block-output" */
	char cache[8]; /* "cold", "warm" */
	bool cold_proven;
	char cold_means[96];
	char cold_proof[192];
	int64_t begin_ns, end_ns; /* CLOCK_REALTIME */
	int64_t call_ns;          /* begin to the last call's return */
	int64_t stored_ns;        /* begin to the last byte stored, close included */
	int64_t cpu_ns;           /* of the driver process, begin to stored */
	uint64_t bytes, operations;
	bool verified; /* the file's content was read back and compared after it */
};

struct run {
	char dir[4096];
	char id[64];
	enum run_status status;
	char engine[16], workload[16];
	bool client_cpu; /* the engine's client works in the driver process */
	uint64_t size;   /* of the workload, bytes */
	uint64_t seed;
	struct run_phase *phases;
	size_t nphases;
	json_t *problems; /* array of sentences: why the run is less than asked */
	json_t *facts;    /* object: argv, options, host, engine, lab, clock */
};

/* KiB a second until stored (as Bonnie, which times the close), until the last
 * call; CPU in per cent and operations a second until stored. */
double run_phase_kib_s(const struct run_phase *p);
double run_phase_kib_s_call(const struct run_phase *p);
double run_phase_cpu(const struct run_phase *p);
double run_phase_ops_s(const struct run_phase *p);
bool run_phase_short(const struct run_phase *p);
/* Cold was asked for and not shown to be so. */
bool run_phase_not_cold(const struct run_phase *p);

/* Makes the run's id (UTC time and 64 random bits) and its folder, dir or
 * runs/ID.  A folder that holds a run already is refused. */
int run_init(struct run *r, const char *dir, struct err *e);
void run_fini(struct run *r);

/* A copy of p becomes the last phase.  0, or -1 where memory is out. */
int run_add_phase(struct run *r, const struct run_phase *p);
void run_add_problem(struct run *r, const char *text);

/* The record as JSON, a new reference; NULL where memory is out. */
json_t *run_json(const struct run *r);

/* Fills r from JSON.  0, or -1 and e; r then needs run_fini all the same. */
int run_from_json(struct run *r, json_t *o, struct err *e);

/* Rewrites run.json so that a kill at any moment leaves an old or a new one
 * whole: write, fsync, rename, fsync of the folder. */
int run_save(const struct run *r, struct err *e);

/* Reads dir/run.json. */
int run_load(struct run *r, const char *dir, struct err *e);

/* Writes a file of the run directory in the same way. */
int run_write_file(const struct run *r, const char *name, const char *text, size_t n,
                   struct err *e);

#endif
