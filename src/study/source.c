#include "src/study/source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/study/published.h"

enum { FILE_MAX = 64 << 20 };

struct figure *source_figure(struct source *s, const struct figure *f)
{
	for (size_t i = 0; i < s->n; i++) {
		struct figure *g = &s->figures[i];
		if (strcmp(g->phase, f->phase) == 0 && strcmp(g->part, f->part) == 0 &&
		    strcmp(g->setting, f->setting) == 0 &&
		    strcmp(g->cache, f->cache) == 0 && g->size == f->size)
			return g;
	}
	if (s->n == s->room) {
		size_t room = s->room ? s->room * 2 : 16;
		struct figure *more = realloc(s->figures, room * sizeof *more);
		if (!more)
			return NULL;
		s->figures = more;
		s->room = room;
	}
	s->figures[s->n] = *f;
	s->figures[s->n].values = NULL;
	s->figures[s->n].n = 0;
	memset(s->figures[s->n].cost, 0, sizeof s->figures[s->n].cost);
	s->figures[s->n].latency = (struct run_latency){0};
	return &s->figures[s->n++];
}

int figure_add(struct figure *f, double value)
{
	if (!(value > 0) || value > 1e300)
		return 0;
	double *more = realloc(f->values, (f->n + 1) * sizeof *more);
	if (!more)
		return -1;
	f->values = more;
	f->values[f->n++] = value;
	return 0;
}

int figure_add_cost(struct figure *f, enum cost_kind kind, double value)
{
	struct figure_cost *c = &f->cost[kind];
	if (!(value >= 0) || value > 1e300)
		return 0;
	double *more = realloc(c->values, (c->n + 1) * sizeof *more);
	if (!more)
		return -1;
	c->values = more;
	c->values[c->n++] = value;
	return 0;
}

static void figure_fini(struct figure *f)
{
	free(f->values);
	for (int k = 0; k < COST_COUNT; k++)
		free(f->cost[k].values);
	hist_free(&f->latency.hist);
}

size_t source_parts(const struct source *s, const char **out, size_t n)
{
	size_t parts = 0;
	for (size_t i = 0; i < s->n; i++) {
		size_t k = 0;
		while (k < parts && strcmp(out[k], s->figures[i].part) != 0)
			k++;
		if (k == parts && parts < n)
			out[parts++] = s->figures[i].part;
	}
	return parts;
}

static char *read_file(const char *path, size_t *n, struct err *e)
{
	FILE *f = fopen(path, "re");
	if (!f) {
		err_set(e, ERR_USAGE, "cannot read %s: %s", path, strerror(errno));
		return NULL;
	}
	size_t room = 1 << 16;
	char *text = malloc(room + 1);
	*n = 0;
	for (size_t got; text && (got = fread(text + *n, 1, room - *n, f)) > 0;) {
		*n += got;
		if (*n < room)
			continue;
		room *= 2;
		char *more = room <= FILE_MAX ? realloc(text, room + 1) : NULL;
		if (!more)
			free(text);
		text = more;
	}
	if (text && ferror(f)) {
		err_set(e, ERR_USAGE, "cannot read %s: %s", path, strerror(errno));
		free(text);
		text = NULL;
	}
	fclose(f);
	if (text)
		text[*n] = '\0';
	else
		err_set(e, ERR_USAGE, "%s is too large to be a result", path);
	return text;
}

typedef int reader(struct source *s, const char *text, size_t n, struct err *e);

static int read_text(struct source *s, const char *path, struct err *e)
{
	/* text last: it looks through anything for a table */
	static reader *const readers[] = {
	        source_run_json,   source_fio,         source_iperf3,
	        source_bonnie_csv, source_bonnie_text,
	};
	size_t n;
	char *text = read_file(path, &n, e);
	if (!text)
		return -1;
	int r = 0;
	for (size_t i = 0; i < sizeof readers / sizeof *readers && r == 0; i++)
		r = readers[i](s, text, n, e);
	free(text);
	if (r < 0)
		return err_prefix(e, "%s", path);
	if (r == 0)
		return err_set(e, ERR_USAGE,
		               "%s holds no figures that are known: it is no run "
		               "directory, no output of Bonnie or bonnie++, no JSON of "
		               "fio or iperf3",
		               path);
	return 0;
}

/* Keeps the figures of one part, or of one setting. */
static int keep(struct source *s, const char *what, struct err *e)
{
	size_t kept = 0;
	for (size_t i = 0; i < s->n; i++) {
		struct figure *f = &s->figures[i];
		if (strcmp(f->part, what) == 0 || strcmp(f->setting, what) == 0)
			s->figures[kept++] = *f;
		else
			figure_fini(f);
	}
	s->n = kept;
	return kept > 0 ? 0
	                : err_set(e, ERR_USAGE, "%s has no part '%s'", s->name, what);
}

static int open_path(struct source *s, const char *path, struct err *e)
{
	struct stat st;
	if (stat(path, &st) < 0)
		return err_set(e, ERR_USAGE, "cannot read %s: %s", path,
		               strerror(errno));
	return S_ISDIR(st.st_mode) ? source_run_directory(s, path, e)
	                           : read_text(s, path, e);
}

int source_open(struct source *s, const char *name, struct err *e)
{
	char path[4096];
	*s = (struct source){.facts = json_object(), .notes = json_array()};
	snprintf(s->name, sizeof s->name, "%s", name);
	snprintf(path, sizeof path, "%s", name);
	char *part = strrchr(path, '#');
	if (part && access(path, F_OK) == 0) /* a file that has it in its name */
		part = NULL;
	if (part)
		*part++ = '\0';
	const char published[] = "published:";
	int r = strncmp(path, published, strlen(published)) == 0
	                ? published_open(s, path + strlen(published), e)
	                : open_path(s, path, e);
	if (r == 0 && part)
		r = keep(s, part, e);
	if (r == 0 && s->n == 0)
		r = err_set(e, ERR_USAGE, "%s holds no figures", name);
	return r;
}

void source_fini(struct source *s)
{
	for (size_t i = 0; i < s->n; i++)
		figure_fini(&s->figures[i]);
	free(s->figures);
	json_decref(s->facts);
	json_decref(s->notes);
	*s = (struct source){0};
}
