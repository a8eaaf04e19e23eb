/* Traffic over time: one row an interface, way and interval. */
#ifndef TRACK_SERIES_H
#define TRACK_SERIES_H

#include "netprobe/track/tally.h"
#include "src/base/table.h"

struct series_key {
	int64_t begin_ns; /* a multiple of the interval since 1970, UTC */
	uint32_t iface;
	uint32_t way; /* enum way */
};

struct series_row {
	struct series_key key;
	uint64_t ip_packets, ip_bytes, fragments;
	uint64_t datagrams, data_bytes;
	uint64_t resends, resent_bytes;
};

struct series {
	struct table *rows; /* NULL = no series is kept */
	int64_t interval_ns;
	struct series_row *latest; /* a shortcut: frames come nearly in order */
};

/* Keeps a series of this interval (> 0).  -1 where memory is out. */
int series_init(struct series *s, int64_t interval_ns);
void series_free(struct series *s);

/* The row of this moment, or NULL: no series, or no memory.  The row used least
 * recently leaves when there are too many (series_evicted tells). */
struct series_row *series_at(struct series *s, uint32_t iface, enum way way,
                             int64_t time_ns);

/* All rows by time, interface, way; *n of them.  The caller frees the array, not
 * the rows.  NULL where there are none. */
const struct series_row **series_sorted(const struct series *s, size_t *n);

/* Rows that left the full table. */
uint64_t series_evicted(const struct series *s);

#endif
