/* What two capture points tell together: which of them a datagram passes first, what
 * is lost between them, who cuts, and how far their clocks are apart. */
#ifndef TRACK_PASSAGE_H
#define TRACK_PASSAGE_H

#include "netprobe/track/points.h"

/* Why one point is taken for the first, the best reason first. */
enum passage_order {
	ORDER_HOPS,  /* routers lower the hop limit */
	ORDER_BOTH,  /* differences of time both ways: no clock has to be right */
	ORDER_SIDES, /* sent out at one, received at the other */
	ORDER_CLOCK, /* the earlier by the clocks: right only if these agree */
	PASSAGE_ORDERS
};

/* A route with its points in the order in which they are passed. */
struct passage {
	const struct route *route;
	uint32_t first, second; /* interfaces */
	bool first_is_a;
	enum passage_order order;
	uint64_t both, lost, extra; /* extra: only at the second */
	uint64_t in_part;           /* of the lost: some pieces came to the second */
	/* no Rx, and an offload joined or parted packets in front of a point: so many
	 * came by at one point alone in the form they had there, what of them is lost
	 * is not known, and lost and extra are 0 */
	bool regrouped;
	uint64_t only_first, only_second;
	/* UDP payloads; of TCP, IP lengths */
	const struct sizes *size_both, *size_lost;
	uint64_t lost_frame, extra_frame; /* the first of them; 0 = none */
	/* the size from which on loss is another; 0 = loss does not depend on size */
	uint32_t threshold;
	uint64_t lost_above, both_above, lost_below, both_below;
	int32_t hops_min, hops_max; /* hop limit at the first less that at the second */
	uint64_t cut_between;       /* whole at the first, in pieces at the second */
	uint64_t cut_before;        /* in the same pieces at both */
	uint64_t cut_again;         /* in pieces at both, not the same ones */
	uint64_t joined;            /* in pieces at the first, whole at the second */
	uint32_t first_piece, second_piece; /* IP length of the longest first piece */
	uint64_t cut_frame;
};

/* True where the sizes are IP lengths: TCP.  Else they are UDP payloads. */
static inline bool passage_sizes_are_ip(const struct passage *p)
{
	return p->route->key.kind == POINT_TCP;
}

void passage_make(struct passage *p, const struct points *points,
                  const struct route *r);

/* Loss shares of the sizes from this one on and below it, 0 to 1; -1 where there were
 * none. */
double passage_share_above(const struct passage *p);
double passage_share_below(const struct passage *p);

/* How far the clock of b is ahead of that of a (a < b).
 *
 * Every datagram from a to b shows a difference that is the offset and its delay, one
 * from b to a the offset less its delay: so the smallest of the first and the largest
 * of the second bound the offset, and it lies in their middle if the fastest datagrams
 * took as long both ways. */
struct clock_offset {
	bool has_low, has_high; /* both: offset and uncertainty are known */
	int64_t low_ns, high_ns;
	int64_t offset_ns, uncertainty_ns; /* half of what lies between the bounds */
	bool drifts; /* the bounds of early and late spans exclude each other; then the
	              * offset is that of the first span, and low and high its bounds */
	double drift_ppm; /* of b's clock against a's */
};

void clock_offset_make(struct clock_offset *c, const struct points *points, uint32_t a,
                       uint32_t b);

#endif
