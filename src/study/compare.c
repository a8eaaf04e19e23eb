#include "src/study/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/study/conditions.h"
#include "src/study/match.h"

const char *const verdict_names[VERDICT_COUNT] = {
        [VERDICT_NONE] = "no difference shown",
        [VERDICT_FASTER] = "faster",
        [VERDICT_SLOWER] = "slower",
        [VERDICT_FAILED] = "failed",
        [VERDICT_MISSING] = "no figure",
};

static double median_of(const struct figure *f)
{
	return f->n > 0 ? stats_median(f->values, f->n) : NAN;
}

static enum verdict judge(const struct compare_row *row,
                          const struct compare_options *o)
{
	if (row->a->failed || row->b->failed)
		return VERDICT_FAILED;
	if (isnan(row->ratio))
		return VERDICT_MISSING;
	bool above =
	        row->has_interval ? row->interval.low > 1 : row->ratio > 1 + o->margin;
	bool below =
	        row->has_interval ? row->interval.high < 1 : row->ratio < 1 - o->margin;
	if (!above && !below)
		return VERDICT_NONE;
	return above == (row->a->unit != UNIT_SECONDS) ? VERDICT_FASTER
	                                               : VERDICT_SLOWER;
}

static bool all_above_0(const struct figure_cost *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->values[i] <= 0)
			return false;
	return c->n > 0;
}

/* A server that had nothing to do costs 0, which is no ratio of anything. */
static int fill_cost(struct compare_cost *out, const struct figure_cost *a,
                     const struct figure_cost *b)
{
	*out = (struct compare_cost){
	        .median_a = a->n > 0 ? stats_median(a->values, a->n) : NAN,
	        .median_b = b->n > 0 ? stats_median(b->values, b->n) : NAN,
	        .ratio = NAN,
	};
	if (!all_above_0(a) || !all_above_0(b))
		return 0;
	out->ratio = out->median_b / out->median_a;
	out->has_interval = a->n + b->n > 2;
	if (out->has_interval &&
	    stats_ratio_interval(a->values, a->n, b->values, b->n, &out->interval) < 0)
		return -1;
	out->interval.low = fmax(out->interval.low, 0); /* time is not below 0 */
	return 0;
}

static int fill_row(struct compare_row *row, const struct match *m,
                    const struct compare_options *o)
{
	const struct figure *a = m->a, *b = m->b;
	*row = (struct compare_row){
	        .a = a, .b = b, .median_a = median_of(a), .median_b = median_of(b)};
	row->ratio = row->median_b / row->median_a;
	row->speed = a->unit == UNIT_SECONDS ? 1 / row->ratio : row->ratio;
	row->has_interval = a->n > 1 && b->n > 1; /* one figure tells no scatter */
	if (row->has_interval &&
	    stats_ratio_interval(a->values, a->n, b->values, b->n, &row->interval) < 0)
		return -1;
	for (int k = 0; k < COST_COUNT; k++)
		if (fill_cost(&row->cost[k], &a->cost[k], &b->cost[k]) < 0)
			return -1;
	row->verdict = judge(row, o);
	return 0;
}

int compare(struct comparison *c, const struct side *a, const struct side *b,
            const struct compare_options *o, struct err *e)
{
	*c = (struct comparison){.a = *a, .b = *b};
	size_t n;
	struct match *pairs = match_sides(a, b, &n);
	c->rows = calloc(n + 1, sizeof *c->rows);
	bool ok = pairs && c->rows;
	for (; ok && c->n < n; c->n++)
		ok = fill_row(&c->rows[c->n], &pairs[c->n], o) == 0;
	if (ok) {
		c->differences = conditions_differences(a->source, b->source);
		c->warnings = conditions_warnings(c, pairs, n);
	}
	free(pairs);
	if (!ok)
		return err_set(e, ERR_ENVIRONMENT, "out of memory");
	if (n == 0)
		return err_set(e, ERR_USAGE,
		               "%s and %s have no phase in common that could be "
		               "compared",
		               a->name, b->name);
	return 0;
}

void comparison_fini(struct comparison *c)
{
	free(c->rows);
	json_decref(c->differences);
	json_decref(c->warnings);
	*c = (struct comparison){0};
}

static bool together(const struct compare_row *x, const struct compare_row *y)
{
	return x->a->unit == y->a->unit &&
	       phase_group_of(x->a->phase, x->a->unit) ==
	               phase_group_of(y->a->phase, y->a->unit) &&
	       strcmp(x->a->cache, y->a->cache) == 0 &&
	       strcmp(x->b->cache, y->b->cache) == 0 &&
	       strcmp(x->a->setting, y->a->setting) == 0 && x->a->size == y->a->size;
}

bool compare_mean(const struct comparison *c, size_t i, struct compare_mean *out)
{
	const struct compare_row *row = &c->rows[i];
	double sum = 0, logs = 0;
	size_t n = 0;
	if (isnan(row->ratio))
		return false;
	for (size_t k = 0; k < c->n; k++) {
		const struct compare_row *other = &c->rows[k];
		if (isnan(other->ratio) || !together(row, other))
			continue;
		if (k < i)
			return false;
		sum += other->ratio;
		logs += log(other->ratio);
		n++;
	}
	*out = (struct compare_mean){
	        .group = phase_group_of(row->a->phase, row->a->unit),
	        .cache = row->a->cache[0] ? row->a->cache : row->b->cache,
	        .setting = row->a->setting,
	        .n = n,
	        .times = row->a->unit == UNIT_SECONDS,
	        .arithmetic = sum / (double)n,
	        .geometric = exp(logs / (double)n),
	};
	out->speed_arithmetic = out->times ? 1 / out->arithmetic : out->arithmetic;
	out->speed_geometric = out->times ? 1 / out->geometric : out->geometric;
	return n > 1;
}

bool compare_fails(const struct compare_row *row, double share)
{
	if (row->b->failed)
		return row->a->n > 0;
	return row->verdict == VERDICT_SLOWER && row->speed < 1 - share;
}
