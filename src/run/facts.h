/* Facts about this machine and moment that belong into the record of a run. */
#ifndef RUN_FACTS_H
#define RUN_FACTS_H

#include <jansson.h>
#include <stdbool.h>

/* {"name", "kernel", "machine", "cpus", "cpu_model", "memory_bytes"} */
json_t *facts_host(void);

/* {"realtime_ns", "monotonic_ns"}, read one after the other */
json_t *facts_clock(void);

/* What $CELLBENCH_LAB/lab.json says, or NULL outside of a lab. */
json_t *facts_lab(void);

#endif
