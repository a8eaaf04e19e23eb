/* Answers to rxdebug's questions that tell of a host: its build, and what it knows of
 * a peer.  Facts from OpenAFS doc/txt/rx-debug.txt, src/rx/rx.h (struct rx_debugPeer)
 * and rx_packet.c (rxi_ReceiveDebugPacket, rxi_ReceiveVersionPacket). */
#ifndef DECODE_RX_DEBUG_H
#define DECODE_RX_DEBUG_H

#include "netprobe/decode/addr.h"
#include "netprobe/decode/rx.h"

#define RX_VERSION_BYTES 65u /* of the text on the wire */
#define RX_VERSION_TEXT (4 * RX_VERSION_BYTES + 1)

/* The text of a VERSION answer; bytes is the UDP payload.  What is no printable ASCII
 * stands as \xNN, a backslash as \\.  False for questions, keep-alives and texts of
 * which nothing was captured. */
bool rx_version_decode(const struct rx_header *h, const uint8_t *bytes, size_t cap,
                       size_t udp_len, char text[RX_VERSION_TEXT]);

/* What the answering Rx knows of one peer.  Sizes are Rx packets, header included. */
struct rx_debug_peer {
	struct addr host;
	uint16_t port;
	uint16_t if_mtu;      /* for the interface towards it */
	uint16_t nat_mtu;     /* natural packet, after the peer's word */
	uint16_t max_mtu;     /* largest datagram */
	uint16_t max_packets; /* a jumbogram may have */
	uint16_t if_packets;  /* that the interface allows */
	uint16_t mtu;         /* in force */
	uint16_t cwind;       /* congestion window, packets */
	uint16_t packets;     /* in a jumbogram now */
	uint32_t rtt_ms;
	uint32_t sent, resends; /* packets */
	uint64_t bytes_sent, bytes_received;
};

/* A DEBUG answer to GETPEER, which is told by its length.  False for anything else,
 * and where it was not captured up to the packets a jumbogram has now. */
bool rx_debug_peer_decode(const struct rx_header *h, const uint8_t *bytes, size_t cap,
                          size_t udp_len, struct rx_debug_peer *p);

#endif
