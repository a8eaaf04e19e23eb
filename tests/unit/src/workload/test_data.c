#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "src/workload/data.h"

enum { BLOCK = 16384, SLOTS = 16384 };

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
	assert_memory_equal(data_block(&a, 5, 1), data_block(&b, 5, 1), BLOCK);
	assert_memory_not_equal(data_block(&a, 5, 1), data_block(&c, 5, 1), BLOCK);
	assert_memory_not_equal(data_block(&a, 5, 1), data_block(&a, 6, 1), BLOCK);
	assert_memory_not_equal(data_block(&a, 5, 1), data_block(&a, 5, 2), BLOCK);
	data_fini(&a);
	data_fini(&b);
	data_fini(&c);
}

static void test_data_neighbours_differ(void **state)
{
	(void)state;
	struct data d = make(3, 64);
	unsigned char *used = calloc(1, SLOTS);
	for (uint64_t k = 0; k < SLOTS; k++) {
		size_t slot = (size_t)(data_block(&d, k, 1) - d.pool) / 64;
		assert_true(slot < SLOTS);
		assert_false(used[slot]);
		used[slot] = 1;
	}
	free(used);
	data_fini(&d);
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
			memcpy(buf, data_block(&d, k, 1), N);
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
	memcpy(buf, data_block(&d, 9, 1), sizeof buf);
	data_dirty(9, buf, sizeof buf); /* too short to hold a word: stays */
	assert_true(data_check(&d, 9, 1, true, buf, sizeof buf, &bad));
	data_fini(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_data_depends_on_seed_block_generation),
	        cmocka_unit_test(test_data_neighbours_differ),
	        cmocka_unit_test(test_data_check_finds_every_flip),
	        cmocka_unit_test(test_data_short_tail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
