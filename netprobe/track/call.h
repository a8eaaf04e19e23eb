/* One call of a connection: request and reply, as far as they went by. */
#ifndef TRACK_CALL_H
#define TRACK_CALL_H

#include "netprobe/decode/afs.h"
#include "netprobe/decode/rx.h"
#include "netprobe/track/recent.h"
#include "netprobe/track/tally.h"

enum call_end {
	CALL_REPLIED,    /* the reply's last packet was seen */
	CALL_ABORTED,    /* by either side; abort_code tells */
	CALL_REPLACED,   /* the next call on its channel came before a whole reply */
	CALL_UNFINISHED, /* the capture ended first */
	CALL_EVICTED,    /* its connection left the full table */
	CALL_ENDS
};

/* The window, in which a sender may be held up. */
enum pace_window {
	PACE_OPEN,   /* there is room in it */
	PACE_FULL,   /* the window is full of packets on the way */
	PACE_UNREAD, /* it is full, and most has come and waits for the program */
	PACE_WINDOWS
};

/* The DATA that went one way. */
struct call_way {
	struct recent seq;
	uint64_t data_bytes; /* Rx data, resends left out */
	uint32_t datagrams, packets, resends;
	bool first_seen;      /* seq 1 */
	bool last_seen;       /* the packet with LAST */
	uint8_t window_state; /* enum pace_window; pace.c's, as are the last three */
	int64_t first_ns,
	        last_ns;   /* first and last DATA that was no resend; 0 = none */
	uint32_t acked;    /* all up to this seq are acknowledged */
	uint32_t consumed; /* and up to this one read by the receiver's program */
	uint32_t from;     /* the first seq that came by; 0 = none yet */
	/* of the packets from `from` to consumed, that never came by: the receiver has
	 * them, so they were sent, and missed here */
	uint32_t unseen;
	uint32_t window;         /* what the receiver offered last; 0 = not told yet */
	uint32_t flight;         /* most packets sent and not acknowledged */
	int64_t sent_ns;         /* the latest DATA, resends too */
	int64_t idle_ns;         /* the direction's at that time */
	int64_t window_since_ns; /* in that state since */
};

struct call {
	uint32_t number; /* 0 = none */
	uint32_t opcode;
	uint16_t service_id;
	bool has_opcode; /* readable and known for its service */
	bool hidden;     /* seq 1 was there but cannot be read: encrypted */
	bool has_range, has_count, has_abort;
	int32_t abort_code;
	enum afs_service service;
	struct afs_range range; /* what the request asks for */
	uint64_t count;         /* file bytes that a fetch's reply announces */
	struct call_way way[WAYS];
};

/* What a DATA datagram is to its call. */
enum call_verdict { CALL_NEW_DATA, CALL_RESEND, CALL_RECOVERED, CALL_LATE };

/* Takes a DATA datagram of n packets; newest: its serial is the highest so far.
 * body is its first packet's data, cap bytes captured of len. */
enum call_verdict call_take_data(struct call *c, enum way way,
                                 const struct rx_header *h, uint32_t packets,
                                 uint32_t data_bytes, bool last, bool newest,
                                 int64_t time_ns);

/* Reads opcode, range or count from a first packet's data. */
void call_read_first(struct call *c, enum way way, const struct rx_header *h,
                     const uint8_t *data, size_t cap, size_t len);

/* Takes an ack for the DATA that goes way. */
void call_take_ack(struct call *c, enum way way, const struct rx_ack *a);

/* First request packet to last reply packet; -1 where either was not seen. */
int64_t call_duration_ns(const struct call *c);

/* Last request packet to first reply packet; -1 likewise. */
int64_t call_first_byte_ns(const struct call *c);

/* Bytes of file that went by in it: at most what the reply's count or the request's
 * length says; false where the call moves no file data or these could not be read. */
bool call_file_bytes(const struct call *c, uint64_t *bytes);

/* How a call ended, that has been closed for this reason. */
enum call_end call_end_of(const struct call *c, enum call_end reason);

const char *call_end_name(enum call_end e);

#endif
