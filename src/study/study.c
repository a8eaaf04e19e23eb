#include "src/study/study.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/quantity.h"

const char *const study_status_names[STUDY_STATUS_COUNT] = {
        [STUDY_OPEN] = "open",
        [STUDY_DONE] = "done",
        [STUDY_PARTIAL] = "partial",
        [STUDY_FAILED] = "failed",
};

static int out_of_memory(struct err *e)
{
	return err_set(e, ERR_ENVIRONMENT, "out of memory");
}

int study_plan_only(struct study *s, const struct study_job *job, struct err *e)
{
	const struct matrix *m = &job->matrix;
	char slug[200];
	*s = (struct study){.job = job,
	                    .lock = -1,
	                    .left_out = json_array(),
	                    .facts = json_object()};
	s->cells = calloc(m->n, sizeof *s->cells);
	if (!s->cells)
		return out_of_memory(e);
	s->n = m->n;
	for (size_t i = 0; i < m->n; i++) {
		struct study_cell *cell = &s->cells[i];
		cell->c = &m->cells[i];
		cell->runs = calloc(job->repeats, sizeof *cell->runs);
		if (!cell->runs)
			return out_of_memory(e);
		matrix_label(m, cell->c, cell->label);
		matrix_slug(cell->label, slug, sizeof slug);
		snprintf(cell->dir, sizeof cell->dir, "runs/%03zu-%s", i + 1, slug);
	}
	return 0;
}

void study_fini(struct study *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->cells[i].runs);
	free(s->cells);
	json_decref(s->left_out);
	json_decref(s->facts);
	if (s->lock >= 0)
		close(s->lock);
	*s = (struct study){.lock = -1};
}

static int make_folders(const char *path, struct err *e)
{
	char part[4096];
	snprintf(part, sizeof part, "%s", path);
	for (char *p = part + 1;; p++) {
		if (*p != '/' && *p != '\0')
			continue;
		char was = *p;
		*p = '\0';
		if (mkdir(part, 0755) < 0 && errno != EEXIST)
			return err_sys(e, errno, "cannot make the folder %s", part);
		if (was == '\0')
			return 0;
		*p = was;
	}
}

