/* The hosts of a capture: which addresses belong together and why, what each host
 * sent and received, and what it told of itself. */
#ifndef REPORT_RESULT_HOST_H
#define REPORT_RESULT_HOST_H

#include "netprobe/report/host_map.h"
#include "netprobe/track/track.h"

/* Why addresses count as one host: a set. */
enum host_why {
	HOST_GIVEN = 1,     /* by the host map */
	HOST_UUID = 2,      /* one AFS uuid */
	HOST_ANSWERED = 4,  /* asked at one address, answered from another */
	HOST_DISCLOSED = 8, /* one listed the other among its interfaces */
};

/* Rx flows as they stand in the report, all interfaces together: what was captured at
 * two places counts twice. */
struct host_sum {
	uint64_t ip_packets, ip_bytes, datagrams, data_bytes;
};

struct result_address {
	struct addr addr;
	struct host_sum sent, received;
	/* what was told of this address; told is NULL where nothing was.  The entry
	 * with an MTU before one without. */
	const struct host_disclosure *told;
	const struct disclosed_iface *iface; /* in told */
};

/* One of the three is set. */
struct host_fact {
	size_t host; /* whom it is about: index in the list */
	uint64_t frame;
	const struct host_version *version;
	const struct host_disclosure *disclosure;
	const struct host_peer *peer; /* what the host knows of a peer */
};

struct result_host {
	const char *name; /* of the host map, or NULL */
	unsigned why;
	struct result_address *addresses; /* rising */
	size_t n_addresses;
	struct host_sum sent, received;
	const uint8_t *uuid;           /* UUID_BYTES; NULL = not told */
	const struct host_fact *facts; /* versions, disclosures, peers; by frame */
	size_t n_facts;
};

struct result_hosts {
	struct result_host *list; /* most IP bytes first */
	size_t n;
	/* owned; the hosts point into these */
	struct result_address *addresses;
	struct host_fact *facts;
};

struct result;

/* Works the hosts out of a result that is complete but for them, into r->hosts.  map
 * may be NULL; it must live as long as the result.  -1 (err set) where memory is
 * out. */
int result_hosts_make(struct result *r, const struct host_map *map, struct err *err);
void result_hosts_free(struct result_hosts *h);

/* True if there is more to say of a host than its one address. */
bool result_host_tells(const struct result_host *h);

/* "same uuid, --host-map"; returns buf. */
const char *host_why_text(unsigned why, char *buf, size_t size);

#endif
