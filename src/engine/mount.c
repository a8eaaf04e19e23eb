#include "src/engine/mount.h"

#include <mntent.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "src/engine/engine.h"

/* The mount that covers a path is the last one listed whose folder is on the
 * path's device: later mounts cover earlier ones. */
static void add_mount(json_t *o, const char *path)
{
	struct stat at, s;
	FILE *f = setmntent("/proc/self/mounts", "r");
	if (!f)
		return;
	struct mntent m;
	char buf[4096];
	size_t best = 0;
	if (stat(path, &at) == 0)
		while (getmntent_r(f, &m, buf, sizeof buf)) {
			size_t n = strlen(m.mnt_dir);
			if (n < best || strncmp(path, m.mnt_dir, n) != 0 ||
			    (n > 1 && path[n] != '/' && path[n] != '\0'))
				continue;
			if (stat(m.mnt_dir, &s) < 0 || s.st_dev != at.st_dev)
				continue;
			best = n;
			json_object_set_new(o, "type", json_string(m.mnt_type));
			json_object_set_new(o, "source", json_string(m.mnt_fsname));
			json_object_set_new(o, "target", json_string(m.mnt_dir));
			json_object_set_new(o, "options", json_string(m.mnt_opts));
		}
	endmntent(f);
}

json_t *mount_describe(const char *path)
{
	json_t *o = json_object();
	struct statvfs v;
	add_mount(o, path);
	if (statvfs(path, &v) == 0) {
		json_object_set_new(
		        o, "free_bytes",
		        json_integer((json_int_t)(v.f_bavail * v.f_frsize)));
		json_object_set_new(o, "block_size",
		                    json_integer((json_int_t)v.f_bsize));
	}
	return o;
}

static const struct mount_kind {
	const char *type, *source; /* source NULL: any */
	unsigned caps;
} kinds[] = {
        {"afs", NULL, ENGINE_NETWORK | ENGINE_OWN_CACHE},   /* OpenAFS, kAFS */
        {"fuse", "AFS", ENGINE_NETWORK | ENGINE_OWN_CACHE}, /* afsd.fuse */
        {"nfs", NULL, ENGINE_NETWORK},
        {"nfs4", NULL, ENGINE_NETWORK},
        {"cifs", NULL, ENGINE_NETWORK},
        {"smb3", NULL, ENGINE_NETWORK},
        {"ceph", NULL, ENGINE_NETWORK},
        {"fuse.sshfs", NULL, ENGINE_NETWORK},
};

static const char *text_of(const json_t *mount, const char *key)
{
	const char *text = json_string_value(json_object_get(mount, key));
	return text ? text : "";
}

static bool has_option(const json_t *mount, const char *option)
{
	const struct mntent m = {.mnt_opts =
	                                 (char *)(uintptr_t)text_of(mount, "options")};
	return hasmntopt(&m, option) != NULL;
}

unsigned mount_caps(const json_t *mount)
{
	const char *type = text_of(mount, "type"), *source = text_of(mount, "source");
	unsigned caps = 0;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strcmp(type, kinds[i].type) == 0 &&
		    (!kinds[i].source || strcmp(source, kinds[i].source) == 0))
			caps = kinds[i].caps;
	/* By RDMA, what comes is not counted by the interfaces. */
	if (has_option(mount, "rdma") ||
	    strstr(text_of(mount, "options"), "proto=rdma"))
		caps &= ~(unsigned)ENGINE_NETWORK;
	return has_option(mount, "fsc") ? caps | ENGINE_OWN_CACHE : caps; /* fscache */
}
