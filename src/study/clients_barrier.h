/* Rank 0's part: lets phases begin when every client that lives is there, marks
 * them for the probe, counts the server's CPU time, gathers the results. */
#ifndef STUDY_CLIENTS_BARRIER_H
#define STUDY_CLIENTS_BARRIER_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "src/study/clients.h"

struct barrier;

/* Says text to a rank, 0 too: "go", "done", "bye" or, where a rank fell silent, "bye
 * broken". */
typedef void barrier_say_fn(void *ctx, int to, const char *text);

/* Starts the probe, which writes into probe_dir.  0, or -1 and e. */
int barrier_new(struct barrier **out, const struct clients_config *c,
                const char *probe_dir, int ranks, barrier_say_fn *say, void *ctx,
                struct err *e);
void barrier_free(struct barrier *b); /* NULL is harmless */

/* A message of a rank: "begin ID TIME NAME", "end ID TIME", "finish", "alive",
 * "exit FAILED RECORD". */
void barrier_take(struct barrier *b, int from, const char *text);

/* Gives up ranks not heard of since `silent_ns` (CLOCK_MONOTONIC), and lets go who
 * waits if all are there. */
void barrier_step(struct barrier *b, int64_t silent_ns);

/* Whether all ranks have ended or are given up; they have then been told "bye". */
bool barrier_over(struct barrier *b);

/* clients.json; *whole: no rank fell silent.  e: the first that is wrong with a rank,
 * if any.  A new reference. */
json_t *barrier_record(struct barrier *b, bool *whole, struct err *e);

#endif
