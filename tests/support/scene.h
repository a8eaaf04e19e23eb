/* A scene for the rules: a client and a server speak Rx through a capture point, and
 * what the rules find in it.  Frames 1 ms apart unless the scene's clock is moved. */
#ifndef TESTS_SCENE_H
#define TESTS_SCENE_H

#include "netprobe/diagnose/diagnose.h"
#include "tests/support/pkt_build.h"

#define SCENE_FLOWS 16u
#define SCENE_IFACES 2u

struct scene {
	struct track *track;
	struct fact_iface iface[SCENE_IFACES];
	size_t ifaces; /* 1 at first */
	/* of the packets to come */
	const char *client, *server; /* addresses */
	uint16_t client_port, server_port;
	uint32_t at;          /* interface */
	uint8_t ttl;          /* of both ends' packets */
	bool df;              /* on what is whole */
	uint32_t cut_mtu;     /* larger datagrams are cut to it; 0 = never */
	uint32_t drop_pieces; /* bit i: piece i of a train is not captured */
	uint8_t security;
	enum { SCENE_CHECKSUM, SCENE_NO_CHECKSUM, SCENE_BAD_CHECKSUM } checksum;
	uint32_t call;
	struct rx_trailer trailer[WAYS]; /* of acks: the client's, the server's */
	int64_t ns, step_ns;
	uint64_t frame; /* number of the last one */
	uint32_t serial[WAYS];
	enum rx_level level; /* of the flows */
	/* what the rules found */
	struct findings found;
	struct tally tally[SCENE_FLOWS][WAYS];
};

/* For cmocka_unit_test_setup_teardown: *state is the scene. */
int scene_set_up(void **state);
int scene_tear_down(void **state);
#define SCENE_TEST(f) cmocka_unit_test_setup_teardown(f, scene_set_up, scene_tear_down)

/* Fails the test unless part is in text. */
void scene_has(const char *text, const char *part);

/* Addresses 10.0.0.1 (server) and 10.0.0.2, ports 7000 and 7001; trailers of a default
 * server and client on Ethernet; interface "eth0" of unknown MTU. */
struct scene *scene_new(void);
void scene_free(struct scene *s);

/* A DATA datagram of `size` bytes of UDP payload that carries the packets from seq on:
 * a jumbogram where it is larger than 1444 and fits one.  Returns its serial. */
uint32_t scene_data(struct scene *s, enum way w, uint32_t seq, uint32_t size);

/* One packet of any size: AFS 3.4a style. */
uint32_t scene_single(struct scene *s, enum way w, uint32_t seq, uint32_t size);

/* An ack that goes this way: all before first has come. */
void scene_ack(struct scene *s, enum way w, uint32_t first, unsigned reason,
               uint32_t serial);

/* Likewise with n soft acks (1 = there), and padding behind the trailer. */
void scene_ack_full(struct scene *s, enum way w, uint32_t first, unsigned reason,
                    uint32_t serial, const uint8_t *soft, unsigned n, size_t padding);

/* n datagrams of this size in turn, each acknowledged, from seq on; returns the next
 * seq. */
uint32_t scene_bulk(struct scene *s, enum way w, uint32_t seq, uint32_t n,
                    uint32_t size);

/* A datagram that is sent `times` times, 300 ms and more apart, without an answer. */
void scene_dead(struct scene *s, enum way w, uint32_t seq, uint32_t size, int times);

/* ICMP "fragmentation needed" from a router about a datagram of this size. */
void scene_too_big(struct scene *s, enum way w, uint32_t size, uint32_t mtu);

/* An Rx packet of any type and body. */
void scene_packet(struct scene *s, enum way w, const struct rx_header *h,
                  const void *body, size_t n);

/* Ends the capture and runs the rules. */
void scene_end(struct scene *s);

/* The ids of what was found, most severe first, parted by spaces; buf is returned. */
const char *scene_ids(const struct scene *s, char *buf, size_t size);

/* The first finding of this kind; fails the test where there is none. */
const struct finding *scene_find(const struct scene *s, enum finding_kind k);

/* Fails the test unless exactly these ids were found ("" = none). */
void scene_expect(struct scene *s, const char *ids);

#endif
