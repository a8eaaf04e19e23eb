/* Aligned text tables: cells are collected, then printed with every column as
 * wide as its widest cell. */
#ifndef BASE_GRID_H
#define BASE_GRID_H

#include <stdio.h>

#define GRID_COLUMNS 16

struct grid {
	char **cell; /* rows of `columns` strings, owned */
	size_t rows, columns, used;
	unsigned left; /* bit i: column i is flush left; others flush right */
	int failed;    /* memory ran out: some cells are missing */
};

/* columns <= GRID_COLUMNS */
void grid_init(struct grid *g, size_t columns, unsigned left);

/* Adds the next cell; rows fill from left to right. */
void grid_add(struct grid *g, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));

/* Fills the row that was begun with empty cells. */
void grid_end_row(struct grid *g);

/* Prints with this indent before every row and two spaces between columns. */
void grid_print(const struct grid *g, FILE *out, int indent);

void grid_free(struct grid *g);

#endif
