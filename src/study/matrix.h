/* The matrix of a study: axes with values, and the cells that they span.
 *
 * Values are strings that the caller owns and keeps; a matrix holds pointers. */
#ifndef STUDY_MATRIX_H
#define STUDY_MATRIX_H

#include <stdbool.h>
#include <stddef.h>

#include "src/base/err.h"

enum axis {
	AXIS_LINK,
	AXIS_SERVER,
	AXIS_VICEP_FS,
	AXIS_CLIENT,
	AXIS_FAULT,
	AXIS_CLIENTS,
	AXIS_CHUNK_SIZE,
	AXIS_CACHE_SIZE,
	AXIS_SIZE,
	AXIS_WORKLOAD,
	AXIS_CACHE,
	AXIS_COUNT
};

enum { AXIS_VALUES = 32, CELL_LABEL = 192 };

/* What is known of an axis by itself. */
struct axis_kind {
	const char *name;    /* key in a job file: "chunk-size" */
	const char *prefix;  /* before a value in a label: "chunk " */
	const char *builtin; /* values that need no section, parted by blanks */
	bool named;          /* values may be sections [AXIS VALUE] of the job */
	const char *usual;   /* the value where a job names none */
};

extern const struct axis_kind axis_kinds[AXIS_COUNT];

/* The axis of this name, or -1. */
int axis_find(const char *name);

/* Whether text can be a value of the axis (a size, a number …); a named axis also
 * takes what the job defines, which only the job can tell: then true.  0, or -1 and
 * a sentence in e. */
int axis_check(enum axis axis, const char *text, struct err *e);

/* The values of one axis in one product. */
struct axis_values {
	const char *at[AXIS_VALUES];
	size_t n;
};

struct cell {
	const char *value[AXIS_COUNT];
};

struct matrix {
	struct cell *cells; /* owned */
	size_t n;
};

/* Adds all combinations of the axes' values (each n >= 1), the last axis changing
 * fastest; a cell that is there already is not added again.  0, or -1 where memory
 * is out. */
int matrix_add(struct matrix *m, const struct axis_values axes[AXIS_COUNT]);
void matrix_fini(struct matrix *m);

/* An order in which every beginning is a fair sample: each next cell is the one
 * whose values have been seen least so far.  out holds m->n.  0, or -1. */
int matrix_cover(const struct matrix *m, size_t *out);

/* The cell by the values in which cells of the matrix differ: "atm, chunk 1M". */
void matrix_label(const struct matrix *m, const struct cell *c, char label[CELL_LABEL]);

/* The label as a file name: letters, digits, '-' and '.'. */
void matrix_slug(const char *label, char *slug, size_t size);

#endif
