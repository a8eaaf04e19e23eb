/* One row of the matrix: an interface and a peer, with all that is known of the way
 * between them. */
#ifndef CHECK_ROW_H
#define CHECK_ROW_H

#include "netprobe/check/expectation.h"
#include "netprobe/check/peer.h"
#include "netprobe/expect/choice.h"
#include "netprobe/host/route.h"
#include "netprobe/probe/path.h"
#include "netprobe/probe/socket.h"

/* Rx DATA that went one way between this host and a peer on one interface.  Probes
 * (VERSION), acks and pings are no DATA: their sizes were nobody's choice of MTU. */
struct seen_way {
	uint64_t datagrams;
	uint32_t largest;        /* UDP payload of the largest */
	uint32_t dominant;       /* that carried most data, of its largest flow */
	uint64_t dominant_bytes; /* of Rx data, of that flow */
};

enum seen_direction { SEEN_SENT, SEEN_RECEIVED, SEEN_DIRECTIONS };

/* What a capture shows of a peer on one interface. */
struct seen {
	struct addr peer;
	char iface[16]; /* "" = the capture does not name its interfaces */
	struct seen_way way[SEEN_DIRECTIONS]; /* sent by this host, received */
	uint64_t served, asked; /* DATA that this host sent as a server, as a client */
	uint8_t security;       /* bit i: sent with security index i */
	bool has_own, has_peer;
	struct rx_trailer own, theirs; /* announced */
};

/* This host is the server side of most of it. */
static inline bool seen_we_serve(const struct seen *s)
{
	return s->served > s->asked;
}

enum gravity { GRAVITY_OK, GRAVITY_NOTE, GRAVITY_WARNING, GRAVITY_CRITICAL };

enum verdict {
	VERDICT_OK,
	VERDICT_LOCAL,        /* the peer is this host */
	VERDICT_PATH_SMALLER, /* than the link, but all that Rx sends fits */
	VERDICT_OTHER_WAY,    /* seen on another interface than that of the route */
	VERDICT_NOT_EXACT,    /* the probe ran out of packets */
	VERDICT_SILENT,       /* no answer of the peer */
	VERDICT_FELL_SILENT,
	VERDICT_MTU_DIFFERS,      /* from the expectation file */
	VERDICT_RX_DIFFERS,       /* likewise */
	VERDICT_OBSERVED_LARGER,  /* than expected */
	VERDICT_OBSERVED_SMALLER, /* likewise */
	VERDICT_STALE_TABLE,      /* what is announced fits no interface as it is now */
	VERDICT_TOO_LARGE,        /* Rx sends more than fits; routers say so */
	VERDICT_ASKED_OTHER,      /* answers come from another address */
	VERDICT_OTHER_LINK,   /* the address asked for leaves by another interface */
	VERDICT_LINK_DOWN,    /* the interface asked for is down */
	VERDICT_PATH_DIFFERS, /* less than the expectation file states */
	VERDICT_FORBIDDEN,    /* this host's firewall */
	VERDICT_REFUSED,
	VERDICT_UNREACHABLE,
	VERDICT_NO_ROUTE,
	VERDICT_BLACK_HOLE, /* Rx sends more than fits, and nobody says so */
	VERDICT_GONE,       /* the interface vanished while it was probed */
	VERDICTS
};

#define ROW_FINDINGS 5

struct row_finding {
	enum verdict verdict;
	char text[360];
};

struct row {
	struct peer peer;
	bool has_from;   /* the user named the address or interface to go by */
	bool from_iface; /* the interface */
	char owner[16]; /* the interface that has the address asked for; "" = none asked
	                 */
	struct host_route route;
	bool has_iface;
	struct host_iface iface; /* the way out */
	bool has_source;
	struct addr source;
	uint32_t mtu; /* as configured: less of link and route; 0 = not known */
	bool probed;
	enum probe_method method;
	struct path_result path;
	char version[66]; /* of the peer; "" = not told */
	bool has_other;
	struct addr other; /* answers came from here */
	bool has_expect;   /* IPv4 only: OpenAFS knows no other */
	enum expect_program program;
	bool assumed;              /* the peer's trailer */
	struct rx_trailer trailer; /* the peer's */
	struct expect_choice expect;
	const struct seen
	        *seen;  /* on this interface; NULL = no capture, or not in it */
	bool only_seen; /* the route goes by `route_iface`, the capture has it */
	char route_iface[16];
	bool live_gone; /* the interface went while it was captured on */
	const struct expectation *wanted; /* NULL = nothing stated */
	struct row_finding finding[ROW_FINDINGS];
	size_t findings;
	enum verdict verdict; /* the gravest */
};

/* Judges what the row knows: fills findings and verdict.  Pure. */
void row_judge(struct row *r);

const char *verdict_id(enum verdict v);
enum gravity verdict_gravity(enum verdict v);

/* The largest IP packet that Rx sends this way without cutting it. */
uint32_t row_largest_packet(const struct row *r);

#endif
