/* One question for all implementations: what does this program on this host send to
 * that peer?  Pure functions; OpenAFS's rules are in openafs.h and kernel.h, kAFS's in
 * kafs.h.  AuriStor's are not public: what is known (no jumbograms since v2021.05-37)
 * makes one packet of an Ethernet frame the answer, marked as uncertain. */
#ifndef EXPECT_CHOICE_H
#define EXPECT_CHOICE_H

#include "netprobe/expect/kernel.h"
#include "netprobe/expect/openafs.h"

enum expect_release {
	EXPECT_18, /* OpenAFS 1.8 and later: DF set, the route's MTU asked for */
	EXPECT_16, /* OpenAFS 1.6 and older: DF clear, the route's MTU never asked for
	            */
};

struct expect_case {
	const struct expect_host *host; /* config.program tells who */
	enum expect_release release;    /* of OpenAFS */
	struct addr peer;
	uint32_t route_mtu; /* that the kernel knows for the peer, 0 = none */
	const struct rx_trailer
	        *trailer; /* that the peer announces; NULL = no ack yet */
};

struct expect_choice {
	struct expect_own own;
	enum expect_match match;    /* by which own.iface was found */
	struct expect_size first;   /* before any ack of the peer */
	struct expect_size size[3]; /* in force, by enum expect_security */
	bool df; /* datagrams that fit the route leave with "don't fragment" */
	/* Where packets of a jumbogram (1440) are longer than the interface's size, the
	 * size announced grows to theirs once they were acked: seen with 1.8.9 on MTU
	 * 1492.  0 = it stays. */
	uint32_t grown;
	bool uncertain; /* not from published rules */
};

void expect_choose(const struct expect_case *c, struct expect_choice *out);

/* "server", "client", "tool", "kernel-client", "kafs", "kafs-probing", "auristor". */
const char *expect_program_name(enum expect_program p);
/* For people: "OpenAFS server (fileserver, volserver, …)". */
const char *expect_program_text(enum expect_program p);
/* -1 where there is none of this name. */
int expect_program_find(const char *name);

/* What is most likely announced at the other end: clients' defaults to a server, a
 * server's to the others; on a link of the same MTU within one subnet, else on
 * Ethernet.  x: chosen without a trailer. */
struct rx_trailer expect_likely_peer(const struct expect_case *c,
                                     const struct expect_choice *x);

/* One line of the arithmetic that led to a choice. */
struct expect_step {
	const char *label;
	char text[200];
};
#define EXPECT_STEPS 8

/* Fills the steps and returns how many. */
size_t expect_steps(const struct expect_case *c, const struct expect_choice *x,
                    struct expect_step step[EXPECT_STEPS]);

#endif
