/* Latencies of operations: summed up, joined, as JSON. */
#ifndef RUN_LATENCY_H
#define RUN_LATENCY_H

#include "src/run/run.h"

/* Least, percentiles, most and mean from the histogram; nothing where it is empty. */
void run_latency_sum_up(struct run_latency *l);

/* Adds the operations of `from`, of another run or client, and sums up: percentiles of
 * both together come from the histograms.  false, and l is as before, where both have
 * operations and one no histogram (a record of an older program), or where they count
 * from another start. */
bool run_latency_merge(struct run_latency *l, const struct run_latency *from);

/* The same with what run_latency_json made. */
bool run_latency_add_json(struct run_latency *l, const json_t *from);

/* As in run.json: an object, or null where nothing was timed.  A new reference. */
json_t *run_latency_json(const struct run_latency *l);

/* The same back; hist_free of .hist is due. */
struct run_latency run_latency_from_json(const json_t *o);

#endif
