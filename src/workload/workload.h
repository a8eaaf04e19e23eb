/* What is done to files: a table of named phases a workload. */
#ifndef WORKLOAD_WORKLOAD_H
#define WORKLOAD_WORKLOAD_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/err.h"
#include "src/engine/engine.h"
#include "src/workload/data.h"
#include "src/workload/meter.h"

enum { WORKLOAD_PHASES = 64, WORKLOAD_STEPS = 32, PHASE_NAME = 32 };

/* Bonnie's per-character phases: by putc and getc through standard I/O, as Bonnie
 * has them, or by a call of the system a byte, as bonnie++ 2.00. */
enum per_char { PER_CHAR_STDIO, PER_CHAR_WRITE, PER_CHAR_BOTH, PER_CHAR_NONE };

/* When data are forced to be stored: at the end of a phase that wrote the one large
 * file, unless close does it; after every write to any file (bonnie++ -b); never.
 * Small files are closed and left to the file system, as cvs and bonnie++ do. */
enum fsync_when { FSYNC_END, FSYNC_EVERY, FSYNC_NEVER };

/* One command of the command workload. */
struct step {
	char name[PHASE_NAME];
	const char *command; /* for sh -c */
};

struct workload_options {
	uint64_t size;         /* bytes of the file, or of all files */
	uint64_t request_size; /* bytes a read or write */
	uint64_t seeks;
	uint64_t seed;
	unsigned seekers; /* 0 as 1 */
	enum per_char per_char;
	enum fsync_when fsync;
	/* file phases of bonnie: 0 files, no such phase */
	uint64_t files, file_max, file_min;
	unsigned dirs; /* 0: all in one folder */
	uint64_t tree_files;
	/* mixed */
	uint64_t mixed_files, mixed_operations;
	unsigned read_share; /* per cent */
	double rate;         /* operations a second, 0: as fast as it goes */
	/* command */
	struct step steps[WORKLOAD_STEPS];
	size_t nsteps;
	const char *prepare, *cleanup; /* NULL: none */
	const char *phases;            /* names parted by commas; NULL: all */
};

/* A workload at work: what every phase is given. */
struct work {
	const struct engine *engine;
	const struct workload_options *options;
	const volatile sig_atomic_t *stop; /* set: leave after this operation */
	const char *dir;                   /* exists, removed by the runner */
	const char *run_dir;               /* for logs; NULL: none */
	char path[4096];                   /* the file that an error is about */
	char step[PHASE_NAME];             /* the phase at work */
	unsigned pass;                     /* of that phase, from 0 */
	struct data data;
	struct meter meter;
	uint8_t *buf; /* request_size bytes */
	void *state;  /* of the workload's init */
	/* what bonnie's file holds, for verification */
	unsigned generation;
	bool dirty;
};

struct workload_phase {
	const char *name;
	/* 0, or -1 and e; calls meter_begin, meter_last_call and meter_end. */
	int (*run)(struct work *w, struct err *e);
	/* Reads the data back and compares, untimed; NULL: nothing to verify. */
	int (*verify)(struct work *w, struct err *e);
	bool reads_all; /* cold, all its bytes must come from the server */
	/* Before each pass, untimed, before the cache is made cold or warm: makes
	 * what the phase needs; NULL: nothing. */
	int (*prepare)(struct work *w, struct err *e);
	bool reads; /* a warm cache makes a difference */
	bool names; /* names and attributes count, not only data */
	/* NULL: always */
	bool (*enabled)(const struct workload_options *o);
};

struct workload {
	const char *name;
	const char *help;
	const struct workload_phase *phases;
	size_t nphases;
	/* Phases that depend on the options; instead of the table.  The number. */
	size_t (*list)(const struct workload_options *o,
	               struct workload_phase out[WORKLOAD_PHASES]);
	/* w->state, made and freed; may be NULL. */
	int (*init)(struct work *w, struct err *e);
	void (*fini)(struct work *w);
	/* Around a round of all phases; NULL: nothing.  Untimed. */
	int (*round_begin)(struct work *w, struct err *e);
	int (*round_end)(struct work *w, struct err *e);
	/* Reads what the phases read into the client's cache, counting into
	 * w->meter; NULL: nothing to warm. */
	int (*warm_up)(struct work *w, struct err *e);
	bool rounds;   /* phases build on each other: repeated as a whole list */
	bool one_file; /* phases without .names use the file "data" and no other */
	/* A phase that fails is recorded as failed, and the next one runs. */
	bool independent;
	unsigned needs; /* engine_caps */
};

extern const struct workload *const workload_table[]; /* ended by NULL */

/* The workload of this name, or NULL. */
const struct workload *workload_find(const char *name);

/* The phases that these options select, in order; the number. */
size_t workload_phases(const struct workload *workload,
                       const struct workload_options *o,
                       struct workload_phase out[WORKLOAD_PHASES]);

/* Prepares the shared parts; the engine must be started and dir exist. */
int work_init(struct work *w, const struct workload *workload,
              const struct engine *engine, const struct workload_options *o,
              const char *dir, struct err *e);
/* Frees what init made; files are removed by owned_remove. */
void work_fini(struct work *w, const struct workload *workload);

#define WORK_WHOLE_FILE UINT64_MAX

/* An engine's -errno as a sentence: what was done at which offset of which
 * file (WORK_WHOLE_FILE: at none), and the way out where there is one.  Returns
 * -1. */
int work_error(const struct work *w, struct err *e, int64_t result, const char *what,
               uint64_t offset);

/* Whether the user asked to stop; then e says so. */
bool work_stopped(const struct work *w, struct err *e);

/* Sets w->path to dir/name.  0, or -1 and e where that is too long. */
int work_path(struct work *w, struct err *e, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));

/* Ends a file that was open for a phase: fsync, where written and the options and
 * the engine ask for it, and close.  With e already set, only closes.  Counted
 * neither as an operation nor in meter.  0, or -1 and e. */
int work_close(struct work *w, int handle, bool written, struct err *e);

/* engine_write_full, and fsync where each write is to be stored. */
static inline ssize_t work_write(const struct work *w, int handle, const void *buf,
                                 size_t n)
{
	ssize_t r = engine_write_full(w->engine, handle, buf, n);
	if (r < 0 || w->options->fsync != FSYNC_EVERY)
		return r;
	int synced = w->engine->ops->fsync(w->engine->st, handle);
	return synced < 0 ? synced : r;
}

extern const struct workload workload_bonnie;
extern const struct workload workload_bulk;
extern const struct workload workload_command;
extern const struct workload workload_mixed;
extern const struct workload workload_tree;

#endif
