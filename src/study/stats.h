/* What repeated figures say: median, its interval, outliers, drift.
 *
 * The interval is that of a smoothed bootstrap with a fixed seed: the figures' logarithms
 * are drawn with replacement, each moved by a bell-shaped deviate of about the sample's
 * standard error, and the middle 95 % of the medians so found are taken.  Without the
 * smoothing, intervals of few figures cover too seldom (88 % with seven); with it
 * they cover 93 to 96 % from STATS_FEW figures on (the unit test counts). */
#ifndef STUDY_STATS_H
#define STUDY_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STATS_LEVEL 0.95

/* With fewer figures an interval covers less than its level. */
enum { STATS_FEW = 5 };

struct interval {
	double low, high;
};

/* The quantile q of 0..1 of n >= 1 values that are sorted, interpolated between
 * neighbours (Hyndman and Fan's type 7). */
double stats_quantile(const double *sorted, size_t n, double q);

/* The median of n >= 1 values in any order.  NAN where memory is out. */
double stats_median(const double *values, size_t n);

/* The interval of the median of n >= 1 values; of one value it is that value.
 * 0, or -1 where memory is out. */
int stats_interval(const double *values, size_t n, struct interval *out);

/* The interval of median(b) / median(a), all values > 0.  0, or -1. */
int stats_ratio_interval(const double *a, size_t na, const double *b, size_t nb,
                         struct interval *out);

/* Marks the values that lie farther from the median than 3.5 times the median
 * deviation, scaled as a standard deviation (Iglewicz and Hoaglin 1993), and by 1 %
 * at least.  With fewer than STATS_FEW nothing is marked.  The number marked. */
size_t stats_outliers(const double *values, size_t n, bool *is_outlier);

/* A trend of the values over their order. */
struct drift {
	double slope; /* of the median, a step (Theil and Sen) */
	double p;     /* of a trend as marked as this by chance (Kendall, exact) */
	bool shown;   /* p below 0.02: five figures must all rise, or all fall */
};

struct drift stats_drift(const double *values, size_t n);

#endif
