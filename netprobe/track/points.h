/* Capture points: where the same datagrams and TCP segments are seen at two interfaces
 * or more (of one file or several), which came by at both and which at one only.
 *
 * Bounded; what is waited for expires by packet time.  What no other packet is like is
 * matched across an address translator, too. */
#ifndef TRACK_POINTS_H
#define TRACK_POINTS_H

#include "netprobe/track/alone.h"
#include "netprobe/track/point_print.h"
#include "netprobe/track/route.h"
#include "src/base/table.h"

/* How long a datagram seen at one point is waited for at the others: clocks may be
 * that far apart. */
#define POINTS_WAIT_NS (INT64_C(120) * 1000000000)

#define POINTS_SEEN 4u   /* points at which one datagram is told apart */
#define POINTS_PAIRS 64u /* pairs of points told apart */

struct points;

/* The times between which an interface captured, so far; false where it saw nothing. */
typedef bool points_span_fn(void *ctx, uint32_t iface, int64_t *first, int64_t *last);

/* Keeps nothing yet.  NULL where memory is out. */
struct points *points_new(points_span_fn *span, void *ctx);
void points_free(struct points *p);

/* From here on datagrams are kept; now_ns 0 = from the beginning.  -1 where memory is
 * out.  Does nothing the second time. */
int points_start(struct points *p, int64_t now_ns);

bool points_started(const struct points *p);

/* A datagram at a point; size is its UDP payload, or the IP length of a TCP packet. */
struct point_datagram {
	struct point_key key;
	struct addr src, dst;
	uint32_t size;
	bool strong; /* POINT_UDP, POINT_TCP: as point_print tells */
};

void points_see(struct points *p, const struct point_datagram *d,
                const struct sighting *s);

/* How many bytes prints are to be made of: what all points have captured so far. */
uint32_t points_print_bytes(const struct points *p);

/* Some point captures only so many; what is waited for by a longer print is given up.
 */
void points_print_shorter(struct points *p, uint32_t bytes);

/* Counts a packet that no print could be made of. */
void points_skip(struct points *p);

/* Settles what is still waited for: the capture is over. */
void points_finish(struct points *p);

/* Routes; start with NULL. */
const struct route *points_route_next(const struct points *p, const struct route *r);
const struct route *points_route_find(const struct points *p,
                                      const struct route_key *k);

/* What no other point is known to lie on the way of; start with NULL. */
const struct alone *points_alone_next(const struct points *p, const struct alone *a);

/* How long the spans of time are that the windows of all routes stand for. */
int64_t points_window_ns(const struct points *p);

/* What limits the figures. */
struct points_limits {
	uint64_t undecided;   /* left the full table before their time was up */
	uint64_t repeats;     /* seen again at the same point */
	uint64_t edges;       /* while the other point did not capture */
	uint64_t other_pairs; /* matches of pairs of points beyond POINTS_PAIRS */
	uint64_t alike;       /* as another one at the same point: not told apart */
	uint64_t unread;      /* what tells them apart was not captured, or is no
	                       * proof yet (Rx on ports that are not AFS's) */
	bool starved;         /* memory ran out */
};

const struct points_limits *points_limits(const struct points *p);

#endif
