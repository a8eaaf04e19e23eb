/* A study: the cells of a job's matrix, run as often as it says, with a record
 * (study.json) from which an interrupted one goes on where it stopped.
 *
 *   DIR/study.json            rewritten after each run
 *   DIR/runs/NNN-CELL/rK/     run K of a cell: clients.json, rank0/ (a run directory),
 *                             rank1/ …
 *   DIR/result.json, .txt     the joint result
 *   DIR/lab.log, setup.log    what the lab and the job's commands said */
#ifndef STUDY_STUDY_H
#define STUDY_STUDY_H

#include <jansson.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "src/base/err.h"
#include "src/study/study_job.h"

#define STUDY_SCHEMA "cellbench-study/1"

enum study_status {
	STUDY_OPEN, /* not run, or not to its end */
	STUDY_DONE,
	STUDY_PARTIAL, /* something is missing: why tells */
	STUDY_FAILED,
	STUDY_STATUS_COUNT
};

extern const char *const study_status_names[STUDY_STATUS_COUNT];

struct study_run {
	enum study_status status;
	double seconds, load; /* how long; the machine's load (1 min) at its begin */
	char why[256];
};

struct study_cell {
	const struct cell *c;
	char label[CELL_LABEL];
	char dir[256];          /* below the study's folder */
	struct study_run *runs; /* one a repeat; owned */
};

struct study {
	const struct study_job *job;
	char dir[4096]; /* full path */
	int lock;
	struct study_cell *cells;
	size_t n;
	json_t *left_out; /* array of sentences */
	json_t *facts;    /* host, load, options of the lab … */
};

/* One run that is to be made. */
struct study_step {
	size_t cell, repeat;
};

/* Opens the study of this job in dir, which is made, or holds it already: then what
 * was run is known.  0, or -1 and e; either way study_fini is due. */
int study_open(struct study *s, const struct study_job *job, const char *dir,
               struct err *e);

/* As study_open without a folder: for looking at the plan. */
int study_plan_only(struct study *s, const struct study_job *job, struct err *e);

void study_fini(struct study *s);

int study_save(const struct study *s, struct err *e);

/* Writes a file of the study's folder so that a kill leaves an old or a new one. */
int study_write_file(const struct study *s, const char *name, const char *text,
                     size_t n, struct err *e);

/* The folder of a run, in path (size bytes). */
void study_run_dir(const struct study *s, const struct study_step *at, char *path,
                   size_t size);

/* The runs that are still to be made, in order: every cell once before any twice.
 * With a limit the first round goes through the cells so that any part of it is a
 * fair sample.  An array to be freed, *n of them; NULL where memory is out. */
struct study_step *study_steps(const struct study *s, bool limited, size_t *n);

/* How long a run of this cell is going to take, from those that were made (of the
 * cell, else of cells alike), else a guess. */
double study_estimate(const struct study *s, size_t cell);

/* Runs what is left for at most limit_s seconds (0: no limit).  0, or -1 and e:
 * ERR_PARTIAL where runs failed, or were left, or the user stopped it. */
int study_execute(struct study *s, double limit_s, const volatile sig_atomic_t *stop,
                  struct err *e);

/* Prints what would be run, in order, with the commands. */
int study_dry_run(const struct study *s, double limit_s, FILE *out, struct err *e);

/* The shell command of a run, to be freed; NULL where memory is out. */
char *study_command(const struct study *s, const struct study_step *at,
                    long server_pid);

/* The first client's host in the lab; "" where the cell has none. */
void study_hosts(const struct study *s, const struct cell *c, char *hosts, size_t size);

/* The joint result of what was run so far; a new reference or NULL. */
json_t *study_result(const struct study *s);

/* report.html in the study's folder, where plots can be drawn; else nothing. */
int study_html(const struct study *s, const json_t *result, struct err *e);

/* The result for people. */
void study_result_text(const json_t *result, FILE *out);

#endif
