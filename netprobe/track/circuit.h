/* ATM connections (VPI/VCI) that a capture tells of, as SunATM's do. */
#ifndef TRACK_CIRCUIT_H
#define TRACK_CIRCUIT_H

#include <stdbool.h>
#include <stdint.h>

#define CIRCUITS_MAX 16u /* told apart on one interface */

struct circuit {
	uint8_t vpi;
	uint16_t vci;
	uint64_t from_host, to_host; /* frames, by the header's flag */
};

/* A zeroed one is empty. */
struct circuits {
	struct circuit list[CIRCUITS_MAX]; /* first seen first */
	uint32_t n;
	uint64_t other; /* frames of those that found no room */
};

/* Counts a frame; id is VPI << 16 | VCI. */
void circuits_add(struct circuits *c, uint32_t id, bool from_host);

#endif
