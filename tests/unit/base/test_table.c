#include "src/base/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct entry {
	uint32_t key;
	uint32_t zero; /* as the table left it */
	uint64_t value;
};

struct evictions {
	unsigned n;
	uint32_t last;
};

static void note(void *ctx, void *entry)
{
	struct evictions *ev = ctx;
	ev->n++;
	ev->last = ((struct entry *)entry)->key;
}

static struct entry *get(struct table *t, uint32_t key, bool *made)
{
	return table_get(t, &key, made);
}

static void test_make_and_find(void **state)
{
	(void)state;
	struct table *t = table_new(4, sizeof(struct entry), 100, NULL, NULL);
	bool made;
	uint32_t key = 5;
	assert_null(table_find(t, &key));
	assert_null(table_oldest(t));
	assert_null(table_next(t, NULL));
	struct entry *e = get(t, 5, &made);
	assert_true(made);
	assert_int_equal(e->key, 5);
	assert_int_equal(e->zero, 0);
	assert_true(e->value == 0);
	e->value = 99;
	assert_ptr_equal(get(t, 5, &made), e);
	assert_false(made);
	assert_ptr_equal(table_find(t, &key), e);
	table_remove(t, e);
	assert_null(table_find(t, &key));
	assert_int_equal(table_count(t), 0);
	/* the slot comes back, and comes back zeroed */
	e = get(t, 6, &made);
	assert_true(e->value == 0);
	table_free(t);
	table_free(NULL);
}

static void test_eviction_order(void **state)
{
	(void)state;
	struct evictions ev = {0};
	struct table *t = table_new(4, sizeof(struct entry), 3, note, &ev);
	bool made;
	struct entry *one = get(t, 1, &made);
	get(t, 2, &made);
	get(t, 3, &made);
	table_touch(t, one);
	get(t, 4, &made);
	assert_int_equal(ev.n, 1);
	assert_int_equal(ev.last, 2);
	uint32_t three = 3;
	table_find(t, &three); /* no use */
	get(t, 5, &made);
	assert_int_equal(ev.last, 3);
	get(t, 1, &made); /* use */
	get(t, 6, &made);
	assert_int_equal(ev.last, 4);
	assert_int_equal(table_count(t), 3);
	assert_true(table_evicted(t) == 3);
	static const uint32_t order[] = {5, 1, 6};
	const struct entry *e = NULL;
	for (unsigned i = 0; i < 3; i++) {
		e = table_next(t, e);
		assert_int_equal(e->key, order[i]);
	}
	assert_null(table_next(t, e));
	table_free(t);
}

static void test_capacity_one(void **state)
{
	(void)state;
	struct evictions ev = {0};
	struct table *t = table_new(4, sizeof(struct entry), 1, note, &ev);
	bool made;
	for (uint32_t i = 0; i < 10; i++)
		assert_int_equal(get(t, i, &made)->key, i);
	assert_int_equal(ev.n, 9);
	assert_int_equal(table_count(t), 1);
	table_free(t);
}

/* Pointers stay good and keys are found while the table grows. */
static void test_growth(void **state)
{
	(void)state;
	enum { N = 20000 };
	struct table *t = table_new(4, sizeof(struct entry), N, NULL, NULL);
	static struct entry *at[N];
	bool made;
	for (uint32_t i = 0; i < N; i++) {
		at[i] = get(t, i * 7919, &made);
		at[i]->value = i;
	}
	assert_int_equal(table_count(t), N);
	for (uint32_t i = 0; i < N; i++) {
		uint32_t key = i * 7919;
		assert_ptr_equal(table_find(t, &key), at[i]);
		assert_true(at[i]->value == i);
	}
	assert_true(table_evicted(t) == 0);
	table_free(t);
}

/* Keys of any length differ by any of their bytes. */
static void test_key_sizes(void **state)
{
	(void)state;
	for (size_t size = 1; size <= 40; size++) {
		struct table *t = table_new(size, size, 1000, NULL, NULL);
		uint8_t key[40] = {0};
		bool made;
		assert_non_null(table_get(t, key, &made));
		for (size_t i = 0; i < size; i++) {
			key[i] = 1;
			assert_null(table_find(t, key));
			assert_non_null(table_get(t, key, &made));
			assert_true(made);
			key[i] = 0;
		}
		assert_int_equal(table_count(t), size + 1);
		table_free(t);
	}
}

/* ---- against a model so simple that it cannot be wrong: an array in order of use */
#define MODEL_MAX 64

struct model {
	uint32_t key[MODEL_MAX];
	uint64_t value[MODEL_MAX];
	unsigned n, capacity;
};

static int model_find(const struct model *m, uint32_t key)
{
	for (unsigned i = 0; i < m->n; i++)
		if (m->key[i] == key)
			return (int)i;
	return -1;
}

static void model_drop(struct model *m, unsigned i)
{
	memmove(m->key + i, m->key + i + 1, (m->n - i - 1) * sizeof *m->key);
	memmove(m->value + i, m->value + i + 1, (m->n - i - 1) * sizeof *m->value);
	m->n--;
}

static void model_use(struct model *m, uint32_t key, uint64_t value)
{
	int i = model_find(m, key);
	if (i >= 0)
		model_drop(m, (unsigned)i);
	else if (m->n == m->capacity)
		model_drop(m, 0);
	m->key[m->n] = key;
	m->value[m->n++] = value;
}

static void compare(const struct table *t, const struct model *m)
{
	assert_int_equal(table_count(t), m->n);
	const struct entry *e = NULL;
	for (unsigned i = 0; i < m->n; i++) {
		e = table_next(t, e);
		assert_non_null(e);
		assert_int_equal(e->key, m->key[i]);
		assert_true(e->value == m->value[i]);
	}
	assert_null(table_next(t, e));
}

static void one_step(struct table *t, struct model *m, uint32_t key, unsigned what,
                     uint64_t v)
{
	struct entry *e = table_find(t, &key);
	int i = model_find(m, key);
	assert_int_equal(e != NULL, i >= 0);
	bool made;
	if (what < 6) {
		e = table_get(t, &key, &made);
		assert_non_null(e);
		assert_int_equal(made, i < 0);
		e->value = v;
		model_use(m, key, v);
	} else if (what < 8 && e) {
		table_touch(t, e);
		model_use(m, key, m->value[i]);
	} else if (what == 8 && e) {
		table_remove(t, e);
		model_drop(m, (unsigned)i);
	} else if (what == 9 && m->n > 0) {
		table_remove(t, table_oldest(t));
		model_drop(m, 0);
	}
}

static void test_against_model(void **state)
{
	(void)state;
	uint64_t x = 1;
	for (unsigned capacity = 1; capacity <= MODEL_MAX; capacity += 9) {
		struct table *t =
		        table_new(4, sizeof(struct entry), capacity, NULL, NULL);
		struct model m = {.capacity = capacity};
		for (unsigned step = 0; step < 20000; step++) {
			x = x * UINT64_C(6364136223846793005) + 1442695040888963407u;
			uint32_t key = (uint32_t)(x >> 40) % (capacity * 2);
			one_step(t, &m, key, (unsigned)(x >> 33) % 10, x);
			compare(t, &m);
		}
		table_free(t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_make_and_find),
	        cmocka_unit_test(test_eviction_order),
	        cmocka_unit_test(test_capacity_one),
	        cmocka_unit_test(test_growth),
	        cmocka_unit_test(test_key_sizes),
	        cmocka_unit_test(test_against_model),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
