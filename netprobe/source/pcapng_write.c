#include "netprobe/source/pcapng_write.h"

#include "netprobe/source/comment.h"
#include "netprobe/source/endian.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define BUFFER_BYTES (1u << 20)
#define FRAME_MAX (BUFFER_BYTES - 64u) /* longer frames are cut to this */

enum {
	SHB_HARDWARE = 2,
	SHB_OS = 3,
	SHB_APPLICATION = 4,
	COMMENT = 1,
	IF_NAME = 2,
	IF_DESCRIPTION = 3,
	IF_SPEED = 8,
	IF_TSRESOL = 9,
	IF_FILTER = 11,
	EPB_FLAGS = 2,
	ISB_STARTTIME = 2,
	ISB_ENDTIME = 3,
	ISB_IFRECV = 4,
	ISB_IFDROP = 5,
	ISB_OSDROP = 7,
};

struct pcapng_writer {
	int fd;
	char *path;
	struct err err; /* the first */
	uint64_t written;
	size_t used, block; /* block = where the one being built begins */
	uint8_t buffer[BUFFER_BYTES];
};

/* ---- the buffer ---------------------------------------------------------- */

/* Length of the whole blocks among the first n bytes of the buffer. */
static size_t whole_blocks(const struct pcapng_writer *w, size_t n)
{
	size_t at = 0;
	while (n - at >= 12) {
		uint32_t length;
		memcpy(&length, w->buffer + at + 4, sizeof length);
		if (length > n - at)
			break;
		at += length;
	}
	return at;
}

/* Writes what is there before the block being built. */
static void drain(struct pcapng_writer *w)
{
	size_t done = 0;
	while (w->err.code == ERR_NONE && done < w->block) {
		ssize_t n = write(w->fd, w->buffer + done, w->block - done);
		if (n >= 0) {
			done += (size_t)n;
			continue;
		}
		if (errno == EINTR)
			continue;
		err_sys(&w->err, errno,
		        "%s: cannot write the capture on; what is in it stays readable",
		        w->path);
		size_t whole = whole_blocks(w, done);
		/* a pipe cannot be cut: then its reader sees half a block */
		if (whole < done && ftruncate(w->fd, (off_t)(w->written + whole)) == 0)
			done = whole;
	}
	w->written += done;
	memmove(w->buffer, w->buffer + w->block, w->used - w->block);
	w->used -= w->block;
	w->block = 0;
}

/* n bytes (a multiple of 4 is made of them) of the block being built. */
static uint8_t *room(struct pcapng_writer *w, size_t n)
{
	size_t padded = (n + 3) & ~(size_t)3;
	if (w->used + padded > sizeof w->buffer)
		drain(w);
	uint8_t *to = w->buffer + w->used;
	memset(to + n, 0, padded - n);
	w->used += padded;
	return to;
}

static void put32(struct pcapng_writer *w, uint32_t v)
{
	memcpy(room(w, sizeof v), &v, sizeof v);
}

static void put_bytes(struct pcapng_writer *w, const void *bytes, size_t n)
{
	memcpy(room(w, n), bytes, n);
}

static void put_option(struct pcapng_writer *w, unsigned code, const void *bytes,
                       size_t n)
{
	uint16_t head[2] = {(uint16_t)code, (uint16_t)n};
	put_bytes(w, head, sizeof head);
	put_bytes(w, bytes, n);
}

static void put_text(struct pcapng_writer *w, unsigned code, const char *text)
{
	size_t n = strlen(text);
	if (n > 0)
		put_option(w, code, text, n);
}

static void put_u64(struct pcapng_writer *w, unsigned code, uint64_t v)
{
	put_option(w, code, &v, sizeof v);
}

/* Times are two words, the high one first, in either byte order. */
static void put_time(struct pcapng_writer *w, int64_t ns)
{
	put32(w, (uint32_t)((uint64_t)ns >> 32));
	put32(w, (uint32_t)ns);
}

static void put_time_option(struct pcapng_writer *w, unsigned code, int64_t ns)
{
	uint32_t words[2] = {(uint32_t)((uint64_t)ns >> 32), (uint32_t)ns};
	put_option(w, code, words, sizeof words);
}

static void begin_block(struct pcapng_writer *w, uint32_t type)
{
	w->block = w->used;
	put32(w, type);
	put32(w, 0); /* its length: end_block */
}

static void end_block(struct pcapng_writer *w)
{
	put32(w, 0); /* room first: it may move the block */
	uint32_t length = (uint32_t)(w->used - w->block);
	memcpy(w->buffer + w->block + 4, &length, sizeof length);
	memcpy(w->buffer + w->used - 4, &length, sizeof length);
	w->block = w->used;
	if (w->err.code != ERR_NONE)
		w->used = w->block = 0;
}

