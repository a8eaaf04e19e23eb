#include "src/workload/data.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/rng.h"

/* Windows begin at multiples of a word. */
enum { WORD = sizeof(uint64_t), SLOTS = DATA_POOL / WORD };

int data_init(struct data *d, uint64_t seed, size_t block)
{
	size_t size = DATA_POOL + (block + DATA_PIECE - 1) / DATA_PIECE * DATA_PIECE;
	*d = (struct data){.seed = seed, .block = block};
	d->pool = aligned_alloc(DATA_PIECE, size);
	if (!d->pool)
		return -1;
	struct rng r = rng_init(seed);
	for (size_t i = 0; i < size; i += WORD) {
		uint64_t word = rng_next(&r);
		memcpy(d->pool + i, &word, WORD);
	}
	return 0;
}

void data_fini(struct data *d)
{
	free(d->pool);
	*d = (struct data){0};
}

/* Puts the numbers of its pieces into the window, or takes them out again. */
static void number_pieces(struct data *d)
{
	uint64_t number = d->number;
	for (size_t at = 0; at < d->given; at += DATA_PIECE, number++) {
		uint64_t word;
		memcpy(&word, d->window + at, WORD);
		word ^= number;
		memcpy(d->window + at, &word, WORD);
	}
}

const uint8_t *data_block(struct data *d, uint64_t k, unsigned generation, size_t n)
{
	/* an odd step visits every slot before one repeats */
	uint64_t step = d->block / WORD | 1;
	uint64_t slot = rng_mix(d->seed ^ generation) + k * step;
	number_pieces(d);
	d->given = n;
	d->window = d->pool + slot % SLOTS * WORD;
	d->number = (uint64_t)generation << 48 |
	            k * ((d->block + DATA_PIECE - 1) / DATA_PIECE);
	number_pieces(d);
	return d->window;
}

const uint8_t *data_next(struct data *d, size_t n)
{
	return data_block(d, d->next++, 0, n);
}

/* Where the word to be dirtied stands; n where the block is too short for one. */
static size_t dirty_at(uint64_t k, size_t n)
{
	size_t words = n / sizeof(uint64_t);
	return words ? k % words * sizeof(uint64_t) : n;
}

static void invert_word(uint8_t *at)
{
	uint64_t word;
	memcpy(&word, at, sizeof word);
	word = ~word;
	memcpy(at, &word, sizeof word);
}

void data_dirty(uint64_t k, uint8_t *buf, size_t n)
{
	size_t at = dirty_at(k, n);
	if (at < n)
		invert_word(buf + at);
}

/* The place of the first difference, n where there is none. */
static size_t first_difference(const uint8_t *a, const uint8_t *b, size_t n)
{
	if (memcmp(a, b, n) == 0)
		return n;
	size_t i = 0;
	while (a[i] == b[i])
		i++;
	return i;
}

bool data_check(struct data *d, uint64_t k, unsigned generation, bool dirty,
                const uint8_t *buf, size_t n, size_t *bad)
{
	const uint8_t *want = data_block(d, k, generation, n);
	size_t at = dirty ? dirty_at(k, n) : n;
	*bad = first_difference(buf, want, at);
	if (*bad < at || at == n)
		return *bad == n;
	uint8_t word[sizeof(uint64_t)];
	memcpy(word, want + at, sizeof word);
	invert_word(word);
	size_t rest = at + sizeof word;
	size_t in_word = first_difference(buf + at, word, sizeof word);
	*bad = in_word < sizeof word
	               ? at + in_word
	               : rest + first_difference(buf + rest, want + rest, n - rest);
	return *bad == n;
}
