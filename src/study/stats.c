#include "src/study/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/rng.h"

enum { RESAMPLES = 1000, DRIFT_MAX = 200, SHORT = 48 };

#define SEED UINT64_C(19950601)
#define DRIFT_P 0.02
#define NORMAL_PER_MAD 1.4826 /* of a normal sample: its deviation per median one */

static int ascending(const void *x, const void *y)
{
	const double *a = x, *b = y;
	return (*a > *b) - (*a < *b);
}

/* Resamples are short and sorted a thousand times an interval. */
static void sort(double *v, size_t n)
{
	if (n > SHORT) {
		qsort(v, n, sizeof *v, ascending);
		return;
	}
	for (size_t i = 1; i < n; i++) {
		double x = v[i];
		size_t j = i;
		for (; j > 0 && v[j - 1] > x; j--)
			v[j] = v[j - 1];
		v[j] = x;
	}
}

double stats_quantile(const double *sorted, size_t n, double q)
{
	double at = q * (double)(n - 1);
	size_t below = (size_t)at;
	if (below + 1 >= n)
		return sorted[n - 1];
	double part = at - (double)below;
	return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

double stats_median(const double *values, size_t n)
{
	double *sorted = malloc(n * sizeof *sorted);
	if (!sorted)
		return NAN;
	memcpy(sorted, values, n * sizeof *sorted);
	sort(sorted, n);
	double median = stats_quantile(sorted, n, 0.5);
	free(sorted);
	return median;
}

/* A bell-shaped deviate of mean 0 and variance 1: the sum of four uniform numbers,
 * which are the quarters of one random word. */
static double bell(struct rng *r)
{
	uint64_t x = rng_next(r);
	double sum = (double)(x & 0xffff) + (double)(x >> 16 & 0xffff) +
	             (double)(x >> 32 & 0xffff) + (double)(x >> 48);
	return (sum / 65535 - 2) * 1.7320508075688772; /* variance 4/12 */
}

/* What is drawn from: the values or, of values above zero, their logarithms.  Rates
 * and times scatter in parts of themselves; moved in parts they stay above zero. */
struct sample {
	double *values;
	size_t n;
	double smooth; /* how far a drawn value is moved */
	bool logs;
};

/* The standard error, and a little more where few values make that itself uncertain
 * (found by trying; the test holds it). */
static double smoothing(const double *values, size_t n)
{
	double mean = 0, sum = 0;
	for (size_t i = 0; i < n; i++)
		mean += values[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		sum += (values[i] - mean) * (values[i] - mean);
	if (n < 2)
		return 0;
	return sqrt(sum / (double)(n - 1) / (double)n * (1 + 4 / (double)n));
}

static int sample_init(struct sample *s, const double *values, size_t n)
{
	*s = (struct sample){
	        .values = malloc(n * sizeof *values), .n = n, .logs = true};
	if (!s->values)
		return -1;
	for (size_t i = 0; i < n; i++)
		s->logs &= values[i] > 0;
	for (size_t i = 0; i < n; i++)
		s->values[i] = s->logs ? log(values[i]) : values[i];
	s->smooth = smoothing(s->values, n);
	return 0;
}

/* The median of one smoothed resample; room holds n. */
static double resample(struct rng *r, const struct sample *s, double *room)
{
	for (size_t i = 0; i < s->n; i++) {
		room[i] = s->values[rng_below(r, s->n)];
		if (s->smooth > 0)
			room[i] += s->smooth * bell(r);
	}
	sort(room, s->n);
	double median = stats_quantile(room, s->n, 0.5);
	return s->logs ? exp(median) : median;
}

static struct interval middle(double *medians)
{
	sort(medians, RESAMPLES);
	double tail = (1 - STATS_LEVEL) / 2;
	return (struct interval){stats_quantile(medians, RESAMPLES, tail),
	                         stats_quantile(medians, RESAMPLES, 1 - tail)};
}

int stats_interval(const double *values, size_t n, struct interval *out)
{
	struct sample s;
	double *room = malloc((RESAMPLES + n) * sizeof *room);
	int result = room ? sample_init(&s, values, n) : -1;
	if (result == 0) {
		struct rng r = rng_init(SEED);
		for (size_t i = 0; i < RESAMPLES; i++)
			room[i] = resample(&r, &s, room + RESAMPLES);
		*out = middle(room);
		if (n == 1) /* log and back is not exact */
			*out = (struct interval){values[0], values[0]};
		free(s.values);
	}
	free(room);
	return result;
}

int stats_ratio_interval(const double *a, size_t na, const double *b, size_t nb,
                         struct interval *out)
{
	struct sample sa = {0}, sb = {0};
	size_t most = na > nb ? na : nb;
	double *room = malloc((RESAMPLES + most) * sizeof *room);
	bool ok = room && sample_init(&sa, a, na) == 0 && sample_init(&sb, b, nb) == 0;
	if (ok) {
		struct rng r = rng_init(SEED);
		for (size_t i = 0; i < RESAMPLES; i++) {
			double below = resample(&r, &sa, room + RESAMPLES);
			double above = resample(&r, &sb, room + RESAMPLES);
			room[i] = above / below;
		}
		*out = middle(room);
	}
	free(sa.values);
	free(sb.values);
	free(room);
	return ok ? 0 : -1;
}

size_t stats_outliers(const double *values, size_t n, bool *is_outlier)
{
	memset(is_outlier, 0, n * sizeof *is_outlier);
	double *away = n >= STATS_FEW ? malloc(n * sizeof *away) : NULL;
	if (!away)
		return 0;
	double median = stats_median(values, n);
	for (size_t i = 0; i < n; i++)
		away[i] = fabs(values[i] - median);
	double fence =
	        fmax(3.5 * NORMAL_PER_MAD * stats_median(away, n), 0.01 * fabs(median));
	size_t marked = 0;
	for (size_t i = 0; i < n; i++) {
		is_outlier[i] = away[i] > fence;
		marked += is_outlier[i];
	}
	free(away);
	return marked;
}

/* How likely |score| or more is among all orders of n different values: the number
 * of inversions of a random order is a sum of uniform numbers below 1, 2 … n. */
static double kendall_p(size_t n, long score)
{
	size_t most = n * (n - 1) / 2;
	double *share = calloc(2 * (most + 1), sizeof *share);
	if (!share)
		return 1;
	double *next = share + most + 1, p = 0;
	share[0] = 1;
	for (size_t k = 2; k <= n; k++) {
		double window = 0;
		for (size_t i = 0; i <= k * (k - 1) / 2; i++) {
			window += share[i];
			if (i >= k)
				window -= share[i - k];
			next[i] = window / (double)k;
		}
		memcpy(share, next, (most + 1) * sizeof *share);
	}
	for (size_t i = 0; i <= most; i++)
		if (labs((long)most - 2 * (long)i) >= labs(score))
			p += share[i];
	free(share);
	return p < 1 ? p : 1;
}

struct drift stats_drift(const double *values, size_t n)
{
	struct drift d = {.p = 1};
	if (n > DRIFT_MAX) { /* the latest tell as much */
		values += n - DRIFT_MAX;
		n = DRIFT_MAX;
	}
	size_t pairs = 0;
	double *slopes = n > 1 ? malloc(n * (n - 1) / 2 * sizeof *slopes) : NULL;
	if (!slopes)
		return d;
	long score = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++) {
			score += (values[j] > values[i]) - (values[j] < values[i]);
			slopes[pairs++] = (values[j] - values[i]) / (double)(j - i);
		}
	d.slope = stats_median(slopes, pairs);
	d.p = kendall_p(n, score);
	d.shown = d.p < DRIFT_P;
	free(slopes);
	return d;
}
