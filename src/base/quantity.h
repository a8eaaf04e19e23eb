/* Quantities as people write them: sizes (32M, 64K, 8192, 1GiB; the suffixes are
 * powers of 1024), times (20us), plain numbers. */
#ifndef BASE_QUANTITY_H
#define BASE_QUANTITY_H

#include <stdint.h>

#include "src/base/err.h"

/* Reads a whole number of bytes.  0, or -1 with ERR_USAGE in e. */
int size_parse(const char *text, uint64_t *bytes, struct err *e);

/* Reads a plain decimal number between min and max.  0, or -1 with ERR_USAGE in e;
 * what names the option in the message. */
int number_parse(const char *text, const char *what, uint64_t min, uint64_t max,
                 uint64_t *out, struct err *e);

/* Reads a time: 20us, 5ms, 1s, 300ns.  0, or -1 with ERR_USAGE in e. */
int duration_parse(const char *text, int64_t *ns, struct err *e);

/* Reads a share of something in per cent, "5%" or "2.5", more than 0 and at most
 * 100, as a fraction.  0, or -1 with ERR_USAGE in e; what names the option. */
int percent_parse(const char *text, const char *what, double *out, struct err *e);

#endif