/* ---- blocks -------------------------------------------------------------- */

struct pcapng_writer *pcapng_writer_new(int fd, const char *path,
                                        const char *application, struct err *err)
{
	struct pcapng_writer *w = calloc(1, sizeof *w);
	if (w)
		w->path = strdup(path);
	if (!w || !w->path) {
		err_sys(err, ENOMEM, "memory for writing %s", path);
		close(fd);
		free(w);
		return NULL;
	}
	w->fd = fd;
	struct utsname u = {0};
	uname(&u);
	char os[sizeof u.sysname + sizeof u.release + 1];
	strcpy(os, u.sysname);
	strcat(os, " ");
	strcat(os, u.release);
	begin_block(w, 0x0a0d0d0a);
	put32(w, 0x1a2b3c4d);
	put_bytes(w, (uint16_t[]){1, 0}, 4); /* version */
	put_bytes(w, &(int64_t){-1}, 8);     /* section length: not known */
	put_text(w, SHB_HARDWARE, u.machine);
	put_text(w, SHB_OS, os);
	put_text(w, SHB_APPLICATION, application);
	put32(w, 0); /* end of options */
	end_block(w);
	return w;
}

void pcapng_write_iface(struct pcapng_writer *w, const struct source_iface *i)
{
	char comment[1024];
	char filter[1 + sizeof i->filter] = {0}; /* 0 = a text follows */
	begin_block(w, 1);
	put_bytes(w, (uint16_t[]){i->link_type, 0}, 4);
	put32(w, i->snaplen);
	put_text(w, IF_NAME, i->name);
	put_text(w, IF_DESCRIPTION, i->description);
	if (i->speed_bps)
		put_u64(w, IF_SPEED, i->speed_bps);
	put_option(w, IF_TSRESOL, &(uint8_t){9}, 1);
	if (i->filter[0]) {
		size_t n = strlen(i->filter);
		memcpy(filter + 1, i->filter, n);
		put_option(w, IF_FILTER, filter, n + 1);
	}
	if (comment_format_iface(comment, sizeof comment, i))
		put_text(w, COMMENT, comment);
	put32(w, 0);
	end_block(w);
}

void pcapng_write_frame(struct pcapng_writer *w, const struct frame *f)
{
	uint32_t caplen = f->caplen < FRAME_MAX ? f->caplen : FRAME_MAX;
	begin_block(w, 6);
	put32(w, f->iface);
	put_time(w, f->time_ns);
	put32(w, caplen);
	put32(w, f->wirelen);
	put_bytes(w, f->bytes, caplen);
	if (f->direction != DIR_UNKNOWN) {
		uint32_t flags = f->direction == DIR_IN ? 1 : 2;
		put_option(w, EPB_FLAGS, &flags, sizeof flags);
		put32(w, 0);
	}
	end_block(w);
}

void pcapng_write_statistics(struct pcapng_writer *w, uint32_t iface,
                             const struct source_iface *s, int64_t time_ns,
                             int64_t start_ns, const struct source_mark *mark)
{
	char comment[1024];
	begin_block(w, 5);
	put32(w, iface);
	put_time(w, time_ns);
	if (start_ns) {
		put_time_option(w, ISB_STARTTIME, start_ns);
		put_time_option(w, ISB_ENDTIME, time_ns);
	}
	if (s->has_received)
		put_u64(w, ISB_IFRECV, s->received);
	if (s->has_ifdropped)
		put_u64(w, ISB_IFDROP, s->ifdropped);
	if (s->has_dropped)
		put_u64(w, ISB_OSDROP, s->dropped);
	if (s->has_kernel && comment_format_counters(comment, sizeof comment, s))
		put_text(w, COMMENT, comment);
	if (mark && comment_format_mark(comment, sizeof comment, mark))
		put_text(w, COMMENT, comment);
	put32(w, 0);
	end_block(w);
}

int pcapng_writer_flush(struct pcapng_writer *w, struct err *err)
{
	drain(w);
	if (w->err.code == ERR_NONE)
		return 0;
	*err = w->err;
	return -1;
}

uint64_t pcapng_writer_bytes(const struct pcapng_writer *w)
{
	return w->written;
}

int pcapng_writer_close(struct pcapng_writer *w, struct err *err)
{
	int rc = pcapng_writer_flush(w, err);
	if (close(w->fd) < 0 && rc == 0)
		rc = err_sys(err, errno, "%s: cannot finish the capture", w->path);
	free(w->path);
	free(w);
	return rc;
}
