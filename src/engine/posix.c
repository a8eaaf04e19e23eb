/* The engine for anything that is mounted. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "src/engine/engine.h"
#include "src/engine/mount.h"

struct posix {
	char *dir;
	unsigned caps; /* of the mount */
	int folder;    /* that was entered; -1: none */
	char entered[4096];
	size_t entered_len;
};

static int result(int r)
{
	return r < 0 ? -errno : r;
}

static int posix_start(const struct engine_options *o, void **st, struct err *e)
{
	struct posix *p = calloc(1, sizeof *p);
	if (!p)
		return err_sys(e, ENOMEM, "posix engine");
	p->folder = -1;
	p->dir = realpath(o->dir, NULL);
	if (!p->dir) {
		err_sys(e, errno, "cannot work in %s", o->dir);
		free(p);
		return -1;
	}
	json_t *mount = mount_describe(p->dir);
	p->caps = mount_caps(mount);
	json_decref(mount);
	*st = p;
	return 0;
}

static void posix_enter(void *st, const char *dir)
{
	struct posix *p = st;
	if (p->folder >= 0)
		close(p->folder);
	p->folder = -1;
	p->entered_len = dir ? strlen(dir) : 0;
	if (!dir || p->entered_len >= sizeof p->entered)
		return;
	memcpy(p->entered, dir, p->entered_len);
	p->folder = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static void posix_stop(void *st)
{
	struct posix *p = st;
	posix_enter(p, NULL);
	free(p->dir);
	free(p);
}

/* Where the walk along *path begins; shortens it. */
static int from(const struct posix *p, const char **path)
{
	if (p->folder < 0 || strncmp(*path, p->entered, p->entered_len) != 0 ||
	    (*path)[p->entered_len] != '/')
		return AT_FDCWD;
	*path += p->entered_len + 1;
	return p->folder;
}

static int posix_open(void *st, const char *path, int flags, mode_t mode)
{
	int folder = from(st, &path);
	return result(openat(folder, path, flags | O_CLOEXEC, mode));
}

static int posix_close(void *st, int handle)
{
	(void)st;
	return result(close(handle));
}

static ssize_t posix_read(void *st, int handle, void *buf, size_t n)
{
	(void)st;
	ssize_t r = read(handle, buf, n);
	return r < 0 ? -errno : r;
}

static ssize_t posix_write(void *st, int handle, const void *buf, size_t n)
{
	(void)st;
	ssize_t r = write(handle, buf, n);
	return r < 0 ? -errno : r;
}

static ssize_t posix_pread(void *st, int handle, void *buf, size_t n, int64_t at)
{
	(void)st;
	ssize_t r = pread(handle, buf, n, at);
	return r < 0 ? -errno : r;
}

static ssize_t posix_pwrite(void *st, int handle, const void *buf, size_t n, int64_t at)
{
	(void)st;
	ssize_t r = pwrite(handle, buf, n, at);
	return r < 0 ? -errno : r;
}

static int64_t posix_seek(void *st, int handle, int64_t offset, int whence)
{
	(void)st;
	off_t r = lseek(handle, offset, whence);
	return r < 0 ? -errno : r;
}

static int posix_fsync(void *st, int handle)
{
	(void)st;
	return result(fsync(handle));
}

static int posix_unlink(void *st, const char *path)
{
	int folder = from(st, &path);
	return result(unlinkat(folder, path, 0));
}

static int posix_mkdir(void *st, const char *path, mode_t mode)
{
	int folder = from(st, &path);
	return result(mkdirat(folder, path, mode));
}

static int posix_rmdir(void *st, const char *path)
{
	int folder = from(st, &path);
	return result(unlinkat(folder, path, AT_REMOVEDIR));
}

static int posix_rename(void *st, const char *old, const char *new)
{
	int from_folder = from(st, &old), to_folder = from(st, &new);
	return result(renameat(from_folder, old, to_folder, new));
}

static int posix_stat(void *st, const char *path, struct stat *out)
{
	int folder = from(st, &path);
	return result(fstatat(folder, path, out, 0));
}

static int posix_readdir(void *st, const char *path, engine_dir_fn *each, void *ctx)
{
	(void)st;
	DIR *d = opendir(path);
	if (!d)
		return -errno;
	int r = 0;
	while (r == 0) {
		errno = 0;
		const struct dirent *entry = readdir(d);
		if (!entry) {
			r = -errno;
			break;
		}
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			r = each(ctx, entry->d_name);
	}
	closedir(d);
	return r;
}

/* Pages of the file that the page cache holds (mincore), or -errno. */
static int64_t resident_pages(int fd, size_t size, uint64_t *pages)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	*pages = (size + page - 1) / page;
	if (*pages == 0)
		return 0;
	void *map = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	unsigned char *vec = malloc(*pages);
	int64_t r = 0;
	if (map == MAP_FAILED || !vec || mincore(map, size, vec) < 0)
		r = -errno;
	for (size_t i = 0; r >= 0 && i < *pages; i++)
		r += vec[i] & 1;
	free(vec);
	if (map != MAP_FAILED)
		munmap(map, size);
	return r;
}

