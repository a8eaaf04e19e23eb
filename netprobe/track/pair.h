/* Pairs of hosts, one way each: what went from one address to another on one
 * interface, apart from whole Rx packets, which the flows count.  Fragments of all
 * protocols are here, Rx too. */
#ifndef TRACK_PAIR_H
#define TRACK_PAIR_H

#include "netprobe/decode/fragment.h"
#include "netprobe/decode/packet.h"
#include "src/base/sizes.h"
#include "src/base/table.h"

struct pair_key {
	struct addr src, dst;
	uint32_t iface;
};

enum pair_kind {
	PAIR_TCP,
	PAIR_UDP,   /* all UDP that is no Rx */
	PAIR_OTHER, /* ICMP too */
	PAIR_KINDS
};

/* Whole IP packets of one kind. */
struct pair_packets {
	uint64_t packets, ip_bytes; /* super-packets among them */
	uint64_t df;                /* with "don't fragment" set */
	uint64_t super;             /* put together by an offload: never a size */
	uint64_t super_ip_bytes;
	uint64_t super_wire;    /* packets on the wire for them, estimated */
	uint64_t super_unknown; /* of super: no estimate, segment size not known */
	struct sizes lengths;   /* IP lengths, super-packets left out */
};

/* Trains of fragments, counted when they end. */
struct pair_fragments {
	uint64_t pieces, ip_bytes; /* exact repeats left out of pieces */
	uint64_t repeats;
	uint64_t trains[FRAGMENT_ENDS];
	uint64_t df_trains;                /* with "don't fragment" on a piece */
	uint64_t overlaps;                 /* trains with overlapping pieces */
	uint64_t orphans, orphan_ip_bytes; /* pieces whose first was not seen */
	uint64_t rx_pieces, rx_ip_bytes;   /* those that the Rx flows count too */
	uint32_t first_max;                /* longest first piece, IP length */
	uint32_t datagram_min;             /* whole trains: IP length put together */
	uint32_t datagram_max;
	uint32_t udp_max;          /* largest UDP payload that a first piece tells */
	int64_t first_ns, last_ns; /* of their first pieces */
};

/* Maximum segment sizes in the SYN packets of one host. */
struct pair_mss {
	uint64_t syns;         /* with the option */
	uint64_t syns_without; /* RFC 9293: 536 or 1220 is meant */
	uint32_t min, max;     /* while syns > 0 */
};

struct pair {
	struct pair_key key;
	uint64_t first_frame;
	int64_t first_ns, last_ns;
	struct pair_packets kind[PAIR_KINDS];
	struct pair_fragments fragments;
	struct pair_mss mss;      /* src announced */
	struct pair_mss peer_mss; /* dst announced, to src */
};

/* Bounded: the pair used least recently leaves, its sums stay. */
struct pairs {
	struct table *table;
	struct pair *latest;   /* a shortcut: traffic comes in trains */
	uint32_t lengths_left; /* distinct lengths that may still be kept, in all */
	uint64_t gone_packets, gone_ip_bytes; /* of pairs that left, fragments too */
};

/* At most capacity pairs.  -1 where memory is out. */
int pairs_init(struct pairs *ps, size_t capacity);
void pairs_free(struct pairs *ps);

/* The pair of this key, made if need be.  NULL where memory is out. */
struct pair *pairs_at(struct pairs *ps, const struct pair_key *k);

/* Counts a whole packet; super: an offload's. */
void pair_add_packet(struct pairs *ps, struct pair *p, enum pair_kind kind,
                     const struct packet *packet, bool super);

/* Counts a train that has ended. */
void pair_add_train(struct pair *p, const struct fragment_train *t,
                    enum fragment_end how);

void pair_mss_add(struct pair_mss *m, uint32_t mss);

/* What src's segments are limited to by what was announced; 0 = not known.  An MTU
 * beyond it by its headers is what both ends can carry. */
uint32_t pair_segment(const struct pair *p);

/* A TCP header as far as it is needed here. */
struct tcp_header {
	uint16_t sport, dport;
	uint32_t len;     /* header, options included */
	uint32_t payload; /* bytes behind it, of a first fragment those in it */
	bool syn;
	bool has_mss; /* SYN: its option was there */
	bool cut;     /* some options are in another fragment, or were not captured */
	uint16_t mss;
};

/* False where the fixed header was not captured or lies. */
bool tcp_header_decode(const struct packet *p, struct tcp_header *h);

/* IP and TCP headers without options: 40 or 60 bytes. */
uint32_t tcp_headers(unsigned family);

/* True for a packet with data that no sender could have put on the wire given what
 * both ends announced (mss) or the MTU of the link (0 = not known). */
bool tcp_is_super(const struct pair *p, const struct packet *packet,
                  const struct tcp_header *h);

/* Counts the wire packets of a super-packet, by the segment size or else the
 * MTU. */
void pair_add_super(struct pair_packets *k, uint32_t payload, uint32_t segment);

#endif
