/* Where in a file a call reads or writes.  Layouts: OpenAFS src/fsint/afsint.xg and
 * common.xg, viced/afsfileprocs.c (counts come before the data, OUT arguments
 * behind); Linux fs/afs/protocol_yfs.h, fs/afs/yfsclient.c. */
#include "netprobe/decode/afs.h"

#define STORE_STATUS 24u
#define YFS_STORE_STATUS 32u
#define OPCODE 4u

/* Bytes of the status, callback and volume words that end a fetch. */
#define FETCH_TAIL (84u + 12u + 24u)
#define YFS_FETCH_TAIL (104u + 16u + 40u)

enum shape {
	WORDS32, /* offset and length in one word each */
	WORDS64,
	YFS, /* RPC flags first, a larger fid, 64 bits */
};

static const struct call {
	enum afs_service service;
	uint32_t opcode;
	enum shape shape;
	bool store;
	uint32_t prefix, suffix; /* in the bulk stream */
} calls[] = {
        {AFS_FS, 130, WORDS32, false, 4, FETCH_TAIL},
        {AFS_FS, 133, WORDS32, true, OPCODE + 12 + STORE_STATUS + 12, 0},
        {AFS_FS, 65537, WORDS64, false, 8, FETCH_TAIL},
        {AFS_FS, 65538, WORDS64, true, OPCODE + 12 + STORE_STATUS + 24, 0},
        {AFS_YFS_FS, 64537, YFS, false, 8, YFS_FETCH_TAIL},
        {AFS_YFS_FS, 64538, YFS, true, OPCODE + 4 + 24 + YFS_STORE_STATUS + 24, 0},
        /* the old calls may come by the new service id */
        {AFS_YFS_FS, 130, WORDS32, false, 4, FETCH_TAIL},
        {AFS_YFS_FS, 133, WORDS32, true, OPCODE + 12 + STORE_STATUS + 12, 0},
        {AFS_YFS_FS, 65537, WORDS64, false, 8, FETCH_TAIL},
        {AFS_YFS_FS, 65538, WORDS64, true, OPCODE + 12 + STORE_STATUS + 24, 0},
};

static const struct call *find_call(enum afs_service s, uint32_t opcode)
{
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if (calls[i].service == s && calls[i].opcode == opcode)
			return &calls[i];
	return NULL;
}

static void decode_fid(const struct call *call, struct cursor *c, struct afs_range *r)
{
	if (call->shape != YFS) {
		r->volume = cursor_u32(c);
		r->vnode = cursor_u32(c);
		r->unique = cursor_u32(c);
		return;
	}
	cursor_skip(c, 4); /* RPC flags */
	r->volume = (uint32_t)cursor_u64(c);
	r->vnode = (uint32_t)cursor_u64(c);
	cursor_skip(c, 4); /* vnode, the highest 32 of 96 bits */
	r->unique = cursor_u32(c);
}

bool afs_range_decode(enum afs_service s, uint32_t opcode, struct cursor *c,
                      struct afs_range *r)
{
	const struct call *call = find_call(s, opcode);
	if (!call)
		return false;
	*r = (struct afs_range){.prefix = call->prefix, .suffix = call->suffix};
	decode_fid(call, c, r);
	if (call->store)
		cursor_skip(c, call->shape == YFS ? YFS_STORE_STATUS : STORE_STATUS);
	if (call->shape == WORDS32) {
		r->offset = cursor_u32(c);
		r->length = cursor_u32(c);
	} else {
		r->offset = cursor_u64(c);
		r->length = cursor_u64(c);
	}
	return cursor_ok(c);
}
