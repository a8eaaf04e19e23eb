/* What tells a packet from all others on its way past capture points: what no router
 * changes of it.
 *
 * UDP: IP identification, ports, length and the first bytes of payload.  TCP: IP
 * identification, ports, sequence and acknowledgement numbers and the first bytes of
 * options and payload.  Hop limit, checksums (an offload or a translator makes them
 * anew), and the flags that segmentation moves from one packet to another (PSH, FIN,
 * CWR, ECE) are left out; so are the options of a SYN, whose MSS routers may lower. */
#ifndef TRACK_POINT_PRINT_H
#define TRACK_POINT_PRINT_H

#include "netprobe/decode/packet.h"
#include "netprobe/track/conn.h"
#include "netprobe/track/route.h"

#define POINT_PRINT_BYTES 32u /* of what is behind the transport header, at most */
#define POINT_STRONG_BYTES 16u

/* Zeroed before it is filled.  An Rx datagram is known by its connection, way and
 * serial, so a retransmission (which has a serial of its own, rx_packet.c
 * rxi_SendPacket) is another one; Rx packets without a serial by the IP
 * identification. */
struct point_key {
	uint32_t kind; /* enum point_kind */
	uint32_t way;  /* POINT_RX */
	union {
		struct {
			struct conn_key conn;
			uint32_t serial;
			uint32_t id; /* IP identification where the serial is 0 */
		} rx;
		struct {
			uint64_t print;
			uint64_t ends; /* addresses and ports; 0 = left out */
		} other;
	};
};

/* A packet of a kind other than POINT_RX. */
struct point_print {
	struct point_key key;
	uint32_t len;    /* UDP or TCP payload; of TCP's first fragment what is in it */
	uint16_t header; /* of UDP or TCP */
	uint8_t bytes;   /* that could be used behind that header */
	bool snapped;    /* more would have been used, had they been captured */
	bool has_id;
	bool strong; /* hardly any other packet has this print, whatever its ends */
};

/* Of a whole UDP or TCP packet, or of the first fragment of one, using so many bytes
 * at most.  False where its header was not captured, or lies. */
bool point_print_make(struct point_print *m, const struct packet *p, uint32_t bytes);

#endif
