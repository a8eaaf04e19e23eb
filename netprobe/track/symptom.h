/* What one end of a flow shows beyond its counts: the raw material of findings.
 * (diagnose/ draws the conclusions.) */
#ifndef TRACK_SYMPTOM_H
#define TRACK_SYMPTOM_H

#include "netprobe/decode/packet.h"
#include "netprobe/decode/rx.h"
#include "netprobe/track/delivery.h"

#define SYMPTOM_PROBES 6u

/* Path-MTU probes of one size: padded ping acks (OpenAFS rxi_GrowMTUEvent, kAFS
 * rxrpc_send_probe_for_pmtud). */
struct mtu_probe {
	uint32_t size;   /* UDP payload */
	uint32_t serial; /* of the latest */
	uint64_t sent, answered;
	uint64_t cut; /* of sent: left in fragments */
	uint64_t first_frame;
};

struct symptoms {
	struct fates fates;
	uint8_t ttl_min, ttl_max; /* hop limits of what it sent, as it came by */
	struct mtu_probe *probe;  /* the first SYMPTOM_PROBES sizes seen; owned */
	uint32_t probes;

	/* DATA sent whole after an ICMP "too big", larger than the MTU it told */
	uint64_t over_told, over_told_frame;
	uint32_t over_told_len; /* IP length of the largest */
	int64_t told_ns;        /* first DATA after the ICMP packet; 0 = none */

	/* UDP checksums, a sample of them (IPv4: 0 = not used) */
	uint64_t checked, checksum_zero;
	uint64_t verified, checksum_bad, checksum_left; /* of the sample */
	uint64_t bad_frame; /* checksum_left: left to the card to fill in */

	uint64_t dirty_acks; /* with memory rests where zeros belong, before 1.6.15 */
	uint64_t dirty_frame;

	/* packets of a connection that had come from another port before */
	uint64_t rebound, rebound_frame;
	uint16_t rebound_from;
};

void symptoms_free(struct symptoms *s); /* NULL is harmless */

void symptoms_note_ttl(struct symptoms *s, uint8_t ttl);

/* Checks the checksum of some of the whole UDP packets. */
void symptoms_note_checksum(struct symptoms *s, const struct packet *p, uint64_t frame);

/* An ack that s's end sent: rx are cap captured bytes of the UDP payload; window is
 * what it offers. */
void symptoms_note_ack(struct symptoms *s, const struct rx_ack *a, const uint8_t *rx,
                       size_t cap, uint64_t frame);

/* A padded ping of size bytes (false where memory is out); and the answer to a ping,
 * for who sent the ping (false where it is not known). */
bool symptoms_note_probe(struct symptoms *s, uint32_t size, uint32_t serial, bool cut,
                         uint64_t frame);
bool symptoms_note_answer(struct symptoms *s, uint32_t serial);

/* DATA after ICMP has told that the next hop carries only mtu (0 = not told). */
void symptoms_note_told(struct symptoms *s, const struct packet *p, uint32_t mtu,
                        int64_t now_ns, uint64_t frame);

#endif
