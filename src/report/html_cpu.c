/* CPU time: of the driver, of the whole machine and of the lab's file server. */
#include <math.h>
#include <stdlib.h>

#include "src/report/cpu_text.h"
#include "src/report/html_part.h"

static void seconds_cell(struct html_table *t, bool known, int64_t ns)
{
	if (known)
		html_cell_number(t, (double)ns / 1e9, 3);
	else
		html_cell(t, "–");
}

static void cost_cell(struct html_table *t, double seconds)
{
	char text[COST_TEXT];
	html_cell(t, "%s", isfinite(seconds) ? cpu_cost_text(text, seconds) : "–");
}

static void run_table(struct html_page *p, const struct run *r)
{
	static const char *const heads[] = {"Phase",
	                                    "User|s",
	                                    "System|s",
	                                    "Of one CPU|%",
	                                    "Machine busy|%",
	                                    "File server|s",
	                                    "Driver, a unit of work",
	                                    "Server, a unit of work",
	                                    "Unit"};
	struct html_table t;
	html_table_begin(&t, &p->h, NULL, heads, sizeof heads / sizeof *heads,
	                 1u << 0 | 1u << 8);
	for (size_t i = 0; i < r->nphases; i++) {
		const struct run_phase *ph = &r->phases[i];
		const struct run_cpu *c = &ph->cpu;
		enum figure_unit unit = measure_unit(ph);
		double machine = run_phase_machine(ph);
		html_cell(&t, "%s %s", ph->cache, ph->name);
		seconds_cell(&t, c->has_split, c->user_ns);
		seconds_cell(&t, c->has_split, c->system_ns);
		html_cell_number(&t, run_phase_cpu(ph), 1);
		if (isfinite(machine))
			html_cell_number(&t, 100 * machine, 1);
		else
			html_cell(&t, "–");
		seconds_cell(&t, c->has_server, c->server_ns);
		cost_cell(&t, cost_of(ph, unit, COST_DRIVER));
		cost_cell(&t, cost_of(ph, unit, COST_SERVER));
		html_cell(&t, "%s", cost_units_ms[unit]);
	}
	html_table_end(&t);
}

static void median_cells(struct html_table *t, const struct measure_values *v)
{
	char low[COST_TEXT], high[COST_TEXT];
	cost_cell(t, v->n > 0 ? v->median : NAN);
	if (v->n > 1)
		html_cell(t, "%s to %s", cpu_cost_text(low, v->middle.low),
		          cpu_cost_text(high, v->middle.high));
	else
		html_cell(t, "–");
}

static void configs_table(struct html_page *p)
{
	static const char *const heads[] = {
	        "Configuration", "Phase", "Unit of the CPU time", "Driver", "95 %",
	        "File server",   "95 %",  "Machine busy|%",       "Runs"};
	struct html_table t;
	html_table_begin(
	        &t, &p->h, "Medians; 95 %: interval of the median, where runs repeat",
	        heads, sizeof heads / sizeof *heads, 1u << 0 | 1u << 1 | 1u << 2);
	for (size_t i = 0; i < p->m.n; i++) {
		const struct measure *m = &p->m.list[i];
		const struct measure_values *busy = &m->cost[MEASURE_MACHINE];
		html_cell(&t, "%s", p->m.configs[m->config]);
		html_cell(&t, "%s %s", m->cache, m->phase);
		html_cell(&t, "%s", cost_units_ms[m->unit]);
		median_cells(&t, &m->cost[COST_DRIVER]);
		median_cells(&t, &m->cost[COST_SERVER]);
		if (busy->n > 0)
			html_cell_number(&t, 100 * busy->median, 1);
		else
			html_cell(&t, "–");
		html_cell(&t, "%zu", m->cost[COST_DRIVER].n);
	}
	html_table_end(&t);
}

void html_cpu(struct html_page *p)
{
	const struct run *first = p->r->runs[0].run;
	char machine[48];
	html_section(&p->h, "cpu", "CPU time");
	if (p->r->nruns == 1)
		run_table(p, first);
	else
		configs_table(p);
	html_raw(&p->h,
	         "<p class=\"note\">The driver’s time is that of its process and "
	         "the commands it started, user and system, all threads");
	html_raw(&p->h, first->client_cpu ? "; the client (cache manager) works in it. "
	                                  : ". ");
	html_say(&p->h, "Machine busy: the share of %s, whoever kept them busy",
	         cpu_machine_text(first, machine));
	html_raw(&p->h,
	         "; in the lab that is client, server and everything else together. "
	         "File server: its process in the lab meanwhile, whoever it worked "
	         "for; – where there is none, or several clients share it.</p>\n");
	html_section_end(&p->h);
}
