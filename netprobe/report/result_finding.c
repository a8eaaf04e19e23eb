#include "netprobe/report/result_finding.h"

#include "netprobe/diagnose/diagnose.h"

#include <stdlib.h>

/* Where the capture does not tell when it ran, its first and last frames do. */
static void set_span(struct fact_iface *f, const struct source_iface *s)
{
	f->from_ns = f->stats->frames ? f->stats->first_ns : s->from_ns;
	f->until_ns = f->stats->frames ? f->stats->last_ns : s->until_ns;
	if (s->from_ns && s->from_ns < f->from_ns)
		f->from_ns = s->from_ns;
	if (s->until_ns > f->until_ns)
		f->until_ns = s->until_ns;
}

static struct fact_iface fact_iface(const struct result_iface *i)
{
	struct fact_iface f = {.name = i->source->name,
	                       .addresses = i->source->addresses,
	                       .file = i->source->file,
	                       .mtu = i->mtu,
	                       .kind = i->kind,
	                       .rate_bps = i->rate_bps,
	                       .stats = i->stats,
	                       .has_dropped = i->source->has_dropped,
	                       .dropped = i->source->dropped,
	                       .ifdropped = i->source->ifdropped};
	set_span(&f, i->source);
	return f;
}

static struct fact_flow fact_flow(const struct result_flow *rf)
{
	struct fact_flow f = {.flow = rf->flow, .level = rf->level};
	for (int w = 0; w < WAYS; w++)
		f.way[w] = (struct fact_way){.tally = &rf->way[w].tally,
		                             .seconds = rf->way[w].seconds,
		                             .dominant = rf->way[w].dominant,
		                             .ceiling = rf->way[w].ceiling};
	return f;
}

int result_findings_make(struct result *r, struct err *err)
{
	struct fact_iface *ifaces = calloc(r->n_ifaces + 1, sizeof *ifaces);
	struct fact_flow *flows = calloc(r->n_flows + 1, sizeof *flows);
	if (ifaces && flows) {
		for (size_t i = 0; i < r->n_ifaces; i++)
			ifaces[i] = fact_iface(&r->ifaces[i]);
		for (size_t i = 0; i < r->n_flows; i++)
			flows[i] = fact_flow(&r->flows[i]);
		struct facts f = {.track = r->track,
		                  .ifaces = ifaces,
		                  .n_ifaces = r->n_ifaces,
		                  .flows = flows,
		                  .n_flows = r->n_flows};
		diagnose(&f, &r->findings);
	}
	bool starved = !ifaces || !flows || r->findings.starved;
	free(ifaces);
	free(flows);
	return starved ? err_set(err, ERR_ENVIRONMENT,
	                         "out of memory while looking for findings")
	               : 0;
}
