#include "src/study/study_table.h"

#include <stdbool.h>
#include <string.h>

#include "src/base/quantity.h"
#include "src/study/published.h"

enum { PHASES = 6 };

static const char head[] =
        "           -------Sequential Output-------- ---Sequential Input-- --Random--\n"
        "           -Per Char- --Block--- -Rewrite-- -Per Char- --Block--- --Seeks---\n"
        "  Cache MB K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU  /sec "
        "%CPU\n";

/* A figure and the client's CPU time in per cent; rate < 0: none. */
struct figure_pair {
	double rate, cpu;
};

static const char *text(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));
	return s ? s : "";
}

static double number(const json_t *o, const char *key)
{
	return json_number_value(json_object_get(o, key));
}

static void print_row(const char *cache, double mib, const struct figure_pair *f,
                      FILE *out)
{
	fprintf(out, "  %-5s %2.0f", cache, mib);
	for (int i = 0; i < PHASES; i++) {
		bool seeks = i == PHASES - 1;
		if (f[i].rate < 0)
			fprintf(out, " %5s %4s", "-", "-");
		else
			fprintf(out, seeks ? " %5.1f %4.1f" : " %5.0f %4.1f", f[i].rate,
			        f[i].cpu);
	}
	fputc('\n', out);
}

/* What a cell measured in this cache state; false where nothing of it is Bonnie's. */
static bool cell_row(const json_t *cell, const char *cache, struct figure_pair *f)
{
	bool any = false;
	for (int i = 0; i < PHASES; i++) {
		size_t k;
		const json_t *p;
		f[i] = (struct figure_pair){-1, 0};
		json_array_foreach(json_object_get(cell, "phases"), k, p)
		{
			double seconds = number(p, "seconds");
			if (strcmp(text(p, "name"), bonnie_data_phases[i]) != 0 ||
			    strcmp(text(p, "cache"), cache) != 0 || seconds <= 0)
				continue;
			f[i].rate = i == PHASES - 1 ? number(p, "operations") / seconds
			                            : number(p, "median");
			f[i].cpu = number(p, "client_cpu_ns") / 1e7 / seconds;
			any = true;
		}
	}
	return any;
}

static double mib_of(const json_t *cell)
{
	struct err e = {0};
	uint64_t bytes = 0;
	size_parse(text(json_object_get(cell, "axes"), "size"), &bytes, &e);
	return (double)bytes / (1 << 20);
}

/* Whether two cells differ in nothing but the size of the file. */
static bool same_block(const json_t *a, const json_t *b)
{
	const char *key;
	json_t *value, *other = json_object_get(b, "axes");
	json_object_foreach(
	        json_object_get(a, "axes"), key,
	        value) if (strcmp(key, "size") != 0 &&
	                   !json_equal(value,
	                               json_object_get(other, key))) return false;
	return true;
}

static const char *const states[] = {"cold", "warm"};

/* All sizes of one configuration, the cells that follow upon `first`. */
static void print_block(const json_t *cells, size_t first, FILE *out)
{
	const json_t *begin = json_array_get(cells, first);
	const json_t *axes = json_object_get(begin, "axes");
	struct figure_pair f[PHASES];
	bool named = false;
	for (size_t i = first; i < json_array_size(cells); i++) {
		const json_t *cell = json_array_get(cells, i);
		if (!same_block(begin, cell))
			continue;
		for (int s = 0; s < 2; s++) {
			if (!cell_row(cell, states[s], f))
				continue;
			if (!named)
				fprintf(out, "\n  %s, server %s, chunk %s\n%s",
				        text(axes, "link"), text(axes, "server"),
				        text(axes, "chunk-size"), head);
			named = true;
			print_row(states[s], mib_of(cell), f, out);
		}
	}
}

static void print_published(const struct published *p, FILE *out)
{
	struct figure_pair f[PHASES];
	const char *setting = "";
	for (size_t i = 0; i + PHASES <= p->nfigures; i += PHASES) {
		const struct published_figure *row = &p->figures[i];
		if (strcmp(row->setting, setting) != 0)
			fprintf(out, "\n  %s: %s\n%s", p->name, row->setting, head);
		setting = row->setting;
		for (int k = 0; k < PHASES; k++)
			f[k] = (struct figure_pair){
			        row[k].value > 0 ? row[k].value : -1, row[k].cpu};
		print_row(row->cache, row->mib, f, out);
	}
}

static const struct published *find(const char *name)
{
	for (size_t i = 0; published_table[i]; i++)
		if (strcmp(published_table[i]->name, name) == 0)
			return published_table[i];
	return NULL;
}

void study_table_print(const json_t *result, const char *published, FILE *out)
{
	const json_t *cells = json_object_get(result, "cells");
	struct figure_pair f[PHASES];
	bool any = false;
	for (size_t i = 0; i < json_array_size(cells); i++) {
		const json_t *cell = json_array_get(cells, i);
		bool seen = false;
		for (size_t k = 0; k < i && !seen; k++)
			seen = same_block(json_array_get(cells, k), cell);
		for (int s = 0; s < 2; s++)
			any = any || cell_row(cell, states[s], f);
		if (any && !seen)
			print_block(cells, i, out);
	}
	const struct published *p = any && published[0] ? find(published) : NULL;
	if (p)
		print_published(p, out);
}
