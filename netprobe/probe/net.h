/* What the search for a path MTU needs of a network: to send a probe of a size and to
 * hear what became of it.  socket.h is the real one, tests have theirs. */
#ifndef PROBE_NET_H
#define PROBE_NET_H

#include "netprobe/decode/addr.h"

#include <stdbool.h>
#include <stdint.h>

enum probe_event_kind {
	PROBE_NOTHING,     /* the time is over */
	PROBE_ANSWER,      /* probe `id` was answered */
	PROBE_TOO_BIG,     /* a router, or this host, carries no more than `mtu` */
	PROBE_UNREACHABLE, /* a router, or this host, says so */
	PROBE_REFUSED,     /* the peer says that nothing listens there */
	PROBE_GONE,        /* the interface or the address went away */
	PROBE_FORBIDDEN,   /* this host does not let it out (firewall, privilege) */
	PROBE_STOPPED,     /* by a signal */
};

struct probe_event {
	enum probe_event_kind kind;
	uint32_t id;   /* of an answer */
	uint32_t mtu;  /* of "too big"; 0 = a router that does not tell */
	bool local;    /* this host said it, no packet left */
	bool has_from; /* who said it */
	struct addr from;
	int sys; /* errno, where there is one */
};

struct probe_net {
	void *ctx;
	int64_t (*now)(void *ctx); /* ns */
	/* Sends probe `id`, padded to ip_len.  What the kernel says at once comes back
	 * as an event, else PROBE_NOTHING. */
	struct probe_event (*send)(void *ctx, uint32_t id, uint32_t ip_len);
	/* The next event up to `until`, a time of now(). */
	struct probe_event (*wait)(void *ctx, int64_t until);
};

#endif
