/* The HTML report of a folder: one run, or the runs in the folders below it. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/report/html.h"

enum { DEPTH_MAX = 5, RUNS_MAX = 10000 };

/* A run that was loaded, with what the report needs of it. */
struct loaded {
	char label[256];
	struct run run;
	struct probe_result probe;
	bool has_probe;
};

struct collection {
	struct loaded **list;
	size_t n;
	json_t *study; /* study.json, or NULL */
};

static bool has_file(const char *dir, const char *name)
{
	char path[4352];
	snprintf(path, sizeof path, "%s/%s", dir, name);
	return access(path, R_OK) == 0;
}

/* Takes the last part off a path if it is one of these words and a number, which is
 * returned; else -1. */
static long take_number(char *path, const char *const *words)
{
	char *slash = strrchr(path, '/'), *part = slash ? slash + 1 : path;
	for (; *words; words++) {
		size_t n = strlen(*words);
		const char *digits = part + n;
		if (strncmp(part, *words, n) != 0 || !*digits ||
		    digits[strspn(digits, "0123456789")] != '\0')
			continue;
		long number = strtol(digits, NULL, 10);
		*(slash ? slash : path) = '\0';
		return number;
	}
	return -1;
}

/* What study.json calls the cell of this folder, or NULL. */
static const char *cell_label(const json_t *study, const char *below)
{
	size_t i;
	const json_t *cell;
	json_array_foreach(json_object_get(study, "cells"), i, cell)
	{
		const char *dir = json_string_value(json_object_get(cell, "dir"));
		if (dir && strcmp(dir, below) == 0)
			return json_string_value(json_object_get(cell, "label"));
	}
	return NULL;
}

/* "atm/-jumbo/r3" is a run of "atm -jumbo".  Clients that worked at the same time
 * (rank0, rank1 ...) do not repeat each other. */
static void label_from(char out[256], const struct collection *c, const char *dir,
                       const char *below)
{
	static const char *const ranks[] = {"rank", NULL};
	static const char *const repeats[] = {"rep-", "run-", "r", "", NULL};
	char path[512], other[4352];
	snprintf(path, sizeof path, "%s", below);
	long rank = take_number(path, ranks);
	take_number(path, repeats);
	const char *label = cell_label(c->study, path);
	for (char *s = path; !label && *s; s++)
		if (*s == '/')
			*s = ' ';
	snprintf(other, sizeof other, "%s/../rank1", dir);
	if (rank >= 0 && access(other, F_OK) == 0)
		snprintf(out, 256, "%.200s, client %ld", label ? label : path,
		         rank + 1);
	else
		snprintf(out, 256, "%.255s", label ? label : path);
}

static int load(struct collection *c, const char *dir, const char *below, struct err *e)
{
	struct loaded **more = realloc(c->list, (c->n + 1) * sizeof(*more));
	struct loaded *l = calloc(1, sizeof *l);
	if (more)
		c->list = more;
	if (!more || !l) {
		free(l);
		return err_set(e, ERR_ENVIRONMENT, "out of memory");
	}
	c->list[c->n++] = l;
	label_from(l->label, c, dir, below);
	if (run_load(&l->run, dir, e) < 0) { /* the others are shown, and e tells */
		run_fini(&l->run);
		free(l);
		c->n--;
		return 0;
	}
	int got = probe_result_load(&l->probe, dir, e);
	l->has_probe = got == 0;
	return 0; /* the page is made without it, and e tells */
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strverscmp((*a)->d_name, (*b)->d_name);
}

static int is_visible(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

/* Loads dir if it is a run, else what is below it. */
static int collect(struct collection *c, const char *dir, const char *below, int depth,
                   struct err *e)
{
	struct dirent **names;
	if (has_file(dir, "run.json"))
		return c->n < RUNS_MAX ? load(c, dir, below, e) : 0;
	if (depth == 0)
		return 0;
	int n = scandir(dir, &names, is_visible, by_name), r = 0;
	if (n < 0)
		return errno == ENOTDIR ? 0 : err_sys(e, errno, "cannot read %s", dir);
	for (int i = 0; i < n; i++) {
		char path[4096], under[512];
		int len = snprintf(path, sizeof path, "%s/%s", dir, names[i]->d_name);
		snprintf(under, sizeof under, "%s%s%s", below, below[0] ? "/" : "",
		         names[i]->d_name);
		bool folder =
		        names[i]->d_type == DT_DIR || names[i]->d_type == DT_UNKNOWN;
		if (r == 0 && folder && len > 0 && (size_t)len < sizeof path)
			r = collect(c, path, under, depth - 1, e);
		free(names[i]);
	}
	free(names);
	return r;
}

static void free_collection(struct collection *c)
{
	for (size_t i = 0; i < c->n; i++) {
		if (c->list[i]->has_probe)
			probe_result_fini(&c->list[i]->probe);
		run_fini(&c->list[i]->run);
		free(c->list[i]);
	}
	free(c->list);
	json_decref(c->study);
}

static int write_page(const struct html_report *r, const char *path, struct err *e)
{
	if (strcmp(path, "-") == 0)
		return report_html(r, stdout, e);
	FILE *f = fopen(path, "we");
	if (!f)
		return err_sys(e, errno, "cannot create %s", path);
	int result = report_html(r, f, e);
	if (fclose(f) != 0 && result == 0)
		result = err_sys(e, errno, "cannot write %s", path);
	return result;
}

static int show(const struct collection *c, const char *path, struct err *e)
{
	struct report_run *runs = calloc(c->n, sizeof *runs);
	if (!runs)
		return err_set(e, ERR_ENVIRONMENT, "out of memory");
	for (size_t i = 0; i < c->n; i++)
		runs[i] = (struct report_run){
		        .label = c->list[i]->label,
		        .dir = c->list[i]->run.dir,
		        .run = &c->list[i]->run,
		        .probe = c->list[i]->has_probe ? &c->list[i]->probe : NULL};
	const struct html_report report = {
	        .title = json_string_value(json_object_get(c->study, "title")),
	        .question = json_string_value(json_object_get(c->study, "question")),
	        .runs = runs,
	        .nruns = c->n,
	        .study = c->study,
	};
	int result = write_page(&report, path, e);
	free(runs);
	return result;
}

int report_html_show(const char *dir, const char *path, struct err *e)
{
	struct collection c = {0};
	char file[4352];
	snprintf(file, sizeof file, "%s/study.json", dir);
	c.study = json_load_file(file, 0, NULL);
	int r = collect(&c, dir, "", DEPTH_MAX, e);
	if (r == 0 && c.n == 0)
		r = err_set(
		        e, ERR_USAGE,
		        "%s holds no run.json, and none of the folders below it does",
		        dir);
	if (r == 0)
		r = show(&c, path, e);
	free_collection(&c);
	return r;
}
