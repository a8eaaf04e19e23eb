/* Link arithmetic: what an IP packet costs on a link, what rate of file data a link
 * can carry at most, what tunnels leave of an MTU.
 * Sources: IEEE 802.3 and 802.1Q (preamble, MAC header, FCS, gap; minimum frame),
 * I.363.5 (AAL5), RFC 2684 (LLC/SNAP, VC-mux, bridged), AF-LANE-0021 (LANE), RFC 1390
 * (FDDI), RFC 791 and 8200 (fragments), RFC 2784 (GRE), 7348 (VXLAN), 4303 and 4106
 * (ESP with AES-GCM), the WireGuard paper (5.4.6), RFC 4391 and 4755 (IPoIB). */
#ifndef EXPECT_LINK_H
#define EXPECT_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct link_kind {
	const char *name;    /* "ethernet", "atm-llc", … as in a capture's link= */
	const char *meaning; /* for people */
	uint32_t added;      /* bytes beyond the IP packet; with cells: put into them */
	uint32_t min_ip;     /* shorter IP packets are filled up to this */
	uint32_t cell, cell_payload; /* 53 and 48 on ATM, else 0 */
	uint32_t usual_mtu;          /* IP MTU */
	uint64_t usual_rate; /* bit/s of wire bytes (ATM: of cells); 0 = no usual one */
	uint32_t pad; /* the packet and pad_extra bytes are filled up to a multiple; 0 =
	                 not */
	uint32_t pad_extra;
	bool pad_within_mtu; /* but not beyond the link's own MTU (WireGuard) */
	uint32_t segment, segment_added; /* cut into such pieces, each with a header;
	                                    InfiniBand's connections */
};

/* All kinds, *n of them. */
const struct link_kind *link_kinds(size_t *n);

/* NULL where the name is not known. */
const struct link_kind *link_kind_find(const char *name);

struct link_rate {
	const char *name;
	uint64_t bps;
	const char *kind; /* the usual kind of link at this rate */
};

const struct link_rate *link_rates(size_t *n);

/* Bit rates by name: "oc3c", "oc12c", "ds3", "ds3-plcp", "e3", "e3-plcp", "taxi",
 * "fddi", "ethernet-100", …  Those of ATM are of the cell stream, framing taken off.
 * 0 where the name is not known. */
uint64_t link_rate_find(const char *name);

/* A rate as people write it: a name of link_rate_find, or bit/s with k, M or G behind
 * it ("100M").  0 where it is no rate. */
uint64_t link_rate_parse(const char *text);

/* Bytes that one IP packet of ip_len bytes takes from the link's rate: with gap and
 * preamble on Ethernet, whole cells on ATM.  mtu: the link's IP MTU, 0 = the kind's
 * usual one. */
uint64_t link_wire_bytes(const struct link_kind *kind, uint32_t ip_len, uint32_t mtu);

/* Pieces that a link of this IP MTU carries an IP packet in; header 20 (family 4, no
 * options) or 40 and a fragment header of 8 (family 6).  mtu 0 = no limit.  0 for an
 * MTU that leaves no room for data. */
uint32_t link_fragments(unsigned family, uint32_t ip_len, uint32_t mtu);

/* IP length of piece i, counted from 0; 0 behind the last. */
uint32_t link_fragment_len(unsigned family, uint32_t ip_len, uint32_t mtu, uint32_t i);

/* link_wire_bytes of all pieces together. */
uint64_t link_train_bytes(const struct link_kind *kind, unsigned family,
                          uint32_t ip_len, uint32_t mtu);

/* Bytes of file data a second that a link of rate_bps carries in one direction when
 * every datagram holds data_bytes of them in udp_payload bytes over IPv4, cut to mtu
 * where it is larger (0 = never).  0 where nothing gets through. */
double link_ceiling_bytes_per_s(const struct link_kind *kind, uint64_t rate_bps,
                                uint32_t data_bytes, uint32_t udp_payload,
                                uint32_t mtu);

/* What an encapsulation takes away from the MTU of the IP link below it. */
struct link_tunnel {
	const char *name;
	uint32_t overhead; /* bytes; with options it can be more */
};

const struct link_tunnel *link_tunnels(size_t *n);

/* The first encapsulation that leaves `inner` of `outer`, or NULL. */
const struct link_tunnel *link_tunnel_between(uint32_t outer, uint32_t inner);

#endif
