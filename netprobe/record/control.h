/* The probe's side of the control protocol (doc/design.md): lines on standard
 * input and output. */
#ifndef RECORD_CONTROL_H
#define RECORD_CONTROL_H

#include "netprobe/source/source.h"

enum control_event {
	CONTROL_NONE,   /* no whole line there */
	CONTROL_MARK,   /* *mark is filled */
	CONTROL_FINISH, /* also at end of file */
	CONTROL_BAD,    /* text tells the line */
};

struct control {
	int in, out;
	bool ended;
	size_t used;
	char line[512]; /* what has been read and not been taken */
	char bad[128];  /* the line of CONTROL_BAD */
};

/* Reads what is there; call it when poll says so.  in must not block. */
void control_fill(struct control *c);

/* The next message among what was read. */
enum control_event control_next(struct control *c, struct source_mark *mark);

/* Sends one line.  False where the driver is gone. */
bool control_send(const struct control *c, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));

#endif
