/* Standard I/O over an engine, for the per-character phases: what Bonnie's
 * putc and getc did over write(2) and read(2).  Every call of the engine is an
 * operation of the meter. */
#ifndef WORKLOAD_STREAM_H
#define WORKLOAD_STREAM_H

#include <stdio.h>

#include "src/workload/workload.h"

enum { STREAM_BUFFER = 8192 }; /* glibc's BUFSIZ, whatever the file says of itself */

struct stream {
	struct work *work;
	int handle;
	int error; /* first -errno of an engine call, 0 */
	FILE *file;
	char buffer[STREAM_BUFFER];
};

/* Opens s->file on an open handle; mode is "r" or "w".  0 or -errno. */
int stream_open(struct stream *s, struct work *w, int handle, const char *mode);

/* Flushes and ends the stream; the handle stays open.  0, or the first -errno
 * of any call since the start. */
int stream_close(struct stream *s);

#endif
