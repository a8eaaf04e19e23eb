/* Source-tree work as cvs does it with a repository in the same file system:
 * checkout, tag, tag -d, release -d.
 *
 * The repository holds a file NAME,v for each file, the work copy the file itself
 * and in every folder CVS/Root, Repository, Entries.  A checkout reads the first
 * and writes the second; a tag looks at every file of the work copy and rewrites
 * its NAME,v by way of ,NAME, and rename, as RCS does; a release looks at every
 * file and deletes the work copy. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/workload/owned.h"
#include "src/workload/tree_shape.h"
#include "src/workload/workload.h"

enum { RCS_HEAD = 400, TAG_LINE = 24, ENTRY_LINE = 48 };

struct tree {
	struct tree_shape shape;
	bool repository;
	bool tagged; /* the repository's files carry the tag */
	bool work;   /* there is a work copy, whole or in part */
};

static int init(struct work *w, struct err *e)
{
	const struct workload_options *o = w->options;
	struct tree *t = calloc(1, sizeof *t);
	if (!t || tree_shape_init(&t->shape, o->seed, (uint32_t)o->tree_files) < 0) {
		free(t);
		return err_sys(e, ENOMEM, "tree of %llu files",
		               (unsigned long long)o->tree_files);
	}
	w->state = t;
	return 0;
}

static void fini(struct work *w)
{
	struct tree *t = w->state;
	tree_shape_fini(&t->shape);
	free(t);
	w->state = NULL;
}

/* Writes size bytes to the file at w->path, made anew. */
static int write_file(struct work *w, uint64_t size, struct err *e)
{
	const struct engine *en = w->engine;
	uint64_t request = w->options->request_size;
	int handle = en->ops->open(en->st, w->path, O_CREAT | O_TRUNC | O_WRONLY, 0644);
	if (handle < 0)
		return work_error(w, e, handle, "creating", WORK_WHOLE_FILE);
	for (uint64_t at = 0, n; at < size && e->code == ERR_NONE; at += n) {
		n = size - at < request ? size - at : request;
		ssize_t r = work_write(w, handle, data_next(&w->data, n), n);
		if (r < 0)
			work_error(w, e, r, "writing", at);
	}
	w->meter.bytes += size;
	w->meter.written += size;
	return work_close(w, handle, false, e);
}

static int read_file(struct work *w, struct err *e)
{
	const struct engine *en = w->engine;
	int handle = en->ops->open(en->st, w->path, O_RDONLY, 0);
	if (handle < 0)
		return work_error(w, e, handle, "opening", WORK_WHOLE_FILE);
	ssize_t n;
	uint64_t bytes = 0;
	while ((n = en->ops->read(en->st, handle, w->buf, w->options->request_size)) >
	       0) {
		w->meter.bytes += (uint64_t)n;
		w->meter.read += (uint64_t)n;
		bytes += (uint64_t)n;
	}
	if (n < 0)
		work_error(w, e, n, "reading", 0);
	else if (bytes == 0) /* all of them have content */
		err_set(e, ERR_ENVIRONMENT, "%s: 0 bytes were read", w->path);
	return work_close(w, handle, false, e);
}

static int make_dir(struct work *w, struct err *e)
{
	int r = w->engine->ops->mkdir(w->engine->st, w->path, 0755);
	return r < 0 ? work_error(w, e, r, "making the folder", WORK_WHOLE_FILE) : 0;
}

static int look_at(struct work *w, struct err *e)
{
	struct stat s;
	int r = w->engine->ops->stat(w->engine->st, w->path, &s);
	return r < 0 ? work_error(w, e, r, "looking at", WORK_WHOLE_FILE) : 0;
}

static int delete_file(struct work *w, struct err *e)
{
	int r = w->engine->ops->unlink(w->engine->st, w->path);
	return r < 0 ? work_error(w, e, r, "deleting", WORK_WHOLE_FILE) : 0;
}

static int move(struct work *w, const char *from, struct err *e)
{
	int r = w->engine->ops->rename(w->engine->st, from, w->path);
	return r < 0 ? work_error(w, e, r, "renaming to", WORK_WHOLE_FILE) : 0;
}

static const struct tree_shape *shape_of(const struct work *w)
{
	const struct tree *t = w->state;
	return &t->shape;
}

static int dir_path(struct work *w, const char *side, uint32_t d, const char *tail,
                    struct err *e)
{
	return work_path(w, e, "tree/%s%s%s", side, shape_of(w)->dirs[d].path, tail);
}

