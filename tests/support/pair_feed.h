/* Packets between pairs of hosts fed to a tracker, for the tests of what is told by
 * pair of hosts.  Hosts A and B, on one Ethernet interface. */
#ifndef TESTS_PAIR_FEED_H
#define TESTS_PAIR_FEED_H

#include "netprobe/track/track.h"
#include "tests/support/pkt_build.h"

#define A "10.77.1.1"
#define B "10.77.1.11"
#define SECOND INT64_C(1000000000)

/* For cmocka_unit_test_setup_teardown: *state is the tracker. */
int pair_feed_set_up(void **state);
int pair_feed_tear_down(void **state);
#define PAIR_TEST(f)                                                                   \
	cmocka_unit_test_setup_teardown(f, pair_feed_set_up, pair_feed_tear_down)

/* The frame comes at this time, or at SECOND as frame 1. */
void pair_feed_at(struct track *t, const struct pkt *x, int64_t ns, uint64_t number);
void pair_feed(struct track *t, const struct pkt *x);

/* Piece i of a packet, cut to an IP MTU. */
void pair_feed_piece(struct track *t, const struct pkt *x, unsigned mtu, unsigned i,
                     int64_t ns);

/* What goes from src to dst; NULL = nothing. */
const struct pair *pair_between(const struct track *t, const char *src,
                                const char *dst);

/* Builds a packet: its headers so far; UDP that is no Rx; TCP; Rx DATA between A (the
 * server, at this port) and B. */
void make_begin(struct pkt *p, const char *src, const char *dst, uint8_t proto,
                uint16_t id);
void make_udp(struct pkt *p, const char *src, const char *dst, uint16_t id,
              size_t payload);
void make_tcp(struct pkt *p, const char *src, const char *dst, const struct pkt_tcp *h,
              size_t data);
void make_rx(struct pkt *p, bool to_server, unsigned server_port, uint32_t serial,
             size_t data);

#endif
