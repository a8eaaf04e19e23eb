/* The comments that netprobe writes into pcapng blocks, and reads back
 * (doc/design.md, "The capture that record writes"):
 *
 *   interface block    cellbench: mtu=9180 link=atm-llc rate=149760000 addr=A/24,B/64
 *   statistics block   cellbench: begin ID TIME NAME
 *                      cellbench: end ID TIME
 *                      cellbench: kernel_packets=N kernel_bytes=N
 *                                 left_out_packets=N left_out_bytes=N */
#ifndef SOURCE_COMMENT_H
#define SOURCE_COMMENT_H

#include "netprobe/source/source.h"

enum comment_kind { COMMENT_OTHER, COMMENT_MARK, COMMENT_FACTS };

/* Reads the n bytes of a comment.  A mark fills *mark; facts set those fields
 * of *facts that they name (mtu, link, speed_bps, addresses, kernel and left-out
 * counters), others stay.  Unknown keys are passed over. */
enum comment_kind comment_parse(const char *text, size_t n, struct source_iface *facts,
                                struct source_mark *mark);

/* The same texts, written; false where they do not fit in size bytes. */
bool comment_format_iface(char *to, size_t size, const struct source_iface *i);
bool comment_format_mark(char *to, size_t size, const struct source_mark *m);
bool comment_format_counters(char *to, size_t size, const struct source_iface *i);

#endif
