/* A socket's error queue (IP_RECVERR, ip(7)), as probe events. */
#ifndef PROBE_SOCKERR_H
#define PROBE_SOCKERR_H

#include "netprobe/probe/net.h"

#include <sys/socket.h>

/* Takes one entry; false where there is none.  What tells nothing of the path is
 * PROBE_NOTHING. */
bool sockerr_read(int fd, struct probe_event *e);

bool sockerr_addr(const struct sockaddr_storage *from, struct addr *a);

#endif
