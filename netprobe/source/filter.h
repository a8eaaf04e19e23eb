/* libpcap's filter expressions on frames in memory, of any link type. */
#ifndef SOURCE_FILTER_H
#define SOURCE_FILTER_H

#include "netprobe/frame.h"
#include "src/base/err.h"

struct filter;

/* Compiles expression for link_type, and for others as their frames come.
 * NULL with ERR_USAGE and libpcap's message where it cannot be compiled. */
struct filter *filter_new(const char *expression, uint16_t link_type, struct err *err);
/* What is wrong with an expression that libpcap refused with these words, and where;
 * where: "" or " for eth0".  Returns -1. */
int filter_explain(const char *where, const char *expression, uint16_t link_type,
                   const char *why, struct err *err);

void filter_free(struct filter *f); /* NULL is harmless */

/* 1 where the frame matches, 0 where not, -1 where the expression makes no
 * sense for its link type (a VLAN on a raw IP link). */
int filter_match(struct filter *f, const struct frame *frame, struct err *err);

#endif
