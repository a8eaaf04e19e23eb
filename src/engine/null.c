/* Files in memory with programmable delay and failure: to test the driver, and
 * to see what the driver itself costs. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/base/clock.h"
#include "src/engine/engine.h"
#include "src/engine/null_files.h"

enum { HANDLES = 1024 };

struct handle {
	struct null_node *node; /* NULL: not in use */
	int64_t at;
	int64_t overslept_ns; /* by how much its last delay was too long */
};

/* Threads may use it together: delays are waited for outside of the lock. */
struct null {
	struct null_options o;
	pthread_mutex_t lock;
	struct null_files files;
	struct handle handles[HANDLES];
	uint64_t count[ENGINE_OP_COUNT];
	int64_t overslept_ns; /* of operations without a handle */
	char root[];
};

/* Timer slack wakes sleepers late, so the last part is waited for awake. */
static int64_t wait_until(int64_t due)
{
	enum { AWAKE_NS = 150000 };
	int64_t now = clock_mono_ns(), wake = due - AWAKE_NS;
	struct timespec t = {wake / NS_PER_S, wake % NS_PER_S};
	if (now < wake)
		while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) ==
		       EINTR)
			;
	do
		now = clock_mono_ns();
	while (now < due);
	return now;
}

/* Waits and fails as programmed.  What one wait overshoots the next one, of the
 * same open file, makes up for: n operations take n delays. */
static int act(struct null *u, enum engine_op op, struct handle *h)
{
	pthread_mutex_lock(&u->lock);
	uint64_t count = ++u->count[op];
	pthread_mutex_unlock(&u->lock);
	uint64_t every = u->o.slow_every[op];
	int64_t delay =
	        every && count % every == 0 ? u->o.slow_ns[op] : u->o.delay_ns[op];
	int64_t *overslept = h ? &h->overslept_ns : &u->overslept_ns;
	if (delay > 0) {
		int64_t due = clock_mono_ns() + delay - *overslept;
		*overslept = wait_until(due) - due;
		if (*overslept > delay / 2)
			*overslept = delay / 2; /* stopped or starved: not made up */
	}
	return u->o.fail_at && op == u->o.fail_op && count == u->o.fail_at
	               ? -u->o.fail_errno
	               : 0;
}

static int null_start(const struct engine_options *o, void **st, struct err *e)
{
	size_t room = strlen(o->dir) + 1;
	struct null *u = calloc(1, sizeof *u + room);
	if (!u || null_files_init(&u->files, o->dir) < 0) {
		free(u);
		return err_sys(e, ENOMEM, "null engine");
	}
	memcpy(u->root, o->dir, room);
	pthread_mutex_init(&u->lock, NULL);
	u->o = o->null;
	*st = u;
	return 0;
}

static void null_stop(void *st)
{
	struct null *u = st;
	for (int i = 0; i < HANDLES; i++)
		if (u->handles[i].node)
			null_files_release(u->handles[i].node);
	null_files_fini(&u->files);
	pthread_mutex_destroy(&u->lock);
	free(u);
}

static int open_node(struct null *u, const char *path, int flags)
{
	struct null_node *n = null_files_find(&u->files, path);
	if (n && n->is_dir)
		return -EISDIR;
	if (n && (flags & O_EXCL))
		return -EEXIST;
	if (!n && !(flags & O_CREAT))
		return -ENOENT;
	int r = n ? 0 : null_files_add(&u->files, path, false, &n);
	if (r < 0)
		return r;
	if (flags & O_TRUNC)
		n->size = 0;
	for (int i = 0; i < HANDLES; i++)
		if (!u->handles[i].node) {
			u->handles[i] = (struct handle){.node = n};
			n->users++;
			return i;
		}
	return -EMFILE;
}

static int null_open(void *st, const char *path, int flags, mode_t mode)
{
	(void)mode;
	struct null *u = st;
	int r = act(u, ENGINE_OPEN, NULL);
	if (r < 0)
		return r;
	pthread_mutex_lock(&u->lock);
	r = open_node(u, path, flags);
	pthread_mutex_unlock(&u->lock);
	return r;
}

static struct handle *handle_of(struct null *u, int handle)
{
	if (handle < 0 || handle >= HANDLES || !u->handles[handle].node)
		return NULL;
	return &u->handles[handle];
}

static int null_close(void *st, int handle)
{
	struct null *u = st;
	struct handle *h = handle_of(u, handle);
	if (!h)
		return -EBADF;
	int r = act(u, ENGINE_CLOSE, h);
	pthread_mutex_lock(&u->lock);
	null_files_release(h->node);
	*h = (struct handle){0};
	pthread_mutex_unlock(&u->lock);
	return r;
}

