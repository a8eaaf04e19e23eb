/* A flow: one client port and one server port that speak Rx, on one interface.
 * Client is who began the connections (the CLIENT_INITIATED flag says so), not
 * who was seen first. */
#ifndef TRACK_FLOW_H
#define TRACK_FLOW_H

#include "netprobe/decode/addr.h"
#include "netprobe/decode/afs.h"
#include "netprobe/decode/rx_security.h"
#include "netprobe/track/pace.h"
#include "netprobe/track/symptom.h"
#include "netprobe/track/tally.h"
#include "src/base/hist.h"
#include "src/base/table.h"

#define FLOW_TRAILERS 4
#define FLOW_REASONS 10 /* ack reasons; [0] counts unknown ones */

struct conn;

struct flow_key {
	struct addr client, server;
	uint16_t client_port, server_port;
	uint32_t iface;
};

/* A trailer that one side's acks announced. */
struct trailer_seen {
	struct rx_trailer trailer;
	uint64_t acks;
	uint64_t first_frame;
};

/* One end of a flow: what it sent, and what its acks announced. */
struct flow_side {
	struct slices sent;
	struct trailer_seen trailer[FLOW_TRAILERS]; /* first seen first */
	uint8_t trailers;
	uint64_t other_trailers; /* acks whose trailer found no room above */
	uint64_t absurd_trailers;
	uint64_t acks_without_trailer;
	uint8_t security_seen;          /* bit i: DATA with security index i */
	uint64_t reasons[FLOW_REASONS]; /* acks sent, by reason */
	int64_t missed; /* serials that never came by: lost before here, or not captured
	                 */
	struct hist rtt;    /* ns, from DATA or ping here to its ack here */
	uint32_t flight;    /* most packets on the way unacknowledged */
	uint64_t at_window; /* DATA datagrams sent with the receiver's window full */
	struct pace pace;
	uint64_t too_big;     /* ICMP "too big" quoting what this side sent */
	uint32_t too_big_mtu; /* the smallest next-hop MTU they told; 0 = none */
	uint64_t too_big_frame;
	struct symptoms *symptoms; /* owned; NULL while nothing was sent */
};

/* What went by of the protected connections of a flow. */
struct flow_security {
	struct rx_evidence evidence;
	uint64_t challenges;
	uint64_t challenge_repeats; /* of connections challenged before */
	uint64_t repeat_frame;      /* the first of them; 0 = none */
	uint64_t responses;
	uint64_t responses_fragmented; /* sent in IP fragments */
	uint64_t response_frame;       /* of the largest; 0 = none */
	uint32_t largest_response;     /* UDP payload */
	uint32_t largest_ticket;       /* bytes; 0 = not readable */
};

struct flow {
	struct flow_key key;
	uint16_t service_id;
	enum afs_service service;
	uint64_t first_frame;
	/* a multi-homed server that is asked at one address and answers from
	 * another: the flow of the other half, and how many datagrams show it */
	struct flow_key other_half;
	uint64_t split;
	/* a shortcut to the connection of the latest packet, good while as many
	 * connections have left their table as then */
	struct conn *latest;
	uint64_t conns_evicted;
	struct flow_security *security; /* owned; NULL while nothing was protected */
	struct flow_side side[WAYS];    /* [TO_SERVER] is what the client sent */
};

/* Counts the trailer of one ack. */
void flow_note_trailer(struct flow_side *s, const struct rx_trailer *t, uint64_t frame);

/* The trailer that the side announced most often, the wider on a tie; NULL if
 * it announced none. */
const struct rx_trailer *flow_trailer(const struct flow_side *s);

void flow_clear(struct flow *f);

#endif
