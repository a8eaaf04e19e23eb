/* Pairs of capture points as text. */
#ifndef REPORT_TEXT_POINTS_H
#define REPORT_TEXT_POINTS_H

#include "netprobe/report/result.h"

#include <stdio.h>

/* Prints nothing where no datagram was seen at two points.  top: passages shown of
 * each pair, 0 = all. */
void text_points(const struct result *r, size_t top, FILE *out);

#endif
