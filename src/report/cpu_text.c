#include "src/report/cpu_text.h"

#include <math.h>
#include <string.h>

#include "src/base/grid.h"
#include "src/report/measure.h"
#include "src/study/cost.h"
#include "src/study/series.h"

const char *cpu_cost_text(char out[COST_TEXT], double seconds)
{
	double ms = 1e3 * seconds;
	if (!isfinite(ms))
		snprintf(out, COST_TEXT, "-");
	else
		snprintf(out, COST_TEXT, ms >= 1000 ? "%.0f" : "%.3g", ms);
	return out;
}

bool cpu_has_server(const struct run *r)
{
	for (size_t i = 0; i < r->nphases; i++)
		if (r->phases[i].cpu.has_server)
			return true;
	return false;
}

const char *cpu_machine_text(const struct run *r, char out[48])
{
	const json_t *host = json_object_get(r->facts, "host");
	long long cpus = json_integer_value(json_object_get(host, "cpus"));
	if (cpus > 1)
		snprintf(out, 48, "all %lld processors", cpus);
	else
		snprintf(out, 48, "the processors");
	return out;
}

/* Columns that a run without a server, or a record of an older program, lacks. */
struct columns {
	bool split, machine, server;
};

static struct columns columns_of(const struct run *r)
{
	struct columns c = {.server = cpu_has_server(r)};
	for (size_t i = 0; i < r->nphases; i++) {
		c.split |= r->phases[i].cpu.has_split;
		c.machine |= r->phases[i].cpu.has_machine;
	}
	return c;
}

static void add_seconds(struct grid *g, bool known, int64_t ns)
{
	if (known)
		grid_add(g, "%.3f", (double)ns / 1e9);
	else
		grid_add(g, "-");
}

static void add_phase(struct grid *g, const struct run_phase *p,
                      const struct columns *show)
{
	char text[COST_TEXT];
	enum figure_unit unit = measure_unit(p);
	double machine = run_phase_machine(p);
	grid_add(g, "%s/%s", p->cache, p->name);
	if (show->split) {
		add_seconds(g, p->cpu.has_split, p->cpu.user_ns);
		add_seconds(g, p->cpu.has_split, p->cpu.system_ns);
	} else {
		add_seconds(g, true, p->cpu_ns);
	}
	grid_add(g, "%.1f", run_phase_cpu(p));
	if (show->machine && isfinite(machine))
		grid_add(g, "%.1f", 100 * machine);
	else if (show->machine)
		grid_add(g, "-");
	if (show->server)
		add_seconds(g, p->cpu.has_server, p->cpu.server_ns);
	grid_add(g, "%s", cpu_cost_text(text, cost_of(p, unit, COST_DRIVER)));
	if (show->server)
		grid_add(g, "%s", cpu_cost_text(text, cost_of(p, unit, COST_SERVER)));
	grid_add(g, "%s", cost_units_ms[unit]);
}

static void print_notes(const struct run *r, const struct columns *show, FILE *out)
{
	char machine[48];
	fprintf(out,
	        "%s: of the driver process and its commands, all threads%s;\n"
	        "%% of a CPU: that of the phase's time, as %%CPU; driver: that for "
	        "each "
	        "unit of work\n",
	        show->split ? "user, system" : "driver s",
	        r->client_cpu ? "; the client (cache manager) works in it" : "");
	if (show->machine)
		fprintf(out, "machine %%: how busy %s were, whoever kept them so%s\n",
		        cpu_machine_text(r, machine),
		        show->server ? ": client, server and all else together" : "");
	if (show->server)
		fprintf(out, "server: of the lab's file server process meanwhile, "
		             "whoever it worked for\n");
	else if (r->client_cpu)
		fprintf(out, "The server's CPU time is not known: it is counted in the "
		             "lab, for one client at a time.\n");
}

