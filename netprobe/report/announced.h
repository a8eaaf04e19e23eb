/* What the ends of flows announced in their acks, wherever they did: one end (address
 * and port, on one interface) speaks to many, and what it told one of them holds for
 * another unless it sizes packets by the peer's subnet. */
#ifndef REPORT_ANNOUNCED_H
#define REPORT_ANNOUNCED_H

#include "netprobe/track/track.h"

struct announced;

/* Gathers from all flows.  NULL where memory is out. */
struct announced *announced_new(const struct track *t);
void announced_free(struct announced *a);

/* The trailer that an end announced most often: to this peer address from another
 * port if there is one, else to any peer; NULL where it announced none.  *same_peer
 * tells which. */
const struct rx_trailer *announced_find(const struct announced *a,
                                        const struct addr *end, uint16_t port,
                                        uint32_t iface, const struct addr *peer,
                                        bool *same_peer);

#endif
