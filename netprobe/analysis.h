/* A capture from its files to a finished result: the only file that knows the
 * order of the stages. */
#ifndef NETPROBE_ANALYSIS_H
#define NETPROBE_ANALYSIS_H

#include "netprobe/report/result.h"
#include "netprobe/report/stream.h"
#include "netprobe/source/source.h"
#include "netprobe/source/window.h"
#include "netprobe/track/track.h"
#include "src/base/err.h"

#include <signal.h>

/* Somebody who looks on while a capture is being read. */
struct analysis_viewer {
	/* Takes the result so far, once a second.  -1 with err ends the reading. */
	int (*show)(void *ctx, const struct result *r, struct err *err);
	bool (*enough)(void *ctx); /* asked ten times a second: true ends the reading */
	void *ctx;
};

struct analysis_options {
	const char *const *paths;
	size_t n_paths;
	const char *filter;              /* libpcap expression, NULL = all */
	struct window window;            /* zero = all of the time */
	const struct result_link *links; /* what --link told of interfaces */
	size_t n_links;
	const struct host_map *host_map;   /* NULL = none */
	int64_t interval_ns;               /* keep a series over time; 0 = none */
	struct stream *stream;             /* gets calls as they end; NULL = none */
	const volatile sig_atomic_t *stop; /* set by a signal: end with what was read */
	struct source *volatile *reading;  /* told of the source, for a signal handler's
	                                      source_stop; NULL = nobody asks */
	bool progress;                     /* a line on stderr, for a terminal */
	const struct analysis_viewer *viewer; /* NULL = nobody */
	bool confined; /* from before the first packet (sandbox.h) */
};

struct analysis {
	struct source *source;
	struct track *track;
	struct result result; /* points into source and track */
	bool stopped;         /* by a signal */
	struct err trouble;   /* what ended the reading early, after some frames */
};

/* Reads everything and makes the result.  -1 (err set) if nothing could be
 * read.  A capture that ends early is no failure: result.cuts tells. */
int analysis_run(struct analysis *a, const struct analysis_options *o, struct err *err);
void analysis_free(struct analysis *a);

/* 0, or ERR_PARTIAL where the input ended early or the reading was stopped. */
int analysis_exit_code(const struct analysis *a);

/* Analyses one capture file and writes its JSON report (write, fsync, rename) with a
 * series over time of this interval (0: none): what `record` does when it is done. */
int analysis_to_json(const char *capture_path, const char *json_path,
                     int64_t interval_ns, struct err *err);

#endif
