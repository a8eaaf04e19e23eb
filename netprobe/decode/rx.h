/* The Rx protocol: header, jumbograms, ack bodies, the other packet types.
 * Facts from OpenAFS src/rx/rx_packet.c, rx.c (rxi_SendAck,
 * rxi_ReceiveAckPacket, rxi_SplitJumboPacket) and doc/txt/rx-spec.txt. */
#ifndef DECODE_RX_H
#define DECODE_RX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RX_HEADER 28u
#define RX_JUMBO_HEADER 4u
#define RX_JUMBO_DATA 1412u /* data of every packet of a jumbogram but the last */
#define RX_PACKETS_MAX 47u  /* kAFS RXRPC_MAX_NR_JUMBO */

enum rx_type {
	RX_DATA = 1,
	RX_ACK = 2,
	RX_BUSY = 3,
	RX_ABORT = 4,
	RX_ACKALL = 5,
	RX_CHALLENGE = 6,
	RX_RESPONSE = 7,
	RX_DEBUG = 8,
	RX_PARAMS = 9,
	RX_VERSION = 13,
	RX_TYPES = 14
};

enum rx_flag {
	RX_CLIENT = 0x01, /* sender is the client side of the connection */
	RX_REQUEST_ACK = 0x02,
	RX_LAST = 0x04,
	RX_MORE = 0x08,
	RX_JUMBO = 0x20,      /* on DATA: another packet follows in this datagram */
	RX_SLOW_START = 0x20, /* on ACK */
};

struct rx_header {
	uint32_t epoch, cid, call, seq, serial;
	uint8_t type, flags, user_status, security;
	uint16_t spare; /* checksum; key version for rxgk */
	uint16_t service;
};

enum rx_verdict {
	RX_OK,
	RX_SNAPPED, /* header not captured */
	RX_SHORT,   /* datagram under 28 bytes: no Rx packet */
	RX_NOT_RX,  /* the header check refuses it */
	RX_VERDICTS
};

/* Decodes the header and checks that it can be Rx: known type, seq > 0 for DATA and
 * 0 for all but DATA and ACK, security index 0 to 6, no undefined flag, a call
 * number where the type needs one, an ack's reason where it was captured.  udp_len
 * is the length of the UDP payload on the wire.  Of random strings 1 in 70,000
 * passes (1 in 37,000 under 45 bytes); on a port of AFS that is rare enough, on any
 * other port ask for two packets of one connection. */
enum rx_verdict rx_header_decode(const uint8_t *bytes, size_t cap, size_t udp_len,
                                 struct rx_header *h);

/* One DATA packet inside a datagram. */
struct rx_data {
	uint32_t seq, serial;
	uint8_t flags;
	uint16_t spare;
	uint32_t offset;  /* of its data in the UDP payload */
	uint32_t len;     /* data bytes on the wire */
	bool flags_known; /* false: its short header was not captured */
};

/* A DATA datagram.  The number of packets follows from the length alone, so
 * it is right also where nothing behind the first header was captured.  The last
 * packet may be empty.  Anything but a jumbogram is one packet. */
struct rx_jumbo {
	uint32_t packets;    /* 1 for a plain packet */
	uint32_t data_bytes; /* of all of them */
	bool malformed;      /* JUMBO set but no room for what it promises */
};

struct rx_jumbo rx_jumbo_measure(const struct rx_header *h, size_t udp_len);

/* Packet i (from 0) of a datagram that rx_jumbo_measure found well formed. */
struct rx_data rx_jumbo_packet(const struct rx_header *h, const uint8_t *bytes,
                               size_t cap, size_t udp_len, uint32_t i);

/* The four words that end an ack (rxi_SendAck). */
struct rx_trailer {
	uint8_t words;        /* how many could be read, 0 to 4; the others are 0 */
	uint32_t max_receive; /* largest Rx packet the sender takes, header included */
	uint32_t interface;   /* Rx packet that fits one IP packet of its interface */
	uint32_t window;      /* in packets */
	uint32_t packets;     /* most packets of a jumbogram */
};

struct rx_ack {
	uint16_t buffers, skew;
	uint32_t first, previous, serial; /* serial = 0: caused by no packet */
	uint8_t reason, n;
	const uint8_t *acks; /* n soft-ack bytes; NULL where not all were captured */
	struct rx_trailer trailer;
	bool snapped;     /* body or trailer not wholly captured */
	bool malformed;   /* n runs past the datagram */
	uint32_t padding; /* bytes on the wire behind the trailer: an MTU probe */
};

/* bytes is the UDP payload.  False where not even the fixed body is there: then
 * only snapped is meaningful. */
bool rx_ack_decode(const uint8_t *bytes, size_t cap, size_t udp_len, struct rx_ack *a);

/* False for a trailer no sane host sends: a size under 520 or over 65535, a window
 * of 0 or over 65535, more than 47 packets.  Such numbers are shown, never
 * calculated with.  Words that are not there are not judged. */
bool rx_trailer_plausible(const struct rx_trailer *t);

/* Body of an ABORT (4 bytes, signed).  False where it is not there. */
bool rx_abort_decode(const uint8_t *bytes, size_t cap, size_t udp_len, int32_t *code);

const char *rx_type_name(unsigned type);     /* "DATA", … "type 10?" never NULL */
const char *rx_reason_name(unsigned reason); /* of an ack */
const char *rx_security_name(unsigned index);

#endif
