#include "src/report/clients_text.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "src/base/grid.h"

static const char *text_of(const json_t *o, const char *key)
{
	const char *text = json_string_value(json_object_get(o, key));
	return text ? text : "";
}

static double number_of(const json_t *o, const char *key)
{
	return json_number_value(json_object_get(o, key));
}

static void add_rate(struct grid *g, double rate)
{
	grid_add(g, "%.*f", rate < 100 ? 1 : 0, rate);
}

static void add_phase(struct grid *g, const json_t *p)
{
	size_t i;
	const json_t *rate;
	double least = INFINITY, most = 0;
	json_array_foreach(json_object_get(p, "rates"), i, rate)
	{
		least = fmin(least, json_number_value(rate));
		most = fmax(most, json_number_value(rate));
	}
	const json_t *server = json_object_get(p, "server_cpu_share");
	grid_add(g, "%s/%s", text_of(p, "cache"), text_of(p, "name"));
	grid_add(g, "%.0f", number_of(p, "ranks"));
	grid_add(g, "%.3f", number_of(p, "seconds"));
	add_rate(g, number_of(p, "rate"));
	add_rate(g, isfinite(least) ? least : 0);
	add_rate(g, most);
	grid_add(g, "%s", text_of(p, "unit"));
	grid_add(g, "%.3f", number_of(p, "jain"));
	if (server)
		grid_add(g, "%.1f", 100 * json_number_value(server));
	else
		grid_add(g, "-");
}

void clients_text(const json_t *record, FILE *out)
{
	static const char *const heads[] = {"Phase", "clients",   "s",
	                                    "total", "least one", "most one",
	                                    "unit",  "Jain",      "server CPU %"};
	const json_t *phases = json_object_get(record, "phases"), *p, *rank;
	size_t i;
	struct grid g;
	grid_init(&g, sizeof heads / sizeof *heads, 1u << 0 | 1u << 6);
	for (i = 0; i < sizeof heads / sizeof *heads; i++)
		grid_add(&g, "%s", heads[i]);
	json_array_foreach(phases, i, p) add_phase(&g, p);
	if (json_array_size(phases) > 0) {
		grid_print(&g, out, 0);
		fprintf(out,
		        "total: the work of all over the time of the slowest; Jain: "
		        "1 where all had the same rate, 1/n where\none had "
		        "everything\n");
	}
	grid_free(&g);
	json_array_foreach(json_object_get(record, "ranks"), i, rank)
	{
		if (strcmp(text_of(rank, "end"), "complete") != 0)
			fprintf(out, "rank %zu on %s: %s\n", i, text_of(rank, "host"),
			        text_of(rank, "end"));
	}
}
