/* Why datagrams of this size: from what both sides announce and from what was seen
 * in one direction, the size in force and the reason for it. */
#ifndef EXPECT_EXPLAIN_H
#define EXPECT_EXPLAIN_H

#include "netprobe/decode/rx_security.h"
#include "netprobe/expect/fingerprint.h"
#include "netprobe/expect/openafs.h"

struct explain_input {
	bool from_server; /* the sender of the DATA is the server side */
	const struct rx_trailer *sender,
	        *receiver; /* announced by their acks; NULL = not seen */
	uint32_t sender_mtu,
	        receiver_mtu; /* IP MTU of their links, where known; else 0 */
	uint32_t largest;     /* UDP payload of the largest DATA datagram */
	uint32_t dominant; /* UDP payload of those that carried most data; 0 = not known
	                    */
	uint32_t packets;  /* most Rx packets in one datagram */
	uint64_t datagrams; /* DATA datagrams in all */
	uint32_t pieces;    /* most IP fragments of one; 1 = never cut, 0 = not known */
	uint32_t piece_len; /* largest IP length of a fragment; 0 = not known */
	uint8_t security;   /* security index of the DATA */
	enum rx_level level; /* of their protection, as far as known */
	bool sender_elsewhere, receiver_elsewhere; /* announced to another peer */
};

enum explain_reason {
	EXPLAIN_FEW_DATA,   /* too little was sent to tell more than what is allowed */
	EXPLAIN_NO_TRAILER, /* the receiver's acks were not seen */
	EXPLAIN_ABSURD,     /* a trailer that cannot be calculated with */
	EXPLAIN_PACKET,     /* one packet of 1444 (AFS 3.4a: 1472) a datagram */
	EXPLAIN_SMALL,      /* one smaller packet a datagram */
	EXPLAIN_LARGE_PACKET, /* one packet beyond an Ethernet frame: AFS 3.4a style */
	EXPLAIN_KAFS,         /* packets of 1412 bytes of data, by kAFS */
	EXPLAIN_JUMBO,        /* jumbograms in one frame */
	EXPLAIN_FRAGMENTS,    /* jumbograms in IP fragments */
	EXPLAIN_ENCRYPTED,    /* rxkad packets, never joined */
	EXPLAIN_NOT_REACHED,  /* larger is allowed and was not reached */
	EXPLAIN_REFUSED,      /* more packets than the receiver takes */
	EXPLAIN_REASONS
};

struct explanation {
	enum explain_reason reason;
	struct expect_size
	        allowed; /* by the trailers; all 0 where they were not seen */
	struct expect_size
	        size; /* in force: as seen, as allowed for EXPLAIN_FEW_DATA */
	struct fingerprint sender, receiver; /* text "" where no trailer was seen */
	uint32_t
	        pieces; /* fragments of the largest datagram; 1 = none, 0 = not known */
	uint32_t cut_mtu; /* MTU that cut it; 0 = none or not known */
};

void expect_explain(const struct explain_input *in, struct explanation *x);

/* "jumbo-fragments": a stable id for findings and records. */
const char *explain_reason_id(enum explain_reason reason);

/* One sentence for people, without a full stop, such as "Rx 8520 (6 packets a
 * jumbogram): the server's interface allows …".  Returns buf. */
char *explain_text(const struct explain_input *in, const struct explanation *x,
                   char *buf, size_t size);

#endif
