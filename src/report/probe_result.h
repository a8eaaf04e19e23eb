/* What probe.json says (schema netprobe-report/1), as far as reports need it.
 * Every key of it may be absent. */
#ifndef REPORT_PROBE_RESULT_H
#define REPORT_PROBE_RESULT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/err.h"

/* How many DATA datagrams had this UDP payload. */
struct probe_size {
	uint64_t size, count;
};

/* One direction of one phase on one interface, or of all of its time. */
struct probe_flow {
	uint64_t ip_packets, ip_bytes, rx_datagrams, rx_data_bytes;
	uint64_t fragments, resends;
	uint64_t top_size, top_count; /* commonest UDP payload of DATA datagrams */
	uint64_t sized;               /* datagrams whose size is told */
	struct probe_size *sizes;     /* owned; the commonest first */
	size_t nsizes;
	bool has_ceiling, has_share;
	double ceiling; /* file-data bytes a second at that size */
	double share;   /* of the ceiling, 0 to 1 */
};

struct probe_interface {
	char name[32];
	struct probe_flow to_client, to_server;
};

struct probe_phase {
	int id;
	char name[64];
	int64_t begin_ns, end_ns;
	struct probe_interface *interfaces;
	size_t ninterfaces;
};

/* An interface that was captured, over all of the time. */
struct probe_total {
	char name[32], kind[32]; /* kind: "ethernet", "atm-llc", "": unknown */
	char addresses[128];
	uint64_t rate_bps, mtu; /* 0: unknown */
	uint64_t frames, dropped;
	struct probe_flow to_client, to_server;
};

/* What went one way over an interface in a short time. */
struct probe_interval {
	size_t total; /* index */
	bool to_client;
	int64_t begin_ns, length_ns; /* CLOCK_REALTIME */
	uint64_t ip_bytes, fragments, resends;
	uint64_t goodput_bytes; /* Rx data that were sent for the first time */
};

struct probe_result {
	struct probe_phase *phases;
	size_t nphases;
	struct probe_total *totals;
	size_t ntotals;
	struct probe_interval *intervals; /* by time; none in older records */
	size_t nintervals;
	json_t *verdicts; /* array of objects, may be empty */
	json_t *findings;
	bool diagnosed; /* findings were looked for */
};

/* Reads dir/probe.json.  0; 1 where there is none; -1 and e where it is bad. */
int probe_result_load(struct probe_result *p, const char *dir, struct err *e);
void probe_result_fini(struct probe_result *p);

/* The phase of this id, or NULL. */
const struct probe_phase *probe_result_phase(const struct probe_result *p, int id);

#endif
