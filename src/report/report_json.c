#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/report/joined.h"
#include "src/report/report.h"
#include "src/report/summary.h"
#include "src/run/judge.h"

static json_t *number_or_null(bool known, double value)
{
	return known ? json_real(value) : json_null();
}

static json_t *joined_json(const struct joined *j)
{
	return json_pack(
	        "{s:i, s:s, s:s, s:s, s:f, s:f, s:o, s:o, s:I, s:f, s:I, s:I, "
	        "s:I, s:I}",
	        "id", j->phase->id, "phase", j->phase->name, "interface", j->interface,
	        "direction", j->to_client ? "to_client" : "to_server",
	        "application_kib_per_s", run_phase_kib_s(j->phase), "ip_kib_per_s",
	        j->wire_kib_s, "share_of_ceiling",
	        number_or_null(j->share >= 0, j->share), "ceiling_bytes_per_s",
	        number_or_null(j->flow->has_ceiling, j->flow->ceiling), "datagram_size",
	        (json_int_t)j->flow->top_size, "datagram_size_share", j->top_share,
	        "fragments", (json_int_t)j->fragments, "resends",
	        (json_int_t)j->resends, "rx_data_bytes", (json_int_t)j->rx_data_bytes,
	        "ip_bytes", (json_int_t)j->ip_bytes);
}

json_t *report_json(const struct run *r, const struct probe_result *probe)
{
	json_t *o = run_json(r);
	if (o)
		json_object_set_new(o, "summary", summary_of_run(r, probe));
	if (!o || !probe)
		return o;
	json_t *rows = json_array();
	size_t n;
	struct joined *joined = joined_rows(r, probe, &n);
	for (size_t i = 0; joined && i < n; i++)
		json_array_append_new(rows, joined_json(&joined[i]));
	free(joined);
	json_object_set_new(o, "probe",
	                    json_pack("{s:o, s:O, s:O}", "phases", rows, "verdicts",
	                              probe->verdicts, "findings", probe->findings));
	return o;
}

/* Rx data that came and were sent during the passes of a phase; *seen: the probe knows
 * one. */
static uint64_t came_in(const struct run_phase *p, const struct probe_result *probe,
                        uint64_t *sent, bool *seen)
{
	uint64_t came = 0;
	*sent = 0;
	*seen = false;
	for (size_t i = 0; i < (p->npasses ? p->npasses : 1); i++) {
		const struct probe_phase *pass =
		        probe_result_phase(probe, p->npasses ? p->passes[i].id : p->id);
		*seen |= pass != NULL;
		for (size_t k = 0; pass && k < pass->ninterfaces; k++) {
			came += pass->interfaces[k].to_client.rx_data_bytes;
			*sent += pass->interfaces[k].to_server.rx_data_bytes;
		}
	}
	return came;
}

void report_judge_caches(struct run *r, const struct probe_result *probe)
{
	for (size_t i = 0; i < r->nphases; i++) {
		struct run_phase *p = &r->phases[i];
		bool cold = strcmp(p->cache, "cold") == 0, seen;
		uint64_t sent, came = came_in(p, probe, &sent, &seen);
		bool network = p->received_bytes >= 0;
		/* That nothing comes shows something where it would come this way, of a
		 * phase that reads. */
		if (seen && (cold ? network || came > 0 : network && p->read_bytes > 0))
			judge_phase(p, JUDGE_RX_DATA,
			            cold ? p->cold_proof : p->warm_proof, came, sent);
	}
}
