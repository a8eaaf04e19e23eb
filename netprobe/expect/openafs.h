/* Which sizes an OpenAFS process in user space (servers, libuafs, commands) chooses.
 * Pure functions of its interfaces, its options and the peer.
 *
 * Every size here is an Rx packet size: with the 28-byte Rx header, without UDP and
 * IP.  Sources: OpenAFS src/rx/rx_packet.c (rxi_AdjustIfMTU, rxi_AdjustMaxMTU,
 * rxi_AdjustDgramPackets), rx_user.c (rx_GetIFInfo, rxi_InitPeerParams), rx.c
 * (rx_SetNoJumbo, rx_SetMaxMTU, rxi_SendAck, rxi_ReceiveAckPacket), rxkad
 * (rxkad_PreparePacket); checked against 1.8.9 on the wire. */
#ifndef EXPECT_OPENAFS_H
#define EXPECT_OPENAFS_H

#include "netprobe/decode/addr.h"
#include "netprobe/decode/rx.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What an interface's MTU loses: IPv6 40, its fragment header 8, UDP 8, always. */
#define EXPECT_IP_UDP 56u
/* What a datagram loses in truth over IPv4. */
#define EXPECT_IP4_UDP 28u

#define EXPECT_MIN 520u /* 576 - 56 */
/* 1500 - 56: for peers on other subnets, and for peers that tell nothing. */
#define EXPECT_REMOTE 1444u
/* Cap of an interface's size where -rxmaxmtu is not given. */
#define EXPECT_MAX_SEND 8588u
/* IP fragments a datagram, of clients and with -jumbo. */
#define EXPECT_FRAGS 4u
/* Packets a jumbogram, at most. */
#define EXPECT_PACKETS 6u

/* The Rx size for an interface's size: the largest whole number of packets where
 * fragments are allowed, the size itself where they are not. */
uint32_t expect_adjust_if(uint32_t frags, uint32_t size);

/* The largest datagram for a natural size and a peer's limit. */
uint32_t expect_adjust_max(uint32_t frags, uint32_t size, uint32_t peer_max);

/* Packets of a jumbogram that fit `frags` fragments of an interface's size; not
 * limited to EXPECT_PACKETS. */
uint32_t expect_adjust_packets(uint32_t frags, uint32_t size);

/* UDP payload of a jumbogram of n full packets. */
uint32_t expect_jumbogram(uint32_t packets);

enum expect_program {
	EXPECT_SERVER, /* fileserver, volserver, ptserver, vlserver, … */
	EXPECT_CLIENT, /* libuafs, afsd.fuse */
	EXPECT_TOOL,   /* vos, pts, bos, afsio, … */
	/* not user space: expect/kernel.h, kafs.h, auristor.h; expect/choice.h has all
	 */
	EXPECT_KERNEL,       /* OpenAFS's Linux kernel client */
	EXPECT_KAFS,         /* Linux's own client before 6.14 */
	EXPECT_KAFS_PROBING, /* and from 6.14 */
	EXPECT_AURISTOR,
	EXPECT_PROGRAMS
};

struct expect_config {
	enum expect_program program;
	uint32_t frags;    /* 0 = the program's default: servers 1, the others 4;
	                      server -jumbo = 4, client -rxmaxfrags N = N */
	uint32_t rxmaxmtu; /* -rxmaxmtu; 0 = not given */
};

struct expect_iface {
	struct addr addr; /* IPv4; OpenAFS knows no other */
	uint8_t prefix;   /* bits of the netmask */
	uint32_t mtu;     /* IP MTU */
};

/* A host as the process saw it when it started: the interface table is read once. */
struct expect_host {
	struct expect_config config;
	const struct expect_iface *iface; /* borrowed */
	size_t ifaces;                    /* only the first 16 count */
};

/* What the process knows of a peer before any ack, and what its acks announce. */
struct expect_own {
	const struct expect_iface *iface; /* the match; NULL: on no subnet of ours */
	uint32_t size;                    /* ifMTU */
	uint32_t packets;                 /* ifDgramPackets */
	uint32_t receive;          /* rx_maxReceiveSize: one for all interfaces */
	uint32_t link_mtu;         /* of the way out; 0 = not known */
	struct rx_trailer trailer; /* window as of a call under way: 32 */
};

/* For the programs of user space.  route_mtu: the kernel's MTU for the route to this
 * peer (Linux, 1.8 and later); 0 = not known or not used. */
void expect_own(const struct expect_host *host, const struct addr *peer,
                uint32_t route_mtu, struct expect_own *own);

enum expect_security {
	EXPECT_CLEAR, /* rxnull, rxkad clear */
	EXPECT_RXKAD_AUTH,
	EXPECT_RXKAD_CRYPT,
};

/* The size in force in one direction. */
struct expect_size {
	uint32_t packets;     /* of the largest jumbogram, 1 = none */
	uint32_t rx_packet;   /* a full packet on its own: its UDP payload */
	uint32_t udp_payload; /* of the largest datagram */
	uint32_t ip_len;      /* of it, over IPv4 */
};

/* IP fragments a datagram: as configured, else the program's default. */
uint32_t expect_frags(const struct expect_config *config);

/* Most packets an interface's size takes, at most EXPECT_PACKETS, and what acks then
 * announce; own->size, receive set before. */
void expect_announce(struct expect_own *own, uint32_t frags);

/* The Rx size for an IP MTU: less 56, at least EXPECT_MIN. */
uint32_t expect_size_for_mtu(uint32_t mtu);

/* Is the peer an IPv4 address within this interface's netmask? */
bool expect_on_subnet(const struct expect_iface *f, const struct addr *peer);

/* What the process sends to a peer that announced this trailer (NULL: no ack has
 * come yet).  Words that are missing are taken as OpenAFS takes them. */
struct expect_size expect_send(const struct expect_own *own,
                               const struct expect_config *config,
                               const struct rx_trailer *peer,
                               enum expect_security security);

/* The packet that a call of this size (call.MTU) sends when it is full, under a
 * security level; as UDP payload. */
uint32_t expect_full_packet(uint32_t size, enum expect_security security);

#endif
