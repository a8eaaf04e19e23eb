/* What the rules look at: the tracker's tables and what is known of interfaces and
 * flows, and the paths made from them. */
#ifndef DIAGNOSE_FACTS_H
#define DIAGNOSE_FACTS_H

#include "netprobe/expect/link.h"
#include "netprobe/track/track.h"

struct fact_iface {
	const char *name;
	const char *addresses; /* ADDR/BITS[,ADDR/BITS…] of the capturing host; or "" */
	uint32_t file;         /* interfaces of one file are of one host */
	uint32_t mtu;          /* IP MTU; 0 = not known */
	const struct link_kind *kind; /* NULL = not known */
	uint64_t rate_bps;            /* 0 = not known */
	const struct iface_stats *stats;
	bool has_dropped;
	uint64_t dropped;         /* by the capturer */
	uint64_t ifdropped;       /* by the interface, before the capturer */
	int64_t from_ns, until_ns; /* the capture ran; 0 = it has no time */
};

/* What went one way of a flow, and what follows from it. */
struct fact_way {
	const struct tally *tally;
	double seconds;
	uint32_t dominant; /* UDP payload of most Rx data; 0 = none */
	double ceiling;    /* Rx data bytes/s of the link at that size; 0 = unknown */
};

struct fact_flow {
	const struct flow *flow;
	struct fact_way way[WAYS];
	enum rx_level level;
};

/* All that goes from one host to another on one interface. */
struct path {
	struct pair_key key;
	const struct fact_flow *main; /* the flow with most data */
	enum way way;                 /* in which the path is that flow's */
	struct fate *fate;            /* owned; by size, whole before cut */
	size_t fates;
	uint64_t data_bytes, datagrams, recovered, malformed;
	uint64_t ip_packets, fragments, df;
	uint64_t jumbograms;
	uint32_t jumbogram_max; /* packets of the largest */
	uint64_t trains_whole, trains_broken;
	uint64_t timeouts, first_timeout_frame;
	int64_t stalled_ns, longest_ns;
	double seconds;                     /* of the flow that took longest */
	uint8_t ttl_min, ttl_max;           /* of what goes this way; 0 = none */
	uint8_t back_ttl_min, back_ttl_max; /* of what comes back */
	uint64_t pings_answered;            /* pings of src that dst answered */
	uint64_t acks_back;                 /* acks that dst sent */
	uint64_t checksums, checksums_bad;  /* verified, and of them wrong */
	int64_t back_last_ns; /* the last packet that came back; 0 = none */
	const struct rx_trailer *sender, *receiver; /* announced; NULL = not seen */
};

struct facts {
	const struct track *track;
	const struct fact_iface *ifaces;
	size_t n_ifaces;
	const struct fact_flow *flows; /* largest first within an interface */
	size_t n_flows;
	struct path *paths; /* facts_paths makes them */
	size_t n_paths;
};

/* Makes the paths from the flows.  False where memory is out. */
bool facts_paths(struct facts *f);
void facts_free(struct facts *f); /* the paths */

/* The path of this key, or NULL. */
const struct path *facts_path(const struct facts *f, const struct pair_key *k);

/* The key of the path that one way of a flow is part of. */
struct pair_key facts_way(const struct flow *flow, enum way w);

/* The trailer that one end of a flow announced, on it or on its other half; NULL. */
const struct rx_trailer *facts_trailer(const struct facts *f, const struct flow *flow,
                                       enum way way);

/* Rx packets that never came by and are proven to have been on the wire; 0 where what
 * was captured cannot tell (joined by an offload, cut before their Rx header), or so
 * few that disorder may explain them. */
uint64_t iface_unseen(const struct fact_iface *i);

/* The capturing host has this address on the interface. */
bool iface_owns(const struct fact_iface *i, const struct addr *a);

/* -1 unknown, 0 no, 1 yes: the address is in a subnet of the interface. */
int iface_subnet(const struct fact_iface *i, const struct addr *a);

/* A hop limit that no router has lowered yet. */
bool ttl_initial(uint8_t ttl);

/* No router between the ends, by hop limits both ways; false where not known. */
bool path_direct(const struct path *p);

/* Writes how far to trust a conclusion about this interface: 1, less where the
 * capture lost packets or cut them; doubt says why. */
double iface_quality(const struct fact_iface *i, char *doubt, size_t size);

static inline enum way other_way(enum way w)
{
	return w == TO_SERVER ? TO_CLIENT : TO_SERVER;
}

/* Packets arrive damaged often enough to explain that so many of these were lost. */
static inline bool path_damaged(const struct path *p, uint64_t lost, uint64_t of)
{
	return p->checksums_bad && 4.0 * (double)p->checksums_bad * (double)of >=
	                                   (double)lost * (double)p->checksums;
}

/* IP length of a UDP payload between these hosts. */
static inline uint32_t path_ip_len(const struct path *p, uint32_t udp_payload)
{
	return udp_payload + (addr_is_v4(&p->key.src) ? 28 : 48);
}

/* "server" or "client": who sends this way. */
static inline const char *way_sender(enum way w)
{
	return w == TO_SERVER ? "client" : "server";
}

#endif
