/* What came by at one capture point only, while no other one is known to lie on its
 * way: nothing of these two hosts passed two points, in neither direction. */
#ifndef TRACK_ALONE_H
#define TRACK_ALONE_H

#include "netprobe/decode/addr.h"
#include "netprobe/track/route.h"
#include "src/base/table.h"

struct alone {
	struct alone_key {
		struct addr src, dst;
		uint32_t iface;
		uint32_t kind; /* enum point_kind */
	} key;
	struct sizes size; /* UDP payloads; of TCP, IP lengths */
	uint64_t first_frame;
	int64_t first_ns, last_ns;
};

/* NULL where memory is out; to be freed with alone_table_free. */
struct table *alone_table_new(void);
void alone_table_free(struct table *t); /* NULL is harmless */

/* Counts a datagram of a kind (enum point_kind) that came by whole.  False where memory
 * is out. */
bool alone_take(struct table *t, const struct addr *src, const struct addr *dst,
                uint32_t kind, const struct sighting *s, uint32_t size);

#endif
