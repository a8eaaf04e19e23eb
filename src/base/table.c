#include "src/base/table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
#define SLAB_ENTRIES 256u

/* What the table keeps in front of every entry. */
struct node {
	uint32_t hash;
	uint32_t index;        /* of this node */
	uint32_t chain;        /* next node of the same bucket, or of the free list */
	uint32_t older, newer; /* use order */
	uint32_t pad;
};

struct table {
	size_t key_size, entry_size, stride, capacity;
	uint32_t *bucket;
	uint32_t buckets; /* a power of two */
	char **slab;
	uint32_t slabs, used; /* used = nodes ever handed out */
	uint32_t free_list, oldest, newest;
	size_t count;
	uint64_t evicted;
	table_evict_fn *evict;
	void *ctx;
};

static struct node *node_at(const struct table *t, uint32_t i)
{
	void *p = t->slab[i / SLAB_ENTRIES] + (i % SLAB_ENTRIES) * t->stride;
	return p;
}

static void *entry_of(struct node *n)
{
	return n + 1;
}

static struct node *node_of(const void *entry)
{
	return (struct node *)(uintptr_t)entry - 1;
}

/* Mixes eight bytes at a time; the multiplier is 2^64 / golden ratio. */
static uint32_t hash_key(const void *key, size_t n)
{
	const uint8_t *p = key;
	uint64_t h = n;
	for (; n >= 8; n -= 8, p += 8) {
		uint64_t w;
		memcpy(&w, p, 8);
		h = (h ^ w) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 29;
	}
	uint64_t w = 0;
	memcpy(&w, p, n);
	h = (h ^ w) * UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(h >> 32);
}

/* Keys are short, so a call of memcmp costs more than the comparison. */
static inline bool key_equal(const void *a, const void *b, size_t n)
{
	const uint8_t *p = a, *q = b;
	for (; n >= 8; n -= 8, p += 8, q += 8) {
		uint64_t x, y;
		memcpy(&x, p, 8);
		memcpy(&y, q, 8);
		if (x != y)
			return false;
	}
	return n == 0 || memcmp(p, q, n) == 0;
}

struct table *table_new(size_t key_size, size_t entry_size, size_t capacity,
                        table_evict_fn *evict, void *ctx)
{
	assert(key_size <= entry_size && capacity >= 1 && capacity < NONE);
	struct table *t = calloc(1, sizeof *t);
	if (!t)
		return NULL;
	*t = (struct table){.key_size = key_size,
	                    .entry_size = entry_size,
	                    .stride =
	                            (sizeof(struct node) + entry_size + 7) & ~(size_t)7,
	                    .capacity = capacity,
	                    .buckets = 64,
	                    .free_list = NONE,
	                    .oldest = NONE,
	                    .newest = NONE,
	                    .evict = evict,
	                    .ctx = ctx};
	t->bucket = malloc(t->buckets * sizeof *t->bucket);
	if (!t->bucket) {
		free(t);
		return NULL;
	}
	memset(t->bucket, 0xff, t->buckets * sizeof *t->bucket);
	return t;
}

void table_free(struct table *t)
{
	if (!t)
		return;
	for (uint32_t i = 0; i < t->slabs; i++)
		free(t->slab[i]);
	free(t->slab);
	free(t->bucket);
	free(t);
}

static struct node *lookup(const struct table *t, const void *key, uint32_t hash)
{
	uint32_t i = t->bucket[hash & (t->buckets - 1)];
	while (i != NONE) {
		struct node *n = node_at(t, i);
		if (n->hash == hash && key_equal(entry_of(n), key, t->key_size))
			return n;
		i = n->chain;
	}
	return NULL;
}

void *table_find(const struct table *t, const void *key)
{
	struct node *n = lookup(t, key, hash_key(key, t->key_size));
	return n ? entry_of(n) : NULL;
}

