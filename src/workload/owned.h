/* What a run makes in its work folder, told by the names: so that a later process
 * can remove what a killed run left, and nothing else. */
#ifndef WORKLOAD_OWNED_H
#define WORKLOAD_OWNED_H

#include "src/base/err.h"
#include "src/engine/engine.h"

enum owned { OWNED_NOT, OWNED_FILE, OWNED_DIR, OWNED_ANYTHING };

/* What stands at path (relative to the work folder, not empty) if a workload made
 * it.  OWNED_ANYTHING: a folder in which commands of the user worked. */
enum owned owned_kind(const char *path);

/* Removes the content of the work folder dir that a run made.  0; 1 where other
 * things are left, the first of which is named in foreign (size bytes); -1 and e.
 * strict: where there is something foreign, nothing is removed. */
int owned_remove(const struct engine *en, const char *dir, bool strict, char *foreign,
                 size_t size, struct err *e);

/* Removes everything below the folder dir of a mounted file system, following no
 * link and leaving mounts alone.  0 or -errno. */
int owned_empty(const char *dir);

#endif
