#include "src/report/bonnie_result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/study/stats.h"

static void clear(struct bonnie_result *b)
{
	*b = (struct bonnie_result){0};
	for (int i = 0; i < 6; i++)
		b->data[i].rate = b->data[i].cpu = b->file[i].rate = b->file[i].cpu =
		        NAN;
}

/* The cell of this phase, or NULL; *bytes where it is one of a call a byte. */
static struct bonnie_cell *cell_of(struct bonnie_result *b, const char *phase,
                                   bool *bytes)
{
	*bytes = false;
	for (int i = 0; i < 6; i++) {
		if (strcmp(phase, bonnie_file_phases[i]) == 0)
			return &b->file[i];
		if (strcmp(phase, bonnie_data_phases[i]) == 0)
			return &b->data[i];
		if (strcmp(phase, bonnie_byte_phases[i]) == 0) {
			*bytes = true;
			return &b->data[i];
		}
	}
	return NULL;
}

static uint64_t option(const struct run *r, const char *key)
{
	const json_t *options = json_object_get(r->facts, "options");
	json_int_t n = json_integer_value(json_object_get(options, key));
	return n > 0 ? (uint64_t)n : 0;
}

static void begin(struct bonnie_result *b, const struct run *r,
                  const struct run_phase *first)
{
	const json_t *host = json_object_get(r->facts, "host");
	const char *name = json_string_value(json_object_get(host, "name"));
	clear(b);
	snprintf(b->name, sizeof b->name, "%s", name ? name : "");
	memcpy(b->cache, first->cache, sizeof b->cache);
	b->size = r->size;
	b->seed = r->seed;
	b->request_size = option(r, "request_size");
	b->seeks = option(r, "seeks");
	b->seekers = option(r, "seekers");
	b->files = option(r, "files") / 1024;
	b->file_max = option(r, "file_max");
	b->file_min = option(r, "file_min");
	b->dirs = option(r, "dirs");
}

static bool is_in(const struct run_phase *from, const struct run_phase *end,
                  const char *name)
{
	for (; from < end; from++)
		if (strcmp(from->name, name) == 0)
			return true;
	return false;
}

/* putc wins over a call a byte where both were measured: it is Bonnie's. */
static void take(struct bonnie_result *b, const struct run_phase *p)
{
	bool bytes;
	struct bonnie_cell *c = cell_of(b, p->name, &bytes);
	b->doubt |= run_phase_not_cold(p);
	if (!c || p->failed || (bytes && !isnan(c->rate)))
		return;
	if (c == &b->data[0] || c == &b->data[3])
		b->bytes = bytes;
	const struct phase_kind *kind = phase_kind_find(p->name);
	c->rate = kind->unit == UNIT_OPS_S ? run_phase_ops_s(p) : run_phase_kib_s(p);
	c->cpu = run_phase_cpu(p);
	c->latency_ns = p->latency.max_ns;
}

struct bonnie_result *bonnie_results_of_run(const struct run *r, size_t *n)
{
	const struct run_phase *end = r->phases + r->nphases;
	struct bonnie_result *rows = calloc(r->nphases + 1, sizeof *rows);
	*n = 0;
	for (const struct run_phase *p = r->phases; rows && p < end;) {
		const struct run_phase *next = p;
		struct bonnie_result *row = &rows[(*n)++];
		begin(row, r, p);
		while (next < end && strcmp(next->cache, p->cache) == 0 &&
		       !is_in(p, next, next->name))
			take(row, next++);
		p = next;
	}
	return rows;
}

/* What the figure's row is called: its part, else its setting, else its source. */
static void name_row(const struct source *s, const struct figure *f,
                     char name[FIGURE_TEXT])
{
	const char *text = f->part[0] ? f->part : f->setting;
	const char *end =
	        strrchr(s->name, '/') ? strrchr(s->name, '/') : strrchr(s->name, ':');
	if (!text[0])
		text = end ? end + 1 : s->name;
	snprintf(name, FIGURE_TEXT, "%.*s", FIGURE_TEXT - 1, text);
}

/* The row for figures of this kind; those of files have no size of their own. */
static struct bonnie_result *row_of(const struct source *s, struct bonnie_result *rows,
                                    size_t *n, const struct figure *f, bool file)
{
	char name[FIGURE_TEXT];
	name_row(s, f, name);
	for (size_t i = 0; i < *n; i++)
		if (strcmp(rows[i].name, name) == 0 &&
		    strcmp(rows[i].cache, f->cache) == 0 &&
		    (file || rows[i].size == f->size))
			return &rows[i];
	struct bonnie_result *row = &rows[(*n)++];
	clear(row);
	memcpy(row->name, name, sizeof row->name);
	memcpy(row->cache, f->cache, sizeof row->cache);
	row->size = f->size;
	return row;
}

struct bonnie_result *bonnie_results_of_source(const struct source *s, size_t *n)
{
	struct bonnie_result *rows = calloc(s->n + 1, sizeof *rows), none;
	bool bytes;
	*n = 0;
	clear(&none);
	for (size_t i = 0; rows && i < s->n; i++) {
		const struct figure *f = &s->figures[i];
		const struct bonnie_cell *in = cell_of(&none, f->phase, &bytes);
		if (!in)
			continue;
		struct bonnie_result *row =
		        row_of(s, rows, n, f, in >= none.file && in < none.file + 6);
		struct bonnie_cell *c = cell_of(row, f->phase, &bytes);
		row->doubt |= f->doubt && strcmp(f->doubt, "not cold") == 0;
		if (f->n == 0 || (bytes && !isnan(c->rate)))
			continue;
		if (c == &row->data[0] || c == &row->data[3])
			row->bytes = bytes;
		c->rate = stats_median(f->values, f->n);
		c->cpu = f->cpu >= 0 ? f->cpu : NAN;
	}
	return rows;
}
