/* Live capture: one libpcap handle an interface, all polled together. */
#ifndef SOURCE_LIVE_H
#define SOURCE_LIVE_H

#include "netprobe/frame.h"
#include "src/base/err.h"

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kernel hands over what it has when it was that long in its buffer, or twice
 * that.  Frames of several interfaces wait so long for earlier ones. */
#define LIVE_TIMEOUT_MS 10
#define LIVE_WINDOW_MS 30

#define LIVE_IFACES_MAX 64u

struct live_options {
	const char *const *names;
	size_t n;
	const char *filter;       /* for the kernel; "" or NULL = every frame */
	const char *filter_plain; /* instead, on link types that have no VLAN tags */
	uint32_t snaplen;
	uint64_t buffer_bytes; /* of kernel memory for each interface */
};

/* Since the capture began; has_ false = the system does not tell. */
struct live_stats {
	bool has_received, has_dropped, has_ifdropped;
	uint64_t received;  /* passed the kernel filter, dropped ones too */
	uint64_t dropped;   /* no room in the buffer */
	uint64_t ifdropped; /* lost by the interface */
};

struct live;

/* Opens all interfaces; frames gather from here on.  Fails with ERR_ENVIRONMENT
 * (no such interface, no privilege), ERR_USAGE (filter). */
struct live *live_open(const struct live_options *o, struct err *err);
void live_close(struct live *l); /* NULL is harmless */

uint16_t live_link_type(const struct live *l, size_t i);
const char *live_filter(const struct live *l, size_t i); /* the one installed */
bool live_gone(const struct live *l, size_t i);

/* Fills n pollfds, as many as interfaces, and returns how many ms to wait at most
 * (up to max_ms).  Interfaces that need no waiting for, or are gone, get fd -1. */
int live_poll_fds(const struct live *l, struct pollfd *fds, int max_ms);

/* Called for each frame; its bytes are good during the call.  False stops. */
typedef bool live_frame_fn(void *ctx, const struct frame *f);

/* Takes what has been captured, without waiting, in the order of time over all
 * interfaces.  now_ns (CLOCK_REALTIME, that of the frames) decides which frames of
 * one interface may have earlier ones still to come from another; INT64_MAX takes
 * them all.  Returns -1 with err where an interface is gone (once each); the
 * others go on. */
int live_read(struct live *l, int64_t now_ns, live_frame_fn *fn, void *ctx,
              struct err *err);

void live_read_stats(struct live *l, size_t i, struct live_stats *s);

/* What a 32-bit counter grew by: 0 where it went back (drivers do that). */
uint32_t live_counter_step(uint32_t before, uint32_t now);

/* "libpcap version 1.10.3 …" */
const char *live_library_version(void);

#endif
