#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/grid.h"
#include "src/report/compare_report.h"
#include "src/report/cpu_text.h"
#include "src/report/latency_text.h"

/* A fact as one prints it: text bare, lists parted by commas. */
static void print_fact(const json_t *v, FILE *out)
{
	size_t i;
	const json_t *item;
	if (!v)
		fprintf(out, "not told");
	else if (json_is_string(v))
		fprintf(out, "%s", json_string_value(v));
	else if (json_is_array(v) && json_array_size(v) > 0)
		json_array_foreach(v, i, item)
		{
			fprintf(out, "%s", i ? ", " : "");
			print_fact(item, out);
		}
	else
		json_dumpf(v, out, JSON_ENCODE_ANY | JSON_COMPACT);
}

static void print_side(const char *letter, const struct side *side, FILE *out)
{
	const char *key;
	json_t *value;
	fprintf(out, "%s: %s, %s\n", letter, side->name, side->source->kind);
	if (strcmp(side->source->kind, "published") == 0)
		json_object_foreach(side->source->facts, key, value)
		        fprintf(out, "   %s: %s\n", key, json_string_value(value));
}

static void print_conditions(const struct comparison *c, FILE *out)
{
	size_t i;
	const json_t *item;
	if (json_array_size(c->differences) > 0)
		fprintf(out, "\nSet or found otherwise:\n");
	json_array_foreach(c->differences, i, item)
	{
		fprintf(out,
		        "  %s: ", json_string_value(json_object_get(item, "name")));
		print_fact(json_object_get(item, "a"), out);
		fprintf(out, " in A, ");
		print_fact(json_object_get(item, "b"), out);
		fprintf(out, " in B\n");
	}
	json_array_foreach(c->warnings, i, item) fprintf(
	        out, "%sWarning: %s.\n", i ? "" : "\n", json_string_value(item));
}

/* Three digits at least, and no more than the figure has. */
static void add_value(struct grid *g, const struct figure *f, double median)
{
	if (f->failed)
		grid_add(g, "failed");
	else if (isnan(median))
		grid_add(g, "-");
	else
		grid_add(g, "%.*f", median >= 1000 ? 0 : median >= 100 ? 1 : 2, median);
}

static void add_ratio(struct grid *g, double ratio)
{
	if (isnan(ratio))
		grid_add(g, "-");
	else
		grid_add(g, "%.*f", ratio >= 10 ? 1 : 3, ratio);
}

static void add_change(struct grid *g, double speed)
{
	int digits = speed < 10;
	if (isnan(speed)) {
		grid_add(g, "-");
		grid_add(g, "-");
		return;
	}
	grid_add(g, "%.*f %% of A", digits, 100 * speed);
	const char *way = speed < 1 ? " slower" : " faster";
	double change = 100 * fabs(speed - 1);
	grid_add(g, "%.*f %%%s", digits, change, change < 0.05 ? "" : way);
}

/* Columns that say something in some row only. */
struct columns {
	bool setting, size, interval;
};

static const char *setting_of(const struct compare_row *r)
{
	return r->a->setting[0] ? r->a->setting : r->b->setting;
}

static struct columns columns_of(const struct comparison *c)
{
	struct columns col = {0};
	for (size_t i = 0; i < c->n; i++) {
		col.setting |= setting_of(&c->rows[i])[0] != '\0';
		col.size |= c->rows[i].a->size > 0 || c->rows[i].b->size > 0;
		col.interval |= c->rows[i].has_interval;
	}
	return col;
}

static void add_row(struct grid *g, const struct columns *col,
                    const struct compare_row *r)
{
	const char *cache = r->a->cache[0] ? r->a->cache : r->b->cache;
	const char *phase =
	        strcmp(r->a->phase, PHASE_LINK) == 0 ? r->b->phase : r->a->phase;
	grid_add(g, "%s%s%s", cache, cache[0] ? "/" : "", phase);
	if (col->setting)
		grid_add(g, "%s", setting_of(r));
	uint64_t size = r->a->size ? r->a->size : r->b->size;
	if (col->size && size)
		grid_add(g, "%.6g", (double)size / 1048576);
	else if (col->size)
		grid_add(g, "-");
	add_value(g, r->a, r->median_a);
	add_value(g, r->b, r->median_b);
	grid_add(g, "%s", unit_names[r->a->unit]);
	grid_add(g, "%zu, %zu", r->a->n, r->b->n);
	add_ratio(g, r->ratio);
	if (col->interval && r->has_interval)
		grid_add(g, "%.3f to %.3f", r->interval.low, r->interval.high);
	else if (col->interval)
		grid_add(g, "-");
	add_change(g, r->speed);
	grid_add(g, "%s", verdict_names[r->verdict]);
}

