/* What the files of one recording share.  Private to netprobe/record. */
#ifndef RECORD_SESSION_INTERNAL_H
#define RECORD_SESSION_INTERNAL_H

#include "netprobe/record/control.h"
#include "netprobe/record/session.h"
#include "netprobe/source/filter.h"
#include "netprobe/source/live.h"
#include "netprobe/source/pcapng_write.h"

#define FILTER_BYTES 1024u

struct recorded {
	struct source_iface facts; /* with the counters, when they are read */
	int index;
	bool loopback;
	bool told_gone;
	struct filter *filter; /* of --account */
	struct host_counters start;
	uint64_t frames;
};

struct session {
	const struct record_options *o;
	struct host *host;
	struct live *live;
	struct pcapng_writer *writer;
	struct recorded *iface;
	struct pollfd *fds; /* interfaces, then control */
	struct control control;
	char filter[FILTER_BYTES], filter_plain[FILTER_BYTES];
	uint64_t frames;
	int64_t start_ns, stop_ns; /* frames of this time count; stop 0 = not yet */
	bool arrived;              /* a frame since this was last cleared */
	bool enough;
	struct err filter_err;
	struct err trouble; /* what makes the result a partial one */
};

/* Opens everything, gives up privileges, and notes the beginning. */
int session_open(struct session *s, struct err *err);

/* Notes the beginning or the end; with --account, what the kernel counted. */
int session_set_moment(struct session *s, bool end, struct err *err);

/* A statistics block for every interface, the mark (NULL = none) in the last. */
void session_write_statistics(struct session *s, int64_t now, bool end,
                              const struct source_mark *mark);

#endif
