/* Shared by the files of the tracker, and by nobody else. */
#ifndef TRACK_TRACK_INTERNAL_H
#define TRACK_TRACK_INTERNAL_H

#include "netprobe/track/candidate.h"
#include "netprobe/track/conn.h"
#include "netprobe/track/ops.h"
#include "netprobe/track/series.h"
#include "netprobe/track/track.h"

struct track_iface {
	struct iface_stats stats;
	uint32_t mtu; /* 0 = not known */
	uint32_t file;
};

/* The frame at hand. */
struct track_now {
	const struct frame *frame;
	const struct packet *packet; /* NULL when the capture is over */
	struct iface_stats *stats;
	uint32_t mtu, file;
	uint32_t phase;
	bool super; /* an offload's super-packet */
};

struct track {
	struct track_iface *iface;
	size_t ifaces;
	bool files; /* the interfaces are of several */
	struct table *flows, *conns, *ops;
	struct hosts *hosts;
	struct pairs pairs;
	struct table *icmp_errors;
	struct points *points;
	struct table *candidates; /* Rx on ports that are not AFS's */
	struct fragments *trains;
	struct phases phases;
	struct series series;
	struct track_now now;
	uint32_t timings_left; /* connections whose round trips may still be timed */
	uint64_t untimed;      /* datagrams that could not be */
	struct deliveries *deliveries; /* track_symptom.c */
	track_call_fn *on_call;
	void *on_call_ctx;
	bool starved;
};

struct iface_stats *track_iface_stats(struct track *t, uint32_t i);

/* A whole UDP packet; one piece of a train; an ICMP "too big" for a flow. */
void track_udp(struct track *t, const struct packet *p);
void track_fragment(struct track *t, const struct packet *p);
void track_too_big(struct track *t, const struct icmp *m);

/* track_other.c.  init returns -1 where memory is out. */
int track_other_init(struct track *t);
void track_other_free(struct track *t);

/* A whole TCP packet: may find out that it is a super-packet (now.super). */
void track_tcp(struct track *t, const struct packet *p);

/* The first fragment of one: a SYN tells its MSS there.  No link carries less than 68
 * bytes (RFC 791), so 28 bytes of options are in it; those of later fragments are not
 * looked at, for every sender puts the MSS first. */
void track_tcp_first(struct track *t, const struct packet *p);

/* A whole packet that is neither TCP nor Rx. */
void track_other(struct track *t, const struct packet *p);
void track_icmp_error(struct track *t, const struct packet *p, const struct icmp *m);

/* A train that has ended; udp_len is the UDP payload that its first piece tells,
 * 0 = not known. */
void track_pair_train(struct track *t, const struct fragment_train *train,
                      enum fragment_end how, uint32_t udp_len, bool is_rx);

/* Counts bytes behind the IP packet that are no padding. */
void track_trailing(struct iface_stats *i, const struct packet *p);

/* True if a UDP packet between ports that are not AFS's is Rx by the evidence so
 * far (candidate.h). */
bool track_rx_elsewhere(struct track *t, const struct packet *p);

/* What an Rx datagram will count as once all of it is there. */
struct datagram {
	struct flow_key flow;
	/* where that flow is, good while no flow has left the table since */
	struct flow *at;
	uint64_t flows_evicted;
	uint32_t phase;
	uint32_t udp_len; /* UDP payload */
	uint32_t packets, data_bytes;
	uint32_t epoch, cid, serial;
	uint8_t way, type;
	uint8_t ttl, direction; /* enum direction */
	bool resend, recovered, duplicate, malformed;
};

/* Decodes a UDP packet's Rx header, finds or makes its flow and connection,
 * and tells what the datagram is.  False if it is no Rx. */
bool track_rx(struct track *t, const struct packet *p, struct datagram *d);

/* The Rx packet of a flow, for its connection and call.  rx has cap captured
 * bytes of len; d tells what is known and learns the rest. */
void track_connection(struct track *t, struct flow *f, const struct rx_header *h,
                      const struct packet *p, const uint8_t *rx, size_t cap,
                      struct datagram *d, const struct rx_ack *ack);

/* What packets tell of hosts and of security (track_facts.c): a VERSION or DEBUG
 * packet; any packet of a connection that was no copy; the first DATA packet of a
 * request or reply. */
void track_note_debug(struct track *t, const struct packet *p,
                      const struct rx_header *h, const uint8_t *rx, size_t cap,
                      size_t len);
void track_note_security(struct track *t, struct flow *f, struct conn *conn,
                         const struct rx_header *h, const uint8_t *rx, size_t cap,
                         const struct datagram *d);
void track_note_first(struct track *t, struct flow *f, const struct call *c,
                      const struct rx_header *h, const uint8_t *rx, size_t cap,
                      const struct datagram *d);

/* Notes what a packet shows of trouble (track_symptom.c): any packet of a connection
 * that was no copy, after d has learnt all. */
void track_note_symptoms(struct track *t, struct flow *f, struct conn *conn,
                         const struct rx_header *h, const struct packet *p,
                         const uint8_t *rx, size_t cap, const struct datagram *d,
                         const struct rx_ack *ack);
void track_delivery_free(struct track *t, struct conn *conn);

/* The flow whose datagrams went this way on the connection of f's packet: f, or that of
 * the server's other address. */
struct flow *track_sender(struct track *t, const struct conn *conn, struct flow *f,
                          enum way way);

/* A datagram at a capture point (track_points.c): whole, or as a train that has ended.
 */
void track_point(struct track *t, const struct datagram *d, const struct packet *p);
void track_point_train(struct track *t, const struct datagram *d,
                       const struct fragment_train *train, enum fragment_end how);

/* Likewise of UDP and TCP that is no Rx.  What the first piece of a train tells is
 * noted until the train ends; false where nothing is to be noted. */
struct point_note {
	uint64_t print, ends;  /* of point_key */
	uint32_t len;          /* UDP payload; of TCP what is in the first piece */
	uint8_t kind;          /* enum point_kind; 0 = nothing was noted */
	uint8_t header, bytes; /* as point_print has them */
	uint8_t ttl, direction;
	bool has_id, strong;
};
void track_point_other(struct track *t, const struct packet *p);
bool track_point_note(struct track *t, const struct packet *p, struct point_note *n);
void track_point_other_train(struct track *t, struct point_note *n,
                             const struct fragment_train *train, enum fragment_end how);

struct deliveries *deliveries_new(void); /* NULL where memory is out */
void deliveries_free(struct deliveries *ds);

/* Closes the calls of a connection that goes away. */
void track_close_calls(struct track *t, struct conn *c, enum call_end reason);

/* Counts one IP packet, or a whole datagram, for its flow. */
void track_count_packet(struct track *t, const struct datagram *d, uint32_t ip_len,
                        bool df, bool fragment);
void track_count_datagram(struct track *t, const struct datagram *d);

/* The tally that d counts in; NULL where the flow has left the table. */
struct tally *track_tally(struct track *t, const struct datagram *d);

fragment_end_fn track_train_ends;

#endif
