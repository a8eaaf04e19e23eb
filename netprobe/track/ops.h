/* Calls by service and opcode: how many, how long, how much. */
#ifndef TRACK_OPS_H
#define TRACK_OPS_H

#include "netprobe/track/call.h"
#include "src/base/hist.h"
#include "src/base/table.h"

/* opcode of calls whose request was hidden (encrypted) or not seen */
#define OPS_UNREADABLE UINT32_MAX

struct op_key {
	uint32_t service; /* enum afs_service */
	uint32_t opcode;
};

struct op {
	struct op_key key;
	uint64_t calls;
	uint64_t ended[CALL_ENDS];
	uint64_t data_bytes[WAYS]; /* Rx data, resends left out */
	uint64_t resends[WAYS];    /* DATA packets */
	uint64_t file_bytes;       /* of the calls that tell them */
	uint64_t file_calls;       /* those calls */
	struct hist duration;      /* ns, of calls seen from end to end */
	struct hist first_byte;    /* ns, last request packet to first of the reply */
};

struct table *ops_new(void);
void ops_free(struct table *ops);

/* Adds a call that has ended.  False where memory is out. */
bool ops_add(struct table *ops, const struct call *c, enum call_end end);

#endif
