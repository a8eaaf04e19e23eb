/* What hosts told of themselves and of their peers, by address.  Bounded: the facts
 * used least recently leave, and are counted. */
#ifndef TRACK_HOST_H
#define TRACK_HOST_H

#include "netprobe/decode/disclose.h"
#include "netprobe/decode/rx_debug.h"

/* The build of one process, from its VERSION answer. */
struct host_version {
	struct host_version_key {
		struct addr addr;
		uint16_t port;
	} key;
	uint64_t frame; /* of the latest answer */
	char text[RX_VERSION_TEXT];
};

/* A disclosure; the latest of its kind about an address. */
struct host_disclosure {
	struct host_disclosure_key {
		struct addr about; /* who sent it; of a third party, the first listed */
		uint8_t kind;
	} key;
	struct addr by;
	uint64_t frame;
	uint64_t times;
	struct disclosure told;
};

/* What a process knows of a peer, from its answer to rxdebug. */
struct host_peer {
	struct host_peer_key {
		struct addr addr; /* who answered */
		struct addr peer;
		uint16_t port, peer_port;
	} key;
	uint64_t frame; /* of the latest answer */
	struct rx_debug_peer told;
};

struct hosts;

struct hosts *hosts_new(void); /* NULL where memory is out */
void hosts_free(struct hosts *h);

/* Each takes one fact, told by addr (and port) in this frame.  False where memory is
 * out. */
bool hosts_take_version(struct hosts *h, const struct addr *addr, uint16_t port,
                        const char *text, uint64_t frame);
bool hosts_take_disclosure(struct hosts *h, const struct addr *by,
                           const struct disclosure *d, uint64_t frame);
bool hosts_take_peer(struct hosts *h, const struct addr *addr, uint16_t port,
                     const struct rx_debug_peer *p, uint64_t frame);

/* All facts, from the least to the most recently told; start with NULL. */
const struct host_version *hosts_version_next(const struct hosts *h,
                                              const struct host_version *v);
const struct host_disclosure *hosts_disclosure_next(const struct hosts *h,
                                                    const struct host_disclosure *d);
const struct host_peer *hosts_peer_next(const struct hosts *h,
                                        const struct host_peer *p);

/* The IP MTU that the host itself told of the interface with this address; 0 = not
 * told. */
uint32_t hosts_mtu(const struct hosts *h, const struct addr *a);

/* Facts that left the full tables. */
uint64_t hosts_evicted(const struct hosts *h);

#endif
