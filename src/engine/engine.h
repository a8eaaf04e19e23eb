/* Where file operations go: one table of functions an engine.
 *
 * Operations answer >= 0, or -errno.  A handle belongs to the engine that
 * opened it.  Paths are absolute in the engine's own name space.  An engine is
 * used by one thread at a time unless its header says more. */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include <errno.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "src/base/err.h"
#include "src/engine/watch.h"

enum engine_op {
	ENGINE_OPEN,
	ENGINE_CLOSE,
	ENGINE_READ,
	ENGINE_WRITE,
	ENGINE_SEEK,
	ENGINE_FSYNC,
	ENGINE_UNLINK,
	ENGINE_MKDIR,
	ENGINE_RMDIR,
	ENGINE_RENAME,
	ENGINE_STAT,
	ENGINE_READDIR,
	ENGINE_DROP,
	ENGINE_OP_COUNT
};

extern const char *const engine_op_names[ENGINE_OP_COUNT];

enum engine_caps {
	ENGINE_CAN_DROP = 1 << 0, /* drop() can make data leave the client's cache */
	ENGINE_CLOSE_STORES = 1 << 1, /* close() returns after the data are stored */
	ENGINE_IN_PROCESS = 1 << 2, /* the client's work is CPU time of this process */
	ENGINE_NETWORK = 1 << 3,    /* what is not cached comes over the network */
	ENGINE_THREADS = 1 << 4,    /* threads may use it at once, each its handles */
	ENGINE_DROPS_ALL = 1 << 5,  /* drop() of one file drops all of the volume */
	ENGINE_MOUNTED = 1 << 6,    /* its paths are those of other programs too */
	ENGINE_OWN_CACHE = 1 << 7,  /* below the pages, the client keeps data itself */
};

/* Options of the afs engine: those of afsd.  0 or NULL: the engine's default. */
struct afs_options {
	const char *cell_config; /* folder with CellServDB and ThisCell */
	const char *cache_dir;
	uint64_t cache_bytes;
	uint64_t chunk_bytes; /* a power of two */
	bool memcache;
	const char *client_options; /* further words for afsd, parted by blanks */
	bool drop_file; /* drop() flushes the file (VIOCFLUSH), not the volume */
};

/* What the null engine shall do: wait so long in every operation of a kind, and
 * for another time in every slow_every'th (0: none); fail in the nth one (from 1;
 * 0: never); hand out one wrong byte. */
struct null_options {
	int64_t delay_ns[ENGINE_OP_COUNT];
	uint64_t slow_every[ENGINE_OP_COUNT];
	int64_t slow_ns[ENGINE_OP_COUNT];
	enum engine_op fail_op;
	uint64_t fail_at;
	int fail_errno;
	bool flip; /* the byte at flip_at of every file is read inverted */
	uint64_t flip_at;
};

struct engine_options {
	const char *dir;     /* the folder named by the user */
	const char *run_dir; /* where an engine may keep its log and its cache */
	struct afs_options afs;
	struct null_options null;
	struct watch_options watch; /* of calls that do not come back */
};

/* How a file was made to leave the client's cache, and what shows it. */
struct engine_drop {
	bool proven;
	char means[96];
	char proof[192];
	uint64_t pages, before, after; /* of the file; resident before and after */
};

/* Called for each entry of a folder but . and ..; non-zero ends the walk and
 * is what readdir then returns. */
typedef int engine_dir_fn(void *ctx, const char *name);

struct engine_ops {
	const char *name;
	const char *help;
	unsigned caps;
	/* 0 and *st, or -1 and e; stop takes what start gave. */
	int (*start)(const struct engine_options *o, void **st, struct err *e);
	void (*stop)(void *st);
	int (*open)(void *st, const char *path, int flags, mode_t mode);
	int (*close)(void *st, int handle);
	ssize_t (*read)(void *st, int handle, void *buf, size_t n);
	ssize_t (*write)(void *st, int handle, const void *buf, size_t n);
	ssize_t (*pread)(void *st, int handle, void *buf, size_t n, int64_t at);
	ssize_t (*pwrite)(void *st, int handle, const void *buf, size_t n, int64_t at);
	int64_t (*seek)(void *st, int handle, int64_t offset, int whence);
	int (*fsync)(void *st, int handle);
	int (*unlink)(void *st, const char *path);
	int (*mkdir)(void *st, const char *path, mode_t mode);
	int (*rmdir)(void *st, const char *path);
	int (*rename)(void *st, const char *from, const char *to);
	int (*stat)(void *st, const char *path, struct stat *out);
	int (*readdir)(void *st, const char *path, engine_dir_fn *each, void *ctx);
	/* The names to come are below this folder: it is kept open and they are looked
	 * up from there, as after chdir(2), so that the way to it costs nothing; until
	 * dir is NULL.  For one thread.  NULL: nothing to gain. */
	void (*enter)(void *st, const char *dir);
	/* Makes the data of a closed file leave the client's cache and says by
	 * what means and with what proof. */
	int (*drop)(void *st, const char *path, struct engine_drop *out);
	/* How many of the file's pages the client's cache holds; NULL: not known. */
	int (*resident)(void *st, const char *path, uint64_t *pages, uint64_t *in);
	/* What holds beside caps where it was started; NULL: nothing does. */
	unsigned (*caps_here)(void *st);
	/* Facts for the record: version, options in force, mount.  A new reference. */
	json_t *(*describe)(void *st);
};

struct engine {
	const struct engine_ops *ops;
	void *st;
};

/* The engines that were built in, ended by NULL. */
extern const struct engine_ops *const engine_table[];

/* The engine of this name, or NULL. */
const struct engine_ops *engine_find(const char *name);

int engine_start(struct engine *en, const struct engine_ops *ops,
                 const struct engine_options *o, struct err *e);
void engine_stop(struct engine *en); /* harmless on a zeroed engine */

/* All that the engine can where it was started, enum engine_caps. */
unsigned engine_caps(const struct engine *en);

/* Moves all n bytes at the file's position unless an error or, for reading, the
 * end of the file comes first.  Bytes moved, or -errno; a write of no byte at all is
 * -EIO, as it would be tried for ever.  Inline, as every function
 * that a call of the system returns through costs: the kernel has overwritten the
 * processor's memory of return addresses. */
static inline ssize_t engine_write_full(const struct engine *en, int handle,
                                        const void *buf, size_t n)
{
	const char *p = buf;
	size_t done = 0;
	while (done < n) {
		ssize_t r = en->ops->write(en->st, handle, p + done, n - done);
		if (r <= 0)
			return r < 0 ? r : -EIO;
		done += (size_t)r;
	}
	return (ssize_t)done;
}

static inline ssize_t engine_read_full(const struct engine *en, int handle, void *buf,
                                       size_t n)
{
	char *p = buf;
	size_t done = 0;
	while (done < n) {
		ssize_t r = en->ops->read(en->st, handle, p + done, n - done);
		if (r < 0)
			return r;
		if (r == 0)
			break;
		done += (size_t)r;
	}
	return (ssize_t)done;
}

extern const struct engine_ops engine_posix;
extern const struct engine_ops engine_null;
#ifdef HAVE_UAFS
extern const struct engine_ops engine_afs;
#endif

#endif
