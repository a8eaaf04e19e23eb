#include "src/workload/owned.h"

#include <ctype.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH = 4096, DEPTH = 32 };

static bool all_of(const char *name, size_t n, int (*is)(int))
{
	for (size_t i = 0; i < n; i++)
		if (!is((unsigned char)name[i]))
			return false;
	return n > 0;
}

/* "f00012" or "f00012" and more: a letter and digits. */
static bool numbered(const char *name, char letter, const char **rest)
{
	if (name[0] != letter || !isdigit((unsigned char)name[1]))
		return false;
	*rest = name + 1 + strspn(name + 1, "0123456789");
	return true;
}

static enum owned kind_in_files(const char *name)
{
	size_t n = strlen(name);
	if (n == 5 && all_of(name, n, isdigit))
		return OWNED_DIR;
	return n >= 10 && n <= 22 && all_of(name, n, isalnum) ? OWNED_FILE : OWNED_NOT;
}

static enum owned kind_in_many(const char *name)
{
	const char *rest;
	return numbered(name, 'm', &rest) && *rest == '\0' ? OWNED_FILE : OWNED_NOT;
}

static enum owned kind_in_tree(const char *name)
{
	static const char *const dirs[] = {"work", "repository", "CVS"};
	static const char *const files[] = {"Root", "Repository", "Entries",
	                                    "Entries.Log", "Entries.Backup"};
	const char *rest;
	for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++)
		if (strcmp(name, dirs[i]) == 0)
			return OWNED_DIR;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		if (strcmp(name, files[i]) == 0)
			return OWNED_FILE;
	if (numbered(name, 'd', &rest) && *rest == '\0')
		return OWNED_DIR;
	const char *bare = name[0] == ',' ? name + 1 : name;
	if (!numbered(bare, 'f', &rest))
		return OWNED_NOT;
	return strcmp(rest, ".c") == 0 || strcmp(rest, ".c,v") == 0 ||
	                       (bare != name && strcmp(rest, ".c,") == 0)
	               ? OWNED_FILE
	               : OWNED_NOT;
}

enum owned owned_kind(const char *path)
{
	static const struct folder {
		const char *name;
		enum owned (*kind)(const char *name);
	} folders[] = {{"files", kind_in_files},
	               {"many", kind_in_many},
	               {"tree", kind_in_tree}};
	const char *slash = strrchr(path, '/');
	size_t top = strcspn(path, "/");
	if (!slash && strcmp(path, "data") == 0)
		return OWNED_FILE;
	if (strcmp(path, "command") == 0)
		return OWNED_ANYTHING;
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		if (strlen(folders[i].name) == top &&
		    memcmp(folders[i].name, path, top) == 0)
			return slash ? folders[i].kind(slash + 1) : OWNED_DIR;
	return OWNED_NOT;
}

struct walk {
	const struct engine *en;
	size_t root; /* length of the work folder's path */
	bool remove;
	char *foreign;
	size_t size;
	bool found;
	int depth;
	const char *dir;
	int error;
	char failed[PATH];
};

static int visit(void *ctx, const char *name);

static void note_foreign(struct walk *k, const char *path)
{
	if (!k->found)
		snprintf(k->foreign, k->size, "%s", path);
	k->found = true;
}

static void note_error(struct walk *k, int result, const char *path)
{
	if (result >= 0 || result == -ENOENT || k->error)
		return;
	k->error = result;
	snprintf(k->failed, sizeof k->failed, "%s", path);
}

/* Where others can reach, a link may stand where a folder should. */
static bool is_folder(const struct engine *en, const char *path)
{
	struct stat s;
	return !(en->ops->caps & ENGINE_MOUNTED) ||
	       (lstat(path, &s) == 0 && S_ISDIR(s.st_mode));
}

/* Of a mounted file system. */
static bool is_there(const char *path)
{
	struct stat s;
	return lstat(path, &s) == 0 || errno != ENOENT;
}

static int name_next(void *ctx, const char *name)
{
	char **end = ctx;
	size_t used = end[1] ? (size_t)(end[1] - end[0]) : 0, n = strlen(name) + 1;
	char *more = realloc(end[0], used + n);
	if (!more)
		return -ENOMEM;
	memcpy(more + used, name, n);
	end[0] = more;
	end[1] = more + used + n;
	return 0;
}

/* Removing while reading confuses some file systems: names are copied first. */
static void walk_dir(struct walk *k, const char *path)
{
	const struct engine *en = k->en;
	char *names[2] = {NULL, NULL};
	if (!is_folder(en, path)) {
		if (is_there(path))
			note_foreign(k, path);
		return;
	}
	note_error(k, en->ops->readdir(en->st, path, name_next, names), path);
	const char *was = k->dir;
	k->dir = path;
	k->depth++;
	for (const char *p = names[0]; p && p < names[1] && k->depth < DEPTH;
	     p += strlen(p) + 1)
		visit(k, p);
	k->depth--;
	k->dir = was;
	free(names[0]);
}

static int visit(void *ctx, const char *name)
{
	struct walk *k = ctx;
	const struct engine *en = k->en;
	char path[PATH];
	int n = snprintf(path, sizeof path, "%s/%s", k->dir, name), r = 0;
	if (n < 0 || (size_t)n >= sizeof path)
		return 0;
	enum owned kind = owned_kind(path + k->root + 1);
	if (kind == OWNED_NOT)
		note_foreign(k, path);
	if (kind == OWNED_ANYTHING && k->remove && (en->ops->caps & ENGINE_MOUNTED) &&
	    is_folder(en, path))
		r = owned_empty(path);
	if (kind == OWNED_DIR)
		walk_dir(k, path);
	if (k->remove && r == 0 && kind == OWNED_FILE)
		r = en->ops->unlink(en->st, path);
	else if (k->remove && r == 0 && kind != OWNED_NOT && is_folder(en, path))
		r = en->ops->rmdir(en->st, path);
	note_error(k, r == -ENOTEMPTY && k->found ? 0 : r, path);
	return 0;
}

int owned_remove(const struct engine *en, const char *dir, bool strict, char *foreign,
                 size_t size, struct err *e)
{
	struct walk k = {
	        .en = en, .root = strlen(dir), .foreign = foreign, .size = size};
	char why[128];
	foreign[0] = '\0';
	if (strict)
		walk_dir(&k, dir);
	if (strict && k.found)
		return 1;
	k.remove = true;
	walk_dir(&k, dir);
	if (k.error)
		return err_set(e, ERR_ENVIRONMENT, "cannot remove %s: %s", k.failed,
		               strerror_r(-k.error, why, sizeof why));
	return k.found ? 1 : 0;
}

static int remove_entry(const char *path, const struct stat *s, int type, struct FTW *w)
{
	(void)s;
	if (w->level == 0)
		return 0;
	int r = type == FTW_DP || type == FTW_DNR ? rmdir(path) : unlink(path);
	return r < 0 ? -errno : 0;
}

int owned_empty(const char *dir)
{
	int r = nftw(dir, remove_entry, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
	return r == -1 ? -errno : r;
}
