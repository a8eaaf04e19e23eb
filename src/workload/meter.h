/* Times one phase.
 *
 * A phase calls meter_begin just before its first operation, meter_last_call
 * when its last operation has returned, meter_end when its last byte is stored.
 * What happens before and after is not timed.  Hooks let the probe mark the
 * phase: the clocks start after the begin hook and stop before the end hook. */
#ifndef WORKLOAD_METER_H
#define WORKLOAD_METER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct meter {
	void (*on_begin)(void *ctx, int64_t real_ns);
	void (*on_end)(void *ctx, int64_t real_ns);
	void *ctx;

	int64_t begin_real_ns, end_real_ns; /* CLOCK_REALTIME */
	int64_t call_ns, stored_ns;         /* from begin to last call, to stored */
	int64_t cpu_ns;                     /* of this process, until stored */
	uint64_t bytes, operations;
	bool ended;

	/* for a progress display in another thread */
	_Atomic uint64_t done, total;
	int64_t start_ns, start_cpu_ns;
};

/* total: what the phase is going to count, in the unit of meter_count. */
void meter_begin(struct meter *m, uint64_t total);
void meter_last_call(struct meter *m);
void meter_end(struct meter *m);

/* One operation that moved so many bytes is done. */
static inline void meter_count(struct meter *m, uint64_t bytes)
{
	m->bytes += bytes;
	m->operations++;
	atomic_store_explicit(&m->done, m->bytes, memory_order_relaxed);
}

#endif
