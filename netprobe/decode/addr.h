/* One address type for IPv4 and IPv6: IPv4 stands as ::ffff:a.b.c.d. */
#ifndef DECODE_ADDR_H
#define DECODE_ADDR_H

#include "src/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct addr {
	uint8_t b[16];
};

#define ADDR_TEXT 46 /* bytes for addr_format, the NUL included */

static inline struct addr addr_from_v4(const uint8_t *p)
{
	struct addr a = { .b = { [10] = 0xff, [11] = 0xff } };
	memcpy(a.b + 12, p, 4);
	return a;
}

static inline struct addr addr_from_v6(const uint8_t *p)
{
	struct addr a;
	memcpy(a.b, p, 16);
	return a;
}

static inline int addr_compare(const struct addr *x, const struct addr *y)
{
	return memcmp(x->b, y->b, 16);
}

bool addr_is_v4(const struct addr *a);

/* "10.77.1.1" or RFC 5952 text; returns buf. */
const char *addr_format(const struct addr *a, char buf[ADDR_TEXT]);

/* Parses either family; false where text is no address. */
bool addr_parse(const char *text, struct addr *a);

#endif