static ssize_t read_at(struct null *u, struct handle *h, void *buf, size_t n,
                       int64_t at)
{
	int r = act(u, ENGINE_READ, h);
	if (r < 0)
		return r;
	pthread_mutex_lock(&u->lock);
	const struct null_node *node = h->node;
	size_t left =
	        at >= 0 && (uint64_t)at < node->size ? node->size - (size_t)at : 0;
	if (n > left)
		n = left;
	if (n > 0)
		memcpy(buf, node->bytes + at, n);
	pthread_mutex_unlock(&u->lock);
	uint64_t flip = u->o.flip_at - (uint64_t)at;
	if (u->o.flip && u->o.flip_at >= (uint64_t)at && flip < n)
		((char *)buf)[flip] = (char)~((char *)buf)[flip];
	return (ssize_t)n;
}

static ssize_t write_at(struct null *u, struct handle *h, const void *buf, size_t n,
                        int64_t at)
{
	int r = act(u, ENGINE_WRITE, h);
	if (r < 0)
		return r;
	if (at < 0)
		return -EINVAL;
	pthread_mutex_lock(&u->lock);
	struct null_node *node = h->node;
	r = null_files_grow(node, (size_t)at + n);
	if (r == 0) {
		memcpy(node->bytes + at, buf, n);
		if ((size_t)at + n > node->size)
			node->size = (size_t)at + n;
	}
	pthread_mutex_unlock(&u->lock);
	return r < 0 ? r : (ssize_t)n;
}

static ssize_t null_pread(void *st, int handle, void *buf, size_t n, int64_t at)
{
	struct handle *h = handle_of(st, handle);
	return h ? read_at(st, h, buf, n, at) : -EBADF;
}

static ssize_t null_pwrite(void *st, int handle, const void *buf, size_t n, int64_t at)
{
	struct handle *h = handle_of(st, handle);
	return h ? write_at(st, h, buf, n, at) : -EBADF;
}

static ssize_t null_read(void *st, int handle, void *buf, size_t n)
{
	struct handle *h = handle_of(st, handle);
	if (!h)
		return -EBADF;
	ssize_t r = read_at(st, h, buf, n, h->at);
	if (r > 0)
		h->at += r;
	return r;
}

static ssize_t null_write(void *st, int handle, const void *buf, size_t n)
{
	struct handle *h = handle_of(st, handle);
	if (!h)
		return -EBADF;
	ssize_t r = write_at(st, h, buf, n, h->at);
	if (r > 0)
		h->at += r;
	return r;
}

static int64_t null_seek(void *st, int handle, int64_t offset, int whence)
{
	struct handle *h = handle_of(st, handle);
	if (!h)
		return -EBADF;
	int r = act(st, ENGINE_SEEK, h);
	if (r < 0)
		return r;
	int64_t from = whence == SEEK_SET   ? 0
	               : whence == SEEK_CUR ? h->at
	                                    : (int64_t)h->node->size;
	if (from + offset < 0)
		return -EINVAL;
	return h->at = from + offset;
}

static int null_fsync(void *st, int handle)
{
	struct handle *h = handle_of(st, handle);
	return h ? act(st, ENGINE_FSYNC, h) : -EBADF;
}

static int unlink_node(struct null *u, const char *path)
{
	struct null_node *n = null_files_find(&u->files, path);
	if (!n)
		return -ENOENT;
	if (n->is_dir)
		return -EISDIR;
	null_files_unlink(&u->files, n);
	return 0;
}

static int rmdir_node(struct null *u, const char *path)
{
	struct null_node *n = null_files_find(&u->files, path);
	if (!n)
		return -ENOENT;
	if (!n->is_dir)
		return -ENOTDIR;
	if (n->first)
		return -ENOTEMPTY;
	null_files_unlink(&u->files, n);
	return 0;
}

static int mkdir_node(struct null *u, const char *path)
{
	struct null_node *n;
	return null_files_add(&u->files, path, true, &n);
}

/* An operation upon one name. */
static int on_name(void *st, const char *path, enum engine_op op,
                   int (*change)(struct null *u, const char *path))
{
	struct null *u = st;
	int r = act(u, op, NULL);
	if (r < 0)
		return r;
	pthread_mutex_lock(&u->lock);
	r = change(u, path);
	pthread_mutex_unlock(&u->lock);
	return r;
}

static int null_unlink(void *st, const char *path)
{
	return on_name(st, path, ENGINE_UNLINK, unlink_node);
}

static int null_rmdir(void *st, const char *path)
{
	return on_name(st, path, ENGINE_RMDIR, rmdir_node);
}

static int null_mkdir(void *st, const char *path, mode_t mode)
{
	(void)mode;
	return on_name(st, path, ENGINE_MKDIR, mkdir_node);
}

/* each may use the engine again, so the names are copied first, one behind the
 * other in the order they were made. */
