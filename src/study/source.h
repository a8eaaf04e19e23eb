/* Figures to compare, wherever they come from: a run directory, another program's
 * output, a published result. */
#ifndef STUDY_SOURCE_H
#define STUDY_SOURCE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/err.h"
#include "src/run/run.h"
#include "src/study/cost.h"
#include "src/study/phases.h"

enum { FIGURE_TEXT = 64 };

/* What a unit of the phase's work cost, in each run that knows it. */
struct figure_cost {
	double *values; /* owned, all >= 0 */
	size_t n;
};

/* What one phase gave under one condition, once or several times. */
struct figure {
	char phase[FIGURE_TEXT];
	char part[FIGURE_TEXT];    /* which of several results: "namei"; "": one */
	char setting[FIGURE_TEXT]; /* under which circumstances: "chunk 1M" */
	char cache[8];             /* "cold", "warm", "": not told */
	uint64_t size;             /* of the file, bytes; 0: not told */
	enum figure_unit unit;
	double *values; /* owned, all > 0; none where the figure is missing */
	size_t n;
	double cpu; /* per cent, of the last value; < 0: not told */
	struct figure_cost cost[COST_COUNT]; /* in seconds a cost_units[unit] */
	/* Owned; of all its runs together, count 0 where not told. */
	struct run_latency latency;
	bool failed;       /* the step failed: no figure, and that is the result */
	const char *doubt; /* why a figure should not be trusted, a literal; or NULL */
};

struct source {
	char name[256];   /* as the user named it */
	const char *kind; /* "run directory", "bonnie++ CSV" … */
	struct figure *figures;
	size_t n, room;
	json_t *facts; /* object: text, number or list by name, as far as told */
	json_t *notes; /* array of sentences that a reader needs */
	bool partial;  /* part of what should be there is missing */
};

/* Reads the source of this name: published:NAME, or a path; "#TEXT" behind it
 * keeps the figures of one part or setting.  0, or -1 and e; either way
 * source_fini is due. */
int source_open(struct source *s, const char *name, struct err *e);
void source_fini(struct source *s);

/* Adds a copy of f without values, or finds the figure of the same phase, part,
 * setting, cache and size; NULL where memory is out.  Good until the next call. */
struct figure *source_figure(struct source *s, const struct figure *f);

/* Adds a value to it; one that is not above 0 is dropped.  0, or -1. */
int figure_add(struct figure *f, double value);

/* Adds what the work cost in one run; NAN, not known, is dropped.  0, or -1. */
int figure_add_cost(struct figure *f, enum cost_kind kind, double value);

/* The parts in order of appearance; out holds n entries.  How many there are. */
size_t source_parts(const struct source *s, const char **out, size_t n);

/* Readers of file formats.  Each fills s from text (NUL-ended, n bytes before the
 * NUL): 1, or 0 where it is none of theirs, or -1 and e where it is and is bad. */
int source_bonnie_csv(struct source *s, const char *text, size_t n, struct err *e);
int source_bonnie_text(struct source *s, const char *text, size_t n, struct err *e);
int source_fio(struct source *s, const char *text, size_t n, struct err *e);
int source_iperf3(struct source *s, const char *text, size_t n, struct err *e);

/* Reads a run directory: its summary.json, else its run.json. */
int source_run_directory(struct source *s, const char *path, struct err *e);

/* Whether it is a record of cellbench run, of one run or of repeated ones. */
bool source_is_run(const struct source *s);

/* Reads the JSON of a run or of a summary: as the readers of text. */
int source_run_json(struct source *s, const char *text, size_t n, struct err *e);

#endif
