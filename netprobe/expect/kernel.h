/* Which sizes OpenAFS's Linux kernel client chooses.
 *
 * afsd hands it addresses, masks and MTUs once; it matches a peer against them by
 * CLASS first, so that all of 10/8 counts as a network of its own, and takes no MTU
 * from the routing table.  Sources: OpenAFS src/rx/rx_kcommon.c (rxi_InitPeerParams,
 * rxi_Findcbi, rxi_GetcbiInfo). */
#ifndef EXPECT_KERNEL_H
#define EXPECT_KERNEL_H

#include "netprobe/expect/openafs.h"

/* How an interface was found for a peer; the larger wins, the first among equals. */
enum expect_match {
	EXPECT_MATCH_NONE,
	EXPECT_MATCH_CLASS = 2, /* same network of class A, B or C only */
	EXPECT_MATCH_SUBNET,
	EXPECT_MATCH_SELF, /* the address itself */
};

enum expect_match expect_class_match(const struct expect_iface *f,
                                     const struct addr *peer);

void expect_kernel_own(const struct expect_host *host, const struct addr *peer,
                       struct expect_own *own);

#endif
