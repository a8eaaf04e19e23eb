/* The names and bytes of the null engine: files and folders in memory. */
#ifndef ENGINE_NULL_FILES_H
#define ENGINE_NULL_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/engine/engine.h"

struct null_node {
	struct null_node *chain;  /* of its bucket */
	struct null_node *parent; /* NULL: the root folder */
	struct null_node *first;  /* of a folder's entries, newest first */
	struct null_node *next, **back;
	bool is_dir;
	unsigned users; /* open handles; an unlinked node lives until the last */
	bool unlinked;
	char *bytes;
	size_t size, room;
	char path[];
};

struct null_files {
	struct null_node **bucket;
};

/* Begins with the folder root.  0 or -ENOMEM. */
int null_files_init(struct null_files *f, const char *root);
void null_files_fini(struct null_files *f);

struct null_node *null_files_find(const struct null_files *f, const char *path);

/* Adds a file or folder.  0, -ENOENT where there is no folder to put it in,
 * -EEXIST, -ENOMEM. */
int null_files_add(struct null_files *f, const char *path, bool is_dir,
                   struct null_node **out);

/* Takes the name away; the bytes stay while the node has users. */
void null_files_unlink(struct null_files *f, struct null_node *n);

/* A user of the node is gone. */
void null_files_release(struct null_node *n);

/* Makes room for size bytes.  0 or -ENOSPC. */
int null_files_grow(struct null_node *n, size_t size);

/* The name of a node within its folder. */
const char *null_files_name(const struct null_node *n);

#endif
