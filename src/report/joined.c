#include "src/report/joined.h"

bool joined_make(struct joined *j, const struct run_phase *phase,
                 const struct probe_phase *seen, const struct probe_interface *on)
{
	const struct probe_flow *flow = probe_interface_bulk(on);
	int64_t begin = seen->begin_ns ? seen->begin_ns : phase->begin_ns;
	int64_t end = seen->end_ns ? seen->end_ns : phase->end_ns;
	if (on->to_client.frames + on->to_server.frames == 0)
		return false;
	*j = (struct joined){
	        .phase = phase,
	        .interface = on->name,
	        .to_client = flow == &on->to_client,
	        .flow = flow,
	        .share = flow->has_share ? flow->share : -1,
	        .fragments = on->to_client.fragments + on->to_server.fragments,
	        .resends = on->to_client.resends + on->to_server.resends,
	};
	if (end > begin)
		j->wire_kib_s =
		        (double)flow->ip_bytes / 1024 * 1e9 / (double)(end - begin);
	if (flow->sized)
		j->top_share = (double)flow->top_count / (double)flow->sized;
	return true;
}
