#include "src/workload/meter.h"

#include "src/base/clock.h"

void meter_begin(struct meter *m, uint64_t total)
{
	m->bytes = m->operations = 0;
	m->ended = false;
	m->begin_real_ns = clock_real_ns();
	if (m->on_begin)
		m->on_begin(m->ctx, m->begin_real_ns);
	m->done = 0;
	m->total = total;
	m->start_cpu_ns = clock_cpu_ns();
	m->start_ns = clock_mono_ns();
}

void meter_last_call(struct meter *m)
{
	m->call_ns = clock_mono_ns() - m->start_ns;
}

void meter_end(struct meter *m)
{
	m->stored_ns = clock_mono_ns() - m->start_ns;
	m->cpu_ns = clock_cpu_ns() - m->start_cpu_ns;
	m->end_real_ns = clock_real_ns();
	m->total = 0;
	m->ended = true;
	if (m->on_end)
		m->on_end(m->ctx, m->end_real_ns);
}
