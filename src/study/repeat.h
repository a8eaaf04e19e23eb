/* Repeats runs of one or several configurations until enough is known. */
#ifndef STUDY_REPEAT_H
#define STUDY_REPEAT_H

#include <jansson.h>
#include <signal.h>

#include "src/base/err.h"
#include "src/run/config.h"
#include "src/study/order.h"

enum { REPEAT_MAX = 30 };

/* The repeated runs of one configuration: DIR/rep-01, rep-02 … and DIR/summary.json,
 * which is rewritten after each run. */
struct repeat {
	const struct run_repeat *options;
	char dir[4096];
	json_t **runs; /* the content of each run.json; owned */
	size_t n;
	json_t *summary; /* NULL before the first run */
	bool done;
	const char *why; /* it is done: "repeated as asked" */
	double width;    /* the widest interval, a share of its median */
	char whose[64];  /* of which phase */
};

/* What the loop asks of its caller. */
struct repeat_calls {
	/* Carries out configuration i in the folder dir, which is not there yet.  The
	 * exit code of the run. */
	int (*run)(void *ctx, size_t i, const char *dir);
	/* Tells what is known after a run. */
	void (*told)(void *ctx, size_t i, const struct repeat *r);
	void *ctx;
};

/* Runs n configurations in this order until each is done: it has run as often as
 * asked, its intervals are narrow enough, or the limit is reached.  A run that fails
 * for its environment ends everything, one that is partial is kept.  0, or -1 and
 * e; what was run is in r, and repeat_fini is due.  *stop: end after this run. */
int repeat_all(struct repeat *r, size_t n, enum order_kind order, uint64_t seed,
               const struct repeat_calls *calls, const volatile sig_atomic_t *stop,
               struct err *e);
void repeat_fini(struct repeat *r);

/* Whether these options ask for more than one run. */
bool repeat_asked(const struct run_repeat *o);

#endif
