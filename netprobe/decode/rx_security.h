/* Security of connections by evidence: which class, which level, and how that is
 * known.  The level is agreed on inside the encrypted part of a RESPONSE, so it has
 * to be told by what can be read and by the lengths of packets.
 * Facts from OpenAFS src/rxkad (rxkad_server.c, rxkad_client.c, rxkad_common.c
 * rxkad_PreparePacket, private_data.h). */
#ifndef DECODE_RX_SECURITY_H
#define DECODE_RX_SECURITY_H

#include "netprobe/decode/rx.h"

enum rx_security_index {
	RX_NULL = 0,
	RX_KAD = 2,
	RX_KAD_CRYPT = 3,
	RX_GK = 4,
	RX_YFS_GK = 6,
};

/* What protects the data. */
enum rx_level {
	RX_LEVEL_UNKNOWN,
	RX_LEVEL_NONE,  /* rxnull */
	RX_LEVEL_CLEAR, /* the client is authenticated, data are not protected */
	RX_LEVEL_AUTH,  /* the first 8 bytes of each packet are encrypted, no more */
	RX_LEVEL_CRYPT,
	RX_LEVELS
};

struct rx_challenge {
	uint32_t version;  /* rxkad: 2, or 0 for the 8-byte form before it */
	int32_t min_level; /* 0 clear, 1 auth, 2 crypt; -1 = not readable */
};

/* bytes is the UDP payload.  False where not even the version was captured. */
bool rx_challenge_decode(const struct rx_header *h, const uint8_t *bytes, size_t cap,
                         size_t udp_len, struct rx_challenge *c);

/* Length of the ticket in an rxkad RESPONSE (version 2); 0 where it cannot be read. */
uint32_t rx_response_ticket(const struct rx_header *h, const uint8_t *bytes, size_t cap,
                            size_t udp_len);

/* Lengths of protected DATA datagrams in one direction. */
struct rx_lengths {
	uint64_t datagrams;
	uint64_t off8;    /* of them: payload behind the header no multiple of 8 */
	uint64_t joined;  /* of them: jumbograms */
	uint32_t largest; /* UDP payload of the largest */
};

/* What was seen of the protected connections between two ends. */
struct rx_evidence {
	uint8_t classes; /* bit i: DATA, CHALLENGE or RESPONSE with security index i */
	uint64_t readable, hidden; /* requests whose opcode can and cannot be read */
	/* of the hidden: those with words behind their first 8 bytes, and of these
	 * those where a word is a small number, as arguments are and encrypted bytes
	 * are not */
	uint64_t tried, plain;
	struct rx_lengths sent[2]; /* to the server, to the client */
	bool challenged;
	struct rx_challenge challenge; /* the latest */
};

/* Notes the first packet of a request; known: its opcode is one of its service. */
void rx_evidence_request(struct rx_evidence *e, const uint8_t *data, size_t cap,
                         bool known);

/* Adds what was seen of other connections, or of the other half of these. */
void rx_evidence_merge(struct rx_evidence *into, const struct rx_evidence *from);

/* The level of all of it: the strongest where there are several. */
enum rx_level rx_level_of(const struct rx_evidence *e);

/* "crypt: requests unreadable, full packets 1436": what shows the level, with the
 * lengths of one direction (0, 1).  Returns buf. */
const char *rx_evidence_text(const struct rx_evidence *e, unsigned way, char *buf,
                             size_t size);

const char *rx_level_name(unsigned level); /* "none", "clear", … "unknown" */

/* "rxnull, rxkad" for a set of indices; returns buf. */
const char *rx_classes_text(uint8_t classes, char *buf, size_t size);

#endif
