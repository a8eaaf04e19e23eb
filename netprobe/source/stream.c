#include "netprobe/source/stream.h"

#include "netprobe/source/unpack.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Block size: large enough that system calls do not count, small enough that
 * three blocks stay in a shared cache.  The room in front of a block is address
 * space; it costs memory only where a record is that long. */
#define BLOCK_BYTES (512u << 10)
#define BLOCKS 3u
_Static_assert(BLOCK_BYTES <= UNPACK_BLOCK, "unpacking starts with one block");

/* Below this a thread costs more than it saves. */
#define AHEAD_FROM_BYTES (4u << 20)

struct block {
	uint8_t *bytes; /* STREAM_PIECE_MAX of room, then BLOCK_BYTES */
	size_t n;
};

struct stream_ring {
	int fd;
	bool regular;   /* never waits: no poll before read */
	int wake;       /* eventfd that ends a wait for a pipe */
	uint64_t total; /* file size, 0 = unknown */
	atomic_uint_fast64_t done;
	atomic_bool stop;
	struct unpack *unpack;
	/* read-ahead; without it block[0] is all there is */
	bool ahead;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned filled, taken, released; /* blocks, counted from the start */
	bool ended;
	struct block block[BLOCKS];
	/* written by whoever fills; read under lock, or by the same thread */
	enum stream_fault fault;
	int sys;
	char why[160];
};

/* ---- getting bytes ------------------------------------------------------ */

/* read(2) that stream_stop can end: -1 with errno 0 then. */
static ssize_t read_some(void *ctx, uint8_t *to, size_t room)
{
	struct stream_ring *r = ctx;
	for (;;) {
		if (atomic_load(&r->stop)) {
			errno = 0;
			return 0;
		}
		if (!r->regular) {
			struct pollfd fds[] = {{.fd = r->fd, .events = POLLIN},
			                       {.fd = r->wake, .events = POLLIN}};
			if (poll(fds, 2, -1) < 0 && errno != EINTR)
				return -1;
			if (fds[0].revents == 0)
				continue;
		}
		ssize_t n = read(r->fd, to, room);
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n > 0)
			atomic_fetch_add(&r->done, (uint64_t)n);
		return n;
	}
}

/* As read_some, with the failure kept in the ring. */
static ssize_t read_packed(void *ctx, uint8_t *to, size_t room)
{
	struct stream_ring *r = ctx;
	ssize_t n = read_some(r, to, room);
	if (n < 0) {
		r->fault = STREAM_READ_FAILED;
		r->sys = errno;
	}
	return n;
}

/* Fills one block.  False at the end of the input, or on a fault. */
static bool fill(struct stream_ring *r, struct block *b)
{
	uint8_t *to = b->bytes + STREAM_PIECE_MAX;
	ssize_t n = r->unpack ? unpack_read(r->unpack, to, BLOCK_BYTES, r->why)
	                      : read_packed(r, to, BLOCK_BYTES);
	if (n < 0 && r->fault == STREAM_NO_FAULT)
		r->fault = STREAM_UNPACK_FAILED;
	b->n = n > 0 ? (size_t)n : 0;
	return n > 0;
}

static void *read_ahead(void *ctx)
{
	struct stream_ring *r = ctx;
	bool more = true;
	while (more) {
		pthread_mutex_lock(&r->lock);
		while (r->filled - r->released == BLOCKS && !atomic_load(&r->stop))
			pthread_cond_wait(&r->changed, &r->lock);
		bool stop = atomic_load(&r->stop);
		pthread_mutex_unlock(&r->lock);
		more = !stop && fill(r, &r->block[r->filled % BLOCKS]);
		pthread_mutex_lock(&r->lock);
		if (more)
			r->filled++;
		else
			r->ended = true;
		pthread_cond_signal(&r->changed);
		pthread_mutex_unlock(&r->lock);
	}
	return NULL;
}

/* ---- handing bytes out -------------------------------------------------- */

/* The next block, or NULL at the end.  The one held so far stays valid. */
static struct block *take_block(struct stream_ring *r)
{
	if (!r->ahead)
		return fill(r, &r->block[0]) ? &r->block[0] : NULL;
	pthread_mutex_lock(&r->lock);
	while (r->filled == r->taken && !r->ended)
		pthread_cond_wait(&r->changed, &r->lock);
	struct block *b = NULL;
	if (r->filled != r->taken)
		b = &r->block[r->taken++ % BLOCKS];
	pthread_mutex_unlock(&r->lock);
	return b;
}

