/* The tracker: one frame in, tables up to date.  No output, no clock but the
 * frames' own, no policy. */
#ifndef TRACK_TRACK_H
#define TRACK_TRACK_H

#include "netprobe/decode/fragment.h"
#include "netprobe/decode/packet.h"
#include "netprobe/decode/rx.h"
#include "netprobe/frame.h"
#include "netprobe/track/circuit.h"
#include "netprobe/track/conn.h"
#include "netprobe/track/flow.h"
#include "netprobe/track/host.h"
#include "netprobe/track/icmp_error.h"
#include "netprobe/track/ops.h"
#include "netprobe/track/pair.h"
#include "netprobe/track/phase.h"
#include "netprobe/track/points.h"
#include "netprobe/track/series.h"
#include "src/base/err.h"

/* What one interface saw. */
struct iface_stats {
	uint64_t frames, wire_bytes; /* frame lengths on the wire, by the capture */
	int64_t first_ns, last_ns;   /* earliest and latest time stamp */
	int64_t previous_ns;         /* time stamp of the frame before */
	uint64_t backwards;          /* frames older than the one before */
	uint64_t backwards_frame;    /* the first of them */
	uint64_t snapped_frames; /* captured shorter than they were; sizes stay right */
	uint64_t verdict[PACKET_VERDICTS];
	uint64_t layer[LAYER_KINDS];       /* IP packets that had such a layer */
	uint64_t layer_bytes[LAYER_KINDS]; /* and what these took in all */
	uint64_t ip_packets, ip_bytes;
	struct sizes ip_lengths; /* super-packets left out */
	uint64_t offloaded;      /* IP packets larger than the link: GRO, GSO, TSO */
	uint64_t fragments;
	uint64_t cut_packets; /* IP packets longer than their frames (packet.h) */
	uint64_t atomic;      /* IPv6 fragment headers on whole packets */
	uint64_t trains[FRAGMENT_ENDS];
	uint64_t overlaps, oversize, tiny;
	uint64_t orphans, orphan_bytes;     /* pieces without their first, IP lengths */
	uint64_t rx, tcp, udp, icmp, other; /* whole IP packets by what they carry */
	uint64_t rx_snapped;                /* on an AFS port, header not captured */
	uint64_t rx_short;                  /* on an AFS port, under 28 bytes */
	uint64_t rx_refused;                /* on an AFS port, but no Rx header */
	uint64_t rx_elsewhere; /* Rx datagrams on ports that are not AFS's; the first
	                        * of a flow, before there is evidence, counts as UDP */
	uint64_t trailing_frames, trailing_bytes; /* behind IP packets, not padding */
	uint64_t first_pieces, later_pieces;      /* of all trains, repeats left out */
	uint64_t udp_short; /* UDP header longer than its packet */
	uint64_t icmp_errors, too_big;
	uint32_t too_big_mtu; /* the smallest next-hop MTU told; 0 = none */
	/* Rx DATA packets that their receiver has, as its acks say, and that never came
	 * by, among those that did; the frame of the first such ack, 0 = none */
	uint64_t acked_unseen, acked_unseen_frame;
	struct circuits circuits; /* of ATM, where the capture tells them */
	struct slices gone[WAYS]; /* flows that left the table */
};

struct track;

/* How much may be kept at once. */
struct track_limits {
	size_t flows, conns, trains;
};

extern const struct track_limits track_limits_default;

/* NULL where memory is out. */
struct track *track_new(const struct track_limits *limits);
void track_free(struct track *t);

/* Takes the next frame, or the next mark. */
void track_frame(struct track *t, const struct frame *f);
void track_begin(struct track *t, uint32_t id, const char *name, int64_t time_ns);
void track_end(struct track *t, uint32_t id, int64_t time_ns);

/* Called for every call that has ended, in the order of the frames that ended
 * them; those still open come at the end. */
typedef void track_call_fn(void *ctx, const struct conn *conn, const struct call *call,
                           unsigned channel, enum call_end end);
void track_on_call(struct track *t, track_call_fn *fn, void *ctx);

/* Keeps traffic over time in rows of this many ns (> 0).  Before the first
 * frame; -1 where memory is out. */
int track_keep_series(struct track *t, int64_t interval_ns);
const struct series *track_series(const struct track *t);

/* The MTU of an interface where it is known: what is larger is an offload's
 * super-packet.  Without it, what does not fit an IP length field is one. */
/* Tells which capture file the interface is of; 0 where it is not told. */
void track_set_file(struct track *t, uint32_t iface, uint32_t file);
void track_set_mtu(struct track *t, uint32_t iface, uint32_t mtu);

/* Tells datagrams apart at capture points from the beginning, not only from the first
 * one on that two interfaces saw: several files.  -1 where memory is out. */
int track_keep_points(struct track *t);
const struct points *track_points(const struct track *t);

/* Closes what is open: fragment trains without their end. */
void track_finish(struct track *t);

size_t track_iface_count(const struct track *t);
const struct iface_stats *track_iface(const struct track *t, size_t i);
const struct phases *track_phases(const struct track *t);

/* Flows from the least to the most recently active; start with NULL. */
const struct flow *track_flow_next(const struct track *t, const struct flow *f);
size_t track_flow_count(const struct track *t);

/* The flow of this key, or NULL. */
const struct flow *track_flow_find(const struct track *t, const struct flow_key *k);

/* Flows and connections that left a full table: their sums stay in the
 * interfaces' figures, their own lines are lost. */
uint64_t track_flows_evicted(const struct track *t);
uint64_t track_conns_evicted(const struct track *t);

/* What hosts told of themselves. */
const struct hosts *track_hosts(const struct track *t);

/* Calls by service and opcode; start with NULL. */
const struct op *track_op_next(const struct track *t, const struct op *o);

/* Pairs of hosts from the least to the most recently active; start with NULL. */
const struct pair *track_pair_next(const struct track *t, const struct pair *p);
const struct pair *track_pair_find(const struct track *t, const struct pair_key *k);
size_t track_pair_count(const struct track *t);

/* Pairs that left the full table, and what they had counted. */
struct track_pairs_gone {
	uint64_t pairs, ip_packets, ip_bytes;
};
struct track_pairs_gone track_pairs_gone(const struct track *t);

/* ICMP errors; start with NULL. */
const struct icmp_error *track_icmp_error_next(const struct track *t,
                                               const struct icmp_error *e);
uint64_t track_icmp_errors_evicted(const struct track *t);

/* DATA datagrams whose round trip could not be timed: too many connections. */
uint64_t track_untimed(const struct track *t);

/* True if memory ran out somewhere: the figures are then lower bounds. */
bool track_starved(const struct track *t);

#endif
