/* Rx connections: serials, from which packets captured twice and packets that
 * the capture missed are told, and round trips; and the calls on the channels. */
#ifndef TRACK_CONN_H
#define TRACK_CONN_H

#include "netprobe/decode/addr.h"
#include "netprobe/decode/rx.h"
#include "netprobe/track/call.h"
#include "netprobe/track/recent.h"

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

#define TIMING_SLOTS 32

/* When the latest datagrams of one side went by, until they are acknowledged. */
struct timing {
	struct {
		uint32_t first, last; /* serials; 0 = free */
		int64_t ns;
	} sent[TIMING_SLOTS];
	uint32_t next;
};

struct conn_side {
	struct recent serial;
	uint64_t resent;       /* parallel to serial.seen: that serial was a resend */
	uint64_t recovered;    /* likewise, of a packet not seen before */
	uint32_t iface;        /* of the latest packet that was no copy */
	struct addr addr;      /* this side's latest address */
	struct timing *timing; /* owned; NULL until there is something to time */
};

#define CONN_CHANNELS 4

struct conn {
	struct conn_key key;
	uint32_t asked_iface;        /* of the latest request */
	struct conn_side side[WAYS]; /* [TO_SERVER] is the client's */
	struct addr asked;           /* where the latest request went */
	uint16_t client_port;        /* of the latest packet; 0 = none yet */
	/* by way: the capture file that shows it, counted from 1; 0 = none yet */
	uint16_t file[WAYS];
	bool has_asked : 1;
	bool challenged : 1;              /* the server asked who the client is */
	bool again : 1;                   /* what another capture point shows of one */
	struct call *call[CONN_CHANNELS]; /* owned; NULL = none yet */
	struct delivery *delivery;        /* track_symptom.c's; NULL = none yet */
	struct conn *other;               /* the same at the next point; owned */
};

/* What a datagram's serial says. */
struct conn_news {
	bool copy;              /* captured before: same serial */
	bool other_iface;       /* the copy was on another interface */
	bool newest;            /* the highest serial of its side so far */
	bool resend, recovered; /* of a copy: what its original was */
	int32_t missed; /* serials that did not come by before it; negative: came late
	                 */
};

/* Takes the datagram with header h, seen on iface and sent by from; packets is
 * the number of Rx packets in it. */
struct conn_news conn_take(struct conn *c, enum way way, const struct rx_header *h,
                           uint32_t packets, uint32_t iface, const struct addr *from);

/* Remembers what a datagram just taken was, for copies of it to come. */
void conn_remember(struct conn *c, enum way way, const struct rx_header *h, bool resend,
                   bool recovered);

/* Notes that a datagram with these serials went by; resends are not to be noted
 * (Karn).  budget counts the timings that may still be made.  False if none. */
bool conn_time_sent(struct conn *c, enum way way, uint32_t serial, uint32_t packets,
                    int64_t now_ns, uint32_t *budget);

/* The round trip that an ack of this serial shows for DATA going way, or -1.
 * One sample a datagram. */
int64_t conn_time_acked(struct conn *c, enum way way, uint32_t serial, int64_t now_ns);

#define CONN_POINTS 4u /* capture points at which one connection is told apart */

/* Files have clocks of their own, and may be captures at two points of one way: then
 * each has the connection for itself.  Returns the one that this file's datagrams of
 * this way belong to: c, or one beside it, made if need be.  What is seen in one file
 * one way and in another the other way is one (a host's interfaces, captured to a file
 * each).  NULL where memory is out. */
struct conn *conn_at(struct conn *c, enum way way, uint32_t file);

/* The key of h's connection between these ends. */
struct conn_key conn_key_of(const struct rx_header *h, const struct addr *client,
                            uint16_t client_port, uint16_t server_port);

/* Frees what it owns, those at other points too. */
void conn_clear(struct conn *c);

static inline unsigned conn_channel(const struct rx_header *h)
{
	return h->cid & (CONN_CHANNELS - 1);
}

#endif
