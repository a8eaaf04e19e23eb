/* A live capture beside the check: what AFS sends meanwhile.
 *
 * One thread records (netprobe/record, as `netprobe record` does), another one reads
 * what comes out of the pipe (seen_read, as for a capture file); both have given up
 * their privileges before the first frame is looked at. */
#ifndef CHECK_WATCH_H
#define CHECK_WATCH_H

#include "netprobe/check/seen.h"

struct watch;

/* Captures on the named interfaces, the ports of AFS and of these peers; returns as
 * soon as the capture runs.  NULL (err set) where it cannot: ERR_ENVIRONMENT without
 * privilege or interface.  names and ifaces stay the caller's until the end. */
struct watch *watch_begin(const char *const *names, size_t n, const struct peers *peers,
                          const struct host_iface *ifaces, size_t n_ifaces,
                          struct err *err);

/* True if no interface is left to capture on. */
bool watch_over(struct watch *w);

/* Ends the capture, tells what was seen, frees w.  -1 (err set) where it failed; an
 * interface that vanished is no failure: seen_gone tells. */
int watch_end(struct watch *w, struct seen_list *seen, struct err *err);

#endif
