/* The pace of a direction: how long calls had data under way in it, how long they
 * waited with the receiver's window full.  Times are packet times in nanoseconds. */
#ifndef TRACK_PACE_H
#define TRACK_PACE_H

#include "netprobe/track/call.h"

/* A zeroed one is empty. */
struct pace {
	int64_t first_ns, last_ns; /* DATA of any call; 0 = none */
	int64_t idle_ns; /* of that span: gaps in which no call had data under way */
	uint64_t bytes;  /* Rx data that went in the rest, resends too: all but each
	                    call's first datagram */
	/* sums over calls, so several at once count several times */
	int64_t calls_ns;                /* from each call's first DATA to its last */
	int64_t window_ns[PACE_WINDOWS]; /* held back by the window, and by what */
};

/* Takes a DATA datagram of a call; first: the call's first one this way. */
void pace_take_data(struct pace *p, struct call_way *w, bool first, uint32_t bytes,
                    int64_t now_ns);

/* The window of the call is in this state from now on. */
void pace_take_window(struct pace *p, struct call_way *w, enum pace_window state,
                      int64_t now_ns);

/* How long calls had data under way: from each call's first DATA to its last, the
 * common time of several calls once. */
double pace_seconds(const struct pace *p);

/* Rx data bytes a second in that time; 0 where there was none. */
double pace_rate(const struct pace *p);

#endif
