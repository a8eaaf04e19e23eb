/* What this host's interfaces have received and sent: without a probe, the evidence
 * that data of a cold phase came over the network, and those of a warm one did not. */
#ifndef CACHE_TRAFFIC_H
#define CACHE_TRAFFIC_H

#include <stdint.h>
#include <stdio.h>

/* Bytes of frames (Ethernet: with the 14 of the header). */
struct traffic {
	int64_t received, sent; /* received < 0: not known */
};

/* So far, by all interfaces of this network name space. */
struct traffic traffic_now(void);

/* What came behind before.  Unknown where either is. */
struct traffic traffic_since(struct traffic before);

/* The sums in the text of /proc/net/dev. */
struct traffic traffic_parse(FILE *f);

#endif
