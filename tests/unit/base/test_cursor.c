#include "src/base/cursor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const uint8_t bytes[16] = {1, 2,  3,  4,  5,  6,  7,  8,
                                  9, 10, 11, 12, 13, 14, 15, 16};

static void test_reads(void **state)
{
	(void)state;
	struct cursor c = cursor_init(bytes, 16, 16);
	assert_int_equal(cursor_u8(&c), 1);
	assert_int_equal(cursor_u16(&c), 0x0203);
	assert_int_equal(cursor_u32(&c), 0x04050607);
	assert_true(cursor_u64(&c) == UINT64_C(0x08090a0b0c0d0e0f));
	assert_int_equal(c.left, 1);
	assert_int_equal(cursor_u8(&c), 16);
	assert_true(cursor_ok(&c));
	assert_non_null(cursor_take(&c, 0));
	assert_int_equal(cursor_u8(&c), 0);
	assert_int_equal(c.state, CURSOR_SHORT);
}

static void test_top_bits(void **state)
{
	(void)state;
	static const uint8_t ff[8] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
	assert_int_equal(be16(ff), 0xffff);
	assert_true(be32(ff) == UINT32_MAX);
	assert_true(be64(ff) == UINT64_MAX);
}

/* Whatever the two lengths: who is at fault, and that it stays so. */
static void test_every_length(void **state)
{
	(void)state;
	for (size_t cap = 0; cap <= 16; cap++)
		for (size_t wire = 0; wire <= 16; wire++)
			for (size_t n = 0; n <= 17; n++) {
				struct cursor c = cursor_init(bytes, cap, wire);
				size_t left = cap < wire ? cap : wire;
				assert_int_equal(c.left, left);
				const uint8_t *p = cursor_take(&c, n);
				if (n <= left) {
					assert_ptr_equal(p, bytes);
					assert_int_equal(c.left, left - n);
					assert_int_equal(c.wire, wire - n);
					continue;
				}
				assert_null(p);
				assert_int_equal(c.state, n > wire ? CURSOR_SHORT
				                                   : CURSOR_SNAPPED);
				assert_null(cursor_take(&c, 0));
				assert_int_equal(cursor_u32(&c), 0);
				assert_false(cursor_ok(&c));
			}
}

static void test_limit(void **state)
{
	(void)state;
	struct cursor c = cursor_init(bytes, 10, 16);
	cursor_limit(&c, 12);
	assert_int_equal(c.wire, 12);
	assert_int_equal(c.left, 10);
	cursor_limit(&c, 4);
	assert_int_equal(c.left, 4);
	assert_true(cursor_ok(&c));
	cursor_limit(&c, 5);
	assert_int_equal(c.state, CURSOR_SHORT);
	/* a state that is set stays */
	c = cursor_init(bytes, 2, 16);
	cursor_u32(&c);
	assert_int_equal(c.state, CURSOR_SNAPPED);
	cursor_limit(&c, 100);
	assert_int_equal(c.state, CURSOR_SNAPPED);
}

static void test_huge(void **state)
{
	(void)state;
	struct cursor c = cursor_init(bytes, 16, 16);
	cursor_skip(&c, 8);
	cursor_skip(&c, SIZE_MAX);
	assert_int_equal(c.state, CURSOR_SHORT);
	c = cursor_init(NULL, 0, 0);
	assert_int_equal(cursor_u8(&c), 0);
	assert_int_equal(c.state, CURSOR_SHORT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_reads),        cmocka_unit_test(test_top_bits),
	        cmocka_unit_test(test_every_length), cmocka_unit_test(test_limit),
	        cmocka_unit_test(test_huge),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
