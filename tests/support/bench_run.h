/* A run of the driver for a test: its folder, what to do, what came out. */
#ifndef SUPPORT_BENCH_RUN_H
#define SUPPORT_BENCH_RUN_H

#include "src/run/config.h"
#include "src/run/run.h"

struct bench_run {
	char *dir; /* holds the run directory, and the work folder */
	char run_dir[4096];
	struct run_config c;
	struct run r;
	struct err e;
	int result;
};

/* One pass of a workload's phases, cold, on small files, with a fixed seed. */
void bench_run_init(struct bench_run *b, const struct engine_ops *engine,
                    const struct workload *workload);
/* The same, working in another folder. */
void bench_run_in(struct bench_run *b, const char *dir);
/* Carries it out: b->result and b->e, or b->r. */
void bench_run_execute(struct bench_run *b);
void bench_run_clear(struct bench_run *b);

/* The phase of this name, or NULL. */
const struct run_phase *bench_run_phase(const struct bench_run *b, const char *name);

/* Whether the folder dir holds nothing but a run directory "run". */
bool bench_run_is_clean(const char *dir);

#endif
