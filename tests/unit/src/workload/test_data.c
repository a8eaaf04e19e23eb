#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "src/workload/data.h"

enum { BLOCK = 16384, SLOTS = DATA_POOL / 8 };

static struct data make(uint64_t seed, size_t block)
{
	struct data d;
	assert_int_equal(data_init(&d, seed, block), 0);
	return d;
}

static void test_data_depends_on_seed_block_generation(void **state)
{
	(void)state;
	struct data a = make(1, BLOCK), b = make(1, BLOCK), c = make(2, BLOCK);
	uint8_t is[BLOCK];
	memcpy(is, data_block(&a, 5, 1, BLOCK), BLOCK);
	data_block(&b, 9, 2, BLOCK); /* what was given before leaves no trace */
	assert_memory_equal(is, data_block(&b, 5, 1, BLOCK), BLOCK);
	assert_memory_not_equal(is, data_block(&c, 5, 1, BLOCK), BLOCK);
	assert_memory_not_equal(is, data_block(&a, 6, 1, BLOCK), BLOCK);
	assert_memory_not_equal(is, data_block(&a, 5, 2, BLOCK), BLOCK);
	assert_memory_equal(is, data_block(&a, 5, 1, 100), 100);
	data_fini(&a);
	data_fini(&b);
	data_fini(&c);
}

static void test_data_visits_every_slot(void **state)
{
	(void)state;
	struct data d = make(3, 64);
	unsigned char *used = calloc(1, SLOTS);
	for (uint64_t k = 0; k < SLOTS; k++) {
		size_t slot = (size_t)(data_block(&d, k, 1, 64) - d.pool) / 8;
		assert_true(slot < SLOTS);
		assert_false(used[slot]);
		used[slot] = 1;
	}
	free(used);
	data_fini(&d);
}

static int by_value(const void *x, const void *y)
{
	const uint64_t *a = x, *b = y;
	return (*a > *b) - (*a < *b);
}

/* How many of n values are there twice. */
static size_t repeated(uint64_t *values, size_t n)
{
	size_t twice = 0;
	qsort(values, n, sizeof *values, by_value);
	for (size_t i = 1; i < n; i++)
		twice += values[i] == values[i - 1];
	return twice;
}

static uint64_t sum_of(const uint8_t *piece, size_t n)
{
	uint64_t sum = 0, word;
	for (size_t i = 0; i + 8 <= n; i += 8) {
		memcpy(&word, piece + i, sizeof word);
		sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		sum ^= sum >> 29;
	}
	return sum;
}

/* What a file system that stores equal blocks once may not find: in a file of more
 * blocks than there are windows, in another of its generations, in small files. */
static void test_data_no_two_pieces_are_alike(void **state)
{
	(void)state;
	static const size_t sizes[] = {4096, 65536, 300000};
	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
		struct data d = make(6, sizes[s]);
		size_t blocks = SLOTS * 5 / 4 * 4096 / sizes[s], n = 0;
		size_t pieces = sizes[s] / DATA_PIECE;
		uint64_t *sums = calloc(blocks * pieces, sizeof *sums);
		for (uint64_t k = 0; k < blocks; k++) {
			const uint8_t *p =
			        k % 3 == 0 ? data_next(&d, sizes[s])
			                   : data_block(&d, k, (unsigned)(k % 3),
			                                sizes[s]);
			for (size_t i = 0; i < pieces; i++)
				sums[n++] = sum_of(p + i * DATA_PIECE, DATA_PIECE);
		}
		assert_int_equal(repeated(sums, n), 0);
		free(sums);
		data_fini(&d);
	}
}

/* What a file system that compresses may not find. */
static void test_data_hardly_repeats_within_the_pool(void **state)
{
	(void)state;
	static const size_t sizes[] = {512, 4096, 16384, 65536, DATA_POOL};
	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
		struct data d = make(7, sizes[s]);
		uint8_t *file = malloc(DATA_POOL);
		uint64_t *words = malloc(DATA_POOL);
		for (uint64_t k = 0; k < DATA_POOL / sizes[s]; k++)
			memcpy(file + k * sizes[s], data_block(&d, k, 1, sizes[s]),
			       sizes[s]);
		memcpy(words, file, DATA_POOL);
		assert_in_range(repeated(words, DATA_POOL / 8), 0, DATA_POOL / 8 / 50);
		free(words);
		free(file);
		data_fini(&d);
	}
}

static void test_data_check_finds_every_flip(void **state)
{
	(void)state;
	enum { N = 203 };
	struct data d = make(4, 256);
	uint8_t buf[N];
	size_t bad;
	for (int dirty = 0; dirty < 2; dirty++)
		for (uint64_t k = 0; k < 30; k++) {
			memcpy(buf, data_block(&d, k, 1, N), N);
			if (dirty)
				data_dirty(k, buf, N);
			assert_true(data_check(&d, k, 1, dirty, buf, N, &bad));
			assert_false(data_check(&d, k, 1, !dirty, buf, N, &bad));
			for (size_t i = 0; i < N; i++) {
				buf[i] ^= 0x20;
				assert_false(data_check(&d, k, 1, dirty, buf, N, &bad));
				assert_int_equal(bad, i);
				buf[i] ^= 0x20;
			}
		}
	data_fini(&d);
}

static void test_data_short_tail(void **state)
{
	(void)state;
	struct data d = make(5, 256);
	uint8_t buf[3];
	size_t bad;
	memcpy(buf, data_block(&d, 9, 1, sizeof buf), sizeof buf);
	data_dirty(9, buf, sizeof buf); /* too short to hold a word: stays */
	assert_true(data_check(&d, 9, 1, true, buf, sizeof buf, &bad));
	data_fini(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_data_depends_on_seed_block_generation),
	        cmocka_unit_test(test_data_visits_every_slot),
	        cmocka_unit_test(test_data_no_two_pieces_are_alike),
	        cmocka_unit_test(test_data_hardly_repeats_within_the_pool),
	        cmocka_unit_test(test_data_check_finds_every_flip),
	        cmocka_unit_test(test_data_short_tail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
