/* The engine of the OpenAFS cache manager itself: one process is one AFS
 * client, with its own cache and UDP port; no mount, no FUSE, no root.
 *
 * Positions are kept here: the library's own are moved by pread and limited to
 * 31 bits by its lseek. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/engine/afs_setup.h"
#include "src/engine/afs_uafs.h"
#include "src/engine/engine.h"

struct afs {
	struct afs_setup *setup;
	char *dir;
	bool drop_file;
	int64_t at[UAFS_HANDLES];
	struct watch watch;
};

/* The library does not write to its paths and buffers but does not say so. */
static char *unconst(const void *p)
{
	union {
		const void *c;
		char *m;
	} u = {.c = p};
	return u.m;
}

static int result(int r)
{
	if (r >= 0)
		return r;
	return errno > 0 ? -errno : -EIO;
}

static void begin(void *st)
{
	struct afs *a = st;
	watch_begin(&a->watch);
}

/* The call that began is over, with r. */
static int done(void *st, int r)
{
	struct afs *a = st;
	watch_end(&a->watch);
	return result(r);
}

/* "cell example.org (192.0.2.1)", or the folder where that is another cell's. */
static void watch_servers(struct afs *a, const struct engine_options *o)
{
	char who[256];
	if (!o->watch.received)
		return;
	if (!afs_setup_servers(a->setup, a->dir, who, sizeof who))
		snprintf(who, sizeof who, "%s", a->dir);
	watch_start(&a->watch, &o->watch, who);
}

static int afs_start(const struct engine_options *o, void **st, struct err *e)
{
	struct afs *a = calloc(1, sizeof *a);
	if (!a || !(a->dir = strdup(o->dir))) {
		free(a);
		return err_sys(e, ENOMEM, "afs engine");
	}
	if (afs_setup_start(&a->setup, o, e) < 0) {
		free(a->dir);
		free(a);
		return -1;
	}
	struct stat s;
	watch_servers(a, o);
	begin(a);
	int r = done(a, uafs_stat(a->dir, &s));
	if (r < 0) {
		watch_stop(&a->watch);
		err_sys(e, -r,
		        "cannot reach %s; is the cell's server up, and does the "
		        "volume exist?",
		        a->dir);
		afs_setup_stop(a->setup);
		free(a->dir);
		free(a);
		return -1;
	}
	a->drop_file = o->afs.drop_file;
	*st = a;
	return 0;
}

static void afs_stop(void *st)
{
	struct afs *a = st;
	watch_stop(&a->watch);
	afs_setup_stop(a->setup);
	free(a->dir);
	free(a);
}

static int afs_open(void *st, const char *path, int flags, mode_t mode)
{
	struct afs *a = st;
	begin(a);
	int fd = uafs_open(unconst(path), flags, (int)mode);
	if (fd >= 0)
		a->at[fd] = 0;
	return done(a, fd);
}

static int afs_close(void *st, int handle)
{
	begin(st);
	return done(st, uafs_close(handle));
}

static bool is_handle(int handle)
{
	return handle >= 0 && handle < UAFS_HANDLES;
}

static ssize_t afs_pread(void *st, int handle, void *buf, size_t n, int64_t at)
{
	if (!is_handle(handle))
		return -EBADF;
	begin(st);
	return done(st, uafs_pread(handle, buf, n > INT_MAX ? INT_MAX : (int)n, at));
}

static ssize_t afs_pwrite(void *st, int handle, const void *buf, size_t n, int64_t at)
{
	if (!is_handle(handle))
		return -EBADF;
	begin(st);
	return done(st, uafs_pwrite(handle, unconst(buf),
	                            n > INT_MAX ? INT_MAX : (int)n, at));
}

static ssize_t afs_read(void *st, int handle, void *buf, size_t n)
{
	struct afs *a = st;
	if (!is_handle(handle))
		return -EBADF;
	ssize_t r = afs_pread(st, handle, buf, n, a->at[handle]);
	if (r > 0)
		a->at[handle] += r;
	return r;
}

static ssize_t afs_write(void *st, int handle, const void *buf, size_t n)
{
	struct afs *a = st;
	if (!is_handle(handle))
		return -EBADF;
	ssize_t r = afs_pwrite(st, handle, buf, n, a->at[handle]);
	if (r > 0)
		a->at[handle] += r;
	return r;
}

