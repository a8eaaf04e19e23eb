#include "src/report/source_report.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/grid.h"
#include "src/report/bonnie_table.h"
#include "src/study/stats.h"

static void print_facts(const struct source *s, FILE *out)
{
	const char *key;
	json_t *value;
	size_t i;
	fprintf(out, "%s, %s\n", s->name, s->kind);
	json_object_foreach(s->facts, key, value)
	{
		fprintf(out, "%s: ", key);
		if (json_is_string(value))
			fprintf(out, "%s", json_string_value(value));
		else
			json_dumpf(value, out, JSON_ENCODE_ANY | JSON_COMPACT);
		fputc('\n', out);
	}
	json_array_foreach(s->notes, i, value)
	        fprintf(out, "note: %s\n", json_string_value(value));
}

static bool is_of_bonnie(const struct figure *f)
{
	for (int i = 0; i < 6; i++)
		if (strcmp(f->phase, bonnie_data_phases[i]) == 0)
			return true;
	return false;
}

static void print_tables(const struct source *s, FILE *out)
{
	size_t n;
	struct bonnie_result *rows = bonnie_results_of_source(s, &n);
	size_t same = 0;
	while (rows && same < n && strcmp(rows[same].name, rows[0].name) == 0)
		same++;
	fputc('\n', out);
	if (same == n && n > 0 && rows[0].name[0])
		fprintf(out, "%s:\n", rows[0].name);
	if (rows)
		bonnie_table_rows(rows, n, out);
	free(rows);
}

static void add_figure(struct grid *g, const struct figure *f)
{
	grid_add(g, "%s", f->part);
	grid_add(g, "%s", f->setting);
	grid_add(g, "%s%s%s", f->cache, f->cache[0] ? "/" : "", f->phase);
	if (f->failed)
		grid_add(g, "failed");
	else if (f->n)
		grid_add(g, "%.6g", stats_median(f->values, f->n));
	else
		grid_add(g, "-");
	grid_add(g, "%s", unit_names[f->unit]);
	if (f->cpu >= 0)
		grid_add(g, "%.1f", f->cpu);
	else
		grid_add(g, "-");
}

void source_report_text(const struct source *s, FILE *out)
{
	static const char *const heads[] = {"Part",   "setting", "phase",
	                                    "median", "unit",    "%CPU"};
	size_t bonnie = 0;
	print_facts(s, out);
	for (size_t i = 0; i < s->n; i++)
		bonnie += is_of_bonnie(&s->figures[i]);
	if (bonnie > 0)
		print_tables(s, out);
	if (bonnie == s->n)
		return;
	struct grid g;
	grid_init(&g, 6, 1u << 0 | 1u << 1 | 1u << 2 | 1u << 4);
	for (size_t i = 0; i < 6; i++)
		grid_add(&g, "%s", heads[i]);
	for (size_t i = 0; i < s->n; i++)
		if (!is_of_bonnie(&s->figures[i]))
			add_figure(&g, &s->figures[i]);
	fputc('\n', out);
	grid_print(&g, out, 0);
	grid_free(&g);
}

static json_t *figure_json(const struct figure *f)
{
	json_t *values = json_array();
	for (size_t i = 0; i < f->n; i++)
		json_array_append_new(values, json_real(f->values[i]));
	return json_pack(
	        "{s:s, s:s, s:s, s:s, s:o, s:s, s:o, s:o, s:b}", "part", f->part,
	        "setting", f->setting, "cache", f->cache, "phase", f->phase, "size",
	        f->size ? json_integer((json_int_t)f->size) : json_null(), "unit",
	        unit_names[f->unit], "values", values, "cpu_percent",
	        f->cpu >= 0 ? json_real(f->cpu) : json_null(), "failed", f->failed);
}

json_t *source_report_json(const struct source *s)
{
	json_t *figures = json_array();
	for (size_t i = 0; i < s->n; i++)
		json_array_append_new(figures, figure_json(&s->figures[i]));
	return json_pack("{s:s, s:s, s:O, s:O, s:o}", "name", s->name, "kind", s->kind,
	                 "facts", s->facts, "notes", s->notes, "figures", figures);
}
