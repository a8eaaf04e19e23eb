/* AFS on Rx: which service, which call, how many bytes of a file.
 * Facts from OpenAFS src/fsint/afsint.xg, afscbint.xg, vlserver/vl_opcodes.h,
 * ptserver/ptint.xg, volser/volint.xg, bozo/bosint.xg, ubik, auth/cellconfig.p.h
 * and kAFS fs/afs/protocol_yfs.h. */
#ifndef DECODE_AFS_H
#define DECODE_AFS_H

#include "src/base/cursor.h"

#include <stdbool.h>
#include <stdint.h>

enum afs_service {
	AFS_UNKNOWN,
	AFS_FS,  /* file server */
	AFS_CB,  /* cache manager's callback service */
	AFS_PT,  /* protection */
	AFS_VL,  /* volume location */
	AFS_KA,  /* authentication */
	AFS_VOL, /* volume server */
	AFS_BOS,
	AFS_UPDATE,
	AFS_BUDB, /* backup database */
	AFS_BUTC, /* tape coordinator */
	AFS_UBIK,
	AFS_RXSTATS,
	AFS_YFS_FS, /* AuriStor's file server, kAFS too */
	AFS_YFS_CB,
	AFS_YFS_VL,
	AFS_RXGK,
	AFS_SERVICES
};

/* By service id first, then by the server's port: ids repeat (1 is the file
 * server, callbacks and bos). */
enum afs_service afs_service_of(uint16_t service_id, uint16_t server_port);

/* True for 7000 to 7011, 7020, 7021, 7025 and up to 7032: where Rx is expected
 * without other evidence. */
bool afs_port(uint16_t port);

const char *afs_service_name(enum afs_service s); /* "fs", "cb", "vl", … */

/* "FetchData64", or NULL where the opcode is not known for the service. */
const char *afs_opcode_name(enum afs_service s, uint32_t opcode);

/* Which way a call's bulk data goes. */
enum afs_bulk { AFS_BULK_NONE, AFS_BULK_TO_SERVER, AFS_BULK_TO_CLIENT };
enum afs_bulk afs_bulk_of(enum afs_service s, uint32_t opcode);

/* What a request says of file data: FetchData, StoreData and kin. */
struct afs_range {
	uint32_t volume, vnode, unique;
	uint64_t offset, length; /* asked for */
	uint32_t prefix; /* protocol bytes before file bytes in the bulk stream */
	uint32_t suffix; /* and behind them */
};

/* c stands behind the opcode of the first request packet.  False for calls
 * without a file range or where the bytes are not there. */
bool afs_range_decode(enum afs_service s, uint32_t opcode, struct cursor *c,
                      struct afs_range *r);

/* "VNOVNODE (102)"-style name of an abort code, or NULL. */
const char *afs_abort_name(int32_t code);

#endif
