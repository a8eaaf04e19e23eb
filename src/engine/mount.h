/* Facts about the file system under a path. */
#ifndef ENGINE_MOUNT_H
#define ENGINE_MOUNT_H

#include <jansson.h>

/* {"type", "source", "target", "options", "free_bytes", "block_size"}, keys left
 * out where unknown.  Never NULL; a new reference. */
json_t *mount_describe(const char *path);

/* What follows from the kind of the mount, enum engine_caps: ENGINE_NETWORK where its
 * data come through the network interfaces of this host, ENGINE_OWN_CACHE where its
 * client has a cache that the kernel's dropping of pages does not reach.  mount is what
 * mount_describe tells. */
unsigned mount_caps(const json_t *mount);

#endif
