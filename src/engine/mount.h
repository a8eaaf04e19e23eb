/* Facts about the file system under a path. */
#ifndef ENGINE_MOUNT_H
#define ENGINE_MOUNT_H

#include <jansson.h>

/* {"type", "source", "target", "options", "free_bytes", "block_size"}, keys left
 * out where unknown.  Never NULL; a new reference. */
json_t *mount_describe(const char *path);

#endif
