#include "src/report/bonnie_table.h"

#include <stdbool.h>
#include <string.h>

struct column {
	const char *phase;
	bool operations; /* a second, instead of K/sec */
};

static const struct column columns[] = {
        {"per-char-output", false}, {"block-output", false}, {"rewrite", false},
        {"per-char-input", false},  {"block-input", false},  {"random-seeks", true},
};

static const char heading[] =
        "       -------Sequential Output-------- ---Sequential Input-- --Random--\n"
        "       -Per Char- --Block--- -Rewrite-- -Per Char- --Block--- --Seeks---\n"
        "Cache MB K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU  /sec %CPU\n";

static const struct run_phase *find(const struct run_phase *from,
                                    const struct run_phase *end, const char *name)
{
	for (; from < end; from++)
		if (strcmp(from->name, name) == 0)
			return from;
	return NULL;
}

static void print_row(const struct run *r, const struct run_phase *from,
                      const struct run_phase *end, FILE *out)
{
	bool doubt = false;
	for (const struct run_phase *p = from; p < end; p++)
		doubt |= run_phase_not_cold(p);
	fprintf(out, "%s%c%3llu", from->cache, doubt ? '?' : ' ',
	        (unsigned long long)(r->size >> 20));
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
		const struct run_phase *p = find(from, end, columns[i].phase);
		if (!p)
			fprintf(out, "     -    -");
		else if (columns[i].operations)
			fprintf(out, " %5.1f %4.1f", run_phase_ops_s(p),
			        run_phase_cpu(p));
		else
			fprintf(out, " %5.0f %4.1f", run_phase_kib_s(p),
			        run_phase_cpu(p));
	}
	fputc('\n', out);
}

void bonnie_table_print(const struct run *r, FILE *out)
{
	const struct run_phase *end = r->phases + r->nphases;
	fputs(heading, out);
	for (const struct run_phase *p = r->phases; p < end;) {
		/* a row ends where the cache state changes or a phase comes again */
		const struct run_phase *next = p + 1;
		while (next < end && strcmp(next->cache, p->cache) == 0 &&
		       !find(p, next, next->name))
			next++;
		print_row(r, p, next, out);
		p = next;
	}
}
