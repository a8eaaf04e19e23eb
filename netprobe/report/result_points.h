/* Pairs of capture points as the renderers print them. */
#ifndef REPORT_RESULT_POINTS_H
#define REPORT_RESULT_POINTS_H

#include "netprobe/report/result.h"
#include "netprobe/track/passage.h"

#define POINTS_CLASSES 8u

/* Datagrams of one class of UDP payloads; of TCP, of IP lengths. */
struct points_class {
	uint32_t min, max; /* UINT32_MAX = no limit */
	uint64_t arrived, lost;
};

struct result_passage {
	struct passage passage;
	const struct result_iface *first, *second;
	struct points_class class[POINTS_CLASSES]; /* rising; empty ones too */
};

struct result_points {
	const struct result_iface *a, *b;
	bool one_clock; /* both in one file */
	struct clock_offset clock;
	struct result_passage *passages; /* owned; most datagrams first */
	size_t n;
};

/* Fills the pairs of points in the order of their interfaces; none where no datagram
 * was seen at two.  -1 where memory is out; result_points_free frees what is there. */
int result_points_make(struct result *r);
void result_points_free(struct result *r);

/* Share of what the second point should have seen, 0 to 1; -1 where it is nothing. */
double result_lost_share(uint64_t lost, uint64_t arrived);

/* "rx", "udp", "tcp" */
const char *point_kind_name(unsigned kind);

/* "hop limit", "time stamps both ways", … */
const char *passage_order_name(enum passage_order o);

#endif
