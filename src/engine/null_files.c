#include "src/engine/null_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1 << 14 };

static size_t bucket_of(const char *path)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
	for (; *path; path++)
		h = (h ^ (uint8_t)*path) * UINT64_C(0x100000001b3);
	return (size_t)(h ^ h >> 32) % BUCKETS;
}

struct null_node *null_files_find(const struct null_files *f, const char *path)
{
	struct null_node *n = f->bucket[bucket_of(path)];
	while (n && strcmp(n->path, path) != 0)
		n = n->chain;
	return n;
}

static struct null_node *add_node(struct null_files *f, struct null_node *parent,
                                  const char *path, bool is_dir)
{
	size_t room = strlen(path) + 1;
	struct null_node *n = calloc(1, sizeof *n + room);
	if (!n)
		return NULL;
	memcpy(n->path, path, room);
	n->is_dir = is_dir;
	n->parent = parent;
	if (parent) {
		n->next = parent->first;
		n->back = &parent->first;
		if (n->next)
			n->next->back = &n->next;
		parent->first = n;
	}
	struct null_node **bucket = &f->bucket[bucket_of(path)];
	n->chain = *bucket;
	*bucket = n;
	return n;
}

int null_files_init(struct null_files *f, const char *root)
{
	f->bucket = calloc(BUCKETS, sizeof *f->bucket);
	if (f->bucket && add_node(f, NULL, root, true))
		return 0;
	free(f->bucket);
	f->bucket = NULL;
	return -ENOMEM;
}

static void free_node(struct null_node *n)
{
	free(n->bytes);
	free(n);
}

void null_files_fini(struct null_files *f)
{
	for (size_t i = 0; f->bucket && i < BUCKETS; i++)
		for (struct null_node *n = f->bucket[i], *chain; n; n = chain) {
			chain = n->chain;
			free_node(n);
		}
	free(f->bucket);
	f->bucket = NULL;
}

int null_files_add(struct null_files *f, const char *path, bool is_dir,
                   struct null_node **out)
{
	const char *slash = strrchr(path, '/');
	if (null_files_find(f, path))
		return -EEXIST;
	char *above = slash ? strndup(path, (size_t)(slash - path)) : NULL;
	struct null_node *parent = above ? null_files_find(f, above) : NULL;
	free(above);
	if (!parent || !parent->is_dir)
		return -ENOENT;
	*out = add_node(f, parent, path, is_dir);
	return *out ? 0 : -ENOMEM;
}

void null_files_unlink(struct null_files *f, struct null_node *n)
{
	struct null_node **p = &f->bucket[bucket_of(n->path)];
	while (*p != n)
		p = &(*p)->chain;
	*p = n->chain;
	if (n->back) {
		*n->back = n->next;
		if (n->next)
			n->next->back = n->back;
	}
	n->unlinked = true;
	if (n->users == 0)
		free_node(n);
}

void null_files_release(struct null_node *n)
{
	if (--n->users == 0 && n->unlinked)
		free_node(n);
}

int null_files_grow(struct null_node *n, size_t size)
{
	if (size <= n->room)
		return 0;
	size_t room = n->room ? n->room : 64;
	while (room < size)
		room *= 2;
	char *bytes = realloc(n->bytes, room);
	if (!bytes)
		return -ENOSPC;
	memset(bytes + n->room, 0, room - n->room);
	n->bytes = bytes;
	n->room = room;
	return 0;
}

const char *null_files_name(const struct null_node *n)
{
	const char *slash = strrchr(n->path, '/');
	return slash ? slash + 1 : n->path;
}
