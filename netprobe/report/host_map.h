/* Which addresses belong to one host, as the user knows it: --host-map FILE.  Lines
 * "NAME ADDRESS ADDRESS…"; empty lines and what follows a # do not count. */
#ifndef REPORT_HOST_MAP_H
#define REPORT_HOST_MAP_H

#include "netprobe/decode/addr.h"
#include "src/base/err.h"

#include <stddef.h>

struct host_map_entry {
	struct addr addr;
	size_t name; /* index into names */
};

struct host_map {
	struct host_map_entry *entry; /* by address */
	size_t n;
	char **names;
	size_t n_names;
};

/* Reads the file.  -1 with a message that names file and line; *m is then empty. */
int host_map_read(struct host_map *m, const char *path, struct err *err);
void host_map_free(struct host_map *m);

/* The entry of this address, or NULL. */
const struct host_map_entry *host_map_find(const struct host_map *m,
                                           const struct addr *a);

#endif
