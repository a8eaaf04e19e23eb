/* Opcode tables of the AFS services; used by afs.c alone. */
#ifndef DECODE_AFS_OPS_H
#define DECODE_AFS_OPS_H

#include "netprobe/decode/afs.h"

#include <stddef.h>

struct afs_op {
	uint32_t opcode;
	const char *name;
	enum afs_bulk bulk;
};

struct afs_ops {
	const struct afs_op *op; /* rising opcodes */
	size_t n;
};

/* Files and callbacks: afs_ops_file.c. */
struct afs_ops afs_ops_fs(void);
struct afs_ops afs_ops_cb(void);
struct afs_ops afs_ops_yfs_fs(void);
struct afs_ops afs_ops_yfs_cb(void);

/* Databases: afs_ops_db.c.  The ubik calls may come to any of them. */
struct afs_ops afs_ops_vl(void);
struct afs_ops afs_ops_yfs_vl(void);
struct afs_ops afs_ops_pt(void);
struct afs_ops afs_ops_ka(void);
struct afs_ops afs_ops_budb(void);
struct afs_ops afs_ops_ubik(void);

/* Volumes and management: afs_ops_manage.c. */
struct afs_ops afs_ops_vol(void);
struct afs_ops afs_ops_bos(void);
struct afs_ops afs_ops_update(void);
struct afs_ops afs_ops_butc(void);
struct afs_ops afs_ops_rxstats(void);

#define AFS_OPS(rows) ((struct afs_ops){(rows), sizeof(rows) / sizeof *(rows)})

#endif
