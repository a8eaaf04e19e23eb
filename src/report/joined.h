/* One phase on one interface, application and wire side by side. */
#ifndef REPORT_JOINED_H
#define REPORT_JOINED_H

#include "src/report/probe_result.h"
#include "src/run/run.h"

struct joined {
	const struct run_phase *phase;
	const char *interface;
	bool to_client;                /* the bulk direction */
	const struct probe_flow *flow; /* of that direction */
	double wire_kib_s; /* IP bytes of that direction over the phase's time */
	double share;      /* of the link's ceiling; < 0: unknown */
	double top_share;  /* of datagrams that have the commonest size, 0 to 1 */
	uint64_t fragments, resends; /* of both directions */
};

/* Fills j; false where the interface carried nothing in this phase. */
bool joined_make(struct joined *j, const struct run_phase *phase,
                 const struct probe_phase *seen, const struct probe_interface *on);

#endif
