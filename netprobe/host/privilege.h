/* Giving up root once everything is open. */
#ifndef HOST_PRIVILEGE_H
#define HOST_PRIVILEGE_H

#include "src/base/err.h"

#include <sys/types.h>

/* Who to be afterwards, and who files made before shall belong to. */
struct privilege_owner {
	uid_t uid;
	gid_t gid;
};

/* Under sudo: the user who called it, if the folder of `path` is his or anyone's
 * to write into; so that his files are his, and a folder of root's still takes
 * files.  Else who we are. */
struct privilege_owner privilege_owner(const char *path);

/* Becomes owner and gives up every capability, for good. */
int privilege_drop(struct privilege_owner owner, struct err *err);

#endif
