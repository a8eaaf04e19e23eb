/* Reads big-endian fields out of untrusted bytes.
 *
 * A cursor knows two lengths: what was captured, and what the bytes had on the
 * wire.  Running past the captured bytes but not past the wire length makes it
 * "snapped" (the capture is at fault); running past the wire length makes it
 * "short" (the packet is at fault).  Both stick; reads then give zero.  So a
 * parser reads its fields in a row and asks once. */
#ifndef BASE_CURSOR_H
#define BASE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cursor_state { CURSOR_OK, CURSOR_SNAPPED, CURSOR_SHORT };

struct cursor {
	const uint8_t *at;
	size_t left; /* captured bytes left */
	size_t wire; /* bytes left on the wire, >= left */
	enum cursor_state state;
};

/* A cursor over caplen captured bytes of a packet of wirelen bytes.  Where
 * more was captured than the packet is long, the surplus is out of reach. */
static inline struct cursor cursor_init(const uint8_t *bytes, size_t caplen, size_t wirelen)
{
	return (struct cursor){ .at = bytes,
				.left = caplen < wirelen ? caplen : wirelen,
				.wire = wirelen,
				.state = CURSOR_OK };
}

static inline bool cursor_ok(const struct cursor *c)
{
	return c->state == CURSOR_OK;
}

/* Takes n bytes; NULL (and the state) where they are not there. */
static inline const uint8_t *cursor_take(struct cursor *c, size_t n)
{
	if (c->state != CURSOR_OK)
		return NULL;
	if (n > c->left) {
		c->state = n > c->wire ? CURSOR_SHORT : CURSOR_SNAPPED;
		return NULL;
	}
	const uint8_t *p = c->at;
	c->at += n;
	c->left -= n;
	c->wire -= n;
	return p;
}

static inline void cursor_skip(struct cursor *c, size_t n)
{
	(void)cursor_take(c, n);
}

/* Cuts what follows to n wire bytes: an inner length, such as IP's.  A length
 * beyond the wire makes the cursor short. */
static inline void cursor_limit(struct cursor *c, size_t n)
{
	if (n > c->wire) {
		if (c->state == CURSOR_OK)
			c->state = CURSOR_SHORT;
		return;
	}
	c->wire = n;
	if (c->left > n)
		c->left = n;
}

static inline uint16_t be16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static inline uint32_t be32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline uint64_t be64(const uint8_t *p)
{
	return (uint64_t)be32(p) << 32 | be32(p + 4);
}

static inline uint8_t cursor_u8(struct cursor *c)
{
	const uint8_t *p = cursor_take(c, 1);
	return p ? p[0] : 0;
}

static inline uint16_t cursor_u16(struct cursor *c)
{
	const uint8_t *p = cursor_take(c, 2);
	return p ? be16(p) : 0;
}

static inline uint32_t cursor_u32(struct cursor *c)
{
	const uint8_t *p = cursor_take(c, 4);
	return p ? be32(p) : 0;
}

static inline uint64_t cursor_u64(struct cursor *c)
{
	const uint8_t *p = cursor_take(c, 8);
	return p ? be64(p) : 0;
}

#endif
