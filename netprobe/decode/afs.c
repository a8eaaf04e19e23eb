#include "netprobe/decode/afs.h"

#include "netprobe/decode/afs_ops.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Ports of AFS, from OpenAFS src/auth/cellconfig.p.h and bubasics/bubasics.h. */
enum {
	PORT_FIRST = 7000,
	PORT_CALLBACK = 7001,
	PORT_VOLUME = 7005,
	PORT_BOS = 7007,
	PORT_UPDATE = 7008,
	PORT_LAST = 7011,
	PORT_BACKUP_MESSAGES = 7020,
	PORT_BUDB = 7021,
	PORT_TAPE_FIRST = 7025, /* and an offset for every tape coordinator */
	PORT_TAPE_LAST = 7032,
};

static bool within(uint16_t port, uint16_t first, uint16_t last)
{
	return port >= first && port <= last;
}

bool afs_port(uint16_t port)
{
	return within(port, PORT_FIRST, PORT_LAST) ||
	       within(port, PORT_BACKUP_MESSAGES, PORT_BUDB) ||
	       within(port, PORT_TAPE_FIRST, PORT_TAPE_LAST);
}

/* Ids that only one service has. */
static const struct {
	uint16_t id;
	enum afs_service service;
} by_id[] = {
        {50, AFS_UBIK},     {51, AFS_UBIK},     {52, AFS_VL},       {73, AFS_PT},
        {409, AFS_RXSTATS}, {731, AFS_KA},      {732, AFS_KA},      {733, AFS_KA},
        {2500, AFS_YFS_FS}, {2501, AFS_YFS_CB}, {2503, AFS_YFS_VL}, {22314, AFS_BUDB},
        {34567, AFS_RXGK},
};

static const struct {
	uint16_t port;
	enum afs_service service;
} by_port[] = {
        {PORT_FIRST, AFS_FS},  {PORT_CALLBACK, AFS_CB},
        {7002, AFS_PT},        {7003, AFS_VL},
        {7004, AFS_KA},        {PORT_VOLUME, AFS_VOL},
        {PORT_BOS, AFS_BOS},   {PORT_UPDATE, AFS_UPDATE},
        {PORT_BUDB, AFS_BUDB}, {PORT_BACKUP_MESSAGES, AFS_BUTC},
};

static enum afs_service service_of_port(uint16_t port)
{
	for (size_t i = 0; i < COUNT(by_port); i++)
		if (by_port[i].port == port)
			return by_port[i].service;
	return within(port, PORT_TAPE_FIRST, PORT_TAPE_LAST) ? AFS_BUTC : AFS_UNKNOWN;
}

enum afs_service afs_service_of(uint16_t service_id, uint16_t server_port)
{
	for (size_t i = 0; i < COUNT(by_id); i++)
		if (by_id[i].id == service_id)
			return by_id[i].service;
	enum afs_service at = service_of_port(server_port);
	switch (service_id) {
	case 0: /* not known */
		return at;
	case 1: /* clients behind NAT or in user space take callbacks on any port */
		if (!afs_port(server_port))
			return AFS_CB;
		return at == AFS_FS || at == AFS_CB || at == AFS_BOS || at == AFS_BUTC
		               ? at
		               : AFS_UNKNOWN;
	case 4:
		return at == AFS_VOL || at == AFS_UPDATE ? at : AFS_UNKNOWN;
	default:
		return AFS_UNKNOWN;
	}
}

static const char *const service_names[AFS_SERVICES] = {
        [AFS_UNKNOWN] = "unknown", [AFS_FS] = "fs",         [AFS_CB] = "cb",
        [AFS_PT] = "pt",           [AFS_VL] = "vl",         [AFS_KA] = "ka",
        [AFS_VOL] = "vol",         [AFS_BOS] = "bos",       [AFS_UPDATE] = "update",
        [AFS_BUDB] = "budb",       [AFS_BUTC] = "butc",     [AFS_UBIK] = "ubik",
        [AFS_RXSTATS] = "rxstats", [AFS_YFS_FS] = "yfs-fs", [AFS_YFS_CB] = "yfs-cb",
        [AFS_YFS_VL] = "yfs-vl",   [AFS_RXGK] = "rxgk",
};

const char *afs_service_name(enum afs_service s)
{
	return service_names[s < AFS_SERVICES ? s : AFS_UNKNOWN];
}

typedef struct afs_ops ops_fn(void);

/* Tables to be asked for a service, one after the other. */
static ops_fn *const ops_of[AFS_SERVICES][2] = {
        [AFS_FS] = {afs_ops_fs},
        [AFS_CB] = {afs_ops_cb},
        [AFS_PT] = {afs_ops_pt, afs_ops_ubik},
        [AFS_VL] = {afs_ops_vl, afs_ops_ubik},
        [AFS_KA] = {afs_ops_ka, afs_ops_ubik},
        [AFS_VOL] = {afs_ops_vol},
        [AFS_BOS] = {afs_ops_bos},
        [AFS_UPDATE] = {afs_ops_update},
        [AFS_BUDB] = {afs_ops_budb, afs_ops_ubik},
        [AFS_BUTC] = {afs_ops_butc},
        [AFS_UBIK] = {afs_ops_ubik},
        [AFS_RXSTATS] = {afs_ops_rxstats},
        [AFS_YFS_FS] = {afs_ops_yfs_fs, afs_ops_fs},
        [AFS_YFS_CB] = {afs_ops_yfs_cb, afs_ops_cb},
        [AFS_YFS_VL] = {afs_ops_yfs_vl, afs_ops_vl},
};

static const struct afs_op *search(struct afs_ops ops, uint32_t opcode)
{
	size_t low = 0, high = ops.n;
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (ops.op[mid].opcode == opcode)
			return &ops.op[mid];
		if (ops.op[mid].opcode < opcode)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

static const struct afs_op *find_op(enum afs_service s, uint32_t opcode)
{
	for (size_t i = 0; s < AFS_SERVICES && i < 2 && ops_of[s][i]; i++) {
		const struct afs_op *op = search(ops_of[s][i](), opcode);
		if (op)
			return op;
	}
	return NULL;
}

const char *afs_opcode_name(enum afs_service s, uint32_t opcode)
{
	const struct afs_op *op = find_op(s, opcode);
	return op ? op->name : NULL;
}

enum afs_bulk afs_bulk_of(enum afs_service s, uint32_t opcode)
{
	const struct afs_op *op = find_op(s, opcode);
	return op ? op->bulk : AFS_BULK_NONE;
}
