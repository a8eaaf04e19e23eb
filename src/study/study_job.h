/* The job file of a study (doc/studies/README.md): an INI file that names a matrix.
 *
 *   [study]         name, question, repeats, order …, and settings for all cells
 *   [matrix NAME]   axis = value, value …: a product; several are united
 *   [AXIS VALUE]    what a value of link, server, client, fault, workload means */
#ifndef STUDY_STUDY_JOB_H
#define STUDY_STUDY_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/err.h"
#include "src/study/matrix.h"
#include "src/study/order.h"

/* What a section of an axis value, or [study], may set for its cells. */
enum setting {
	SET_HOST,   /* in the lab; outside of it a label */
	SET_VIA,    /* shell words before a client's command; {} is its host */
	SET_DIR,    /* folder to work in, instead of a volume */
	SET_VOLUME, /* [CELL:]VOLUME */
	SET_ENGINE,
	SET_WORKLOAD,
	SET_PROBE, /* interfaces */
	SET_PROBE_VIA,
	SET_PROBE_OPTIONS,
	SET_OPTIONS, /* words for cellbench run */
	SET_CLIENT_OPTIONS,
	SET_FILESERVER_OPTIONS,
	SET_VOLSERVER_OPTIONS,
	SET_LAB_OPTIONS, /* of lab up */
	SET_SETUP,       /* command before a run */
	SET_CLEANUP,     /* command after it, whatever happened */
	SET_COUNT
};

extern const char *const setting_names[SET_COUNT];

struct study_setting {
	int axis;          /* AXIS_…, or -1: of all cells */
	const char *value; /* of the axis; NULL with -1 */
	enum setting key;
	char *text; /* lines of a command parted by newlines, else by blanks */
	int line;
};

struct study_job {
	const char *path; /* as given; the caller's */
	char *text;       /* the file */
	char name[64];
	char published[64]; /* a published result to print beside it; "" */
	char *question;     /* NULL: none */
	uint64_t repeats, seed;
	enum order_kind order;
	bool calls;  /* count the calls of each phase in the captures */
	bool lab;    /* raise one; else hosts that are there */
	char *hosts; /* for mpirun, parted by blanks or commas; NULL: this machine */
	struct matrix matrix;
	struct study_setting *settings;
	size_t nsettings;
	char **strings; /* owned, what cells and settings point into */
	size_t nstrings;
};

/* Reads and checks a job file.  sets: n words KEY=VALUE that hold in the place of what
 * the file says: of an axis, in every matrix; or of [study].  0, or -1 and e, which
 * names file, line and key. Either way study_job_fini is due. */
int study_job_load(struct study_job *j, const char *path, char *const *sets, size_t n,
                   struct err *e);
void study_job_fini(struct study_job *j);

/* What is set for the cell: of one that takes one value the last axis' counts; NULL
 * where nothing is. */
const char *study_job_get(const struct study_job *j, const struct cell *c,
                          enum setting key);

/* All that is set for the cell, that of [study] first, joined by sep; to be freed.
 * "" where nothing is, NULL where memory is out. */
char *study_job_all(const struct study_job *j, const struct cell *c, enum setting key,
                    const char *sep);

#endif
