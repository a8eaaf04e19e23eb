/* Compares one result with another that is the baseline, phase by phase. */
#ifndef STUDY_COMPARE_H
#define STUDY_COMPARE_H

#include "src/study/source.h"
#include "src/study/stats.h"

/* One side: a source, or one part of it. */
struct side {
	const struct source *source;
	const char *part; /* NULL: all of it */
	char name[320];   /* as printed: "published:cvs-2000#afs" */
};

enum verdict {
	VERDICT_NONE, /* no difference shown */
	VERDICT_FASTER,
	VERDICT_SLOWER,
	VERDICT_FAILED,  /* a side's step failed */
	VERDICT_MISSING, /* a side has no figure */
	VERDICT_COUNT
};

extern const char *const verdict_names[VERDICT_COUNT];

/* What the work cost on both sides. */
struct compare_cost {
	double median_a, median_b; /* seconds a unit of work; NAN where not known */
	double ratio;              /* b / a: below 1, b needs less; NAN */
	bool has_interval;
	struct interval interval; /* of the ratio */
};

struct compare_row {
	const struct figure *a, *b; /* of the baseline, of the other */
	double median_a, median_b;  /* NAN where there is none */
	double ratio;               /* b / a as measured; NAN */
	double speed;               /* of b in parts of a's: for times, a / b; NAN */
	bool has_interval;          /* at least one side was measured repeatedly */
	struct interval interval;   /* of the ratio */
	enum verdict verdict;
	struct compare_cost cost[COST_COUNT];
};

struct comparison {
	struct side a, b;
	struct compare_row *rows;
	size_t n;
	json_t *differences; /* array of {"name", "a", "b"}: what was set otherwise */
	json_t *warnings;    /* array of sentences: what makes it unequal */
};

struct compare_options {
	/* Where no side was repeated, a smaller difference shows nothing. */
	double margin;
};

#define COMPARE_MARGIN 0.05

/* Compares b with the baseline a; both must outlive c.  0, or -1 and e; either way
 * comparison_fini is due. */
int compare(struct comparison *c, const struct side *a, const struct side *b,
            const struct compare_options *o, struct err *e);
void comparison_fini(struct comparison *c);

/* Means of the ratios of rows that belong together. */
struct compare_mean {
	enum phase_group group;
	const char *cache, *setting; /* of the rows; "" */
	size_t n;                    /* rows */
	bool times;                  /* the ratios are of times */
	double arithmetic, geometric;
	double speed_arithmetic, speed_geometric; /* as struct compare_row's speed */
};

/* The mean of row i's group, if i is the first row of a group of two or more. */
bool compare_mean(const struct comparison *c, size_t i, struct compare_mean *out);

/* Whether b is slower in row i by more than a share of a's speed, or failed where a
 * has a figure. */
bool compare_fails(const struct compare_row *row, double share);

#endif
