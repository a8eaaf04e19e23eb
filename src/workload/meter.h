/* Times one pass of a phase, and each of its operations.
 *
 * A phase calls meter_begin just before its first operation, meter_last_call
 * when its last operation has returned, meter_end when its last byte is stored.
 * What happens before and after is not timed.  Hooks let the probe mark the
 * phase: the clocks start after the begin hook and stop before the end hook.
 *
 * Around each operation it calls meter_start and meter_done, whose difference is
 * the operation's latency.  In a closed loop the end of one operation is the start
 * of the next, so one clock is read an operation; where even that would cost more
 * than LATENCY_COST of the phase, one operation in `stride` is timed, at random
 * distances.  With an interval, operations have intended starts: meter_start waits
 * for its own, and latency counts from it, late or not (no coordinated omission). */
#ifndef WORKLOAD_METER_H
#define WORKLOAD_METER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "src/base/hist.h"
#include "src/base/rng.h"

#define LATENCY_COST 0.01

struct meter {
	void (*on_begin)(void *ctx, int64_t real_ns);
	void (*on_end)(void *ctx, int64_t real_ns);
	void *ctx;
	int64_t interval_ns; /* between intended starts; 0: as fast as it goes */

	int64_t begin_real_ns, end_real_ns; /* CLOCK_REALTIME */
	int64_t call_ns, stored_ns;         /* from begin to last call, to stored */
	int64_t cpu_ns;                     /* of this process, until stored */
	int64_t cpu_user_ns;                /* the user part of it */
	int64_t children_cpu_ns;            /* of commands; set by the phase */
	int64_t children_user_ns;           /* the user part of it */
	uint64_t bytes, operations;
	/* Set by a phase that does both; both 0: all bytes are of the one kind. */
	uint64_t read, written;
	uint64_t expected; /* what it was going to count: total of meter_begin */
	bool ended;

	struct hist
	        latency; /* one timed operation stands for as many as stride tells */
	uint64_t timed;  /* operations */
	const char *latency_of; /* "write": what one latency is that of */
	uint32_t stride;        /* one operation in so many is timed */
	int64_t late_ns;        /* by how much the latest operation started too late */

	/* for a progress display in another thread */
	_Atomic uint64_t done, total;
	int64_t start_ns, start_cpu_ns, start_user_ns;

	/* of the operation at hand */
	int64_t mark_ns;
	int64_t intended_ns;
	uint32_t countdown;
	int64_t clock_cost_ns;
	struct rng gaps;
};

/* total: what the phase is going to count, in the unit of meter_count.  of: what an
 * operation is called. */
void meter_begin(struct meter *m, uint64_t total, const char *of);
void meter_last_call(struct meter *m);
void meter_end(struct meter *m);
void meter_free(struct meter *m);

/* So many bytes were moved by one operation of the phase. */
static inline void meter_count(struct meter *m, uint64_t bytes)
{
	m->bytes += bytes;
	m->operations++;
	atomic_store_explicit(&m->done, m->bytes, memory_order_relaxed);
}

/* For a latency that is measured elsewhere: by several threads, say. */
void meter_merge(struct meter *m, const struct hist *latency);

void meter_start_slow(struct meter *m); /* the rare cases of the two below */
void meter_done_slow(struct meter *m);

/* The next operation begins.  Chained: it begins where the one before ended. */
static inline void meter_start(struct meter *m)
{
	if (m->interval_ns > 0 || (m->stride > 1 && --m->countdown == 0))
		meter_start_slow(m);
}

/* An operation that does not follow upon the one before: the clock is read. */
void meter_start_unchained(struct meter *m);

static inline void meter_done(struct meter *m)
{
	if (m->stride == 1 || m->countdown == 0)
		meter_done_slow(m);
}

#endif
