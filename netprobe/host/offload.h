/* Which offloads of an interface make captured sizes differ from those on the wire. */
#ifndef HOST_OFFLOAD_H
#define HOST_OFFLOAD_H

#include "src/base/err.h"

#include <stdbool.h>
#include <stddef.h>

enum host_offload {
	HOST_GRO = 1 << 0,     /* receiver joins packets */
	HOST_LRO = 1 << 1,     /* the card does */
	HOST_GSO = 1 << 2,     /* the kernel cuts late */
	HOST_TSO = 1 << 3,     /* the card cuts TCP */
	HOST_UFO = 1 << 4,     /* the card fragments UDP */
	HOST_USO = 1 << 5,     /* the card cuts UDP */
	HOST_UDP_GRO = 1 << 6, /* forwarded UDP is joined too */
};

/* The flags of what is switched on (SIOCETHTOOL).  -1 where the interface is gone; an
 * interface without offloads has none. */
int host_offloads(const char *iface, unsigned *flags, struct err *err);

/* "gro gso tso", "-" where there are none.  Returns buf. */
const char *host_offload_names(unsigned flags, char *buf, size_t size);

#endif
