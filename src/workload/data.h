/* The bytes that workloads write: random, from a seed, checkable anywhere.
 *
 * A pool of random bytes is made once; the content of block k is a window into it,
 * in which the first word of every DATA_PIECE bytes has the piece's number mixed in.
 * So writing costs no generation, memory is flat, and any block can be checked alone.
 * Windows follow one another in the pool: over DATA_POOL bytes of a file nothing
 * repeats, which is as much as most file systems compress at once; and no two pieces
 * of a seed are alike, so none is stored once for two.  The pool is small so that it
 * stays in a processor's second cache: random data are to cost no more than one buffer
 * that is written over and over. */
#ifndef WORKLOAD_DATA_H
#define WORKLOAD_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DATA_PIECE = 4096, DATA_POOL = 1 << 18 };

struct data {
	uint64_t seed;
	size_t block; /* bytes a block */
	uint8_t *pool;
	/* the window whose pieces have their numbers in them */
	uint8_t *window;
	size_t given;    /* its bytes; 0: there is none */
	uint64_t number; /* of its first piece */
	uint64_t next;   /* block of data_next */
};

/* 0, or -1 where memory is out. */
int data_init(struct data *d, uint64_t seed, size_t block);
void data_fini(struct data *d);

/* The first n bytes of block k, n <= d->block; good until the next call with d.  For
 * one thread. */
const uint8_t *data_block(struct data *d, uint64_t k, unsigned generation, size_t n);

/* n bytes that are like none given before: the next block of generation 0, which is
 * for this alone. */
const uint8_t *data_next(struct data *d, size_t n);

/* Changes one word of block k in buf (n bytes), or changes it back. */
void data_dirty(uint64_t k, uint8_t *buf, size_t n);

/* Whether buf holds the first n bytes of block k, with its word dirtied or not;
 * *bad is the place of the first byte that differs. */
bool data_check(struct data *d, uint64_t k, unsigned generation, bool dirty,
                const uint8_t *buf, size_t n, size_t *bad);

#endif
