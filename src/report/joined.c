#include "src/report/joined.h"

#include <stdlib.h>

static struct joined make(const struct run_phase *phase, const struct probe_phase *seen,
                          const struct probe_interface *on, bool to_client)
{
	const struct probe_flow *flow = to_client ? &on->to_client : &on->to_server;
	int64_t begin = seen->begin_ns ? seen->begin_ns : phase->begin_ns;
	int64_t end = seen->end_ns ? seen->end_ns : phase->end_ns;
	struct joined j = {
	        .phase = phase,
	        .interface = on->name,
	        .to_client = to_client,
	        .flow = flow,
	        .share = flow->has_share ? flow->share : -1,
	        .fragments = flow->fragments,
	        .resends = flow->resends,
	};
	if (end > begin)
		j.wire_kib_s =
		        (double)flow->ip_bytes / 1024 * 1e9 / (double)(end - begin);
	if (flow->sized)
		j.top_share = (double)flow->top_count / (double)flow->sized;
	return j;
}

static bool has_row(const struct probe_interface *on, bool to_client)
{
	const struct probe_flow *this = to_client ? &on->to_client : &on->to_server;
	const struct probe_flow *other = to_client ? &on->to_server : &on->to_client;
	if (this->ip_packets + other->ip_packets == 0)
		return false;
	if (this->rx_data_bytes == other->rx_data_bytes)
		return this->rx_data_bytes > 0 || to_client;
	return this->rx_data_bytes > other->rx_data_bytes / 10;
}

struct joined *joined_rows(const struct run *r, const struct probe_result *probe,
                           size_t *n)
{
	size_t most = 1;
	for (size_t i = 0; i < probe->nphases; i++)
		most += 2 * probe->phases[i].ninterfaces;
	struct joined *rows = calloc(most, sizeof *rows);
	*n = 0;
	for (size_t i = 0; rows && i < r->nphases; i++) {
		const struct probe_phase *seen =
		        probe_result_phase(probe, r->phases[i].id);
		for (size_t k = 0; seen && k < 2 * seen->ninterfaces; k++) {
			const struct probe_interface *on = &seen->interfaces[k / 2];
			if (has_row(on, k % 2 == 0) && *n < most)
				rows[(*n)++] =
				        make(&r->phases[i], seen, on, k % 2 == 0);
		}
	}
	return rows;
}
