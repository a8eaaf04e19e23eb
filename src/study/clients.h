/* One workload on n clients at once: one rank a client, a barrier before each
 * phase, the results gathered on rank 0 as clients.json. */
#ifndef STUDY_CLIENTS_H
#define STUDY_CLIENTS_H

#include <jansson.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/err.h"
#include "src/run/probe_link.h"
#include "src/run/run.h"
#include "src/study/clients_comm.h"

#define CLIENTS_SCHEMA "cellbench-clients/1"

struct clients_config {
	const char *out;   /* folder: clients.json, rank0/, rank1/ … */
	const char *hosts; /* rank r is the client on the r-th of them, parted by
	                      commas; NULL: the machine that the rank runs on */
	const char *via;   /* shell words before a client's command, {} is its host */
	struct probe_config probe; /* of rank 0, for all; interfaces NULL: none */
	long server_pid; /* whose CPU time is counted, on rank 0's machine; 0: none */
	char *const *words; /* of cellbench run, ended by NULL */
};

/* Carries out this rank's part.  Rank 0 returns when all others have ended or are
 * given up: 0, or -1 and e (ERR_PARTIAL: a rank died or is less than whole, the
 * others' results are in clients.json).  *whole: no rank fell silent, so MPI can
 * end in order. */
int clients_run(const struct clients_config *c, const struct comm *comm,
                const volatile sig_atomic_t *stop, bool *whole, struct err *e);

/* Jain's index of fairness of n >= 1 rates (Jain, Chiu, Hawe 1984): 1 where all are
 * equal, 1/n where one has everything; 0 where all are 0. */
double clients_jain(const double *rates, size_t n);

/* The n-th (from 0) word of a list parted by commas or blanks, into word; false
 * where there are fewer. */
bool clients_host(const char *list, int n, char *word, size_t size);

/* What the ranks have in common in each phase.  ranks: array of the ranks' records
 * ({"rank","host","status","phases"}); marks: array of {"name","id","begin_ns",
 * "end_ns","server_cpu_ns","machine_busy_ns","machine_time_ns"}, the last three where
 * known.  A new reference, or NULL. */
json_t *clients_phases(const json_t *ranks, const json_t *marks);

/* Makes of one rank's run, r, the run of all ranks in record (clients.json): work, CPU
 * time and time of each phase are those of all together, so its rates are the totals.
 * What stays one client's, the latencies, says so. */
void clients_join(struct run *r, const json_t *record);

/* The record of a rank from its run directory; NULL where there is none. */
json_t *clients_record(const char *dir);

#endif
