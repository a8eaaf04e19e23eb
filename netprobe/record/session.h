/* One recording: interfaces in, a pcapng file out, until told to stop. */
#ifndef RECORD_SESSION_H
#define RECORD_SESSION_H

#include "netprobe/record/facts.h"
#include "src/base/err.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Headers up to IPv6 with two VLAN tags (14 + 8 + 40 + 8), the Rx header (28), an
 * ack of 255 packets with its trailer (18 + 255 + 3 + 16): 390 bytes.  So every
 * header, every ack trailer and every opcode is there, and no file data beyond. */
#define RECORD_SNAPLEN 400u
#define RECORD_BUFFER_MIB 32u

/* For who records in a thread of its own: told instead of standard error. */
struct record_watcher {
	void (*ready)(void *ctx); /* the capture runs */
	/* the interface is gone, and why; the others go on */
	void (*gone)(void *ctx, const char *iface, const char *why);
	void *ctx;
};

struct record_options {
	const char *const *names; /* interfaces */
	size_t n;
	const char *path; /* the capture */
	int fd;           /* open for writing it, stays the caller's; 0 = by path */
	const char *json_path; /* analysis of it, or NULL */
	const char *filter;    /* -f; NULL = that of the ports; "" = everything */
	const char *ports;
	const struct record_link *links;
	size_t n_links;
	const char *lab_path; /* the lab's description, or NULL */
	uint32_t snaplen;
	uint64_t buffer_bytes;
	int64_t duration_ns; /* 0 = until told */
	uint64_t count;      /* frames; 0 = until told */
	bool account;        /* filter here, and count what it leaves out */
	bool control;        /* be told by standard input */
	bool progress;       /* a line a second on standard error */
	const volatile sig_atomic_t *stop;    /* set by a signal handler */
	const struct record_watcher *watcher; /* NULL = standard error */
};

/* Records.  Returns 0, or -1 with err: ERR_PARTIAL where the capture is there but
 * not whole (interface gone, disk full). */
int record_run(const struct record_options *o, struct err *err);

#endif
