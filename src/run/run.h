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
#include "src/base/hist.h"
#include "src/run/cpu.h"

#define RUN_SCHEMA "cellbench-run/1"

/* Below this a phase is too short to be measured well, and is repeated. */
#define RUN_SHORT_NS INT64_C(500000000)

enum run_status {
	RUN_RUNNING, /* or killed: what is there is good */
	RUN_COMPLETE,
	RUN_INTERRUPTED, /* by a signal, in order */
	RUN_FAILED,
	RUN_STATUS_COUNT
};

extern const char *const run_status_names[RUN_STATUS_COUNT];

/* Latencies of the operations of a phase, all passes together. */
struct run_latency {
	char of[48];    /* what one is that of: "write"; "" where there is none */
	uint64_t count; /* operations that were timed */
	unsigned every; /* one in so many operations, 1: all */
	bool intended; /* counted from the intended start (--rate), not from the true */
	int64_t min_ns, p50_ns, p95_ns, p99_ns, max_ns;
	double mean_ns;
	int64_t late_ns; /* the most by which an intended start was missed */
	/* Owned.  What the percentiles are of: a timed operation counts as often as
	 * it stands for others.  Empty in records of an older program. */
	struct hist hist;
};

/* One pass of a phase; a phase that is too short has several. */
struct run_pass {
	int id; /* of the probe's mark */
	int64_t begin_ns, end_ns;
	int64_t call_ns, stored_ns, cpu_ns;
	uint64_t bytes, operations;
	struct run_cpu cpu;
};

/* The figures of a phase are sums over its passes, so all rates hold for them
 * together; what happens between passes (making cold, making files anew) is in
 * none of them.  begin_ns is that of the first pass, end_ns that of the last. */
struct run_phase {
	int id;        /* from 1; its passes have ids of their own from here on */
	char name[32]; /* "block-output" */
	char cache[8]; /* "cold", "warm" */
	/* Failed: the figures are those of the passes before, or 0. */
	bool failed;
	char failure[256];
	bool cold_proven; /* in every pass */
	char cold_means[96];
	char cold_proof[192]; /* of the last pass, or the one that was not proven */
	bool warm_proven;
	char warm_means[96]; /* "a pass that is not counted", "none" */
	char warm_proof[192];
	bool warm_refuted; /* half of what it read, or more, came from the server */
	uint64_t warm_bytes, warm_operations; /* of the warm-up */
	char server_cache[160];               /* "not touched", or the command */
	bool reads_all;           /* cold, all its bytes must come from the server */
	int64_t begin_ns, end_ns; /* CLOCK_REALTIME */
	int64_t call_ns;          /* begin to the last call's return */
	int64_t stored_ns;        /* begin to the last byte stored, close included */
	int64_t cpu_ns; /* of the driver process and its commands, begin to stored */
	int64_t children_cpu_ns; /* the commands' part of it */
	struct run_cpu cpu;      /* its parts, the machine's, the server's */
	uint64_t bytes, operations;
	/* File data that were read, written; a rewrite counts once in bytes and in both
	 * of these.  What commands of the user move is in none. */
	uint64_t read_bytes, written_bytes;
	/* By this host's interfaces, in all; < 0: not known, or no network file system.
	 */
	int64_t received_bytes, sent_bytes;
	struct run_latency latency;
	struct run_pass *passes; /* owned by the run */
	size_t npasses;          /* 0 in records of an older program: one pass */
	bool verified; /* the file's content was read back and compared after it */
};

struct run {
	char dir[4096];
	int lock; /* descriptor that holds the lock of dir; 0: none */
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
/* So much CPU time as seconds for each MiB that was moved; NAN where none was. */
double run_phase_s_per_mib(const struct run_phase *p, int64_t cpu_ns);
/* The share of all the machine's processors that was busy, 0 to 1, whoever kept it
 * so; NAN where it is not known or the phase too short for counters of 10 ms. */
double run_phase_machine(const struct run_phase *p);
bool run_phase_short(const struct run_phase *p);
/* Cold was asked for and not shown to be so. */
bool run_phase_not_cold(const struct run_phase *p);
/* It wrote only, and less than that had left this host when it ended. */
bool run_phase_not_stored(const struct run_phase *p);
/* Warm was asked for, and shown not to be so. */
bool run_phase_not_warm(const struct run_phase *p);

/* Makes the run's id (UTC time and 64 random bits) and its folder, dir or
 * runs/ID.  A folder that holds a run already is refused. */
int run_init(struct run *r, const char *dir, struct err *e);
void run_fini(struct run *r);

/* Whether a live process writes the run in dir. */
bool run_is_alive(const char *dir);

/* A copy of p becomes the last phase; what it owns is the run's from then on.  0,
 * or -1 where memory is out. */
int run_add_phase(struct run *r, const struct run_phase *p);
/* Frees what a phase owns that is no run's. */
void run_phase_fini(struct run_phase *p);
/* Adds a pass to the sums and the list.  0, or -1 where memory is out. */
int run_add_pass(struct run_phase *p, const struct run_pass *pass);
void run_add_problem(struct run *r, const char *text);

/* The record as JSON, a new reference; NULL where memory is out. */
json_t *run_json(const struct run *r);

/* Fills r from JSON.  0, or -1 and e; r then needs run_fini all the same. */
int run_from_json(struct run *r, json_t *o, struct err *e);

/* One of its phases from JSON; its passes are counted and not read.  run_phase_fini is
 * due. */
struct run_phase run_phase_from_json(const json_t *o);

/* Rewrites run.json so that a kill at any moment leaves an old or a new one
 * whole: write, fsync, rename, fsync of the folder. */
int run_save(const struct run *r, struct err *e);

/* Reads dir/run.json. */
int run_load(struct run *r, const char *dir, struct err *e);

/* Writes a file of the run directory in the same way. */
int run_write_file(const struct run *r, const char *name, const char *text, size_t n,
                   struct err *e);

#endif