static void print_table(const struct comparison *c, FILE *out)
{
	struct columns col = columns_of(c);
	const struct head {
		const char *text;
		bool shown, left;
	} heads[] = {
	        {"Phase", true, true},
	        {"setting", col.setting, true},
	        {"MiB", col.size, false},
	        {"A", true, false},
	        {"B", true, false},
	        {"unit", true, true},
	        {"n", true, false},
	        {"B/A", true, false},
	        {"95 % interval", col.interval, false},
	        {"speed of B", true, false},
	        {"change", true, false},
	        {"verdict", true, true},
	};
	struct grid g;
	size_t n = 0;
	unsigned left = 0;
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		if (heads[i].shown)
			left |= (unsigned)heads[i].left << n++;
	grid_init(&g, n, left);
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		if (heads[i].shown)
			grid_add(&g, "%s", heads[i].text);
	for (size_t i = 0; i < c->n; i++)
		add_row(&g, &col, &c->rows[i]);
	grid_print(&g, out, 0);
	grid_free(&g);
}

static const struct cost_row {
	enum cost_kind kind;
	const char *name;
} cost_rows[] = {{COST_DRIVER, "driver"}, {COST_SERVER, "server"}};

enum { COST_ROWS = sizeof cost_rows / sizeof *cost_rows };

/* Both sides tell it. */
static bool is_told(const struct compare_row *r, enum cost_kind kind)
{
	return isfinite(r->cost[kind].median_a) && isfinite(r->cost[kind].median_b);
}

static void add_cost(struct grid *g, const struct compare_row *r,
                     const struct cost_row *row)
{
	char text[COST_TEXT];
	const struct compare_cost *c = &r->cost[row->kind];
	const char *cache = r->a->cache[0] ? r->a->cache : r->b->cache;
	grid_add(g, "%s%s%s", cache, cache[0] ? "/" : "", r->a->phase);
	grid_add(g, "%s", row->name);
	grid_add(g, "%s", cpu_cost_text(text, c->median_a));
	grid_add(g, "%s", cpu_cost_text(text, c->median_b));
	grid_add(g, "%s", cost_units_ms[r->a->unit]);
	add_ratio(g, c->ratio);
	if (c->has_interval && !isfinite(c->interval.high))
		grid_add(g, "from %.3f on", c->interval.low);
	else if (c->has_interval)
		grid_add(g, "%.3f to %.3f", c->interval.low, c->interval.high);
	else
		grid_add(g, "-");
}

static void print_costs(const struct comparison *c, FILE *out)
{
	static const char *const heads[] = {
	        "CPU time", "of", "A", "B", "a unit", "B/A", "95 % interval"};
	struct grid g;
	bool told = false, server = false;
	for (size_t i = 0; i < c->n; i++) {
		told |= is_told(&c->rows[i], COST_DRIVER);
		server |= is_told(&c->rows[i], COST_SERVER);
	}
	if (!told && !server)
		return;
	grid_init(&g, sizeof heads / sizeof *heads, 1u << 0 | 1u << 1 | 1u << 4);
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		grid_add(&g, "%s", heads[i]);
	for (size_t i = 0; i < c->n; i++)
		for (size_t k = 0; k < COST_ROWS; k++)
			if (is_told(&c->rows[i], cost_rows[k].kind))
				add_cost(&g, &c->rows[i], &cost_rows[k]);
	fputc('\n', out);
	grid_print(&g, out, 0);
	grid_free(&g);
	fprintf(out,
	        "CPU time for each unit of work, user and system, medians; B/A below "
	        "1: B needs less.%s\n",
	        server ? " server: the lab's file server." : "");
}

static void print_mean(const struct comparison *c, const struct compare_mean *m,
                       FILE *out)
{
	double speeds[] = {m->speed_arithmetic, m->speed_geometric};
	static const char *const names[] = {"arithmetic", "geometric"};
	fprintf(out, "%s", group_names[m->group]);
	if (m->cache[0])
		fprintf(out, ", %s", m->cache);
	if (m->setting[0])
		fprintf(out, ", %s", m->setting);
	fprintf(out,
	        ", %zu phases: B/A is %.4f in the arithmetic mean, %.4f in the "
	        "geometric\n",
	        m->n, m->arithmetic, m->geometric);
	for (int i = 0; i < 2; i++)
		fprintf(out,
		        "  %s: %s runs at %.1f %% of the speed of %s, that is %.1f %% "
		        "%s\n",
		        names[i], c->b.name, 100 * speeds[i], c->a.name,
		        100 * fabs(speeds[i] - 1), speeds[i] < 1 ? "slower" : "faster");
}

void compare_report_text(const struct comparison *c, FILE *out)
{
	bool times = false, means = false;
	fprintf(out, "%s, compared with the baseline %s\n\n", c->b.name, c->a.name);
	print_side("A", &c->a, out);
	print_side("B", &c->b, out);
	print_conditions(c, out);
	fputc('\n', out);
	print_table(c, out);
	for (size_t i = 0; i < c->n; i++)
		times |= c->rows[i].a->unit == UNIT_SECONDS;
	fprintf(out,
	        "A is the baseline, %s. A and B are medians of n figures; \"x %% of "
	        "A\" is B's "
	        "speed in parts of A's,\nnot a loss: the change says what is lost "
	        "or won.%s\n",
	        c->a.name,
	        times ? " Of times, B/A is how many times as long B takes." : "");
	print_costs(c, out);
	latency_compare_text(c, out);
	for (size_t i = 0; i < c->n; i++) {
		struct compare_mean m;
		if (!compare_mean(c, i, &m))
			continue;
		if (!means)
			fputc('\n', out);
		means = true;
		print_mean(c, &m, out);
	}
}
