/* Files in memory with programmable delay and failure: to test the driver, and
 * to see what the driver itself costs. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/base/clock.h"
#include "src/engine/engine.h"

enum { HANDLES = 64 };

struct node {
	struct node *next;
	bool is_dir;
	char *bytes;
	size_t size, room;
	char path[];
};

struct handle {
	struct node *node;
	int64_t at;
	bool used;
};

struct null {
	struct null_options o;
	struct node *nodes;
	struct handle handles[HANDLES];
	uint64_t count[ENGINE_OP_COUNT];
	int64_t overslept_ns; /* by how much the last delay was too long */
};

/* Waits and fails as programmed.  What one sleep overshoots the next one, of the
 * same open file, makes up for: n operations take n delays. */
static int act(struct null *u, enum engine_op op)
{
	int64_t delay = u->o.delay_ns[op];
	if (op == ENGINE_OPEN)
		u->overslept_ns = 0;
	if (delay > 0) {
		int64_t due = clock_mono_ns() + delay - u->overslept_ns;
		struct timespec t = {due / NS_PER_S, due % NS_PER_S};
		while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) ==
		       EINTR)
			;
		u->overslept_ns = clock_mono_ns() - due;
	}
	if (u->o.fail_at && op == u->o.fail_op && ++u->count[op] == u->o.fail_at)
		return -u->o.fail_errno;
	return 0;
}

static struct node *find(const struct null *u, const char *path)
{
	for (struct node *n = u->nodes; n; n = n->next)
		if (strcmp(n->path, path) == 0)
			return n;
	return NULL;
}

static struct node *add(struct null *u, const char *path, bool is_dir)
{
	struct node *n = calloc(1, sizeof *n + strlen(path) + 1);
	if (!n)
		return NULL;
	strcpy(n->path, path);
	n->is_dir = is_dir;
	n->next = u->nodes;
	u->nodes = n;
	return n;
}

static void take_out(struct null *u, struct node *gone)
{
	for (struct node **p = &u->nodes; *p; p = &(*p)->next)
		if (*p == gone) {
			*p = gone->next;
			break;
		}
	for (int i = 0; i < HANDLES; i++)
		if (u->handles[i].used && u->handles[i].node == gone)
			u->handles[i].node = NULL;
	free(gone->bytes);
	free(gone);
}

static int null_start(const struct engine_options *o, void **st, struct err *e)
{
	struct null *u = calloc(1, sizeof *u);
	if (!u || !add(u, o->dir, true)) {
		free(u);
		return err_sys(e, ENOMEM, "null engine");
	}
	u->o = o->null;
	*st = u;
	return 0;
}

static void null_stop(void *st)
{
	struct null *u = st;
	while (u->nodes)
		take_out(u, u->nodes);
	free(u);
}

static int null_open(void *st, const char *path, int flags, mode_t mode)
{
	(void)mode;
	struct null *u = st;
	int r = act(u, ENGINE_OPEN);
	if (r < 0)
		return r;
	struct node *n = find(u, path);
	if (n && n->is_dir)
		return -EISDIR;
	if (n && (flags & O_EXCL))
		return -EEXIST;
	if (!n && !(flags & O_CREAT))
		return -ENOENT;
	if (!n && !(n = add(u, path, false)))
		return -ENOMEM;
	if (flags & O_TRUNC)
		n->size = 0;
	for (int i = 0; i < HANDLES; i++)
		if (!u->handles[i].used) {
			u->handles[i] = (struct handle){.node = n, .used = true};
			return i;
		}
	return -EMFILE;
}

static struct handle *handle_of(struct null *u, int handle)
{
	if (handle < 0 || handle >= HANDLES || !u->handles[handle].used)
		return NULL;
	return &u->handles[handle];
}

static int null_close(void *st, int handle)
{
	struct null *u = st;
	struct handle *h = handle_of(u, handle);
	if (!h)
		return -EBADF;
	*h = (struct handle){0};
	return act(u, ENGINE_CLOSE);
}

static ssize_t read_at(struct null *u, const struct handle *h, void *buf, size_t n,
                       int64_t at)
{
	int r = act(u, ENGINE_READ);
	if (r < 0)
		return r;
	if (!h->node)
		return -ESTALE;
	if (at < 0 || (uint64_t)at >= h->node->size)
		return 0;
	size_t left = h->node->size - (size_t)at;
	if (n > left)
		n = left;
	memcpy(buf, h->node->bytes + at, n);
	uint64_t flip = u->o.flip_at - (uint64_t)at;
	if (u->o.flip && u->o.flip_at >= (uint64_t)at && flip < n)
		((char *)buf)[flip] = (char)~((char *)buf)[flip];
	return (ssize_t)n;
}

static int grow(struct node *n, size_t size)
{
	if (size <= n->room)
		return 0;
	size_t room = n->room ? n->room : 4096;
	while (room < size)
		room *= 2;
	char *bytes = realloc(n->bytes, room);
	if (!bytes)
		return -ENOSPC;
	memset(bytes + n->room, 0, room - n->room);
	n->bytes = bytes;
	n->room = room;
	return 0;
}

