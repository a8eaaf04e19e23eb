/* What the readers of bonnie++'s CSV and of its tables share. */
#ifndef STUDY_SOURCE_BONNIE_H
#define STUDY_SOURCE_BONNIE_H

#include "src/study/source.h"

/* One row of six figures with their CPU shares. */
struct bonnie_row {
	const char *part, *cache;  /* "" where not told */
	const char *doubt;         /* or NULL */
	uint64_t size;             /* bytes, 0: not told */
	const char *const *phases; /* six */
};

/* Adds the figures of the twelve fields: rate, CPU, rate, CPU …  An empty one or
 * "-" was not measured; one of + signs was and is missing.  `missing` counts those.
 * 0, or -1 where memory is out. */
int bonnie_add_row(struct source *s, const struct bonnie_row *row,
                   const char *const field[12], unsigned *missing);

/* "256M", "4G", "64M:8k", "100" (MiB) in bytes, 0 where it is no size. */
uint64_t bonnie_size(const char *text);

/* A figure in KiB/s or operations a second, with k, m or g behind it as bonnie++
 * 2.00 prints it; false where it is none. */
bool bonnie_number(const char *text, double *out);

/* Tells of the missing ones. */
void bonnie_note_missing(struct source *s, unsigned missing);

#endif
