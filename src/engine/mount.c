#include "src/engine/mount.h"

#include <mntent.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

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
