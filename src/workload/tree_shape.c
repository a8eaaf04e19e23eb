#include "src/workload/tree_shape.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/base/rng.h"

enum { FILES_PER_DIR = 9 };

/* Sizes of source files: about log-normal, median 4 KiB, mean 12 KiB, a few large
 * ones.  Whole numbers only, so that every machine has the same tree. */
static const struct quantile {
	uint32_t share; /* per mille of the files that are no larger */
	uint32_t bytes;
} sizes[] = {
        {0, 30},      {50, 260},    {250, 1600},   {500, 4096},    {750, 10400},
        {900, 24000}, {970, 60000}, {995, 150000}, {1000, 400000},
};

static uint32_t file_size(struct rng *r)
{
	uint32_t at = (uint32_t)rng_below(r, 1000), i = 1;
	while (sizes[i].share <= at)
		i++;
	uint32_t low = sizes[i - 1].bytes, span = sizes[i].bytes - low;
	return low + (uint32_t)rng_below(r, span);
}

/* Half of the folders go below one of the last few, so that trees grow deep as
 * well as wide. */
static uint32_t parent_of(const struct tree_shape *t, uint32_t i, struct rng *r)
{
	uint32_t recent = i < 4 ? i : 4;
	uint32_t p = rng_below(r, 2) ? (uint32_t)rng_below(r, i)
	                             : i - 1 - (uint32_t)rng_below(r, recent);
	while (t->dirs[p].depth >= TREE_DEPTH - 1)
		p = t->dirs[p].parent;
	return p;
}

static void grow_dirs(struct tree_shape *t, struct rng *r)
{
	for (uint32_t i = 1; i < t->ndirs; i++) {
		struct tree_dir *d = &t->dirs[i];
		d->parent = parent_of(t, i, r);
		d->depth = t->dirs[d->parent].depth + 1;
		int n = snprintf(d->path, sizeof d->path, "%s/d%u",
		                 t->dirs[d->parent].path, i);
		if (n < 0 ||
		    (size_t)n >= sizeof d->path) { /* too deep: below the root */
			d->parent = 0;
			d->depth = 1;
			snprintf(d->path, sizeof d->path, "/d%u", i);
		}
	}
}

int tree_shape_init(struct tree_shape *t, uint64_t seed, uint32_t nfiles)
{
	struct rng r = rng_init(rng_mix(seed) ^ nfiles);
	*t = (struct tree_shape){.ndirs = nfiles / FILES_PER_DIR + 1, .nfiles = nfiles};
	t->dirs = calloc(t->ndirs, sizeof *t->dirs);
	t->files = calloc(nfiles, sizeof *t->files);
	if (!t->dirs || !t->files) {
		tree_shape_fini(t);
		return -1;
	}
	grow_dirs(t, &r);
	for (uint32_t i = 0; i < nfiles; i++)
		t->dirs[rng_below(&r, t->ndirs)].files++;
	uint32_t next = 0;
	for (uint32_t d = 0; d < t->ndirs; d++) {
		t->dirs[d].first = next;
		for (uint32_t i = 0; i < t->dirs[d].files; i++, next++) {
			t->files[next] =
			        (struct tree_file){.dir = d, .size = file_size(&r)};
			t->bytes += t->files[next].size;
		}
	}
	return 0;
}

void tree_shape_fini(struct tree_shape *t)
{
	free(t->dirs);
	free(t->files);
	*t = (struct tree_shape){0};
}
