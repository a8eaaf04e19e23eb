/* Rx connections: serials and sequence numbers, from which resends, packets
 * captured twice and packets that the capture missed are told apart. */
#ifndef TRACK_CONN_H
#define TRACK_CONN_H

#include "netprobe/decode/addr.h"
#include "netprobe/decode/rx.h"
#include "netprobe/track/tally.h"
#include "src/base/table.h"

/* Identity as Rx itself sees it (rx.c rxi_ConnectionMatch): a multi-homed
 * host may answer from another address, so addresses are part of it only
 * where the epoch's top bit is clear.  The server's port tells which end began
 * the connection. */
struct conn_key {
	uint32_t epoch, cid; /* cid without the channel */
	uint16_t server_port;
	uint16_t client_port; /* 0 where the epoch's top bit is set */
	struct addr client;   /* zero likewise */
};

/* The last 64 numbers of a sequence: bit i set = (high - i) was seen. */
struct recent {
	uint32_t high;
	bool any;
	uint64_t seen;
};

struct conn_side {
	struct recent serial;
	uint64_t resent;   /* parallel to serial.seen: that serial was a resend */
	uint64_t recovered; /* likewise */
	uint64_t missed;   /* serials that never came by: lost before here, or not captured */
	uint32_t iface;    /* of the latest packet that was no copy */
	struct addr addr;  /* this side's latest address */
};

struct conn_call {
	uint32_t number;
	struct recent seq[WAYS];
};

#define CONN_CHANNELS 4

struct conn {
	struct conn_key key;
	struct conn_side side[WAYS]; /* [TO_SERVER] is the client's */
	struct conn_call call[CONN_CHANNELS];
};

/* What a datagram is to its connection. */
struct conn_news {
	bool copy;           /* captured before: same serial */
	bool other_iface;    /* the copy was on another interface */
	bool resend;         /* DATA seen before under another serial */
	bool recovered;      /* DATA sent again whose first copy was not seen here */
};

/* Takes the datagram with header h, seen on iface and sent by from; packets is
 * the number of Rx packets in it. */
struct conn_news conn_take(struct conn *c, enum way way, const struct rx_header *h,
			   uint32_t packets, uint32_t iface, const struct addr *from);

/* The key of h's connection between these ends. */
struct conn_key conn_key_of(const struct rx_header *h,
			    const struct addr *client, uint16_t client_port,
			    uint16_t server_port);

#endif