void cpu_run_text(const struct run *r, FILE *out)
{
	const struct columns show = columns_of(r);
	const struct {
		const char *text;
		bool shown;
	} heads[] = {
	        {"CPU time", true},        {"user s", show.split},
	        {"system s", show.split},  {"driver s", !show.split},
	        {"% of a CPU", true},      {"machine %", show.machine},
	        {"server s", show.server}, {"driver", true},
	        {"server", show.server},   {"a unit", true},
	};
	enum { COLUMNS = sizeof heads / sizeof *heads };
	struct grid g;
	size_t n = 0;
	for (size_t i = 0; i < COLUMNS; i++)
		n += heads[i].shown;
	grid_init(&g, n, 1u << 0 | 1u << (n - 1));
	for (size_t i = 0; i < COLUMNS; i++)
		if (heads[i].shown)
			grid_add(&g, "%s", heads[i].text);
	for (size_t i = 0; i < r->nphases; i++)
		add_phase(&g, &r->phases[i], &show);
	grid_print(&g, out, 0);
	grid_free(&g);
	print_notes(r, &show, out);
}

static const char *text_of(const json_t *o, const char *key)
{
	const char *text = json_string_value(json_object_get(o, key));
	return text ? text : "";
}

/* "5.25" and "5.1 to 5.4", or "-" and nothing. */
static void add_median(struct grid *g, const json_t *cost)
{
	char low[COST_TEXT], high[COST_TEXT], median[COST_TEXT];
	const json_t *in = json_object_get(cost, "interval");
	if (!json_is_object(cost)) {
		grid_add(g, "-");
		grid_add(g, "-");
		return;
	}
	grid_add(g, "%s",
	         cpu_cost_text(median,
	                       json_number_value(json_object_get(cost, "median"))));
	grid_add(g, "%s to %s",
	         cpu_cost_text(low, json_number_value(json_array_get(in, 0))),
	         cpu_cost_text(high, json_number_value(json_array_get(in, 1))));
}

static const char *unit_ms(const char *unit)
{
	for (int u = 0; u < UNIT_COUNT; u++)
		if (strcmp(unit, cost_units[u]) == 0)
			return cost_units_ms[u];
	return unit;
}

/* Whether some phase tells this cost. */
static bool tells(const json_t *summary, const char *name)
{
	size_t i;
	const json_t *p;
	json_array_foreach(json_object_get(summary, "phases"), i, p)
	{
		const json_t *cpu = json_object_get(p, "cpu");
		if (json_is_object(json_object_get(cpu, name)))
			return true;
	}
	return false;
}

void cpu_series_text(const json_t *summary, FILE *out)
{
	static const char *const heads[] = {"CPU time", "a unit", "driver",   "95 %",
	                                    "server",   "95 %",   "machine %"};
	bool server = tells(summary, cost_names[COST_SERVER]);
	struct grid g;
	size_t i;
	const json_t *p;
	if (!tells(summary, cost_names[COST_DRIVER]))
		return;
	grid_init(&g, server ? 7 : 5, 1u << 0 | 1u << 1);
	for (i = 0; i < sizeof heads / sizeof *heads; i++)
		if (server || i < 4 || i == 6)
			grid_add(&g, "%s", heads[i]);
	json_array_foreach(json_object_get(summary, "phases"), i, p)
	{
		const json_t *cpu = json_object_get(p, "cpu");
		const json_t *busy = json_object_get(cpu, MACHINE_BUSY);
		grid_add(&g, "%s%s%s", text_of(p, "cache"),
		         text_of(p, "cache")[0] ? "/" : "", text_of(p, "name"));
		grid_add(&g, "%s", unit_ms(text_of(cpu, "unit")));
		add_median(&g, json_object_get(cpu, cost_names[COST_DRIVER]));
		if (server)
			add_median(&g, json_object_get(cpu, cost_names[COST_SERVER]));
		if (json_is_object(busy))
			grid_add(&g, "%.1f",
			         100 * json_number_value(
			                       json_object_get(busy, "median")));
		else
			grid_add(&g, "-");
	}
	fputc('\n', out);
	grid_print(&g, out, 0);
	grid_free(&g);
	fprintf(out,
	        "driver%s: medians of the CPU time for each unit of work, with their "
	        "intervals; machine %%: median of how busy\nall processors were, "
	        "whoever kept them so%s.\n",
	        server ? ", server" : "",
	        server ? ": client, server and all else together" : "");
}