/* fmt takes the file's number: "f%05u.c,v". */
#define FILE_PATH(w, e, side, i, fmt)                                                  \
	work_path(w, e, "tree/" side "%s/" fmt,                                        \
	          shape_of(w)->dirs[shape_of(w)->files[i].dir].path, i)

static uint64_t rcs_size(const struct work *w, uint32_t i)
{
	const struct tree *t = w->state;
	return RCS_HEAD + (t->tagged ? TAG_LINE : 0) + t->shape.files[i].size;
}

static int make_repository(struct work *w, struct err *e)
{
	struct tree *t = w->state;
	if (work_path(w, e, "tree") < 0 || make_dir(w, e) < 0)
		return -1;
	for (uint32_t d = 0; d < t->shape.ndirs; d++)
		if (dir_path(w, "repository", d, "", e) < 0 || make_dir(w, e) < 0)
			return -1;
	for (uint32_t i = 0; i < t->shape.nfiles; i++)
		if (FILE_PATH(w, e, "repository", i, "f%05u.c,v") < 0 ||
		    write_file(w, rcs_size(w, i), e) < 0 || work_stopped(w, e))
			return -1;
	t->repository = true;
	return 0;
}

/* Entries is written by way of a backup file. */
static int write_entries(struct work *w, uint32_t d, struct err *e)
{
	char backup[sizeof w->path];
	const struct tree_dir *dir = &shape_of(w)->dirs[d];
	if (dir_path(w, "work", d, "/CVS/Entries.Backup", e) < 0 ||
	    write_file(w, (uint64_t)ENTRY_LINE * (dir->files + 1), e) < 0)
		return -1;
	memcpy(backup, w->path, sizeof backup);
	return dir_path(w, "work", d, "/CVS/Entries", e) < 0 ? -1 : move(w, backup, e);
}

static int checkout_dir(struct work *w, uint32_t d, struct err *e)
{
	if (dir_path(w, "work", d, "", e) < 0 || make_dir(w, e) < 0 ||
	    dir_path(w, "work", d, "/CVS", e) < 0 || make_dir(w, e) < 0 ||
	    dir_path(w, "work", d, "/CVS/Root", e) < 0 ||
	    write_file(w, ENTRY_LINE, e) < 0 ||
	    dir_path(w, "work", d, "/CVS/Repository", e) < 0 ||
	    write_file(w, ENTRY_LINE, e) < 0)
		return -1;
	return write_entries(w, d, e);
}

static int checkout_file(struct work *w, uint32_t i, struct err *e)
{
	if (FILE_PATH(w, e, "repository", i, "f%05u.c,v") < 0 || read_file(w, e) < 0 ||
	    FILE_PATH(w, e, "work", i, "f%05u.c") < 0)
		return -1;
	return write_file(w, shape_of(w)->files[i].size, e);
}

static int tag_dir(struct work *w, uint32_t d, struct err *e)
{
	static const char *const admin[] = {"/CVS/Root", "/CVS/Repository",
	                                    "/CVS/Entries"};
	for (size_t i = 0; i < sizeof admin / sizeof *admin; i++)
		if (dir_path(w, "work", d, admin[i], e) < 0 || read_file(w, e) < 0)
			return -1;
	return write_entries(w, d, e);
}

static int tag_file(struct work *w, uint32_t i, struct err *e)
{
	char new[sizeof w->path];
	if (FILE_PATH(w, e, "work", i, "f%05u.c") < 0 || look_at(w, e) < 0 ||
	    FILE_PATH(w, e, "repository", i, "f%05u.c,v") < 0 || read_file(w, e) < 0 ||
	    FILE_PATH(w, e, "repository", i, ",f%05u.c,") < 0 ||
	    write_file(w, rcs_size(w, i), e) < 0)
		return -1;
	memcpy(new, w->path, sizeof new);
	if (FILE_PATH(w, e, "repository", i, "f%05u.c,v") < 0)
		return -1;
	return move(w, new, e);
}

static int release_file(struct work *w, uint32_t i, struct err *e)
{
	if (FILE_PATH(w, e, "work", i, "f%05u.c") < 0 || look_at(w, e) < 0)
		return -1;
	return delete_file(w, e);
}

