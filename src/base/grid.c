#include "src/base/grid.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void grid_init(struct grid *g, size_t columns, unsigned left)
{
	assert(columns <= GRID_COLUMNS);
	*g = (struct grid){.columns = columns, .left = left};
}

void grid_add(struct grid *g, const char *fmt, ...)
{
	if (g->used == g->rows * g->columns) {
		size_t rows = g->rows ? g->rows * 2 : 16;
		char **cell = realloc(g->cell, rows * g->columns * sizeof *cell);
		if (!cell) {
			g->failed = 1;
			return;
		}
		g->cell = cell;
		g->rows = rows;
	}
	va_list args;
	va_start(args, fmt);
	char *text;
	if (vasprintf(&text, fmt, args) < 0) {
		text = NULL;
		g->failed = 1;
	}
	va_end(args);
	g->cell[g->used++] = text;
}

void grid_end_row(struct grid *g)
{
	while (g->used % g->columns != 0 && !g->failed)
		grid_add(g, "%s", "");
}

/* Columns of UTF-8 text on a terminal, for text without combining marks. */
static int width_of(const char *text)
{
	int n = 0;
	for (; text && *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

static void print_cell(const struct grid *g, FILE *out, size_t column, const char *text,
                       int width)
{
	int pad = width - width_of(text);
	int left = (g->left >> column) & 1;
	const char *gap = column ? "  " : "";
	if (!text)
		text = "";
	if (left && column == g->columns - 1)
		fprintf(out, "%s%s", gap, text);
	else if (left)
		fprintf(out, "%s%s%*s", gap, text, pad, "");
	else
		fprintf(out, "%s%*s%s", gap, pad, "", text);
}

void grid_print(const struct grid *g, FILE *out, int indent)
{
	int width[GRID_COLUMNS] = {0};
	for (size_t i = 0; i < g->used; i++) {
		int w = width_of(g->cell[i]);
		if (w > width[i % g->columns])
			width[i % g->columns] = w;
	}
	for (size_t i = 0; i < g->used; i++) {
		size_t column = i % g->columns;
		if (column == 0)
			fprintf(out, "%*s", indent, "");
		print_cell(g, out, column, g->cell[i], width[column]);
		if (column == g->columns - 1)
			fputc('\n', out);
	}
}

void grid_free(struct grid *g)
{
	for (size_t i = 0; i < g->used; i++)
		free(g->cell[i]);
	free(g->cell);
	*g = (struct grid){0};
}