static int64_t afs_seek(void *st, int handle, int64_t offset, int whence)
{
	struct afs *a = st;
	struct stat s = {0};
	if (!is_handle(handle))
		return -EBADF;
	if (whence == SEEK_END && uafs_fstat(handle, &s) < 0)
		return result(-1);
	int64_t from = whence == SEEK_SET   ? 0
	               : whence == SEEK_CUR ? a->at[handle]
	                                    : s.st_size;
	if (from + offset < 0)
		return -EINVAL;
	return a->at[handle] = from + offset;
}

static int afs_fsync(void *st, int handle)
{
	if (!is_handle(handle))
		return -EBADF;
	begin(st);
	return done(st, uafs_fsync(handle));
}

static int afs_unlink(void *st, const char *path)
{
	begin(st);
	return done(st, uafs_unlink(unconst(path)));
}

static int afs_mkdir(void *st, const char *path, mode_t mode)
{
	begin(st);
	return done(st, uafs_mkdir(unconst(path), (int)mode));
}

static int afs_rmdir(void *st, const char *path)
{
	begin(st);
	return done(st, uafs_rmdir(unconst(path)));
}

static int afs_rename(void *st, const char *from, const char *to)
{
	begin(st);
	return done(st, uafs_rename(unconst(from), unconst(to)));
}

static int afs_stat(void *st, const char *path, struct stat *out)
{
	begin(st);
	return done(st, uafs_stat(unconst(path), out));
}

static int afs_readdir(void *st, const char *path, engine_dir_fn *each, void *ctx)
{
	begin(st);
	void *d = uafs_opendir(unconst(path));
	int r = done(st, d ? 0 : -1);
	while (r == 0) {
		begin(st);
		errno = 0;
		const struct uafs_dirent *entry = uafs_readdir(d);
		done(st, 0);
		if (!entry) {
			r = -errno;
			break;
		}
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			r = each(ctx, entry->d_name);
	}
	if (d)
		uafs_closedir(d);
	return r;
}

/* The pioctl's answer is all that the client says (its figure of cache use falls
 * only when chunks are used again); the bytes received are the proof. */
static int afs_drop(void *st, const char *path, struct engine_drop *out)
{
	const struct afs *a = st;
	struct uafs_iob iob = {0};
	const char *means = a->drop_file ? "flush" : "flushvolume";
	snprintf(out->means, sizeof out->means, "%s", means);
	int r = call_syscall(UAFS_CALL_PIOCTL, (long)path,
	                     a->drop_file ? UAFS_FLUSH : UAFS_FLUSH_VOLUME, (long)&iob,
	                     0, 0);
	if (r != 0) {
		snprintf(out->proof, sizeof out->proof, "the cache manager refused it");
		return r > 0 ? -r : result(r);
	}
	out->proven = true;
	snprintf(out->proof, sizeof out->proof, "%s answered 0", means);
	return 0;
}

static json_t *afs_describe(void *st)
{
	const struct afs *a = st;
	json_t *o = afs_setup_describe(a->setup);
	json_object_set_new(o, "dir", json_string(a->dir));
	return o;
}

const struct engine_ops engine_afs = {
        .name = "afs",
        .help = "an AFS volume, through the OpenAFS cache manager in this process "
                "(libuafs)",
        .caps = ENGINE_CAN_DROP | ENGINE_CLOSE_STORES | ENGINE_IN_PROCESS |
                ENGINE_NETWORK | ENGINE_THREADS | ENGINE_DROPS_ALL,
        .start = afs_start,
        .stop = afs_stop,
        .open = afs_open,
        .close = afs_close,
        .read = afs_read,
        .write = afs_write,
        .pread = afs_pread,
        .pwrite = afs_pwrite,
        .seek = afs_seek,
        .fsync = afs_fsync,
        .unlink = afs_unlink,
        .mkdir = afs_mkdir,
        .rmdir = afs_rmdir,
        .rename = afs_rename,
        .stat = afs_stat,
        .readdir = afs_readdir,
        .drop = afs_drop,
        .describe = afs_describe,
};
