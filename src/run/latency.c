#include "src/run/latency.h"

#include <stdio.h>
#include <string.h>

void run_latency_sum_up(struct run_latency *l)
{
	const struct hist *h = &l->hist;
	if (h->count == 0)
		return;
	l->min_ns = h->min_ns;
	l->p50_ns = hist_percentile(h, 0.50);
	l->p95_ns = hist_percentile(h, 0.95);
	l->p99_ns = hist_percentile(h, 0.99);
	l->max_ns = h->max_ns;
	l->mean_ns = hist_mean(h);
}

bool run_latency_merge(struct run_latency *l, const struct run_latency *from)
{
	if (from->count == 0)
		return true;
	if (l->count == 0 && from->hist.count == 0) { /* nothing to be joined */
		*l = *from;
		return true;
	}
	if (from->hist.count == 0 ||
	    (l->count > 0 && (l->hist.count == 0 || l->intended != from->intended)))
		return false;
	hist_merge(&l->hist, &from->hist);
	if (!l->of[0])
		memcpy(l->of, from->of, sizeof l->of);
	l->intended = from->intended;
	l->count += from->count;
	if (from->every > l->every)
		l->every = from->every;
	if (from->late_ns > l->late_ns)
		l->late_ns = from->late_ns;
	run_latency_sum_up(l);
	return true;
}

static json_t *histogram_json(const struct hist *h)
{
	json_t *list = json_array();
	int64_t lowest;
	uint64_t count;
	for (size_t at = 0; hist_next(h, &at, &lowest, &count);)
		json_array_append_new(list, json_pack("[I, I]", (json_int_t)lowest,
		                                      (json_int_t)count));
	return list;
}

json_t *run_latency_json(const struct run_latency *l)
{
	if (!l->of[0])
		return json_null();
	json_t *o = json_pack("{s:s, s:I, s:i, s:s, s:I, s:f, s:I, s:I, s:I, s:I, s:I}",
	                      "of", l->of, "count", (json_int_t)l->count, "every",
	                      (int)l->every, "from",
	                      l->intended ? "intended start" : "start", "min_ns",
	                      (json_int_t)l->min_ns, "mean_ns", l->mean_ns, "p50_ns",
	                      (json_int_t)l->p50_ns, "p95_ns", (json_int_t)l->p95_ns,
	                      "p99_ns", (json_int_t)l->p99_ns, "max_ns",
	                      (json_int_t)l->max_ns, "late_ns", (json_int_t)l->late_ns);
	if (o && l->hist.count > 0)
		json_object_set_new(o, "histogram", histogram_json(&l->hist));
	return o;
}

static int64_t integer(const json_t *o, const char *key)
{
	return json_integer_value(json_object_get(o, key));
}

/* Pairs that cannot be are left out. */
static void histogram_from_json(struct hist *h, const json_t *list)
{
	size_t i;
	const json_t *pair;
	json_array_foreach(list, i, pair)
	{
		json_int_t lowest = json_integer_value(json_array_get(pair, 0));
		json_int_t count = json_integer_value(json_array_get(pair, 1));
		if (lowest >= 0 && count > 0)
			hist_record_times(h, lowest, (uint64_t)count);
	}
}

struct run_latency run_latency_from_json(const json_t *o)
{
	struct run_latency l = {
	        .count = (uint64_t)integer(o, "count"),
	        .every = (unsigned)integer(o, "every"),
	        .min_ns = integer(o, "min_ns"),
	        .p50_ns = integer(o, "p50_ns"),
	        .p95_ns = integer(o, "p95_ns"),
	        .p99_ns = integer(o, "p99_ns"),
	        .max_ns = integer(o, "max_ns"),
	        .mean_ns = json_number_value(json_object_get(o, "mean_ns")),
	        .late_ns = integer(o, "late_ns"),
	};
	const char *from = json_string_value(json_object_get(o, "from"));
	const char *of = json_string_value(json_object_get(o, "of"));
	l.intended = from && strcmp(from, "intended start") == 0;
	snprintf(l.of, sizeof l.of, "%s", of ? of : "");
	histogram_from_json(&l.hist, json_object_get(o, "histogram"));
	hist_set_exact(&l.hist, l.min_ns, l.max_ns, l.mean_ns);
	return l;
}

bool run_latency_add_json(struct run_latency *l, const json_t *from)
{
	struct run_latency more = run_latency_from_json(from);
	bool known = run_latency_merge(l, &more);
	hist_free(&more.hist);
	return known;
}
