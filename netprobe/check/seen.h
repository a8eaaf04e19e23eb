/* What a capture of this host tells of each of its peers. */
#ifndef CHECK_SEEN_H
#define CHECK_SEEN_H

#include "netprobe/check/row.h"

struct seen_list {
	struct seen *list; /* owned */
	size_t n;
	uint64_t frames;
	bool partial; /* the capture ended early */
};

/* Reads the capture; ifaces are those of this host, to tell its own addresses.  Peers
 * with a port of AFS's go into peers where that is not NULL. */
int seen_read(struct seen_list *s, const char *path, const struct host_iface *ifaces,
              size_t n, struct peers *peers, struct err *err);
void seen_free(struct seen_list *s);

const struct seen *seen_of(const struct seen_list *s, const struct addr *peer);

/* True if one of these interfaces has the address. */
bool seen_is_local(const struct host_iface *ifaces, size_t n, const struct addr *a);

/* The ADDR/BITS texts of an interface one by one: *at begins as its addresses.  False
 * behind the last. */
bool iface_next_address(const char **at, struct addr *a, unsigned *bits);

#endif
