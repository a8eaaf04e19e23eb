/* What went one way: the counters of a flow's direction, an interface's, a
 * phase's.  A zeroed tally is valid and empty; tallies add up. */
#ifndef TRACK_TALLY_H
#define TRACK_TALLY_H

#include "netprobe/decode/rx.h"
#include "src/base/sizes.h"

#include <stdint.h>

/* Sides of a connection; also the way a packet goes. */
enum way { TO_SERVER, TO_CLIENT, WAYS };

struct tally {
	int64_t first_ns, last_ns; /* of its packets; 0 while there are none */
	uint64_t ip_packets;       /* fragments count one by one */
	uint64_t ip_bytes;         /* IP lengths */
	uint64_t df;               /* IP packets with "don't fragment" set */
	uint32_t largest_whole;    /* longest IP packet that is no fragment */
	uint64_t offloaded;        /* super-packets of GRO/GSO/TSO: never a size */

	uint64_t fragments; /* IP packets that are pieces of a train */
	uint64_t trains_whole, trains_broken;
	uint64_t broken_ip_bytes; /* IP lengths of the broken trains' pieces */

	/* whole UDP datagrams that are Rx, by type; resends are among them,
	 * packets captured twice are not */
	uint64_t datagrams;
	uint64_t type[RX_TYPES];
	uint64_t data_packets; /* DATA packets, jumbograms split */
	uint64_t data_bytes; /* Rx data: what DATA packets carry behind their headers */
	uint64_t resends;    /* DATA packets seen before under another serial */
	uint64_t resent_bytes; /* their Rx data */
	uint64_t recovered;    /* resends of packets not seen here the first time */
	uint64_t duplicates;   /* Rx datagrams captured twice on this interface */
	uint64_t malformed;    /* jumbograms or acks that contradict their length */

	struct sizes ip_lengths;     /* of IP packets */
	struct sizes data_datagrams; /* UDP payload of DATA datagrams */
	struct sizes jumbograms;     /* packets in each datagram of two or more */
	struct sizes train_pieces;   /* fragments of each whole train */
};

/* Adds the figures of from to *to. */
void tally_merge(struct tally *to, const struct tally *from);

/* Frees what it owns and empties it. */
void tally_clear(struct tally *t);

/* Seconds between its first and last packet; 0 with fewer than two. */
double tally_seconds(const struct tally *t);

/* A tally for each phase that saw traffic; phase 0 is "outside any phase". */
struct slices {
	struct slice *list; /* most recent first */
};

struct slice {
	uint32_t phase;
	struct tally tally;
	struct slice *next;
};

/* The tally of this phase, made if need be.  NULL where memory is out. */
struct tally *slices_get(struct slices *s, uint32_t phase);

/* Adds all phases, or just one, to *to. */
void slices_sum(const struct slices *s, struct tally *to);
void slices_sum_phase(const struct slices *s, uint32_t phase, struct tally *to);

void slices_clear(struct slices *s);

#endif
