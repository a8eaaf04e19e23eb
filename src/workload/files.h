/* The file phases of bonnie++ (-n): many files created, looked at, deleted; in the
 * order of their names, then with names in random order. */
#ifndef WORKLOAD_FILES_H
#define WORKLOAD_FILES_H

#include "src/workload/workload.h"

bool files_enabled(const struct workload_options *o);
int files_seq_empty(struct work *w, struct err *e);
int files_seq_made(struct work *w, struct err *e);
int files_random_empty(struct work *w, struct err *e);
int files_random_made(struct work *w, struct err *e);
int files_create(struct work *w, struct err *e);
int files_stat_listed(struct work *w, struct err *e);
int files_stat_shuffled(struct work *w, struct err *e);
int files_delete(struct work *w, struct err *e);
int files_delete_shuffled(struct work *w, struct err *e);

/* Whether the phase at work is one of these. */
bool files_at_work(const struct work *w);
int files_warm_up(struct work *w, struct err *e);
void files_fini(struct work *w);

/* Rows of a table of phases. */
/* clang-format off */
#define FILES_PHASES \
	{.name = "seq-create", .run = files_create, .prepare = files_seq_empty, \
	 .enabled = files_enabled}, \
	{.name = "seq-stat", .run = files_stat_listed, .prepare = files_seq_made, \
	 .reads = true, .names = true, .enabled = files_enabled}, \
	{.name = "seq-delete", .run = files_delete, .prepare = files_seq_made, \
	 .names = true, \
	 .enabled = files_enabled}, \
	{.name = "random-create", .run = files_create, .prepare = files_random_empty, \
	 .enabled = files_enabled}, \
	{.name = "random-stat", .run = files_stat_shuffled, \
	 .prepare = files_random_made, .reads = true, .names = true, .enabled = files_enabled}, \
	{.name = "random-delete", .run = files_delete_shuffled, \
	 .prepare = files_random_made, .names = true, .enabled = files_enabled}
/* clang-format on */

#endif
