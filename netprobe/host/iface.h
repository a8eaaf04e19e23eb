/* What the kernel tells of this machine's network interfaces (rtnetlink). */
#ifndef HOST_IFACE_H
#define HOST_IFACE_H

#include "src/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct host_iface {
	char name[16];
	int index;
	bool up, loopback;
	bool running;        /* up, and the other end or a member is there */
	char kind[16];       /* "bond", "bridge", "vlan", "veth", …; "" = a device */
	int master;          /* index of the bond or bridge it belongs to; 0 = none */
	int parent;          /* index of the link below it (VLAN, macvlan); 0 = none */
	bool ethernet;       /* frames have Ethernet headers */
	uint32_t mtu;        /* of IP packets */
	uint64_t speed_bps;  /* of the link; 0 = the kernel does not know */
	char addresses[256]; /* ADDR/BITS[,ADDR/BITS…], no link-local ones */
};

/* Sums since the interface exists. */
struct host_counters {
	uint64_t rx_packets, rx_bytes, tx_packets, tx_bytes;
	uint64_t rx_dropped, rx_missed;
};

struct host; /* a connection to the kernel, within one network namespace */

struct host *host_open(struct err *err);
void host_close(struct host *h); /* NULL is harmless */

/* All interfaces; *list is the caller's, to be freed with free. */
int host_ifaces(struct host *h, struct host_iface **list, size_t *n, struct err *err);

/* NULL where there is none of this name. */
const struct host_iface *host_iface_find(const struct host_iface *list, size_t n,
                                         const char *name);

const struct host_iface *host_iface_by_index(const struct host_iface *list, size_t n,
                                             int index);

/* Everything that frames of list[i] pass through: itself, the members of a bond or
 * bridge, the links below a VLAN, and theirs.  Puts at most max positions in list
 * into `at`, list[i]'s first, and returns how many. */
size_t host_iface_members(const struct host_iface *list, size_t n, size_t i, size_t *at,
                          size_t max);

/* "eth0, eth1 (down), lo": for messages.  Returns buf. */
const char *host_iface_names(const struct host_iface *list, size_t n, char *buf,
                             size_t size);

/* Fails where the interface is gone. */
int host_counters(struct host *h, int index, struct host_counters *c, struct err *err);

/* "libnl 3.7.0" */
const char *host_library_version(void);

#endif
