/* driver_loop DIR SIZE REQUEST SEEKS FILES: the phases of the bonnie workload as bare
 * loops of the same system calls, nothing around them.  Prints "PHASE SECONDS" lines:
 * the processor time from the first call to the close, as cellbench's cpu_ns. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/clock.h"
#include "src/base/rng.h"

enum { STREAM_BUFFER = 8192, SEEK_BYTES = 16384, POOL = 1 << 18, PER_BYTE = 64 };

struct loop {
	const char *dir;
	size_t size, request;
	unsigned long seeks, files;
	char path[4096];
	char *pool, *buf;
	int fd;
};

static void check(int good, const char *what)
{
	if (good)
		return;
	perror(what);
	exit(3);
}

static void open_file(struct loop *l, int flags)
{
	snprintf(l->path, sizeof l->path, "%s/driver_loop.data", l->dir);
	if (flags & O_CREAT)
		unlink(l->path);
	l->fd = open(l->path, flags, 0644);
	check(l->fd >= 0, l->path);
}

/* The data are random, as cellbench's: windows of a pool that follow one another. */
static const char *block(const struct loop *l, size_t k)
{
	return l->pool + k * (l->request + 8) % POOL;
}

static void per_char_output(struct loop *l)
{
	FILE *f = fdopen(l->fd, "w");
	static char buffer[STREAM_BUFFER];
	setvbuf(f, buffer, _IOFBF, sizeof buffer);
	for (size_t k = 0; k < l->size / l->request; k++) {
		const char *p = block(l, k);
		for (size_t i = 0; i < l->request; i++)
			check(putc_unlocked(p[i], f) != EOF, "putc");
	}
	check(fflush(f) == 0, "fflush");
}

static void per_char_input(struct loop *l)
{
	FILE *f = fdopen(l->fd, "r");
	static char buffer[STREAM_BUFFER];
	setvbuf(f, buffer, _IOFBF, sizeof buffer);
	for (size_t i = 0; i < l->size; i++)
		check(getc_unlocked(f) != EOF, "getc");
}

/* A part of the file: a call a byte is slow. */
static void per_byte_output(struct loop *l)
{
	for (size_t k = 0; k < l->size / PER_BYTE / l->request; k++) {
		const char *p = block(l, k);
		for (size_t i = 0; i < l->request; i++)
			check(write(l->fd, p + i, 1) == 1, "write");
	}
}

static void per_byte_input(struct loop *l)
{
	char c;
	for (size_t i = 0; i < l->size / PER_BYTE; i++)
		check(read(l->fd, &c, 1) == 1, "read");
}

static void block_output(struct loop *l)
{
	for (size_t k = 0; k < l->size / l->request; k++)
		check(write(l->fd, block(l, k), l->request) == (ssize_t)l->request,
		      "write");
}

static void rewrite(struct loop *l)
{
	for (size_t at = 0; at < l->size; at += l->request) {
		check(read(l->fd, l->buf, l->request) == (ssize_t)l->request, "read");
		l->buf[at / l->request % l->request] ^= 1;
		check(lseek(l->fd, (off_t)at, SEEK_SET) >= 0, "lseek");
		check(write(l->fd, l->buf, l->request) == (ssize_t)l->request, "write");
	}
}

static void block_input(struct loop *l)
{
	for (size_t at = 0; at < l->size; at += l->request)
		check(read(l->fd, l->buf, l->request) == (ssize_t)l->request, "read");
}

static void random_seeks(struct loop *l)
{
	struct rng r = rng_init(1);
	for (unsigned long i = 1; i <= l->seeks; i++) {
		off_t at = (off_t)(rng_below(&r, l->size / SEEK_BYTES) * SEEK_BYTES);
		check(lseek(l->fd, at, SEEK_SET) >= 0, "lseek");
		check(read(l->fd, l->buf, SEEK_BYTES) == SEEK_BYTES, "read");
		if (i % 10 == 0) {
			l->buf[i % SEEK_BYTES] ^= 1;
			check(lseek(l->fd, at, SEEK_SET) >= 0, "lseek");
			check(write(l->fd, l->buf, SEEK_BYTES) == SEEK_BYTES, "write");
		}
	}
}

static const char *file_path(struct loop *l, unsigned long i)
{
	snprintf(l->path, sizeof l->path, "%010lxabcdef", i);
	return l->path;
}

static void create(struct loop *l)
{
	for (unsigned long i = 0; i < l->files; i++) {
		int fd = open(file_path(l, i), O_CREAT | O_EXCL | O_WRONLY, 0644);
		check(fd >= 0 && close(fd) == 0, l->path);
	}
}

static void stat_listed(struct loop *l)
{
	struct stat s;
	(void)l;
	DIR *d = opendir("."); /* its folder, as bonnie++ */
	check(d != NULL, "opendir");
	for (const struct dirent *e; (e = readdir(d));) {
		if (e->d_name[0] == '.')
			continue;
		check(stat(e->d_name, &s) == 0, e->d_name);
	}
	closedir(d);
}

static void delete (struct loop *l)
{
	for (unsigned long i = 0; i < l->files; i++)
		check(unlink(file_path(l, i)) == 0, l->path);
}

static const struct phase {
	const char *name;
	int flags; /* of open; -1: no file */
	void (*run)(struct loop *l);
} phases[] = {
        {"per-char-output", O_CREAT | O_EXCL | O_WRONLY, per_char_output},
        {"per-byte-output", O_CREAT | O_EXCL | O_WRONLY, per_byte_output},
        {"block-output", O_CREAT | O_EXCL | O_WRONLY, block_output},
        {"rewrite", O_RDWR, rewrite},
        {"per-char-input", O_RDONLY, per_char_input},
        {"per-byte-input", O_RDONLY, per_byte_input},
        {"block-input", O_RDONLY, block_input},
        {"random-seeks", O_RDWR, random_seeks},
        {"seq-create", -1, create},
        {"seq-stat", -1, stat_listed},
        {"seq-delete", -1, delete},
};

int main(int argc, char **argv)
{
	if (argc != 6) {
		fprintf(stderr, "driver_loop DIR SIZE REQUEST SEEKS FILES\n");
		return 2;
	}
	struct loop l = {.dir = argv[1],
	                 .size = strtoul(argv[2], NULL, 10),
	                 .request = strtoul(argv[3], NULL, 10),
	                 .seeks = strtoul(argv[4], NULL, 10),
	                 .files = strtoul(argv[5], NULL, 10)};
	char folder[4096];
	struct rng r = rng_init(1);
	l.pool = malloc(POOL + l.request);
	l.buf = malloc(l.request < SEEK_BYTES ? SEEK_BYTES : l.request);
	check(l.pool && l.buf, "malloc");
	for (size_t i = 0; i < POOL + l.request; i++)
		l.pool[i] = (char)rng_next(&r);
	snprintf(folder, sizeof folder, "%s/driver_loop.files", l.dir);
	check(mkdir(folder, 0755) == 0 && chdir(folder) == 0, folder);
	for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
		if (phases[i].flags >= 0)
			open_file(&l, phases[i].flags);
		int64_t start = clock_cpu_ns();
		phases[i].run(&l);
		if (phases[i].flags >= 0)
			close(l.fd);
		printf("%s %.9f\n", phases[i].name,
		       (double)(clock_cpu_ns() - start) / 1e9);
	}
	open_file(&l, O_CREAT | O_WRONLY);
	unlink(l.path);
	rmdir(folder);
	free(l.pool);
	free(l.buf);
	return 0;
}
