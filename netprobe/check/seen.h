/* What a capture of this host tells of each of its peers. */
#ifndef CHECK_SEEN_H
#define CHECK_SEEN_H

#include "netprobe/check/row.h"

struct result;

struct seen_list {
	struct seen *list; /* owned; one a peer and interface */
	size_t n;
	struct peers peers; /* those with a port of AFS's */
	uint64_t frames;
	uint64_t dropped; /* frames that the capture lost: sizes are lower bounds */
	bool live;        /* captured while it was checked */
	bool partial;     /* the capture ended early */
	char gone[1200];  /* interfaces that went meanwhile: "eth0,eth1" */
};

/* Reads the capture; ifaces are those of this host, to tell its own addresses. */
int seen_read(struct seen_list *s, const char *path, const struct host_iface *ifaces,
              size_t n, struct err *err);
void seen_free(struct seen_list *s);

/* Takes what a finished analysis tells. */
int seen_take(struct seen_list *s, const struct result *r,
              const struct host_iface *ifaces, size_t n, struct err *err);

/* The peer on this interface, or in a capture that names none; NULL. */
const struct seen *seen_of(const struct seen_list *s, const struct addr *peer,
                           const char *iface);

/* The peer on whatever interface, best where it announced something; NULL. */
const struct seen *seen_anywhere(const struct seen_list *s, const struct addr *peer);

/* True if the interface went while it was captured on. */
bool seen_gone(const struct seen_list *s, const char *iface);

/* True if one of these interfaces has the address. */
bool seen_is_local(const struct host_iface *ifaces, size_t n, const struct addr *a);

/* The ADDR/BITS texts of an interface one by one: *at begins as its addresses.  False
 * behind the last. */
bool iface_next_address(const char **at, struct addr *a, unsigned *bits);

#endif
