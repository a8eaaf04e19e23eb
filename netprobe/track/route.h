/* What goes from one address to another past two capture points: how much came by at
 * both and at one only, by size; who cut it; and the differences of time. */
#ifndef TRACK_ROUTE_H
#define TRACK_ROUTE_H

#include "netprobe/decode/addr.h"
#include "src/base/sizes.h"

#include <stdbool.h>

enum point_kind {
	POINT_RX,
	POINT_UDP, /* no Rx */
	POINT_TCP,
	POINT_KINDS
};

#define ROUTE_WINDOWS 16u /* spans of time in which differences are kept */

/* One datagram at one point. */
struct sighting {
	int64_t ns; /* of its first piece */
	uint64_t frame;
	uint32_t iface;
	uint32_t first_ip_len; /* of its first piece, or of the whole */
	uint32_t len;          /* UDP or TCP payload */
	uint16_t pieces;       /* 1 = whole */
	uint8_t ttl;
	uint8_t direction; /* enum direction */
	bool part;         /* some of its pieces did not come by */
	bool super;        /* put together by an offload */
	bool has_id;       /* its IP identification is part of the key */
};

/* Time at b less time at a, over one span of time. */
struct route_window {
	int64_t min_ns, max_ns;
	uint64_t n;
};

/* Fragments, by where the datagram was whole. */
struct route_cuts {
	uint64_t only_a, only_b;   /* whole at the other */
	uint64_t both;             /* in pieces at both, the first of one length */
	uint64_t both_differ;      /* likewise, of another length */
	uint32_t first_a, first_b; /* the longest first piece (IP length) there */
	uint64_t frame;            /* the first datagram cut at one and not the other */
};

struct route_key {
	struct addr src, dst; /* in front of a translator, if there is one */
	uint32_t a, b;        /* interfaces, a < b */
	uint16_t way;         /* POINT_RX: enum way; else 0 */
	uint16_t kind;        /* enum point_kind */
};

/* Which of the points it passes first is for passage.h to tell. */
struct route {
	struct route_key key;
	uint64_t both, only_a, only_b;
	uint64_t part_a, part_b; /* of only_b, only_a: some pieces came by there */
	/* UDP payloads; of TCP, IP lengths */
	struct sizes size_both, size_a, size_b;
	uint64_t first_only_a, first_only_b; /* frames */
	/* of both: put together by an offload at a point, so that no size is told */
	uint64_t super;
	/* packets seen at a (b) that an offload had put together, or that came by at
	 * the other point in other packets */
	uint64_t joined_a, joined_b;
	struct route_cuts cuts;
	int32_t ttl_min, ttl_max; /* TTL at a less TTL at b */
	uint64_t out_a_in_b, in_a_out_b;
	int64_t difference_ns; /* of the first; mean = it + sum / both */
	double difference_sum;
	struct route_window window[ROUTE_WINDOWS];
	/* of both: so many passed an address translator; what the latest of them had
	 * for addresses behind it */
	uint64_t translated;
	struct addr src_behind, dst_behind;
};

/* Counts what was seen at both; size in the layer of size_both. */
void route_take_both(struct route *r, const struct sighting *a,
                     const struct sighting *b, uint32_t size);

/* Counts the difference of the times of the same, after route_take_both. */
void route_take_time(struct route *r, int64_t at_a, int64_t at_b, unsigned window);

/* Makes the spans of time twice as long. */
void route_widen(struct route *r);

/* The least and the largest difference of all spans. */
struct route_window route_differences(const struct route *r);

void route_clear(struct route *r);

#endif
