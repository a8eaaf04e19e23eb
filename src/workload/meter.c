#include "src/workload/meter.h"

#include <errno.h>
#include <time.h>

#include "src/base/clock.h"

enum {
	JUDGE_AFTER = 128, /* operations after which the stride is chosen */
	RECORD_NS = 15,    /* what hist_record costs, about */
};

/* What one reading of the clock costs, the least of a few tries. */
static int64_t clock_cost(void)
{
	enum { TRIES = 4, CALLS = 32 };
	int64_t least = INT64_MAX;
	for (int try = 0; try < TRIES; try++) {
		int64_t start = clock_mono_ns(), end = start;
		for (int i = 0; i < CALLS; i++)
			end = clock_mono_ns();
		if ((end - start) / CALLS < least)
			least = (end - start) / CALLS;
	}
	return least;
}

void meter_begin(struct meter *m, uint64_t total, const char *of)
{
	m->bytes = m->operations = m->read = m->written = 0;
	m->ended = false;
	m->children_cpu_ns = m->children_user_ns = m->late_ns = 0;
	hist_free(&m->latency);
	m->timed = 0;
	m->latency_of = of;
	m->stride = 1;
	m->countdown = 0;
	if (m->clock_cost_ns == 0)
		m->clock_cost_ns = clock_cost();
	m->begin_real_ns = clock_real_ns();
	if (m->on_begin)
		m->on_begin(m->ctx, m->begin_real_ns);
	m->done = 0;
	m->total = m->expected = total;
	m->start_user_ns = clock_cpu_user_ns();
	m->start_cpu_ns = clock_cpu_ns();
	m->start_ns = clock_mono_ns();
	m->mark_ns = m->intended_ns = m->start_ns;
}

void meter_last_call(struct meter *m)
{
	m->call_ns = clock_mono_ns() - m->start_ns;
}

/* Of two clocks: the part cannot be more than the whole. */
static int64_t user_part(const struct meter *m)
{
	int64_t user = clock_cpu_user_ns() - m->start_user_ns;
	return user < 0 ? 0 : user < m->cpu_ns ? user : m->cpu_ns;
}

void meter_end(struct meter *m)
{
	m->stored_ns = clock_mono_ns() - m->start_ns;
	m->cpu_ns = clock_cpu_ns() - m->start_cpu_ns;
	m->cpu_user_ns = user_part(m);
	m->end_real_ns = clock_real_ns();
	m->total = 0;
	m->ended = true;
	if (m->on_end)
		m->on_end(m->ctx, m->end_real_ns);
}

void meter_free(struct meter *m)
{
	hist_free(&m->latency);
}

void meter_merge(struct meter *m, const struct hist *latency)
{
	hist_merge(&m->latency, latency);
	m->timed += latency->count;
}

/* Timer slack wakes sleepers some 50 us late: the rest is waited for awake. */
static int64_t wait_until(int64_t due)
{
	enum { AWAKE_NS = 100000 };
	int64_t now = clock_mono_ns();
	if (due - now > 2 * AWAKE_NS) {
		int64_t wake = due - AWAKE_NS;
		struct timespec t = {wake / NS_PER_S, wake % NS_PER_S};
		while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) ==
		       EINTR)
			;
	}
	while (now < due)
		now = clock_mono_ns();
	return now;
}

void meter_start_slow(struct meter *m)
{
	if (m->interval_ns == 0) {
		m->mark_ns = clock_mono_ns();
		return;
	}
	int64_t late = wait_until(m->intended_ns) - m->intended_ns;
	if (late > m->late_ns)
		m->late_ns = late;
	m->mark_ns = m->intended_ns;
	m->intended_ns += m->interval_ns;
}

void meter_start_unchained(struct meter *m)
{
	if (m->stride == 1 || --m->countdown == 0)
		m->mark_ns = clock_mono_ns();
}

/* Two readings and a record an operation that is timed, against what operations
 * take: more than LATENCY_COST of it may not go into the timing. */
static void choose_stride(struct meter *m)
{
	double cost = 2.0 * (double)m->clock_cost_ns + RECORD_NS;
	double allowed = LATENCY_COST * (double)hist_percentile(&m->latency, 0.5);
	if (cost / 2 <= allowed)
		return;
	m->stride = allowed > cost / 1e6 ? (uint32_t)(cost / allowed) + 1 : 1000000;
	m->gaps = rng_init((uint64_t)m->start_ns);
	m->countdown = m->stride;
}

void meter_done_slow(struct meter *m)
{
	int64_t now = clock_mono_ns();
	hist_record_times(&m->latency, now - m->mark_ns, m->stride);
	m->timed++;
	m->mark_ns = now;
	if (m->stride > 1) /* 1 to 2 stride - 1, stride on average */
		m->countdown = 1 + (uint32_t)rng_below(&m->gaps, 2 * m->stride - 1);
	else if (m->timed == JUDGE_AFTER && m->interval_ns == 0)
		choose_stride(m);
}
