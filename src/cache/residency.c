#include "src/cache/residency.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct walk {
	const struct engine *en;
	residency_fn *fn;
	void *ctx;
	char *names;
	size_t used;
};

static int keep_name(void *ctx, const char *name)
{
	struct walk *k = ctx;
	size_t n = strlen(name) + 1;
	char *more = realloc(k->names, k->used + n);
	if (!more)
		return -ENOMEM;
	memcpy(more + k->used, name, n);
	k->names = more;
	k->used += n;
	return 0;
}

static int stat_of(const struct engine *en, const char *path, struct stat *s)
{
	if (en->ops->caps & ENGINE_MOUNTED)
		return lstat(path, s) < 0 ? -errno : 0;
	return en->ops->stat(en->st, path, s);
}

static int walk_dir(const struct walk *from, const char *dir, int depth)
{
	struct walk k = {.en = from->en, .fn = from->fn, .ctx = from->ctx};
	char path[4096];
	int r = k.en->ops->readdir(k.en->st, dir, keep_name, &k);
	for (const char *p = k.names; r == 0 && p && p < k.names + k.used;
	     p += strlen(p) + 1) {
		struct stat s;
		int n = snprintf(path, sizeof path, "%s/%s", dir, p);
		if (n < 0 || (size_t)n >= sizeof path || stat_of(k.en, path, &s) < 0)
			continue;
		if (S_ISREG(s.st_mode))
			r = k.fn(k.ctx, path);
		else if (S_ISDIR(s.st_mode) && depth > 0)
			r = walk_dir(from, path, depth - 1);
	}
	free(k.names);
	return r;
}

int residency_each(const struct cache_place *p, residency_fn *fn, void *ctx)
{
	enum { DEPTH = 64 };
	struct stat s;
	struct walk k = {.en = p->engine, .fn = fn, .ctx = ctx};
	if (!p->file)
		return walk_dir(&k, p->dir, DEPTH);
	int r = p->engine->ops->stat(p->engine->st, p->file, &s);
	return r == -ENOENT ? 0 : r < 0 ? r : fn(ctx, p->file);
}

struct count {
	const struct engine *en;
	struct residency r;
};

static int count_file(void *ctx, const char *path)
{
	struct count *c = ctx;
	uint64_t pages = 0, in = 0;
	if (c->en->ops->resident(c->en->st, path, &pages, &in) < 0)
		c->r.known = false;
	c->r.files++;
	c->r.pages += pages;
	c->r.in += in;
	return 0;
}

struct residency residency_count(const struct cache_place *p)
{
	struct count c = {.en = p->engine, .r = {.known = true}};
	if (!p->engine->ops->resident || residency_each(p, count_file, &c) < 0)
		c.r.known = false;
	return c.r;
}
