/* What a host says of itself, or of another, in the arguments of AFS calls: its
 * uuid, its addresses, netmasks and MTUs.
 * Layouts from OpenAFS src/fsint/afscbint.xg and common.xg (interfaceAddr, afsUUID),
 * src/vlserver/vldbint.xg (RegisterAddrs, GetAddrsU), src/ubik/ubik_int.xg
 * (UbikInterfaceAddr). */
#ifndef DECODE_DISCLOSE_H
#define DECODE_DISCLOSE_H

#include "netprobe/decode/addr.h"
#include "netprobe/decode/afs.h"

enum disclose_kind {
	DISCLOSE_WHO_ARE_YOU, /* a cache manager's answer: uuid, interfaces, MTUs */
	DISCLOSE_TELL_ME,     /* likewise, TellMeAboutYourself */
	DISCLOSE_INIT_STATE2, /* likewise, InitCallBackState2 (AFS 3.5 beta) */
	DISCLOSE_INIT_STATE3, /* a file server tells its uuid to a client */
	DISCLOSE_REGISTER,    /* a file server tells the vlserver uuid and addresses */
	DISCLOSE_GET_ADDRS,   /* the vlserver tells these of a file server */
	DISCLOSE_UBIK,        /* database servers tell each other their addresses */
	DISCLOSE_KINDS
};

#define DISCLOSE_IFACES 32 /* AFS_MAX_INTERFACE_ADDR; of longer lists the first */
#define UUID_BYTES 16
#define UUID_TEXT 40

struct disclosed_iface {
	struct addr addr;
	uint32_t netmask; /* 0 = not told */
	uint32_t mtu;     /* 0 = not told, or no MTU that an interface can have */
};

struct disclosure {
	uint8_t kind;     /* enum disclose_kind */
	bool third_party; /* not about who sent it */
	bool cut;         /* it tells more than was captured, or than is kept */
	bool has_uuid;
	uint8_t uuid[UUID_BYTES];
	uint32_t n;
	struct disclosed_iface iface[DISCLOSE_IFACES];
};

/* Reads what the first packet of a request (reply = false) or of a reply says; data
 * are the cap captured of its len bytes behind the Rx header, the opcode of a request
 * included.  Reads as far as captured and says where that was not all.  False where
 * the call discloses nothing this way, or nothing could be read. */
bool disclose_decode(enum afs_service s, uint32_t opcode, bool reply,
                     const uint8_t *data, size_t cap, size_t len, struct disclosure *d);

/* The call's name: "WhoAreYou", … */
const char *disclose_name(unsigned kind);

/* As OpenAFS prints it (afsUUID_to_string); returns buf. */
const char *uuid_format(const uint8_t uuid[UUID_BYTES], char buf[UUID_TEXT]);

#endif
