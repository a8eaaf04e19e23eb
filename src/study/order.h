/* In which order the repeated runs of several configurations are made: since
 * machines drift, A A B B can show a difference that is the machine's. */
#ifndef STUDY_ORDER_H
#define STUDY_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "src/base/err.h"

enum order_kind {
	ORDER_SEQUENTIAL, /* A A A B B B */
	ORDER_INTERLEAVE, /* A B A B A B */
	ORDER_RANDOM,     /* each round in an order of its own: A B B A A B */
	ORDER_COUNT
};

extern const char *const order_names[ORDER_COUNT];

/* The kind of this name; NULL: sequential.  0, or -1 and e. */
int order_find(const char *name, enum order_kind *out, struct err *e);

/* The configurations 0..n-1 in the order of round `round` (from 0) of an
 * interleaved or random order; out holds n.  The same seed gives the same order. */
void order_round(enum order_kind kind, uint64_t seed, size_t round, size_t n,
                 size_t *out);

#endif
