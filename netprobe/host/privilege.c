#include "netprobe/host/privilege.h"

#include <cap-ng.h>

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

static bool read_id(const char *variable, unsigned *id)
{
	const char *text = getenv(variable);
	char *end;
	if (!text || *text < '0' || *text > '9')
		return false;
	unsigned long n = strtoul(text, &end, 10);
	*id = (unsigned)n;
	return *end == '\0' && n < UINT_MAX;
}

struct privilege_owner privilege_owner(const char *path)
{
	struct privilege_owner self = {.uid = geteuid(), .gid = getegid()};
	unsigned uid, gid;
	if (self.uid != 0 || !read_id("SUDO_UID", &uid) || !read_id("SUDO_GID", &gid))
		return self;
	char folder[PATH_MAX];
	const char *slash = strrchr(path, '/');
	int n = slash ? (int)(slash - path) : 0;
	if (!slash)
		snprintf(folder, sizeof folder, ".");
	else
		snprintf(folder, sizeof folder, "%.*s/", n, path);
	struct stat st;
	if (stat(folder, &st) < 0 || (st.st_uid != uid && !(st.st_mode & S_IWOTH)))
		return self;
	return (struct privilege_owner){.uid = uid, .gid = gid};
}

int privilege_drop(struct privilege_owner owner, struct err *err)
{
	bool root = geteuid() == 0;
	capng_clear(CAPNG_SELECT_BOTH);
	int rc = 0;
	if (root && owner.uid != 0)
		rc = capng_change_id((int)owner.uid, (int)owner.gid,
		                     CAPNG_DROP_SUPP_GRP | CAPNG_CLEAR_BOUNDING);
	else if (!root || capng_apply(CAPNG_SELECT_BOTH) != 0)
		rc = capng_apply(
		        CAPNG_SELECT_CAPS); /* all, in a container that has less */
	if (rc == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		rc = -1;
	if (rc != 0)
		return err_set(err, ERR_ENVIRONMENT,
		               "cannot give up privileges (libcap-ng says %d): %s", rc,
		               strerror(errno));
	return 0;
}
