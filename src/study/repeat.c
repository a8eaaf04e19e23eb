#include "src/study/repeat.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/run/json_text.h"
#include "src/run/run.h"
#include "src/study/series.h"

bool repeat_asked(const struct run_repeat *o)
{
	return o->times > 1 || o->width > 0 || o->warmup > 0;
}

/* Runs that count before anything is judged. */
static uint64_t least(const struct run_repeat *o)
{
	if (o->times)
		return o->times;
	return o->width > 0 ? STATS_FEW : 1;
}

static uint64_t most(const struct run_repeat *o)
{
	if (o->width <= 0)
		return least(o);
	uint64_t max = o->max ? o->max : REPEAT_MAX;
	return max > least(o) ? max : least(o);
}

static void judge(struct repeat *r)
{
	const struct run_repeat *o = r->options;
	uint64_t counted = r->n > o->warmup ? r->n - o->warmup : 0;
	r->width = series_width(r->summary, r->whose, sizeof r->whose);
	if (o->width > 0 && counted >= least(o) && r->width <= o->width)
		r->why = "the intervals are as narrow as asked";
	else if (counted >= most(o))
		r->why = o->width > 0 ? "the limit of repeats is reached"
		                      : "repeated as often as asked";
	r->done = r->why != NULL;
}

static int save(const struct repeat *r, struct err *e)
{
	struct run at = {0};
	if (r->why)
		json_object_set_new(r->summary, "ended", json_string(r->why));
	if (isfinite(r->width))
		json_object_set_new(r->summary, "widest_interval", json_real(r->width));
	char *text = json_text(r->summary);
	memcpy(at.dir, r->dir, sizeof at.dir);
	int result = text ? run_write_file(&at, "summary.json", text, strlen(text), e)
	                  : err_set(e, ERR_ENVIRONMENT, "out of memory");
	free(text);
	return result;
}

static int take(struct repeat *r, const char *dir, struct err *e)
{
	char path[4200];
	json_error_t why;
	snprintf(path, sizeof path, "%s/run.json", dir);
	json_t *o = json_load_file(path, 0, &why);
	json_t **more = realloc(r->runs, (r->n + 1) * sizeof *more);
	if (more)
		r->runs = more;
	if (!o || !more) {
		json_decref(o);
		return err_set(e, ERR_ENVIRONMENT, "%s cannot be read: %s", path,
		               o ? "out of memory" : why.text);
	}
	r->runs[r->n++] = o;
	json_decref(r->summary);
	r->summary = series_make(r->runs, r->n, r->options->warmup);
	if (!r->summary)
		return err_set(e, ERR_ENVIRONMENT, "out of memory");
	judge(r);
	return save(r, e);
}

static int run_one(struct repeat *all, size_t i, const struct repeat_calls *calls,
                   struct err *e)
{
	struct repeat *r = &all[i];
	char dir[4150];
	snprintf(dir, sizeof dir, "%s/rep-%02zu", r->dir, r->n + 1);
	int code = calls->run(calls->ctx, i, dir);
	if (code == ERR_USAGE || code == ERR_ENVIRONMENT)
		return err_set(e, (enum err_code)code, "%s failed: see above", dir);
	if (take(r, dir, e) < 0)
		return -1;
	calls->told(calls->ctx, i, r);
	return 0;
}

/* One round in its order; a sequential one brings each configuration to its end. */
static int round_of(struct repeat *r, size_t n, const size_t *order, bool to_end,
                    const struct repeat_calls *calls, const volatile sig_atomic_t *stop,
                    struct err *e)
{
	for (size_t k = 0; k < n; k++) {
		struct repeat *at = &r[order[k]];
		while (!at->done) {
			if (stop && *stop)
				return err_set(e, ERR_PARTIAL,
				               "interrupted by signal %d", (int)*stop);
			if (run_one(r, order[k], calls, e) < 0)
				return -1;
			if (!to_end)
				break;
		}
	}
	return 0;
}

static bool all_done(const struct repeat *r, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!r[i].done)
			return false;
	return true;
}

int repeat_all(struct repeat *r, size_t n, enum order_kind order, uint64_t seed,
               const struct repeat_calls *calls, const volatile sig_atomic_t *stop,
               struct err *e)
{
	size_t *at = calloc(n + 1, sizeof *at);
	int result = at ? 0 : err_set(e, ERR_ENVIRONMENT, "out of memory");
	for (size_t round = 0; result == 0 && !all_done(r, n); round++) {
		order_round(order, seed, round, n, at);
		result = round_of(r, n, at, order == ORDER_SEQUENTIAL, calls, stop, e);
	}
	free(at);
	return result;
}

void repeat_fini(struct repeat *r)
{
	for (size_t i = 0; i < r->n; i++)
		json_decref(r->runs[i]);
	free(r->runs);
	json_decref(r->summary);
	*r = (struct repeat){0};
}
