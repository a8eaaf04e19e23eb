/* Live capture: one libpcap handle an interface, all polled together. */
#ifndef SOURCE_LIVE_H
#define SOURCE_LIVE_H

#include "netprobe/frame.h"
#include "src/base/err.h"

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LIVE_TIMEOUT_MS 100 /* the kernel hands over what it has at least so often */

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

/* Fills n pollfds, as many as interfaces; those that are gone get fd -1. */
void live_poll_fds(const struct live *l, struct pollfd *fds);

/* Called for each frame; its bytes are good during the call.  False stops. */
typedef bool live_frame_fn(void *ctx, const struct frame *f);

/* Takes what has been captured on interface i, without waiting.  Returns the
 * number of frames, or -1 with err where the interface is gone (once). */
int live_read(struct live *l, size_t i, live_frame_fn *fn, void *ctx, struct err *err);

void live_read_stats(struct live *l, size_t i, struct live_stats *s);

/* What a 32-bit counter grew by: 0 where it went back (drivers do that). */
uint32_t live_counter_step(uint32_t before, uint32_t now);

/* "libpcap version 1.10.3 …" */
const char *live_library_version(void);

#endif