static ssize_t write_at(struct null *u, const struct handle *h, const void *buf,
                        size_t n, int64_t at)
{
	int r = act(u, ENGINE_WRITE);
	if (r < 0)
		return r;
	if (!h->node)
		return -ESTALE;
	if (at < 0)
		return -EINVAL;
	r = grow(h->node, (size_t)at + n);
	if (r < 0)
		return r;
	memcpy(h->node->bytes + at, buf, n);
	if ((size_t)at + n > h->node->size)
		h->node->size = (size_t)at + n;
	return (ssize_t)n;
}

static ssize_t null_pread(void *st, int handle, void *buf, size_t n, int64_t at)
{
	const struct handle *h = handle_of(st, handle);
	return h ? read_at(st, h, buf, n, at) : -EBADF;
}

static ssize_t null_pwrite(void *st, int handle, const void *buf, size_t n, int64_t at)
{
	const struct handle *h = handle_of(st, handle);
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
	struct null *u = st;
	struct handle *h = handle_of(u, handle);
	int r = act(u, ENGINE_SEEK);
	if (r < 0)
		return r;
	if (!h || !h->node)
		return -EBADF;
	int64_t from = whence == SEEK_SET   ? 0
	               : whence == SEEK_CUR ? h->at
	                                    : (int64_t)h->node->size;
	if (from + offset < 0)
		return -EINVAL;
	return h->at = from + offset;
}

static int null_fsync(void *st, int handle)
{
	return handle_of(st, handle) ? act(st, ENGINE_FSYNC) : -EBADF;
}

static int null_unlink(void *st, const char *path)
{
	int r = act(st, ENGINE_UNLINK);
	if (r < 0)
		return r;
	struct node *n = find(st, path);
	if (!n)
		return -ENOENT;
	if (n->is_dir)
		return -EISDIR;
	take_out(st, n);
	return 0;
}

static int null_mkdir(void *st, const char *path, mode_t mode)
{
	(void)mode;
	int r = act(st, ENGINE_MKDIR);
	if (r < 0)
		return r;
	if (find(st, path))
		return -EEXIST;
	return add(st, path, true) ? 0 : -ENOMEM;
}

/* The name of n below the folder path, or NULL where it is not just below it. */
static const char *name_in(const struct node *n, const char *path)
{
	size_t len = strlen(path);
	if (strncmp(n->path, path, len) != 0 || n->path[len] != '/' ||
	    strchr(n->path + len + 1, '/'))
		return NULL;
	return n->path + len + 1;
}

static int null_readdir(void *st, const char *path, engine_dir_fn *each, void *ctx)
{
	struct null *u = st;
	int r = act(u, ENGINE_READDIR);
	if (r < 0)
		return r;
	if (!find(u, path))
		return -ENOENT;
	for (const struct node *n = u->nodes; n && r == 0; n = n->next) {
		const char *name = name_in(n, path);
		if (name)
			r = each(ctx, name);
	}
	return r;
}

static int null_rmdir(void *st, const char *path)
{
	struct null *u = st;
	int r = act(u, ENGINE_RMDIR);
	if (r < 0)
		return r;
	struct node *dir = find(u, path);
	if (!dir)
		return -ENOENT;
	if (!dir->is_dir)
		return -ENOTDIR;
	for (const struct node *n = u->nodes; n; n = n->next)
		if (name_in(n, path))
			return -ENOTEMPTY;
	take_out(u, dir);
	return 0;
}

static int null_rename(void *st, const char *from, const char *to)
{
	struct null *u = st;
	int r = act(u, ENGINE_RENAME);
	if (r < 0)
		return r;
	struct node *n = find(u, from);
	if (!n)
		return -ENOENT;
	struct node *old = find(u, to);
	if (old)
		take_out(u, old);
	struct node *moved = add(u, to, n->is_dir);
	if (!moved)
		return -ENOMEM;
	moved->bytes = n->bytes;
	moved->size = n->size;
	moved->room = n->room;
	n->bytes = NULL;
	take_out(u, n);
	return 0;
}

static int null_stat(void *st, const char *path, struct stat *out)
{
	int r = act(st, ENGINE_STAT);
	if (r < 0)
		return r;
	const struct node *n = find(st, path);
	if (!n)
		return -ENOENT;
	*out = (struct stat){.st_mode = n->is_dir ? S_IFDIR | 0755 : S_IFREG | 0644,
	                     .st_size = (off_t)n->size};
	return 0;
}

static int null_drop(void *st, const char *path, struct engine_drop *out)
{
	int r = act(st, ENGINE_DROP);
	if (r < 0)
		return r;
	if (!find(st, path))
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
	json_t *o = json_pack("{s:o}", "delay_ns", delays);
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
        .caps = ENGINE_CAN_DROP | ENGINE_CLOSE_STORES | ENGINE_IN_PROCESS,
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