static void unlink_use(struct table *t, struct node *n)
{
	if (n->older != NONE)
		node_at(t, n->older)->newer = n->newer;
	else
		t->oldest = n->newer;
	if (n->newer != NONE)
		node_at(t, n->newer)->older = n->older;
	else
		t->newest = n->older;
}

static void link_newest(struct table *t, struct node *n)
{
	n->older = t->newest;
	n->newer = NONE;
	if (t->newest != NONE)
		node_at(t, t->newest)->newer = n->index;
	else
		t->oldest = n->index;
	t->newest = n->index;
}

void table_touch(struct table *t, void *entry)
{
	struct node *n = node_of(entry);
	if (t->newest == n->index)
		return;
	unlink_use(t, n);
	link_newest(t, n);
}

void table_remove(struct table *t, void *entry)
{
	struct node *n = node_of(entry);
	uint32_t *link = &t->bucket[n->hash & (t->buckets - 1)];
	while (*link != n->index)
		link = &node_at(t, *link)->chain;
	*link = n->chain;
	unlink_use(t, n);
	n->chain = t->free_list;
	t->free_list = n->index;
	t->count--;
}

/* Doubles the buckets; on lack of memory the chains just grow longer. */
static void grow_buckets(struct table *t)
{
	uint32_t buckets = t->buckets * 2;
	uint32_t *bucket = malloc(buckets * sizeof *bucket);
	if (!bucket)
		return;
	memset(bucket, 0xff, buckets * sizeof *bucket);
	for (uint32_t i = t->oldest; i != NONE; i = node_at(t, i)->newer) {
		struct node *n = node_at(t, i);
		uint32_t *head = &bucket[n->hash & (buckets - 1)];
		n->chain = *head;
		*head = n->index;
	}
	free(t->bucket);
	t->bucket = bucket;
	t->buckets = buckets;
}

/* A node that is in use nowhere; NULL where memory is out. */
static struct node *fresh_node(struct table *t)
{
	if (t->free_list != NONE) {
		struct node *n = node_at(t, t->free_list);
		t->free_list = n->chain;
		return n;
	}
	if (t->used == t->slabs * SLAB_ENTRIES) {
		char **slab = realloc(t->slab, (t->slabs + 1) * sizeof *slab);
		if (!slab)
			return NULL;
		t->slab = slab;
		t->slab[t->slabs] = malloc(SLAB_ENTRIES * t->stride);
		if (!t->slab[t->slabs])
			return NULL;
		t->slabs++;
	}
	struct node *n = node_at(t, t->used);
	n->index = t->used++;
	return n;
}

void *table_get(struct table *t, const void *key, bool *made)
{
	uint32_t hash = hash_key(key, t->key_size);
	struct node *n = lookup(t, key, hash);
	*made = false;
	if (n) {
		table_touch(t, entry_of(n));
		return entry_of(n);
	}
	if (t->count >= t->capacity) {
		void *old = table_oldest(t);
		if (t->evict)
			t->evict(t->ctx, old);
		table_remove(t, old);
		t->evicted++;
	}
	if (t->count >= t->buckets)
		grow_buckets(t);
	n = fresh_node(t);
	if (!n)
		return NULL;
	n->hash = hash;
	uint32_t *head = &t->bucket[hash & (t->buckets - 1)];
	n->chain = *head;
	*head = n->index;
	link_newest(t, n);
	t->count++;
	memcpy(entry_of(n), key, t->key_size);
	memset((char *)entry_of(n) + t->key_size, 0, t->entry_size - t->key_size);
	*made = true;
	return entry_of(n);
}

void *table_oldest(const struct table *t)
{
	return t->oldest == NONE ? NULL : entry_of(node_at(t, t->oldest));
}

void *table_next(const struct table *t, const void *entry)
{
	if (!entry)
		return table_oldest(t);
	uint32_t i = node_of(entry)->newer;
	return i == NONE ? NULL : entry_of(node_at(t, i));
}

size_t table_count(const struct table *t)
{
	return t->count;
}

uint64_t table_evicted(const struct table *t)
{
	return t->evicted;
}
