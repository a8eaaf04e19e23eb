/* The bytes that workloads write: random, from a seed, checkable anywhere.
 *
 * A pool of random bytes is made once; the content of block k is the piece of
 * the pool that begins at a place told by seed, generation and k.  So writing
 * costs no generation, memory is flat, and any block can be checked alone.
 * Among SLOTS neighbouring blocks of a generation no two are alike. */
#ifndef WORKLOAD_DATA_H
#define WORKLOAD_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct data {
	uint64_t seed;
	size_t block; /* bytes a block */
	uint8_t *pool;
};

/* 0, or -1 where memory is out. */
int data_init(struct data *d, uint64_t seed, size_t block);
void data_fini(struct data *d);

/* d->block bytes, good until data_fini. */
const uint8_t *data_block(const struct data *d, uint64_t k, unsigned generation);

/* Changes one word of block k in buf (n bytes), or changes it back. */
void data_dirty(uint64_t k, uint8_t *buf, size_t n);

/* Whether buf holds the first n bytes of block k, with its word dirtied or not;
 * *bad is the place of the first byte that differs. */
bool data_check(const struct data *d, uint64_t k, unsigned generation, bool dirty,
                const uint8_t *buf, size_t n, size_t *bad);

#endif
