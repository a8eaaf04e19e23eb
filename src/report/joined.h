/* One phase on one interface, application and wire side by side. */
#ifndef REPORT_JOINED_H
#define REPORT_JOINED_H

#include "src/report/probe_result.h"
#include "src/run/run.h"

/* Sums over the passes of the phase, but for flow. */
struct joined {
	const struct run_phase *phase;
	const char *interface;
	bool to_client;
	/* Of that direction, in the pass that carried the most: it tells the commonest
	 * size and its ceiling. */
	const struct probe_flow *flow;
	double wire_kib_s; /* IP bytes over the time of the passes */
	double share;      /* of the link's ceiling; < 0: unknown */
	double top_share;  /* of datagrams that have the commonest size, 0 to 1 */
	uint64_t ip_bytes, rx_data_bytes, fragments, resends;
};

/* All rows of a run, in the order of phases and interfaces: a direction has one
 * if it is the one that carried more file data or carried a tenth of that (a
 * rewrite has both).  To be freed; NULL where there is no phase, or no memory. */
struct joined *joined_rows(const struct run *r, const struct probe_result *probe,
                           size_t *n);

#endif
