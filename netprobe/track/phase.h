/* The phases of a workload, as the driver marked them; told by time. */
#ifndef TRACK_PHASE_H
#define TRACK_PHASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct phase {
	uint32_t id; /* from 1 */
	char name[64];
	int64_t begin_ns, end_ns; /* end_ns INT64_MAX while it is open */
};

struct phases {
	struct phase *list; /* in the order they began */
	size_t count;
	size_t current;
};

/* Both ignore an id that makes no sense (0, an end without its begin).  begin
 * returns -1 where memory is out. */
int phases_begin(struct phases *p, uint32_t id, const char *name, int64_t time_ns);
void phases_end(struct phases *p, uint32_t id, int64_t time_ns);

/* The id of the phase that this moment belongs to, 0 = none.  Frames come
 * nearly in order, so the phase found last is tried first. */
uint32_t phases_at(struct phases *p, int64_t time_ns);

void phases_clear(struct phases *p);

#endif
