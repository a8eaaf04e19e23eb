/* Which way the kernel takes to a peer, and what MTU it knows of that way. */
#ifndef HOST_ROUTE_H
#define HOST_ROUTE_H

#include "netprobe/decode/addr.h"
#include "netprobe/host/iface.h"

enum host_route_kind {
	HOST_ROUTE_UNICAST,
	HOST_ROUTE_LOCAL,       /* the peer is this host */
	HOST_ROUTE_NONE,        /* no route */
	HOST_ROUTE_UNREACHABLE, /* a route that says so */
	HOST_ROUTE_BLACKHOLE,
	HOST_ROUTE_PROHIBIT,
	HOST_ROUTE_OTHER, /* broadcast, multicast, … */
};

struct host_route {
	enum host_route_kind kind;
	int iface; /* index; 0 = none */
	bool has_source, has_gateway;
	struct addr source, gateway;
	uint32_t table;       /* 254 = main */
	uint32_t mtu;         /* set on the route (ip route … mtu); 0 = none */
	bool mtu_locked;      /* path MTU discovery may not lower it */
	uint32_t path_mtu;    /* learned from ICMP and remembered; 0 = none */
	uint32_t path_mtu_ms; /* for how long still */
};

/* Asks for the route to dst, from src (NULL: the kernel's choice) and by the interface
 * oif (0: any).  A peer without a route is an answer, not an error. */
int host_route_get(struct host *h, const struct addr *dst, const struct addr *src,
                   int oif, struct host_route *r, struct err *err);

/* "no route", "blackhole route", … */
const char *host_route_kind_text(enum host_route_kind kind);

/* Policy rules other than the three that every system has. */
struct host_rule {
	uint32_t priority;
	int family; /* 4 or 6 */
	char text[160];
};

/* *list is the caller's, to be freed with free. */
int host_rules(struct host *h, struct host_rule **list, size_t *n, struct err *err);

#endif
