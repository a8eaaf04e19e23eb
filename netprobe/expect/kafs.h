/* Which sizes Linux's own AFS client (kAFS, AF_RXRPC) chooses, before 6.14 and since.
 *
 * It asks the routing table for every peer, so its sizes follow the way out.  Sources:
 * Linux net/rxrpc/peer_object.c (rxrpc_assess_MTU_size), output.c
 * (rxrpc_fill_out_ack), "rxrpc: Implement path-MTU probing using padded PING ACKs"
 * (2024-12-02). */
#ifndef EXPECT_KAFS_H
#define EXPECT_KAFS_H

#include "netprobe/expect/openafs.h"

/* mtu: of the route to the peer, 0 = not known (1500 then).  peer: its trailer, NULL
 * before the first ack; since 6.14 what is announced depends on it. */
void expect_kafs_own(bool probing, uint32_t mtu, const struct rx_trailer *peer,
                     struct expect_own *own);

struct expect_size expect_kafs_send(bool probing, const struct expect_own *own,
                                    const struct rx_trailer *peer);

#endif
