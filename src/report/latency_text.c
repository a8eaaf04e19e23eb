#include "src/report/latency_text.h"

#include <inttypes.h>

#include "src/base/grid.h"
#include "src/run/latency.h"

static void add_us(struct grid *g, int64_t ns)
{
	grid_add(g, "%.1f", (double)ns / 1e3);
}

/* A table in the making, and what has to be said of it. */
struct table_of {
	struct grid g;
	bool any, some, paced;
};

static void begin(struct table_of *t, const char *const *heads, size_t n)
{
	*t = (struct table_of){0};
	grid_init(&t->g, n, 1u << 0 | 1u << 1);
	for (size_t i = 0; i < n; i++)
		grid_add(&t->g, "%s", heads[i]);
}

static void end(struct table_of *t, const char *more, FILE *out)
{
	if (t->any) {
		fputc('\n', out);
		grid_print(&t->g, out, 0);
		fprintf(out, "percentiles are right to 0.4 %%%s%s%s\n",
		        t->some ? "; where 1 in N is timed, most is the most of those"
		                : "",
		        t->paced
		                ? "; from the intended start: an operation that had to "
		                  "wait is late too"
		                : "",
		        more);
	}
	grid_free(&t->g);
}

static void note(struct table_of *t, const struct run_latency *l)
{
	t->any = true;
	t->some |= l->every > 1;
	t->paced |= l->intended;
}

static void add_row(struct table_of *t, const char *cache, const char *phase,
                    const struct run_latency *l)
{
	struct grid *g = &t->g;
	if (l->count == 0)
		return;
	note(t, l);
	grid_add(g, "%s/%s", cache, phase);
	grid_add(g, "%s%s", l->of, l->intended ? ", from intended start" : "");
	grid_add(g, "%" PRIu64, (uint64_t)l->count);
	if (l->every > 1)
		grid_add(g, "1 in %" PRIu64, (uint64_t)l->every);
	else
		grid_add(g, "each");
	add_us(g, l->p50_ns);
	add_us(g, l->p95_ns);
	add_us(g, l->p99_ns);
	add_us(g, l->max_ns);
}

static const char *const heads[] = {"Latency, us", "operation", "timed", "of them",
                                    "median",      "95 %",      "99 %",  "most"};

enum { HEADS = sizeof heads / sizeof *heads };

void latency_run_text(const struct run *r, FILE *out)
{
	struct table_of t;
	begin(&t, heads, HEADS);
	for (size_t i = 0; i < r->nphases; i++)
		add_row(&t, r->phases[i].cache, r->phases[i].name,
		        &r->phases[i].latency);
	end(&t, "", out);
}

void latency_series_text(const json_t *summary, FILE *out)
{
	struct table_of t;
	size_t i;
	const json_t *p;
	begin(&t, heads, HEADS);
	json_array_foreach(json_object_get(summary, "phases"), i, p)
	{
		const char *cache = json_string_value(json_object_get(p, "cache"));
		const char *name = json_string_value(json_object_get(p, "name"));
		struct run_latency l =
		        run_latency_from_json(json_object_get(p, "latency"));
		add_row(&t, cache ? cache : "", name ? name : "", &l);
		hist_free(&l.hist);
	}
	end(&t, "; of all counted runs together", out);
}

static void add_both(struct table_of *t, const struct compare_row *r)
{
	const struct run_latency *a = &r->a->latency, *b = &r->b->latency;
	const int64_t pairs[][2] = {{a->p50_ns, b->p50_ns},
	                            {a->p95_ns, b->p95_ns},
	                            {a->p99_ns, b->p99_ns},
	                            {a->max_ns, b->max_ns}};
	const char *cache = r->a->cache[0] ? r->a->cache : r->b->cache;
	if (a->count == 0 || b->count == 0)
		return;
	note(t, a);
	note(t, b);
	grid_add(&t->g, "%s%s%s", cache, cache[0] ? "/" : "", r->a->phase);
	grid_add(&t->g, "%s%s", a->of,
	         a->intended != b->intended ? ", from different starts" : "");
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		add_us(&t->g, pairs[i][0]);
		add_us(&t->g, pairs[i][1]);
	}
}

void latency_compare_text(const struct comparison *c, FILE *out)
{
	static const char *const both[] = {
	        "Latency, us", "operation", "A median", "B median", "A 95 %",
	        "B 95 %",      "A 99 %",    "B 99 %",   "A most",   "B most"};
	struct table_of t;
	begin(&t, both, sizeof both / sizeof *both);
	for (size_t i = 0; i < c->n; i++)
		add_both(&t, &c->rows[i]);
	end(&t, "; of all runs of a side together", out);
}
