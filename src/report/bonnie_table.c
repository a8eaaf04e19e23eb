#include "src/report/bonnie_table.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char heading[] =
        "       -------Sequential Output-------- ---Sequential Input-- --Random--\n"
        "       -Per Char- --Block--- -Rewrite-- -Per Char- --Block--- --Seeks---\n"
        "Cache MB K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU  /sec %CPU\n";

static void print_row(const struct bonnie_result *row, FILE *out)
{
	fprintf(out, "%-4s%c%3llu", row->cache[0] ? row->cache : "-",
	        row->doubt ? '?' : ' ', (unsigned long long)(row->size >> 20));
	for (int i = 0; i < 6; i++) {
		const struct bonnie_cell *c = &row->data[i];
		if (isnan(c->rate))
			fprintf(out, "     -");
		else
			fprintf(out, " %5.*f", i == 5, c->rate);
		if (isnan(c->cpu))
			fprintf(out, "    -");
		else
			fprintf(out, " %4.1f", c->cpu);
	}
	fputc('\n', out);
}

/* How many rows from the first on have its name. */
static size_t same_name(const struct bonnie_result *rows, size_t n)
{
	size_t same = 1;
	while (same < n && strcmp(rows[same].name, rows[0].name) == 0)
		same++;
	return same;
}

void bonnie_table_rows(const struct bonnie_result *rows, size_t n, FILE *out)
{
	bool several = n > 0 && same_name(rows, n) < n;
	for (size_t i = 0; i < n;) {
		size_t end = i + same_name(rows + i, n - i);
		if (several)
			fprintf(out, "%s%s:\n", i ? "\n" : "", rows[i].name);
		fputs(heading, out);
		while (i < end)
			print_row(&rows[i++], out);
	}
}

void bonnie_table_print(const struct run *r, FILE *out)
{
	size_t n;
	struct bonnie_result *rows = bonnie_results_of_run(r, &n);
	if (rows)
		bonnie_table_rows(rows, n, out);
	free(rows);
}
