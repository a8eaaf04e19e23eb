/* Starts and stops the one cache manager of this process. */
#ifndef ENGINE_AFS_SETUP_H
#define ENGINE_AFS_SETUP_H

#include <jansson.h>

#include "src/base/err.h"
#include "src/engine/engine.h"

struct afs_setup;

/* Checks the cell's configuration, builds afsd's words, starts the daemons.
 * Until stop, standard output is RUNDIR/engine.log: the library prints there.  The
 * cache folder, unless named, is RUNDIR/afs-cache.  Once a process: libuafs cannot
 * restart. */
int afs_setup_start(struct afs_setup **out, const struct engine_options *o,
                    struct err *e);

/* Ends the client and removes a cache folder made by start.  NULL is harmless. */
void afs_setup_stop(struct afs_setup *s);

/* "cell example.org (192.0.2.1, 192.0.2.2)": the cell and its servers of the location
 * database, as CellServDB has them; false where dir is in another cell. */
bool afs_setup_servers(const struct afs_setup *s, const char *dir, char *text,
                       size_t size);

/* {"version", "cell", "client_options": […], "cache_dir"}; a new reference. */
json_t *afs_setup_describe(const struct afs_setup *s);

#endif
