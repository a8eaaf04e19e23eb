/* Visits the files of a work folder, and counts their pages. */
#ifndef CACHE_RESIDENCY_H
#define CACHE_RESIDENCY_H

#include "src/cache/cold.h"

typedef int residency_fn(void *ctx, const char *path);

/* Calls fn for each file of the place; links are not followed.  Non-zero ends the
 * walk and is returned.  0 or -errno. */
int residency_each(const struct cache_place *p, residency_fn *fn, void *ctx);

struct residency {
	uint64_t files, pages, in; /* in: of pages, those in the client's cache */
	bool known;
};

struct residency residency_count(const struct cache_place *p);

#endif
