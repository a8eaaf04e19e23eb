/* The shape of a source tree: folders and files with sizes, told by a seed. */
#ifndef WORKLOAD_TREE_SHAPE_H
#define WORKLOAD_TREE_SHAPE_H

#include <stdint.h>

enum { TREE_DEPTH = 8, TREE_PATH = 64 };

struct tree_dir {
	uint32_t parent; /* of the root: itself */
	uint32_t depth;
	uint32_t first, files; /* its files: a range */
	char path[TREE_PATH];  /* "/d1/d12"; "" the root */
};

struct tree_file {
	uint32_t dir;
	uint32_t size; /* bytes */
};

struct tree_shape {
	struct tree_dir *dirs; /* a parent before its children; the first is the root */
	uint32_t ndirs;
	struct tree_file *files; /* folder by folder */
	uint32_t nfiles;
	uint64_t bytes; /* of all files */
};

/* The same tree for the same seed and number of files (at least 1) anywhere.
 * 0, or -1 where memory is out. */
int tree_shape_init(struct tree_shape *t, uint64_t seed, uint32_t nfiles);
void tree_shape_fini(struct tree_shape *t);

#endif
