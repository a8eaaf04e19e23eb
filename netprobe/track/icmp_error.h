/* ICMP errors, by who sent them, what they say and which flow they quote. */
#ifndef TRACK_ICMP_ERROR_H
#define TRACK_ICMP_ERROR_H

#include "netprobe/decode/packet.h"
#include "src/base/table.h"

struct icmp_error_key {
	struct addr from;      /* who sent the ICMP packet */
	struct addr src, dst;  /* of the quoted packet; zero where none is quoted */
	uint32_t iface;        /* where the ICMP packet was seen */
	uint16_t sport, dport; /* 0 = not quoted */
	uint8_t family, type, code; /* of the ICMP packet; family 4 or 6 */
	uint8_t proto;              /* of the quoted packet */
};

struct icmp_error {
	struct icmp_error_key key;
	uint64_t count;
	uint64_t first_frame;
	int64_t first_ns, last_ns;
	bool quotes, has_ports, too_big;
	uint32_t mtu_min, mtu_max; /* next-hop MTUs told; 0 = none */
	uint64_t without_mtu;      /* "too big" that tell no MTU (RFC 1191, 4) */
	uint32_t quoted_max;       /* IP length of the longest packet quoted */
};

struct table *icmp_errors_new(void);

/* Counts the error m that p carries.  False where memory is out. */
bool icmp_errors_add(struct table *errors, const struct packet *p, const struct icmp *m,
                     const struct frame *f);

#endif
