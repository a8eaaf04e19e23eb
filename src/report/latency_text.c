#include "src/report/latency_text.h"

#include <inttypes.h>

#include "src/base/grid.h"

static void add_us(struct grid *g, int64_t ns)
{
	grid_add(g, "%.1f", (double)ns / 1e3);
}

static void add_phase(struct grid *g, const struct run_phase *p)
{
	const struct run_latency *l = &p->latency;
	grid_add(g, "%s/%s", p->cache, p->name);
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

void latency_run_text(const struct run *r, FILE *out)
{
	static const char *const heads[] = {"Latency, us", "operation", "timed",
	                                    "of them",     "median",    "95 %",
	                                    "99 %",        "most"};
	struct grid g;
	bool any = false, some = false, paced = false;
	grid_init(&g, sizeof heads / sizeof *heads, 1u << 0 | 1u << 1);
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		grid_add(&g, "%s", heads[i]);
	for (size_t i = 0; i < r->nphases; i++) {
		const struct run_latency *l = &r->phases[i].latency;
		if (l->count == 0)
			continue;
		add_phase(&g, &r->phases[i]);
		any = true;
		some |= l->every > 1;
		paced |= l->intended;
	}
	if (any) {
		fputc('\n', out);
		grid_print(&g, out, 0);
		fprintf(out, "percentiles are right to 0.4 %%%s%s\n",
		        some ? "; where 1 in N is timed, most is the most of those"
		             : "",
		        paced ? "; from the intended start: an operation that had to "
		                "wait is late too"
		              : "");
	}
	grid_free(&g);
}
