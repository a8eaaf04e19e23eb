/* One page of the live screen: what has gone by since the page before, and what was
 * found so far.  Plain text; report/screen.c puts it on a terminal. */
#ifndef REPORT_SCREEN_PAGE_H
#define REPORT_SCREEN_PAGE_H

#include "netprobe/report/result.h"

#include <stdio.h>

/* The sums at the page before. */
struct screen_past;

struct screen_past *screen_past_new(void); /* NULL where memory is out */
void screen_past_free(struct screen_past *p);

/* Prints the page: interfaces, the `flows` busiest flows, findings.  Rates are over
 * the time of the packets that came since the page before, so it does not matter how
 * late they were handed over; no packets, no rate.  The result becomes the past.
 * Returns -1 where memory is out. */
int screen_page(struct screen_past *past, const struct result *r, size_t flows,
                FILE *out);

#endif
