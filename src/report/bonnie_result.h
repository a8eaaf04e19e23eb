/* One row as Bonnie and bonnie++ print it, from a run or from any other result. */
#ifndef REPORT_BONNIE_RESULT_H
#define REPORT_BONNIE_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "src/run/run.h"
#include "src/study/source.h"

struct bonnie_cell {
	double rate;        /* KiB/s, or operations a second; NAN: not measured */
	double cpu;         /* per cent; NAN: not told */
	int64_t latency_ns; /* the greatest; 0: not told */
};

struct bonnie_result {
	char name[FIGURE_TEXT];
	char cache[8]; /* "" where not told */
	bool doubt;    /* a phase was not shown to be cold */
	bool bytes;    /* the first and fourth are a call a byte, not putc and getc */
	uint64_t size, request_size, seeks, seekers, seed; /* 0: not told */
	uint64_t files, file_max, file_min, dirs;
	struct bonnie_cell data[6], file[6];
};

/* The rows of a run, in order: one ends where the cache state changes or a phase
 * comes again.  NULL where memory is out; to be freed. */
struct bonnie_result *bonnie_results_of_run(const struct run *r, size_t *n);

/* The rows of a source: one for each part, setting, cache state and size, of medians;
 * figures of files stand in the first row of their part. */
struct bonnie_result *bonnie_results_of_source(const struct source *s, size_t *n);

#endif
