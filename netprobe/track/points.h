/* Capture points: where the same Rx datagrams are seen at two interfaces or more (of
 * one file or several), which came by at both and which at one only.
 *
 * A datagram is known by its connection, way and serial, so a retransmission (which
 * has a serial of its own, rx_packet.c rxi_SendPacket) is another one; Rx packets
 * without a serial by the IP identification.  Bounded; what is waited for expires by
 * packet time. */
#ifndef TRACK_POINTS_H
#define TRACK_POINTS_H

#include "netprobe/track/conn.h"
#include "src/base/sizes.h"
#include "src/base/table.h"

/* How long a datagram seen at one point is waited for at the others: clocks may be
 * that far apart. */
#define POINTS_WAIT_NS (INT64_C(120) * 1000000000)

#define POINTS_SEEN 4u     /* points at which one datagram is told apart */
#define POINTS_PAIRS 64u   /* pairs of points told apart */
#define POINTS_WINDOWS 16u /* spans of time in which differences are kept */

/* What tells a datagram from all others; zeroed before it is filled. */
struct point_key {
	struct conn_key conn;
	uint32_t serial;
	uint32_t id; /* IP identification where the serial is 0 */
	uint32_t way;
};

/* One datagram at one point. */
struct sighting {
	int64_t ns; /* of its first piece */
	uint64_t frame;
	uint32_t iface;
	uint32_t first_ip_len; /* of its first piece, or of the whole */
	uint16_t pieces;       /* 1 = whole */
	uint8_t ttl;
	uint8_t direction; /* enum direction */
	bool part;         /* some of its pieces did not come by */
};

/* Time at b less time at a, over one span of time. */
struct point_window {
	int64_t min_ns, max_ns;
	uint64_t n;
};

/* Fragments, by where the datagram was whole. */
struct point_cuts {
	uint64_t only_a, only_b;   /* whole at the other */
	uint64_t both;             /* in pieces at both, the first of one length */
	uint64_t both_differ;      /* likewise, of another length */
	uint32_t first_a, first_b; /* the longest first piece (IP length) there */
	uint64_t frame;            /* the first datagram cut at one and not the other */
};

/* What goes from one address to another past two points, a < b.  Which of them it
 * passes first is for passage.h to tell. */
struct route {
	struct route_key {
		struct addr src, dst;
		uint32_t a, b; /* interfaces */
		uint32_t way;
	} key;
	uint64_t both, only_a, only_b;
	uint64_t part_a, part_b; /* of only_b, only_a: some pieces came by there */
	/* UDP payloads */
	struct sizes size_both, size_a, size_b;
	uint64_t first_only_a, first_only_b; /* frames */
	struct point_cuts cuts;
	int32_t ttl_min, ttl_max; /* TTL at a less TTL at b */
	uint64_t out_a_in_b, in_a_out_b;
	int64_t first_ns, last_ns; /* at a, of what was seen at both */
	int64_t difference_ns;     /* of the first; mean = it + sum / both */
	double difference_sum;
	struct point_window window[POINTS_WINDOWS];
};

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

/* Takes a datagram with udp_len bytes of UDP payload. */
void points_see(struct points *p, const struct point_key *k, const struct addr *src,
                const struct addr *dst, uint32_t udp_len, const struct sighting *s);

/* Settles what is still waited for: the capture is over. */
void points_finish(struct points *p);

/* Routes; start with NULL. */
const struct route *points_route_next(const struct points *p, const struct route *r);
const struct route *points_route_find(const struct points *p,
                                      const struct route_key *k);

/* How long the spans of time are that the windows of all routes stand for. */
int64_t points_window_ns(const struct points *p);

/* What limits the figures. */
struct points_limits {
	uint64_t undecided;   /* left the full table before their time was up */
	uint64_t repeats;     /* seen again at the same point */
	uint64_t edges;       /* while the other point did not capture */
	uint64_t other_pairs; /* matches of pairs of points beyond POINTS_PAIRS */
	bool starved;         /* memory ran out */
};

const struct points_limits *points_limits(const struct points *p);

#endif
