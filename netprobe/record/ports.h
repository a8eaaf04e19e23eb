/* The capture filter that shows Rx and what happens to it. */
#ifndef RECORD_PORTS_H
#define RECORD_PORTS_H

#include "src/base/err.h"

#include <stddef.h>

/* AFS: 7000 to 7010 (servers, callbacks, bos, backup), 7020 and 7021 (upserver and
 * client of the backup), 7025 to 7032 (volume tape coordinators). */
#define RECORD_PORTS_AFS "7000-7010,7020,7021,7025-7032"

/* Builds the filter for a list such as RECORD_PORTS_AFS: UDP on these ports over
 * IPv4 and IPv6; every fragment that carries no ports; ICMP and ICMPv6 errors.
 * With vlan the same behind one VLAN tag too, which not every link type can.
 * -1 with ERR_USAGE on a list that is none. */
int record_filter(const char *ports, int vlan, char *to, size_t size, struct err *err);

#endif
