/* Records as lines: NDJSON with all kinds, or CSV with one kind.  Calls are
 * written as they end, the rest when the capture is done; so memory does not grow
 * with the capture. */
#ifndef REPORT_STREAM_H
#define REPORT_STREAM_H

#include "netprobe/report/result.h"

#include <stdio.h>

enum stream_kind {
	STREAM_INTERFACES,
	STREAM_PHASES,
	STREAM_INTERVALS,
	STREAM_OPERATIONS,
	STREAM_FLOWS,
	STREAM_HOSTS,
	STREAM_CALLS,
	STREAM_PAIRS,
	STREAM_ICMP,
	STREAM_POINTS,
	STREAM_FINDINGS,
	STREAM_KINDS
};

struct stream {
	FILE *out;
	bool csv;       /* else NDJSON */
	unsigned kinds; /* bit i: enum stream_kind i is wanted */
	bool head_done; /* CSV: the heads are written */
	bool failed;    /* memory or the stream failed */
	int sys;        /* errno of that; 0 = memory */
};

/* The kind of this name ("flows", …), or -1. */
int stream_kind_find(const char *name);

/* Connects to the tracker, so that calls are written as they end. */
void stream_attach(struct stream *s, struct track *t);

/* Writes all that is left.  -1 (err set) if anything could not be written. */
int stream_finish(struct stream *s, const struct result *r, struct err *err);

#endif
