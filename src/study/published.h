/* Results that were published, by name: figures only, with their source. */
#ifndef STUDY_PUBLISHED_H
#define STUDY_PUBLISHED_H

#include "src/study/source.h"

/* One phase under one condition. */
struct published_figure {
	const char *part, *setting, *cache; /* "" where there is none */
	unsigned mib;                       /* size of the file; 0: not told */
	const char *phase;
	double value; /* in the unit of the phase; 0: no figure */
	double cpu;   /* per cent; < 0: not told */
	bool failed;
};

/* What was told of how the figures came about. */
struct published_fact {
	const char *name, *text;
};

struct published {
	const char *name;  /* "atm-1995" */
	const char *title; /* one line */
	const char *where; /* where and when it was published */
	const struct published_fact *facts;
	size_t nfacts;
	const struct published_figure *figures;
	size_t nfigures;
};

extern const struct published *const published_table[]; /* ended by NULL */

/* Fills s.  0, or -1 and e. */
int published_open(struct source *s, const char *name, struct err *e);

extern const struct published published_atm_1995;
extern const struct published published_inode_2002, published_namei_2002;
extern const struct published published_cvs_2000;

#endif
