/* One phase on one interface, application and wire side by side. */
#ifndef REPORT_JOINED_H
#define REPORT_JOINED_H

#include "src/report/probe_result.h"
#include "src/run/run.h"

struct joined {
	const struct run_phase *phase;
	const char *interface;
	bool to_client;
	const struct probe_flow *flow; /* of that direction */
	double wire_kib_s;             /* its IP bytes over the phase's time */
	double share;                  /* of the link's ceiling; < 0: unknown */
	double top_share; /* of datagrams that have the commonest size, 0 to 1 */
	uint64_t fragments, resends; /* of that direction */
};

/* All rows of a run, in the order of phases and interfaces: a direction has one
 * if it is the one that carried more file data or carried a tenth of that (a
 * rewrite has both).  NULL where memory is out; to be freed. */
struct joined *joined_rows(const struct run *r, const struct probe_result *probe,
                           size_t *n);

#endif
