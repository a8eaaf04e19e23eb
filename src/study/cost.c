#include "src/study/cost.h"

#include <math.h>

const char *const cost_names[COST_COUNT] = {
        [COST_DRIVER] = "driver",
        [COST_DRIVER_USER] = "driver_user",
        [COST_DRIVER_SYSTEM] = "driver_system",
        [COST_SERVER] = "server",
};

const char *const cost_units[UNIT_COUNT] = {
        [UNIT_KIB_S] = "s/MiB",
        [UNIT_OPS_S] = "s/operation",
        [UNIT_SECONDS] = "s",
};

const char *const cost_units_ms[UNIT_COUNT] = {
        [UNIT_KIB_S] = "ms/MiB",
        [UNIT_OPS_S] = "ms/operation",
        [UNIT_SECONDS] = "ms",
};

static double seconds_of(const struct run_phase *p, enum cost_kind kind)
{
	const struct run_cpu *c = &p->cpu;
	switch (kind) {
	case COST_DRIVER:
		return (double)p->cpu_ns / 1e9;
	case COST_DRIVER_USER:
		return c->has_split ? (double)c->user_ns / 1e9 : NAN;
	case COST_DRIVER_SYSTEM:
		return c->has_split ? (double)c->system_ns / 1e9 : NAN;
	default:
		return c->has_server ? (double)c->server_ns / 1e9 : NAN;
	}
}

static double work_of(const struct run_phase *p, enum figure_unit unit)
{
	switch (unit) {
	case UNIT_KIB_S:
		return (double)p->bytes / 1048576;
	case UNIT_OPS_S:
		return (double)p->operations;
	default:
		return p->npasses ? (double)p->npasses : 1;
	}
}

double cost_of(const struct run_phase *p, enum figure_unit unit, enum cost_kind kind)
{
	double work = work_of(p, unit);
	return work > 0 ? seconds_of(p, kind) / work : NAN;
}
