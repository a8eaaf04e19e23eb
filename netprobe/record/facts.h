/* What the capture shall say of an interface: from the kernel, from --link, and
 * from the lab's description where the interface is one of the lab's. */
#ifndef RECORD_FACTS_H
#define RECORD_FACTS_H

#include "netprobe/host/iface.h"
#include "netprobe/source/source.h"
#include "src/base/err.h"

/* --link IF=KIND[:RATE] */
struct record_link {
	char iface[16];
	char kind[24];
	uint64_t rate_bps; /* 0 = not told */
};

/* Parses such a text.  -1 with ERR_USAGE. */
int record_link_parse(const char *text, struct record_link *l, struct err *err);

/* Fills name, mtu, link, speed and addresses.  lab_path is the lab's description
 * (NULL or unreadable: no lab). */
void record_facts(const struct host_iface *h, const struct record_link *links, size_t n,
                  const char *lab_path, struct source_iface *facts);

#endif