static int release_dir(struct work *w, uint32_t d, struct err *e)
{
	static const char *const admin[] = {"/CVS/Root", "/CVS/Repository",
	                                    "/CVS/Entries"};
	for (size_t i = 0; i < sizeof admin / sizeof *admin; i++)
		if (dir_path(w, "work", d, admin[i], e) < 0 || delete_file(w, e) < 0)
			return -1;
	const char *const dirs[] = {"/CVS", ""};
	for (size_t i = 0; i < 2; i++) {
		if (dir_path(w, "work", d, dirs[i], e) < 0)
			return -1;
		int r = w->engine->ops->rmdir(w->engine->st, w->path);
		if (r < 0)
			return work_error(w, e, r, "deleting the folder",
			                  WORK_WHOLE_FILE);
	}
	return 0;
}

typedef int tree_fn(struct work *w, uint32_t i, struct err *e);

static int each(struct work *w, uint32_t n, bool backwards, bool files, tree_fn *fn,
                struct err *e)
{
	for (uint32_t i = 0; i < n; i++) {
		if (files && i == 0)
			meter_start_unchained(&w->meter); /* behind the folders */
		else if (files)
			meter_start(&w->meter);
		if (fn(w, backwards ? n - 1 - i : i, e) < 0)
			return -1;
		if (files) {
			meter_done(&w->meter);
			meter_count(&w->meter, 0);
		}
		if (work_stopped(w, e))
			return -1;
	}
	return 0;
}

/* Folders before files, or files before folders from the last one up. */
static int step(struct work *w, const char *of, tree_fn *dir, tree_fn *file,
                bool dirs_last, struct err *e)
{
	const struct tree_shape *s = shape_of(w);
	meter_begin(&w->meter, 0, of);
	if (dirs_last || each(w, s->ndirs, false, false, dir, e) == 0)
		if (each(w, s->nfiles, false, true, file, e) == 0 && dirs_last)
			each(w, s->ndirs, true, false, dir, e);
	meter_last_call(&w->meter);
	if (e->code != ERR_NONE)
		return -1;
	meter_end(&w->meter);
	return 0;
}

static int checkout(struct work *w, struct err *e)
{
	struct tree *t = w->state;
	t->work = true;
	return step(w, "file: read NAME,v, write NAME", checkout_dir, checkout_file,
	            false, e);
}

static int tag(struct work *w, struct err *e)
{
	struct tree *t = w->state;
	t->tagged = true;
	return step(w, "file: look at it, rewrite NAME,v", tag_dir, tag_file, false, e);
}

static int untag(struct work *w, struct err *e)
{
	struct tree *t = w->state;
	t->tagged = false;
	return step(w, "file: look at it, rewrite NAME,v", tag_dir, tag_file, false, e);
}

static int release(struct work *w, struct err *e)
{
	struct tree *t = w->state;
	int r = step(w, "file: look at it, delete it", release_dir, release_file, true,
	             e);
	if (r == 0)
		t->work = false;
	return r;
}

/* What a failed step left goes, and the repository is there. */
static int round_begin(struct work *w, struct err *e)
{
	struct tree *t = w->state;
	char foreign[sizeof w->path];
	if (t->work) {
		if (owned_remove(w->engine, w->dir, false, foreign, sizeof foreign, e) <
		    0)
			return -1;
		t->work = t->repository = t->tagged = false;
	}
	return t->repository ? 0 : make_repository(w, e);
}

static int warm_file(struct work *w, const char *side, uint32_t i, bool v,
                     struct err *e)
{
	const struct tree_shape *s = shape_of(w);
	int r = work_path(w, e, "tree/%s%s/f%05u.c%s", side,
	                  s->dirs[s->files[i].dir].path, i, v ? ",v" : "");
	if (r < 0 || read_file(w, e) < 0 || work_stopped(w, e))
		return -1;
	meter_count(&w->meter, 0);
	return 0;
}

static int warm_up(struct work *w, struct err *e)
{
	const struct tree *t = w->state;
	for (uint32_t i = 0; i < t->shape.nfiles; i++)
		if (warm_file(w, "repository", i, true, e) < 0 ||
		    (t->work && warm_file(w, "work", i, false, e) < 0))
			return -1;
	return 0;
}

static const struct workload_phase phases[] = {
        {.name = "checkout", .run = checkout, .reads = true, .names = true},
        {.name = "tag", .run = tag, .reads = true, .names = true},
        {.name = "untag", .run = untag, .reads = true, .names = true},
        {.name = "release", .run = release, .reads = true, .names = true},
};

const struct workload workload_tree = {
        .name = "tree",
        .help = "source-tree work as cvs does it: checkout, tag, untag, release",
        .phases = phases,
        .nphases = sizeof phases / sizeof *phases,
        .init = init,
        .fini = fini,
        .round_begin = round_begin,
        .warm_up = warm_up,
        .rounds = true,
        .independent = true,
};