/* Gives back all blocks but the one taken last. */
static void release_blocks(struct stream_ring *r)
{
	if (!r->ahead)
		return;
	pthread_mutex_lock(&r->lock);
	r->released = r->taken - 1;
	pthread_cond_signal(&r->changed);
	pthread_mutex_unlock(&r->lock);
}

bool stream_refill(struct stream *s, size_t n)
{
	struct stream_ring *r = s->ring;
	assert(n <= STREAM_PIECE_MAX);
	while ((size_t)(s->end - s->at) < n) {
		if (s->fault != STREAM_NO_FAULT || atomic_load(&r->stop))
			return false;
		size_t left = (size_t)(s->end - s->at);
		/* Without a thread the one block is filled again, so its rest
		 * must leave first; with one it still lies in the old block. */
		if (!r->ahead && left > 0) {
			uint8_t *to = r->block[0].bytes + STREAM_PIECE_MAX - left;
			memmove(to, s->at, left);
			s->at = to;
			s->end = to + left;
		}
		struct block *b = take_block(r);
		if (!b) {
			s->fault = r->fault;
			s->sys = r->sys;
			memcpy(s->why, r->why, sizeof s->why);
			return false;
		}
		uint8_t *start = b->bytes + STREAM_PIECE_MAX;
		if (r->ahead && left > 0)
			memcpy(start - left, s->at, left);
		release_blocks(r);
		s->at = start - left;
		s->end = start + b->n;
		s->end_offset += b->n;
	}
	return true;
}

/* As pthread_cond_wait, until a block is there, the input ends, or ms have passed. */
static bool wait_for_block(struct stream_ring *r, int ms)
{
	struct timespec until;
	int rc = 0;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += (long)(ms % 1000) * 1000000;
	until.tv_sec += ms / 1000 + until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_mutex_lock(&r->lock);
	while (r->filled == r->taken && !r->ended && rc == 0)
		rc = pthread_cond_timedwait(&r->changed, &r->lock, &until);
	bool there = r->filled != r->taken || r->ended;
	pthread_mutex_unlock(&r->lock);
	return there;
}

bool stream_wait(struct stream *s, int ms)
{
	struct stream_ring *r = s->ring;
	if (s->at < s->end || s->fault != STREAM_NO_FAULT || r->regular ||
	    atomic_load(&r->stop))
		return true;
	if (r->ahead)
		return wait_for_block(r, ms);
	struct pollfd fds[] = {{.fd = r->fd, .events = POLLIN},
	                       {.fd = r->wake, .events = POLLIN}};
	return poll(fds, 2, ms) != 0;
}

uint64_t stream_skip(struct stream *s, uint64_t n)
{
	uint64_t done = 0;
	while (done < n) {
		size_t here = (size_t)(s->end - s->at);
		if (here == 0) {
			if (!stream_refill(s, 1))
				break;
			continue;
		}
		if (here > n - done)
			here = (size_t)(n - done);
		s->at += here;
		done += here;
	}
	return done;
}

void stream_progress(const struct stream *s, uint64_t *done, uint64_t *total)
{
	*done = s->ring ? atomic_load(&s->ring->done) : 0;
	*total = s->ring ? s->ring->total : 0;
}

void stream_stop(struct stream *s)
{
	if (!s->ring)
		return;
	atomic_store(&s->ring->stop, true);
	uint64_t one = 1;
	ssize_t n = write(s->ring->wake, &one, sizeof one);
	(void)n; /* a full eventfd wakes as well */
}

bool stream_stopped(const struct stream *s)
{
	return s->ring && atomic_load(&s->ring->stop);
}

/* ---- opening and closing ------------------------------------------------ */