static int null_readdir(void *st, const char *path, engine_dir_fn *each, void *ctx)
{
	struct null *u = st;
	int r = act(u, ENGINE_READDIR, NULL);
	if (r < 0)
		return r;
	size_t room = 1;
	pthread_mutex_lock(&u->lock);
	const struct null_node *dir = null_files_find(&u->files, path), *n;
	for (n = dir ? dir->first : NULL; n; n = n->next)
		room += strlen(null_files_name(n)) + 1;
	char *names = dir ? malloc(room) : NULL;
	char *p = names ? names + room : NULL;
	for (n = names ? dir->first : NULL; n; n = n->next) {
		size_t len = strlen(null_files_name(n)) + 1;
		p -= len;
		memcpy(p, null_files_name(n), len);
	}
	pthread_mutex_unlock(&u->lock);
	if (!dir || !names)
		return dir ? -ENOMEM : -ENOENT;
	for (; p < names + room && r == 0; p += strlen(p) + 1)
		r = each(ctx, p);
	free(names);
	return r;
}

static int rename_node(struct null *u, const char *from, const char *to)
{
	struct null_node *n = null_files_find(&u->files, from), *moved;
	if (!n)
		return -ENOENT;
	if (n->is_dir)
		return -EISDIR; /* entries know their folder's path: not needed here */
	struct null_node *old = null_files_find(&u->files, to);
	if (old == n)
		return 0;
	if (old)
		null_files_unlink(&u->files, old);
	int r = null_files_add(&u->files, to, false, &moved);
	if (r < 0)
		return r;
	moved->bytes = n->bytes;
	moved->size = n->size;
	moved->room = n->room;
	n->bytes = NULL;
	n->size = n->room = 0;
	null_files_unlink(&u->files, n);
	return 0;
}

static int null_rename(void *st, const char *from, const char *to)
{
	struct null *u = st;
	int r = act(u, ENGINE_RENAME, NULL);
	if (r < 0)
		return r;
	pthread_mutex_lock(&u->lock);
	r = rename_node(u, from, to);
	pthread_mutex_unlock(&u->lock);
	return r;
}

static int null_stat(void *st, const char *path, struct stat *out)
{
	struct null *u = st;
	int r = act(u, ENGINE_STAT, NULL);
	if (r < 0)
		return r;
	pthread_mutex_lock(&u->lock);
	const struct null_node *n = null_files_find(&u->files, path);
	if (n)
		*out = (struct stat){.st_mode = n->is_dir ? S_IFDIR | 0755
		                                          : S_IFREG | 0644,
		                     .st_size = (off_t)n->size};
	pthread_mutex_unlock(&u->lock);
	return n ? 0 : -ENOENT;
}

static int null_drop(void *st, const char *path, struct engine_drop *out)
{
	struct null *u = st;
	int r = act(u, ENGINE_DROP, NULL);
	if (r < 0)
		return r;
	pthread_mutex_lock(&u->lock);
	bool found = null_files_find(&u->files, path) != NULL;
	pthread_mutex_unlock(&u->lock);
	if (!found)
		return -ENOENT;
	out->proven = true;
	snprintf(out->means, sizeof out->means, "none needed");
	snprintf(out->proof, sizeof out->proof, "the null engine has no cache");
	return 0;
}

static json_t *null_describe(void *st)
{
	const struct null *u = st;
	json_t *delays = json_object();
	for (int op = 0; op < ENGINE_OP_COUNT; op++)
		if (u->o.delay_ns[op])
			json_object_set_new(delays, engine_op_names[op],
			                    json_integer(u->o.delay_ns[op]));
	json_t *slow = json_object();
	for (int op = 0; op < ENGINE_OP_COUNT; op++)
		if (u->o.slow_every[op])
			json_object_set_new(slow, engine_op_names[op],
			                    json_pack("{s:I, s:I}", "every",
			                              (json_int_t)u->o.slow_every[op],
			                              "delay_ns",
			                              (json_int_t)u->o.slow_ns[op]));
	json_t *o = json_pack("{s:o, s:o}", "delay_ns", delays, "slow", slow);
	if (u->o.fail_at)
		json_object_set_new(o, "fail",
		                    json_pack("{s:s, s:I, s:s}", "operation",
		                              engine_op_names[u->o.fail_op], "at",
		                              (json_int_t)u->o.fail_at, "error",
		                              strerrorname_np(u->o.fail_errno)));
	if (u->o.flip)
		json_object_set_new(o, "flip_at",
		                    json_integer((json_int_t)u->o.flip_at));
	return o;
}

const struct engine_ops engine_null = {
        .name = "null",
        .help = "files in memory, with programmable delay and failure",
        .caps = ENGINE_CAN_DROP | ENGINE_DROPS_ALL | ENGINE_CLOSE_STORES |
                ENGINE_IN_PROCESS | ENGINE_THREADS,
        .start = null_start,
        .stop = null_stop,
        .open = null_open,
        .close = null_close,
        .read = null_read,
        .write = null_write,
        .pread = null_pread,
        .pwrite = null_pwrite,
        .seek = null_seek,
        .fsync = null_fsync,
        .unlink = null_unlink,
        .mkdir = null_mkdir,
        .rmdir = null_rmdir,
        .rename = null_rename,
        .stat = null_stat,
        .readdir = null_readdir,
        .drop = null_drop,
        .describe = null_describe,
};
