#include "netprobe/decode/pieces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define SPAN 600u /* units that the random pieces lie in */

static uint32_t next_random(uint32_t *s)
{
	*s = *s * 1664525u + 1013904223u;
	return *s >> 8;
}

/* Against a plain map of bytes per unit, from few pieces to many. */
static void covers_as_a_map_does(void **state)
{
	(void)state;
	for (uint32_t round = 0; round < 200; round++) {
		uint32_t seed = round;
		struct pieces ps = {0};
		bool map[SPAN] = {false};
		uint32_t covered = 0;
		for (uint32_t i = 0; i < 5 + round; i++) {
			struct piece x = {.unit = (uint16_t)(next_random(&seed) % 500),
			                  .len = (uint16_t)(next_random(&seed) % 800),
			                  .print = next_random(&seed)};
			if (pieces_find(&ps, &x) != PIECE_NEW)
				continue;
			uint32_t fresh = 0;
			for (uint32_t u = 0; u < piece_units(&x); u++) {
				fresh += !map[x.unit + u];
				map[x.unit + u] = true;
			}
			bool overlap;
			assert_true(pieces_add(&ps, &x, &overlap));
			assert_int_equal(overlap, fresh < piece_units(&x));
			covered += fresh;
			assert_int_equal(ps.covered, covered);
			assert_int_equal(pieces_find(&ps, &x), PIECE_REPEAT);
			x.print ^= 2;
			assert_int_equal(pieces_find(&ps, &x), PIECE_DIFFERS);
			uint32_t n = next_random(&seed) % SPAN, below = 0;
			for (uint32_t u = 0; u < n; u++)
				below += map[u];
			assert_int_equal(pieces_covered_below(&ps, n), below);
		}
		pieces_free(&ps);
		assert_int_equal(pieces_memory(&ps), 0);
	}
}

/* Only a last piece may end within a unit; nothing reaches beyond the largest
 * datagram. */
static void counts_units(void **state)
{
	(void)state;
	assert_int_equal(piece_units(&(struct piece){.len = 16, .print = 1}), 2);
	assert_int_equal(piece_units(&(struct piece){.len = 17, .print = 1}), 2);
	assert_int_equal(piece_units(&(struct piece){.len = 17, .print = 0}), 3);
	assert_int_equal(piece_units(&(struct piece){.len = 0, .print = 0}), 0);
	assert_int_equal(piece_units(&(struct piece){.unit = 8191, .len = 100}), 1);
	assert_int_equal(piece_units(&(struct piece){.unit = 0, .len = 65535}), 8192);
}

static void keeps_a_bounded_number(void **state)
{
	(void)state;
	struct pieces ps = {0};
	for (uint32_t i = 0; i < 100000; i++) {
		struct piece x = {.unit = (uint16_t)(i % PIECE_UNITS),
		                  .len = (uint16_t)(8 + i / PIECE_UNITS)};
		bool overlap;
		assert_true(pieces_add(&ps, &x, &overlap));
	}
	assert_int_equal(ps.n, PIECES_MAX);
	assert_int_equal(ps.covered, PIECE_UNITS);
	assert_true(pieces_memory(&ps) < 300000);
	pieces_free(&ps);
}

/* The print depends on what both copies of a packet have, and on nothing else. */
static void prints_content(void **state)
{
	(void)state;
	uint8_t bytes[64];
	for (unsigned i = 0; i < sizeof bytes; i++)
		bytes[i] = (uint8_t)(i * 7);
	uint32_t print = piece_print(bytes, sizeof bytes, true);
	assert_int_equal(piece_print(bytes, 33, true), print);
	assert_int_not_equal(piece_print(bytes, sizeof bytes, false), print);
	bytes[40]++;
	assert_int_equal(piece_print(bytes, sizeof bytes, true), print);
	bytes[31]++;
	assert_int_not_equal(piece_print(bytes, sizeof bytes, true), print);
	assert_int_equal(piece_print(bytes, 30, true), piece_print(bytes, 26, true));
	assert_int_equal(piece_print(bytes, 3, true), piece_print(bytes, 0, true));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(covers_as_a_map_does),
	        cmocka_unit_test(counts_units),
	        cmocka_unit_test(keeps_a_bounded_number),
	        cmocka_unit_test(prints_content),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