static int open_fd(struct stream_ring *r, const char *path, struct err *err)
{
	if (strcmp(path, "-") == 0)
		r->fd = STDIN_FILENO;
	else
		r->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (r->fd < 0)
		return err_set(err, ERR_USAGE, "%s: cannot open the capture: %s", path,
		               strerror(errno));
	struct stat st;
	if (fstat(r->fd, &st) < 0)
		return err_sys(err, errno, "%s", path);
	if (S_ISDIR(st.st_mode))
		return err_set(err, ERR_USAGE,
		               "%s: is a directory; name the capture files in it",
		               path);
	r->regular = S_ISREG(st.st_mode);
	r->total = r->regular ? (uint64_t)st.st_size : 0;
	r->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (r->wake < 0)
		return err_sys(err, errno, "eventfd");
	return 0;
}

static int add_block(struct stream_ring *r, size_t i, struct err *err)
{
	r->block[i].bytes = malloc(STREAM_PIECE_MAX + BLOCK_BYTES);
	if (!r->block[i].bytes)
		return err_sys(err, errno, "memory for reading");
	return 0;
}

/* Reads into the first block until the magic bytes are there. */
static int read_first(struct stream *s, const char *path, struct err *err)
{
	struct stream_ring *r = s->ring;
	uint8_t *to = r->block[0].bytes + STREAM_PIECE_MAX;
	size_t n = 0;
	while (n < UNPACK_MAGIC_BYTES) {
		ssize_t got = read_some(r, to + n, BLOCK_BYTES - n);
		if (got < 0)
			return err_sys(err, errno, "%s: cannot read the capture", path);
		if (got == 0)
			break;
		n += (size_t)got;
	}
	if (n == 0)
		return err_set(err, ERR_USAGE,
		               "%s: empty file, no capture header in it", path);
	s->at = to;
	s->end = to + n;
	s->end_offset = n;
	return 0;
}

static int start_unpacking(struct stream *s, const char *path, struct err *err)
{
	struct stream_ring *r = s->ring;
	size_t n = (size_t)(s->end - s->at);
	s->compression = unpack_recognise(s->at, n);
	if (!s->compression)
		return 0;
	r->unpack = unpack_new(s->at, n, read_packed, r, r->why);
	if (!r->unpack)
		return err_set(err, ERR_USAGE,
		               "%s: compressed with %s, but cannot be "
		               "unpacked: %s",
		               path, s->compression, r->why);
	s->end = s->at;
	s->end_offset = 0;
	return 0;
}

static int start_ahead(struct stream_ring *r, struct err *err)
{
	for (size_t i = 1; i < BLOCKS; i++)
		if (add_block(r, i, err) < 0)
			return -1;
	/* block 0 is taken already: it holds the first bytes */
	r->filled = r->taken = 1;
	sigset_t all, old;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	int rc = pthread_create(&r->thread, NULL, read_ahead, r);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	r->ahead = rc == 0; /* without a thread it works as well */
	return 0;
}

static bool pays_ahead(const struct stream_ring *r)
{
	bool large = !r->regular || r->unpack || r->total >= AHEAD_FROM_BYTES;
	return large && sysconf(_SC_NPROCESSORS_ONLN) > 1;
}

int stream_open(struct stream *s, const char *path, bool ahead, struct err *err)
{
	*s = (struct stream){0};
	struct stream_ring *r = s->ring = calloc(1, sizeof *r);
	if (!r)
		return err_sys(err, errno, "memory for reading");
	r->fd = r->wake = -1;
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->changed, NULL);
	if (open_fd(r, path, err) < 0 || add_block(r, 0, err) < 0 ||
	    read_first(s, path, err) < 0 || start_unpacking(s, path, err) < 0 ||
	    (ahead && pays_ahead(r) && start_ahead(r, err) < 0)) {
		stream_close(s);
		return -1;
	}
	return 0;
}

void stream_close(struct stream *s)
{
	struct stream_ring *r = s->ring;
	if (!r)
		return;
	if (r->ahead) {
		stream_stop(s);
		pthread_mutex_lock(&r->lock);
		pthread_cond_signal(&r->changed);
		pthread_mutex_unlock(&r->lock);
		pthread_join(r->thread, NULL);
	}
	unpack_free(r->unpack);
	for (size_t i = 0; i < BLOCKS; i++)
		free(r->block[i].bytes);
	if (r->wake >= 0)
		close(r->wake);
	if (r->fd > STDIN_FILENO)
		close(r->fd);
	pthread_cond_destroy(&r->changed);
	pthread_mutex_destroy(&r->lock);
	free(r);
	*s = (struct stream){0};
}