static int take_lock(struct study *s, struct err *e)
{
	s->lock = open(s->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (s->lock < 0)
		return err_sys(e, errno, "cannot open %s", s->dir);
	if (flock(s->lock, LOCK_EX | LOCK_NB) < 0)
		return err_set(
		        e, ERR_USAGE,
		        "another cellbench study is at work in %s; wait for it, or "
		        "name another folder with -o",
		        s->dir);
	return 0;
}

static const char *text_of(const json_t *o, const char *key)
{
	const char *text = json_string_value(json_object_get(o, key));
	return text ? text : "";
}

static void load_run(struct study_run *r, const json_t *o)
{
	const char *status = text_of(o, "status");
	for (int k = 0; k < STUDY_STATUS_COUNT; k++)
		if (strcmp(status, study_status_names[k]) == 0)
			r->status = (enum study_status)k;
	r->seconds = json_number_value(json_object_get(o, "seconds"));
	r->load = json_number_value(json_object_get(o, "load"));
	snprintf(r->why, sizeof r->why, "%s", text_of(o, "why"));
}

/* What an earlier part of this study ran. */
static int load(struct study *s, struct err *e)
{
	char path[4200];
	snprintf(path, sizeof path, "%s/study.json", s->dir);
	if (access(path, F_OK) < 0)
		return 0;
	json_error_t why;
	json_t *o = json_load_file(path, 0, &why);
	if (!o)
		return err_set(e, ERR_USAGE, "%s cannot be read: %s", path, why.text);
	int r = 0;
	if (strcmp(text_of(o, "job"), s->job->text) != 0)
		r = err_set(
		        e, ERR_USAGE,
		        "%s holds the study of another job, or of this one before it "
		        "was changed; name another folder with -o",
		        s->dir);
	json_t *cells = json_object_get(o, "cells");
	for (size_t i = 0; r == 0 && i < s->n; i++) {
		json_t *runs = json_object_get(json_array_get(cells, i), "runs");
		for (size_t k = 0; k < s->job->repeats; k++)
			load_run(&s->cells[i].runs[k], json_array_get(runs, k));
	}
	json_t *facts = json_object_get(o, "facts");
	if (r == 0 && json_is_object(facts))
		json_object_update(s->facts, facts);
	json_decref(o);
	return r;
}

int study_open(struct study *s, const struct study_job *job, const char *dir,
               struct err *e)
{
	char path[4096];
	if (study_plan_only(s, job, e) < 0)
		return -1;
	if (dir)
		snprintf(path, sizeof path, "%s", dir);
	else
		snprintf(path, sizeof path, "studies/%s", job->name);
	if (make_folders(path, e) < 0)
		return -1;
	if (!realpath(path, s->dir))
		return err_sys(e, errno, "cannot use the folder %s", path);
	return take_lock(s, e) < 0 || load(s, e) < 0 ? -1 : 0;
}

static json_t *cell_json(const struct study *s, const struct study_cell *cell)
{
	json_t *axes = json_object(), *runs = json_array();
	for (int a = 0; a < AXIS_COUNT; a++)
		json_object_set_new(axes, axis_kinds[a].name,
		                    json_string(cell->c->value[a]));
	for (size_t k = 0; k < s->job->repeats; k++) {
		const struct study_run *r = &cell->runs[k];
		json_t *o = json_pack("{s:s, s:f, s:f}", "status",
		                      study_status_names[r->status], "seconds",
		                      r->seconds, "load", r->load);
		if (r->why[0])
			json_object_set_new(o, "why", json_string(r->why));
		json_array_append_new(runs, o);
	}
	return json_pack("{s:s, s:s, s:o, s:o}", "label", cell->label, "dir", cell->dir,
	                 "axes", axes, "runs", runs);
}

int study_write_file(const struct study *s, const char *name, const char *text,
                     size_t n, struct err *e)
{
	char temporary[64];
	snprintf(temporary, sizeof temporary, ".%.50s.new", name);
	int fd = openat(s->lock, temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
	                0644);
	int bad = fd < 0 ? errno : 0;
	for (size_t at = 0; !bad && at < n;) {
		ssize_t w = write(fd, text + at, n - at);
		bad = w < 0 && errno != EINTR ? errno : 0;
		at += w > 0 ? (size_t)w : 0;
	}
	if (!bad && fsync(fd) < 0)
		bad = errno;
	if (fd >= 0)
		close(fd);
	if (!bad && renameat(s->lock, temporary, s->lock, name) < 0)
		bad = errno;
	return bad ? err_sys(e, bad, "cannot write %s/%s", s->dir, name) : 0;
}

int study_save(const struct study *s, struct err *e)
{
	const struct study_job *j = s->job;
	json_t *cells = json_array();
	for (size_t i = 0; i < s->n; i++)
		json_array_append_new(cells, cell_json(s, &s->cells[i]));
	json_t *o = json_pack("{s:s, s:s, s:s, s:s, s:I, s:I, s:s, s:O, s:O, s:o, s:s}",
	                      "schema", STUDY_SCHEMA, "name", j->name, "title", j->name,
	                      "question", j->question ? j->question : "", "repeats",
	                      (json_int_t)j->repeats, "seed", (json_int_t)j->seed,
	                      "order", order_names[j->order], "facts", s->facts,
	                      "left_out", s->left_out, "cells", cells, "job", j->text);
	char *text = o ? json_dumps(o, JSON_INDENT(2)) : NULL;
	json_decref(o);
	int r = text ? study_write_file(s, "study.json", text, strlen(text), e)
	             : out_of_memory(e);
	free(text);
	return r;
}

void study_run_dir(const struct study *s, const struct study_step *at, char *path,
                   size_t size)
{
	snprintf(path, size, "%s/%s/r%zu", s->dir[0] ? s->dir : ".",
	         s->cells[at->cell].dir, at->repeat + 1);
}

struct study_step *study_steps(const struct study *s, bool limited, size_t *n)
{
	size_t *cover = calloc(s->n, sizeof *cover),
	       *order = calloc(s->n, sizeof *order);
	struct study_step *steps = calloc(s->n * s->job->repeats + 1, sizeof *steps);
	*n = 0;
	for (size_t i = 0; cover && i < s->n; i++)
		cover[i] = i;
	if (!cover || !order || !steps ||
	    (limited && matrix_cover(&s->job->matrix, cover) < 0)) {
		free(steps);
		steps = NULL;
	}
	size_t rounds =
	        s->job->order == ORDER_SEQUENTIAL && !limited ? 1 : s->job->repeats;
	for (size_t round = 0; steps && round < rounds; round++) {
		order_round(s->job->order, s->job->seed, round, s->n, order);
		for (size_t i = 0; i < s->n; i++)
			for (size_t k = round; k < s->job->repeats; k++) {
				size_t cell = cover[order[i]];
				if (s->cells[cell].runs[k].status == STUDY_OPEN)
					steps[(*n)++] = (struct study_step){cell, k};
				if (rounds > 1)
					break;
			}
	}
	free(cover);
	free(order);
	return steps;
}

/* Bytes that a run's size axis says, for guesses. */
static double size_of(const struct study_cell *cell)
{
	struct err e = {0};
	uint64_t bytes = 0;
	size_parse(cell->c->value[AXIS_SIZE], &bytes, &e);
	return (double)bytes;
}

/* Start of a client, probe and its analysis; then what a run moves at 5 MB/s. */
static double guess(const struct study_cell *cell)
{
	return 4 + 6 * size_of(cell) / 5e6;
}

double study_estimate(const struct study *s, size_t cell)
{
	double own = 0, ratio = 0;
	size_t nown = 0, n = 0;
	for (size_t i = 0; i < s->n; i++)
		for (size_t k = 0; k < s->job->repeats; k++) {
			const struct study_run *r = &s->cells[i].runs[k];
			if (r->status == STUDY_OPEN || r->seconds <= 0)
				continue;
			ratio += r->seconds / guess(&s->cells[i]);
			n++;
			if (i == cell) {
				own += r->seconds;
				nown++;
			}
		}
	if (nown)
		return own / (double)nown;
	return guess(&s->cells[cell]) * (n ? ratio / (double)n : 1);
}
