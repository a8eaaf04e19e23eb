/* What `netprobe links` prints. */
#ifndef CHECK_PRINT_LINKS_H
#define CHECK_PRINT_LINKS_H

#include "netprobe/check/link_cost.h"
#include "src/base/err.h"

#include <stdio.h>

/* What the costs are of; one of the three. */
struct links_question {
	uint32_t ip_len;          /* one packet of this length */
	uint64_t data;            /* or a call of so many bytes */
	uint32_t udp;             /* in such datagrams */
	const struct sizes *seen; /* or the packets of a capture, with `data` in them */
	const char *name;         /* of the capture */
	uint32_t mtu;             /* of all links; 0 = each kind's usual one */
	const char *kind;         /* only this kind; NULL = all */
};

int print_links_text(const struct links_question *q, FILE *out, struct err *err);
int print_links_json(const struct links_question *q, FILE *out, struct err *err);

#endif
