/* Rx on ports that are not AFS's: evidence that two UDP ports speak it.
 *
 * One header that may be Rx proves little (rx_header_decode).  Two are asked for,
 * of one connection (epoch, connection id, service): one from each side with
 * opposite CLIENT flags, or two from one side with growing serials; or one ack
 * with a whole and plausible trailer.  What came before the evidence is not
 * taken back: it counts as other UDP. */
#ifndef TRACK_CANDIDATE_H
#define TRACK_CANDIDATE_H

#include "netprobe/decode/addr.h"
#include "netprobe/decode/rx.h"

/* Both ways of a pair of UDP ports have one key: the lower end comes first. */
struct candidate_key {
	struct addr low, high;
	uint16_t low_port, high_port;
};

#define CANDIDATE_CONNS 4u /* connections remembered until one is proved */

struct candidate_conn {
	uint32_t epoch, cid; /* without the channel */
	uint16_t service;    /* 0 = free */
	struct {
		uint32_t serial; /* 0 = nothing from this side */
		bool client;
	} side[2]; /* from the low end, from the high end */
};

struct candidate {
	struct candidate_key key;
	bool accepted;
	uint8_t next; /* conn to be overwritten */
	struct candidate_conn conn[CANDIDATE_CONNS];
};

/* *from_high: the packet comes from the key's high end. */
struct candidate_key candidate_key_of(const struct addr *src, uint16_t sport,
                                      const struct addr *dst, uint16_t dport,
                                      bool *from_high);

/* What cannot be Rx although its header may look so: DTLS. */
bool candidate_refuses(const uint8_t *bytes, size_t cap);

/* Takes a packet whose header was decoded; true once these ports speak Rx.  bytes
 * has cap captured bytes of len. */
bool candidate_take(struct candidate *c, bool from_high, const struct rx_header *h,
                    const uint8_t *bytes, size_t cap, size_t len);

#endif
