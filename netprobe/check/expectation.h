/* What each network should have, as an administrator states it in a file:
 *
 *	# network or address   what it should have
 *	10.77.1.0/24           mtu=1500
 *	10.77.2.0/24           mtu=9180 path=9180 rx=8520
 *	10.9.0.0/16            path=1400
 *
 * mtu: of the interface; path: at least that much gets through; rx: UDP payload of the
 * largest datagram that is expected.  The longest network that holds the peer counts.
 */
#ifndef CHECK_EXPECTATION_H
#define CHECK_EXPECTATION_H

#include "netprobe/decode/addr.h"
#include "src/base/err.h"

struct expectation {
	struct addr net;
	unsigned bits;          /* of 128: IPv4 networks count from 96 */
	uint32_t mtu, path, rx; /* 0 = not stated */
	unsigned line;
};

struct expectations {
	struct expectation *list; /* owned */
	size_t n;
};

/* -1 with ERR_USAGE and "FILE:LINE: …" at the first mistake. */
int expectations_load(struct expectations *e, const char *path, struct err *err);
void expectations_free(struct expectations *e);

/* NULL where nothing is stated of this address. */
const struct expectation *expectations_for(const struct expectations *e,
                                           const struct addr *a);

#endif
