/* Products, their union, the order that covers the axes, labels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "src/study/matrix.h"

/* Every axis has its usual value. */
static void usual(struct axis_values axes[AXIS_COUNT])
{
	for (int a = 0; a < AXIS_COUNT; a++)
		axes[a] = (struct axis_values){.at = {axis_kinds[a].usual}, .n = 1};
}

static void set(struct axis_values *v, const char *one, const char *two,
                const char *three)
{
	*v = (struct axis_values){.at = {one, two, three},
	                          .n = 1 + (two != NULL) + (three != NULL)};
}

static void test_product_and_union(void **state)
{
	(void)state;
	struct axis_values axes[AXIS_COUNT];
	struct matrix m = {0};
	usual(axes);
	set(&axes[AXIS_LINK], "ether", "atm", NULL);
	set(&axes[AXIS_SIZE], "5M", "10M", "20M");
	assert_int_equal(matrix_add(&m, axes), 0);
	assert_int_equal(m.n, 6);
	assert_string_equal(m.cells[0].value[AXIS_LINK], "ether");
	assert_string_equal(m.cells[1].value[AXIS_SIZE], "10M");
	assert_string_equal(m.cells[5].value[AXIS_LINK], "atm");

	/* of the second product only the new cells come in */
	set(&axes[AXIS_LINK], "atm", "local", NULL);
	set(&axes[AXIS_SIZE], "20M", NULL, NULL);
	assert_int_equal(matrix_add(&m, axes), 0);
	assert_int_equal(m.n, 7);
	assert_string_equal(m.cells[6].value[AXIS_LINK], "local");
	matrix_fini(&m);
}

/* Any beginning of the order shows the values of an axis about equally often. */
static void test_cover(void **state)
{
	(void)state;
	struct axis_values axes[AXIS_COUNT];
	struct matrix m = {0};
	size_t order[18], atm = 0, small = 0;
	bool seen[18] = {0};
	usual(axes);
	set(&axes[AXIS_LINK], "ether", "atm", NULL);
	set(&axes[AXIS_SIZE], "5M", "10M", "20M");
	set(&axes[AXIS_CHUNK_SIZE], "64K", "256K", "1M");
	assert_int_equal(matrix_add(&m, axes), 0);
	assert_int_equal(m.n, 18);
	assert_int_equal(matrix_cover(&m, order), 0);
	for (size_t i = 0; i < 18; i++) {
		const struct cell *c = &m.cells[order[i]];
		assert_false(seen[order[i]]);
		seen[order[i]] = true;
		if (i < 6) {
			atm += strcmp(c->value[AXIS_LINK], "atm") == 0;
			small += strcmp(c->value[AXIS_SIZE], "5M") == 0;
		}
	}
	assert_int_equal(atm, 3);
	assert_int_equal(small, 2);
	matrix_fini(&m);
}

static void test_labels(void **state)
{
	(void)state;
	struct axis_values axes[AXIS_COUNT];
	struct matrix m = {0};
	char label[CELL_LABEL], slug[64];
	usual(axes);
	set(&axes[AXIS_LINK], "ether", "atm", NULL);
	set(&axes[AXIS_CHUNK_SIZE], "64K", "1M", NULL);
	assert_int_equal(matrix_add(&m, axes), 0);
	matrix_label(&m, &m.cells[3], label);
	assert_string_equal(label, "atm, chunk 1M");
	matrix_slug(label, slug, sizeof slug);
	assert_string_equal(slug, "atm-chunk-1M");
	matrix_slug("../../etc, /vicepa ext4", slug, sizeof slug);
	assert_null(strchr(slug, '/'));
	matrix_fini(&m);

	/* a matrix of one cell still has a name */
	usual(axes);
	assert_int_equal(matrix_add(&m, axes), 0);
	matrix_label(&m, &m.cells[0], label);
	assert_string_equal(label, "ether");
	matrix_fini(&m);
}

static void test_values(void **state)
{
	(void)state;
	struct err e = {0};
	assert_int_equal(axis_check(AXIS_SIZE, "20M", &e), 0);
	assert_int_equal(axis_check(AXIS_CLIENTS, "8", &e), 0);
	assert_int_equal(axis_check(AXIS_CACHE, "cold+warm", &e), 0);
	assert_int_equal(axis_check(AXIS_LINK, "whatever the job defines", &e), 0);
	assert_int_equal(axis_find("chunk-size"), AXIS_CHUNK_SIZE);
	assert_int_equal(axis_find("chunk"), -1);
	assert_int_equal(e.code, ERR_NONE);

	assert_int_equal(axis_check(AXIS_SIZE, "20 apples", &e), -1);
	assert_int_equal(e.code, ERR_USAGE);
	e = (struct err){0};
	assert_int_equal(axis_check(AXIS_CLIENTS, "0", &e), -1);
	e = (struct err){0};
	assert_int_equal(axis_check(AXIS_VICEP_FS, "reiserfs", &e), -1);
	assert_non_null(strstr(e.text, "ext4"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_product_and_union),
	        cmocka_unit_test(test_cover),
	        cmocka_unit_test(test_labels),
	        cmocka_unit_test(test_values),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
