/* What a payload costs on every kind of link: packets, bytes on the wire, and the rate
 * that is the ceiling.  Arithmetic only; link.h has the rules. */
#ifndef CHECK_LINK_COST_H
#define CHECK_LINK_COST_H

#include "netprobe/expect/link.h"
#include "src/base/sizes.h"

struct link_cost {
	const struct link_kind *kind;
	uint32_t mtu;
	uint64_t packets, wire_bytes; /* fragments counted one by one */
	double efficiency;            /* payload bytes by wire bytes */
};

/* payload: IP bytes where `data` is 0, else so many bytes of file data. */

/* n packets of this IP length.  mtu 0 = the kind's usual one. */
void link_cost_packets(struct link_cost *c, const struct link_kind *kind, uint32_t mtu,
                       uint32_t ip_len, uint64_t n);

/* Adds another length to the same cost. */
void link_cost_add(struct link_cost *c, uint32_t ip_len, uint64_t n);

/* A call of `data` bytes in datagrams of this UDP payload, the last one shorter.
 * Returns the datagrams, 0 where such a datagram holds no data. */
uint64_t link_cost_call(struct link_cost *c, const struct link_kind *kind, uint32_t mtu,
                        uint64_t data, uint32_t udp_payload);

/* All IP packets of a capture. */
void link_cost_sizes(struct link_cost *c, const struct link_kind *kind, uint32_t mtu,
                     const struct sizes *ip_lengths, uint64_t data);

/* Bytes of file data in an Rx datagram of this UDP payload: 28 bytes of header, 4 more
 * for every further packet of a jumbogram. */
uint32_t link_cost_data_in(uint32_t udp_payload);

/* The sizes that implementations choose. */
struct link_choice {
	uint32_t udp_payload, data;
	const char *text;
};
const struct link_choice *link_choices(size_t *n);

/* A call of `data` bytes in datagrams of this choice, the last one shorter. */
void link_cost_choice(struct link_cost *c, const struct link_kind *kind, uint32_t mtu,
                      uint64_t data, const struct link_choice *choice);

#endif
