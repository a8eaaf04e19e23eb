/* What probe.json says (schema netprobe-report/1), as far as reports need it.
 * Every key of it may be absent. */
#ifndef REPORT_PROBE_RESULT_H
#define REPORT_PROBE_RESULT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/err.h"

/* One direction of one phase on one interface. */
struct probe_flow {
	uint64_t ip_packets, ip_bytes, rx_datagrams, rx_data_bytes;
	uint64_t fragments, resends;
	uint64_t top_size, top_count; /* commonest UDP payload of DATA datagrams */
	uint64_t sized;               /* datagrams whose size is told */
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

struct probe_result {
	struct probe_phase *phases;
	size_t nphases;
	json_t *verdicts; /* array of objects, may be empty */
	json_t *findings;
};

/* Reads dir/probe.json.  0; 1 where there is none; -1 and e where it is bad. */
int probe_result_load(struct probe_result *p, const char *dir, struct err *e);
void probe_result_fini(struct probe_result *p);

/* The phase of this id, or NULL. */
const struct probe_phase *probe_result_phase(const struct probe_result *p, int id);

#endif
