/* Probes on a real network: padded Rx VERSION requests, UDP for an echo service, ICMP
 * echo; each with "don't fragment" set and the kernel's own path MTU put aside
 * (IP_PMTUDISC_PROBE), errors read from the socket's error queue (IP_RECVERR). */
#ifndef PROBE_SOCKET_H
#define PROBE_SOCKET_H

#include "netprobe/probe/net.h"
#include "src/base/err.h"

#include <signal.h>

enum probe_method {
	PROBE_RX,   /* one way: the answer is short.  Any OpenAFS process gives it */
	PROBE_UDP,  /* both ways: an echo service answers in the same size */
	PROBE_ICMP, /* both ways */
};

struct probe_target {
	enum probe_method method;
	struct addr peer;
	uint16_t port; /* not for ICMP */
	bool has_source;
	struct addr source;
	char iface[16];  /* the way out; its end ends the probe.  "" = not known */
	bool only_iface; /* packets leave there whatever the routes say.  Errors that
	                  * this host finds itself (no answer to ARP) are then not told
	                  */
	const volatile sig_atomic_t *stop; /* NULL = none */
};

struct probe_socket;

/* Fails where the address or the interface is not there, or ICMP is not allowed. */
struct probe_socket *probe_socket_open(const struct probe_target *t, struct err *err);
void probe_socket_close(struct probe_socket *s); /* NULL is harmless */

/* Borrows s. */
struct probe_net probe_socket_net(struct probe_socket *s);

/* IP length of a probe without padding. */
uint32_t probe_smallest(const struct probe_target *t);

/* What the peer said of its version (Rx only); "" = nothing. */
const char *probe_socket_version(const struct probe_socket *s);

/* True where answers came from another address than the one asked. */
bool probe_socket_other(const struct probe_socket *s, struct addr *from);

/* "rx", "udp", "icmp"; -1 where there is no such method. */
const char *probe_method_name(enum probe_method m);
int probe_method_find(const char *name);

#endif
