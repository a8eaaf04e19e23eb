/* A captured frame, as every source yields it and everything after it reads it. */
#ifndef NETPROBE_FRAME_H
#define NETPROBE_FRAME_H

#include <stdbool.h>
#include <stdint.h>

/* Link types by their LINKTYPE_ numbers (tcpdump.org/linktypes.html); the DLT_
 * aliases of a system are mapped to these by the source. */
enum link_type {
	LINK_NULL = 0,
	LINK_ETHERNET = 1,
	LINK_TOKEN_RING = 6,
	LINK_PPP = 9,
	LINK_FDDI = 10,
	LINK_PPP_HDLC = 50,
	LINK_PPP_ETHER = 51,
	LINK_ATM_RFC1483 = 100,
	LINK_RAW = 101,
	LINK_ATM_CLIP = 106,
	LINK_LOOP = 108,
	LINK_LANE8023 = 110,
	LINK_LINUX_SLL = 113,
	LINK_SUNATM = 123,
	LINK_MPLS = 219,
	LINK_IPV4 = 228,
	LINK_IPV6 = 229,
	LINK_IPOIB = 242,
	LINK_LINUX_SLL2 = 276,
};

enum direction { DIR_UNKNOWN, DIR_IN, DIR_OUT };

struct frame {
	const uint8_t *bytes; /* good until the source's next call */
	uint32_t caplen;      /* captured bytes */
	uint32_t wirelen;     /* bytes the frame had, by the capture */
	int64_t time_ns;      /* since 1970, UTC */
	uint64_t number;      /* from 1, as Wireshark counts */
	uint32_t iface;       /* index in the source's interfaces */
	uint16_t link_type;   /* enum link_type; others are "unsupported" later */
	uint8_t direction;    /* enum direction, as far as the capture tells */
};

#endif
