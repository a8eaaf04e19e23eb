/* The bytes of one file, pipe or compressed file, as one moving window.
 *
 * Bytes are read in large blocks; where the machine has a second core, a thread
 * of its own reads (and unpacks) ahead.  What does not fit a block is moved in
 * front of the next one, so that a record is always handed out in one piece
 * and never copied otherwise. */
#ifndef SOURCE_STREAM_H
#define SOURCE_STREAM_H

#include "src/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The longest record that can be handed out in one piece. */
#define STREAM_PIECE_MAX (17u << 20)

/* Why the bytes ended, besides the end of the file. */
enum stream_fault {
	STREAM_NO_FAULT,
	STREAM_READ_FAILED,   /* the environment: sys tells */
	STREAM_UNPACK_FAILED, /* the input: compressed data are cut or wrong */
};

struct stream_ring;
struct unpack;

struct stream {
	const uint8_t *at, *end; /* bytes at hand */
	uint64_t end_offset;     /* of end, in the (unpacked) file */
	enum stream_fault fault;
	int sys;                 /* errno of a failed read */
	char why[160];           /* libarchive's words, or strerror's */
	const char *compression; /* "gzip", …; NULL = not compressed */
	/* the rest is stream.c's */
	struct stream_ring *ring;
};

/* Opens path ("-" is standard input); ahead asks for the reading thread.
 * Fails with ERR_USAGE on a file that is missing, a directory, empty, or
 * compressed in a way that cannot be unpacked here. */
int stream_open(struct stream *s, const char *path, bool ahead, struct err *err);
void stream_close(struct stream *s);

/* Slow half of stream_need. */
bool stream_refill(struct stream *s, size_t n);

/* Makes n bytes (up to STREAM_PIECE_MAX) ready at s->at.  False where the input
 * ends before; what is left of it is then between at and end.  Pointers into
 * the stream are good until the next call that returns after a refill. */
static inline bool stream_need(struct stream *s, size_t n)
{
	return (size_t)(s->end - s->at) >= n || stream_refill(s, n);
}

/* Waits until bytes are at hand, at most ms.  True where they are, or the input has
 * ended: stream_need then waits for the rest of a record at most. */
bool stream_wait(struct stream *s, int ms);

/* Passes over n bytes, however many.  Returns how many were there. */
uint64_t stream_skip(struct stream *s, uint64_t n);

static inline uint64_t stream_offset(const struct stream *s)
{
	return s->end_offset - (uint64_t)(s->end - s->at);
}

/* Bytes taken from the file so far (compressed ones where it is), and its
 * size, 0 where that is not known. */
void stream_progress(const struct stream *s, uint64_t *done, uint64_t *total);

/* Ends the input at the next refill.  Async-signal-safe. */
void stream_stop(struct stream *s);
bool stream_stopped(const struct stream *s);

#endif
