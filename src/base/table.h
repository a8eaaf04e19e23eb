/* A bounded table of entries keyed by fixed-size bytes.
 *
 * Entries begin with their key.  They never move: a pointer stays good until
 * the entry is evicted or removed.  When the table is full the entry that was
 * used least recently leaves, and table.evicted counts it.  Memory grows with
 * the number of entries, never beyond the capacity. */
#ifndef BASE_TABLE_H
#define BASE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct table;

/* Called for an entry that is about to leave because the table is full.  It
 * may not call the table. */
typedef void table_evict_fn(void *ctx, void *entry);

/* key_size <= entry_size; capacity >= 1.  NULL where memory is out. */
struct table *table_new(size_t key_size, size_t entry_size, size_t capacity,
			table_evict_fn *evict, void *ctx);
void table_free(struct table *t); /* calls no evict; NULL is harmless */

/* The entry of this key, or NULL.  Does not count as use. */
void *table_find(const struct table *t, const void *key);

/* The entry of this key, made if need be (zeroed behind its key, *made set).
 * Counts as use.  NULL only where memory is out. */
void *table_get(struct table *t, const void *key, bool *made);

/* Marks the entry as used just now. */
void table_touch(struct table *t, void *entry);

void table_remove(struct table *t, void *entry);

/* The entry used least recently, or NULL; with it a caller expires by time. */
void *table_oldest(const struct table *t);

/* Walks all entries from the least to the most recently used: start with
 * NULL.  The entry just returned may be removed only after the next call. */
void *table_next(const struct table *t, const void *entry);

size_t table_count(const struct table *t);
uint64_t table_evicted(const struct table *t);

#endif
