/* The connection to the kernel, shared by the files of this folder. */
#ifndef HOST_INTERNAL_H
#define HOST_INTERNAL_H

#include "netprobe/host/iface.h"

#include <netlink/netlink.h>

struct host {
	struct nl_sock *sock;
};

#endif
