#include "src/report/measure.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "src/report/joined.h"

enum figure_unit measure_unit(const struct run_phase *p)
{
	const struct phase_kind *kind = phase_kind_find(p->name);
	if (kind)
		return kind->unit;
	if (p->bytes > 0)
		return UNIT_KIB_S;
	return p->operations > 1 ? UNIT_OPS_S : UNIT_SECONDS;
}

double measure_value(const struct run_phase *p, enum figure_unit unit)
{
	switch (unit) {
	case UNIT_KIB_S:
		return run_phase_kib_s(p);
	case UNIT_OPS_S:
		return run_phase_ops_s(p);
	default:
		return (double)p->stored_ns / 1e9;
	}
}

bool measure_more_is_better(enum figure_unit unit)
{
	return unit != UNIT_SECONDS;
}

const struct measure *measure_find(const struct measures *m, size_t config,
                                   const char *phase, const char *cache)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->list[i].config == config &&
		    strcmp(m->list[i].phase, phase) == 0 &&
		    strcmp(m->list[i].cache, cache) == 0)
			return &m->list[i];
	return NULL;
}

size_t measure_phases(const struct measures *m, const struct measure **out)
{
	size_t n = 0;
	for (size_t i = 0; i < m->n; i++) {
		size_t k = 0;
		while (k < n && (strcmp(out[k]->phase, m->list[i].phase) != 0 ||
		                 strcmp(out[k]->cache, m->list[i].cache) != 0))
			k++;
		if (k == n)
			out[n++] = &m->list[i];
	}
	return n;
}

static size_t config_of(struct measures *m, const char *label)
{
	for (size_t i = 0; i < m->nconfigs; i++)
		if (strcmp(m->configs[i], label) == 0)
			return i;
	m->configs[m->nconfigs] = label;
	return m->nconfigs++;
}

/* The measure of this phase, made if need be; there is room for each and its values. */
static struct measure *measure_of(struct measures *m, size_t config,
                                  const struct run_phase *p, size_t nruns)
{
	const struct measure *is = measure_find(m, config, p->name, p->cache);
	if (is)
		return &m->list[is - m->list];
	double *values = calloc(nruns, sizeof *values);
	if (!values)
		return NULL;
	m->list[m->n] = (struct measure){.config = config,
	                                 .phase = p->name,
	                                 .cache = p->cache,
	                                 .unit = measure_unit(p),
	                                 .values = values,
	                                 .wire_share = -1};
	return &m->list[m->n++];
}

static int add_costs(struct measure *at, const struct run_phase *p, size_t nruns)
{
	for (int k = 0; k < MEASURE_COSTS; k++) {
		struct measure_values *c = &at->cost[k];
		double value = k == MEASURE_MACHINE
		                       ? run_phase_machine(p)
		                       : cost_of(p, at->unit, (enum cost_kind)k);
		if (!c->values && !(c->values = calloc(nruns, sizeof *c->values)))
			return -1;
		if (isfinite(value) && c->n < nruns)
			c->values[c->n++] = value;
	}
	return 0;
}

static int add_phases(struct measures *m, const struct report_run *from, size_t nruns)
{
	size_t config = config_of(m, from->label);
	for (size_t i = 0; i < from->run->nphases; i++) {
		const struct run_phase *p = &from->run->phases[i];
		struct measure *at = measure_of(m, config, p, nruns);
		if (!at)
			return -1;
		double value = measure_value(p, at->unit);
		at->not_cold |= run_phase_not_cold(p);
		at->not_warm |= run_phase_not_warm(p);
		at->not_stored |= run_phase_not_stored(p);
		at->is_short |= run_phase_short(p);
		at->failed |= p->failed;
		if (!p->failed && value > 0 && at->n < nruns)
			at->values[at->n++] = value;
		if (!p->failed && add_costs(at, p, nruns) < 0)
			return -1;
	}
	return 0;
}

/* The ceiling of the way and interface that carried most of the phase's data. */
static int add_wire(struct measures *m, const struct report_run *from)
{
	if (!from->probe)
		return 0;
	size_t n, config = config_of(m, from->label);
	struct joined *rows = joined_rows(from->run, from->probe, &n);
	if (!rows && from->run->nphases > 0)
		return -1;
	for (size_t i = 0; i < from->run->nphases; i++) {
		const struct run_phase *p = &from->run->phases[i];
		const struct measure *is = measure_find(m, config, p->name, p->cache);
		if (!is || !probe_result_phase(from->probe, p->id) || p->bytes == 0)
			continue;
		struct measure *at = &m->list[is - m->list];
		uint64_t most = 0;
		for (size_t k = 0; k < n; k++) {
			const struct probe_flow *f = rows[k].flow;
			if (rows[k].phase != p || rows[k].rx_data_bytes <= most)
				continue;
			most = rows[k].rx_data_bytes;
			if (f->has_ceiling && at->unit == UNIT_KIB_S)
				at->ceiling = f->ceiling / 1024;
		}
		at->wire_share = (double)most / (double)p->bytes;
	}
	free(rows);
	return 0;
}

static int finish(struct measure *at)
{
	for (int k = 0; k < MEASURE_COSTS; k++) {
		struct measure_values *c = &at->cost[k];
		if (c->n == 0)
			continue;
		c->median = stats_median(c->values, c->n);
		if (stats_interval(c->values, c->n, &c->middle) < 0)
			return -1;
		c->middle.low = fmax(c->middle.low, 0); /* time is not below 0 */
	}
	if (at->n == 0)
		return 0;
	at->median = stats_median(at->values, at->n);
	return stats_interval(at->values, at->n, &at->middle);
}

int measures_make(struct measures *m, const struct report_run *runs, size_t nruns)
{
	size_t most = 1;
	*m = (struct measures){0};
	for (size_t i = 0; i < nruns; i++)
		most += runs[i].run->nphases;
	m->configs = calloc(nruns + 1, sizeof *m->configs);
	m->list = calloc(most, sizeof *m->list);
	int r = m->configs && m->list ? 0 : -1;
	for (size_t i = 0; i < nruns && r == 0; i++)
		r = add_phases(m, &runs[i], nruns);
	for (size_t i = 0; i < nruns && r == 0; i++)
		r = add_wire(m, &runs[i]);
	for (size_t i = 0; i < m->n && r == 0; i++)
		r = finish(&m->list[i]);
	if (r < 0)
		measures_fini(m);
	return r;
}

void measures_fini(struct measures *m)
{
	for (size_t i = 0; i < m->n; i++) {
		free(m->list[i].values);
		for (int k = 0; k < MEASURE_COSTS; k++)
			free(m->list[i].cost[k].values);
	}
	free(m->list);
	free(m->configs);
	*m = (struct measures){0};
}