/* fadvise drops clean pages only, hence the fsync; file systems that live in
 * the page cache (tmpfs) keep theirs, which mincore then shows. */
static int posix_drop(void *st, const char *path, struct engine_drop *out)
{
	(void)st;
	snprintf(out->means, sizeof out->means, "fsync, posix_fadvise(DONTNEED)");
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	struct stat s;
	int64_t before = -EIO, after = -EIO;
	if (fstat(fd, &s) == 0 && fsync(fd) == 0) {
		before = resident_pages(fd, (size_t)s.st_size, &out->pages);
		int r = posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
		after = r ? -r : resident_pages(fd, (size_t)s.st_size, &out->pages);
	} else {
		before = after = -errno;
	}
	close(fd);
	if (after < 0) {
		snprintf(out->proof, sizeof out->proof, "%s", strerror((int)-after));
		return (int)after;
	}
	out->before = before > 0 ? (uint64_t)before : 0;
	out->after = (uint64_t)after;
	out->proven = after == 0;
	snprintf(out->proof, sizeof out->proof,
	         "%lld of %llu pages resident before, %lld after", (long long)before,
	         (unsigned long long)out->pages, (long long)after);
	return 0;
}

static int posix_resident(void *st, const char *path, uint64_t *pages, uint64_t *in)
{
	(void)st;
	struct stat s;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	int64_t r = fstat(fd, &s) < 0 ? -errno
	                              : resident_pages(fd, (size_t)s.st_size, pages);
	close(fd);
	*in = r > 0 ? (uint64_t)r : 0;
	return r < 0 ? (int)r : 0;
}

static unsigned posix_caps_here(void *st)
{
	const struct posix *p = st;
	return p->caps;
}

static json_t *posix_describe(void *st)
{
	const struct posix *p = st;
	return json_pack("{s:s, s:o}", "dir", p->dir, "mount", mount_describe(p->dir));
}

const struct engine_ops engine_posix = {
        .name = "posix",
        .help = "any mounted file system: kernel AFS, kAFS, afsd.fuse, NFS, a disk",
        .caps = ENGINE_CAN_DROP | ENGINE_THREADS | ENGINE_MOUNTED,
        .start = posix_start,
        .stop = posix_stop,
        .open = posix_open,
        .close = posix_close,
        .read = posix_read,
        .write = posix_write,
        .pread = posix_pread,
        .pwrite = posix_pwrite,
        .seek = posix_seek,
        .fsync = posix_fsync,
        .unlink = posix_unlink,
        .mkdir = posix_mkdir,
        .rmdir = posix_rmdir,
        .rename = posix_rename,
        .stat = posix_stat,
        .readdir = posix_readdir,
        .enter = posix_enter,
        .drop = posix_drop,
        .resident = posix_resident,
        .caps_here = posix_caps_here,
        .describe = posix_describe,
};
