/* What became of DATA datagrams, by their size: from it follows whether loss depends
 * on size.
 *
 * A datagram is delivered when acks cover all its packets before any of them is sent
 * again, and lost when one is sent again first (once, however often within 20 ms).
 * The end of a reply counts as lost only where the client goes on asking for it, or
 * acknowledges it when it comes again: commands end without a word (rx-spec: the last
 * ack may be left out).  A
 * resend that the receiver answers with "duplicate" was needless: its original counts
 * as delivered after all.  Sources: OpenAFS src/rx/rx.c (rxi_ReceiveAckPacket,
 * rxi_Resend; the retransmission timeout is never under 220 ms). */
#ifndef TRACK_DELIVERY_H
#define TRACK_DELIVERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FATE_SMALL 576u /* what every path carries; smaller ones share an entry */
#define FATES_MAX 32u
#define FATE_NONE 255u

#define DELIVERY_TIMEOUT_NS INT64_C(200000000) /* silence before a resend */

/* Of the datagrams of one size. */
struct fate {
	uint32_t size_min, size_max; /* UDP payload; they differ where sizes share */
	bool cut;                    /* seen in IP fragments */
	uint64_t sent;
	uint64_t df; /* of sent: "don't fragment" set */
	uint64_t delivered;
	uint64_t lost;
	uint64_t needless; /* of delivered: sent again all the same */
	uint64_t first_frame, first_lost_frame, last_lost_frame;
	int64_t first_lost_ns; /* when that one was sent */
};

/* Of all DATA that one end of a flow sent.  Zeroed = empty. */
struct fates {
	struct fate *list; /* owned */
	uint32_t n, room;
	uint32_t latest;   /* a shortcut: sizes repeat */
	uint64_t timeouts; /* resends after a silence of DELIVERY_TIMEOUT_NS or more */
	uint64_t first_timeout_frame;
	int64_t stalled_ns, longest_ns; /* of these silences */
};

/* A datagram on the way. */
struct sent {
	int64_t ns;
	uint64_t frame;
	uint32_t seq, serial;
	uint8_t packets;
	uint8_t fate; /* its entry in the fates */
	uint8_t of;   /* of a resend: the entry of what was lost, or FATE_NONE */
};

/* Resends of the end of a reply: no fault as long as its client, which may be a
 * command that has ended, asks for nothing. */
struct unclaimed {
	uint64_t lost, first_frame, last_frame, timeouts, timeout_frame;
	int64_t first_ns;
	int64_t stalled_ns, longest_ns;
	uint8_t fate;
};

/* What one way of a call has on the way.  Zeroed = nothing. */
struct outbox {
	struct sent *list; /* owned; oldest first, from `begin` on */
	uint32_t begin, n, room;
	uint32_t call;
	bool disorder; /* resends stand behind later packets */
	int64_t last_ns;
	struct unclaimed unclaimed;
};

/* A DATA datagram that goes by. */
struct sent_datagram {
	uint32_t call, seq, serial, packets;
	uint32_t size; /* UDP payload */
	bool cut, df, resend;
	bool reply_end; /* the last packet of a reply */
	int64_t ns;
	uint64_t frame;
};

/* Takes it.  *left are bytes of memory that outboxes may still use; where they are
 * used up the datagram counts as sent, and its fate stays open.  False where memory is
 * out. */
bool outbox_sent(struct outbox *b, struct fates *f, const struct sent_datagram *d,
                 size_t *left);

/* Takes an ack for it: all before first, and those among the n soft acks that are set
 * (acks may be NULL).  reason is its reason code, serial the one that it answers. */
void outbox_acked(struct outbox *b, struct fates *f, uint32_t call, uint32_t first,
                  unsigned n, const uint8_t *acks, unsigned reason, uint32_t serial);

/* All that is on the way has arrived: the other end went on (implied acks). */
void outbox_implied(struct outbox *b, struct fates *f);

/* What is on the way will stay open: the call was aborted. */
void outbox_drop(struct outbox *b);

void outbox_free(struct outbox *b, size_t *left);
void fates_free(struct fates *f);

#endif
