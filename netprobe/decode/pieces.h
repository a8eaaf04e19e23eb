/* The pieces of one cut datagram, outside its payload: which were seen, and
 * how much of it they cover.  Offsets are multiples of 8 bytes up to 65528, so
 * coverage is counted in units of 8 bytes.
 *
 * A few pieces lie in the structure itself, sorted; beyond, they move to a
 * hash set and a bit map, so that a datagram in 8189 pieces costs the same for
 * each piece in any order. */
#ifndef DECODE_PIECES_H
#define DECODE_PIECES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PIECE_UNIT 8u
#define PIECE_UNITS 8192u /* of the largest datagram */
#define PIECES_FEW 8u
#define PIECES_MAX 16384u /* kept of one datagram; an honest one has 8192 */

struct piece {
	uint16_t unit;  /* offset / 8 */
	uint16_t len;   /* bytes */
	uint32_t print; /* of its content, bit 0 = more pieces follow */
};

struct piece_set;

/* All zero = empty. */
struct pieces {
	uint32_t n;            /* distinct pieces kept */
	uint32_t covered;      /* units */
	uint32_t end;          /* first unit behind all pieces */
	struct piece_set *set; /* NULL as long as there are few */
	struct piece few[PIECES_FEW];
};

enum piece_seen {
	PIECE_NEW,
	PIECE_REPEAT,  /* same place, length and content */
	PIECE_DIFFERS, /* same place and length, other content */
};

/* The print of content of which cap bytes were captured: at most its first 32
 * bytes count, and a power of two of them, so that the same packet captured
 * with another link header under a small snap length mostly has the same. */
uint32_t piece_print(const uint8_t *bytes, size_t cap, bool more);

/* Units that the piece covers.  Bytes behind the last whole unit count only in
 * a datagram's last piece. */
uint32_t piece_units(const struct piece *x);

enum piece_seen pieces_find(const struct pieces *ps, const struct piece *x);

/* Adds a piece that pieces_find does not call a repeat.  *overlap: some of it
 * was covered before.  Returns false where memory is out (then ps is as before). */
bool pieces_add(struct pieces *ps, const struct piece *x, bool *overlap);

/* Units covered among the first n. */
uint32_t pieces_covered_below(const struct pieces *ps, uint32_t n);

/* Heap memory held, in bytes. */
size_t pieces_memory(const struct pieces *ps);

void pieces_free(struct pieces *ps); /* leaves it empty */

#endif
