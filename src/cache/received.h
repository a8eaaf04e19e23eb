/* What this host's interfaces have received: without a probe, the evidence that
 * data of a cold phase came over the network. */
#ifndef CACHE_RECEIVED_H
#define CACHE_RECEIVED_H

#include <stdint.h>
#include <stdio.h>

/* Bytes received so far by all interfaces of this network name space; -1 where
 * that cannot be read. */
int64_t received_bytes(void);

/* The sum in the text of /proc/net/dev. */
int64_t received_parse(FILE *f);

#endif
