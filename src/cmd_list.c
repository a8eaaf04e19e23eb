/* cellbench list: runs, published results, workloads, engines. */
#include <argp.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/grid.h"
#include "src/command.h"
#include "src/engine/engine.h"
#include "src/run/run.h"
#include "src/study/published.h"
#include "src/workload/workload.h"

enum { DEPTH = 3 }; /* runs/STUDY/CELL/rep-01 */

struct list {
	const char *what, *dir;
	bool json;
};

static const struct argp_option options[] = {
        {"json", 'j', 0, 0, "print JSON", 0},
        {0},
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct list *l = state->input;
	if (key == 'j')
		l->json = true;
	else if (key == ARGP_KEY_ARG && !l->what)
		l->what = arg;
	else if (key == ARGP_KEY_ARG && !l->dir)
		l->dir = arg;
	else if (key == ARGP_KEY_END && !l->what)
		argp_error(state, "name what to list");
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

static void add(json_t *rows, json_t *row)
{
	json_array_append_new(rows, row);
}

static void add_run(json_t *rows, const char *path, const char *record)
{
	json_t *o = json_load_file(record, 0, NULL);
	const json_t *runs = json_object_get(o, "runs");
	if (o)
		add(rows, json_pack("{s:s, s:O*, s:O*, s:O*, s:O*, s:I}", "run", path,
		                    "status", json_object_get(o, "status"), "workload",
		                    json_object_get(o, "workload"), "engine",
		                    json_object_get(o, "engine_name"), "size",
		                    json_object_get(o, "size"), "repeats",
		                    runs ? (json_int_t)json_array_size(runs) : 1));
	json_decref(o);
}

/* A folder with a record is one; below it are only its repeats. */
static int walk(json_t *rows, const char *dir, int depth)
{
	static const char *const records[] = {"summary.json", "run.json"};
	struct dirent **names;
	char path[4096];
	for (size_t i = 0; i < 2; i++) {
		snprintf(path, sizeof path, "%s/%s", dir, records[i]);
		if (access(path, F_OK) == 0) {
			add_run(rows, dir, path);
			return 0;
		}
	}
	int n = depth > 0 ? scandir(dir, &names, NULL, alphasort) : 0;
	for (int i = 0; i < n; i++) {
		bool folder =
		        names[i]->d_type == DT_DIR || names[i]->d_type == DT_UNKNOWN;
		if (folder && names[i]->d_name[0] != '.' &&
		    snprintf(path, sizeof path, "%s/%s", dir, names[i]->d_name) <
		            (int)sizeof path)
			walk(rows, path, depth - 1);
		free(names[i]);
	}
	if (n > 0)
		free(names);
	return n;
}

static int list_runs(const struct list *l, json_t *rows, struct err *e)
{
	const char *dir = l->dir ? l->dir : "runs";
	if (walk(rows, dir, DEPTH) < 0)
		return err_set(e, ERR_USAGE, "cannot list %s: %s", dir,
		               strerror(errno));
	return 0;
}

static int list_published(const struct list *l, json_t *rows, struct err *e)
{
	(void)l;
	(void)e;
	for (size_t i = 0; published_table[i]; i++) {
		char name[64];
		snprintf(name, sizeof name, "published:%s", published_table[i]->name);
		add(rows, json_pack("{s:s, s:s, s:s}", "name", name, "what",
		                    published_table[i]->title, "where",
		                    published_table[i]->where));
	}
	return 0;
}

static int list_workloads(const struct list *l, json_t *rows, struct err *e)
{
	(void)l;
	(void)e;
	for (size_t i = 0; workload_table[i]; i++) {
		const struct workload *w = workload_table[i];
		char phases[512] = "";
		for (size_t k = 0, used = 0; k < w->nphases && used < sizeof phases;
		     k++)
			used += (size_t)snprintf(phases + used, sizeof phases - used,
			                         "%s%s", k ? " " : "",
			                         w->phases[k].name);
		add(rows, json_pack("{s:s, s:s, s:s}", "name", w->name, "what", w->help,
		                    "phases", phases));
	}
	return 0;
}

static int list_engines(const struct list *l, json_t *rows, struct err *e)
{
	(void)l;
	(void)e;
	for (size_t i = 0; engine_table[i]; i++)
		add(rows, json_pack("{s:s, s:s}", "name", engine_table[i]->name, "what",
		                    engine_table[i]->help));
	return 0;
}

static const struct listing {
	const char *name;
	int (*list)(const struct list *l, json_t *rows, struct err *e);
	const char *columns[7];
} listings[] = {
        {"runs", list_runs, {"run", "status", "workload", "engine", "size", "repeats"}},
        {"published", list_published, {"name", "what", "where"}},
        {"workloads", list_workloads, {"name", "what", "phases"}},
        {"engines", list_engines, {"name", "what"}},
};

static void print_table(const struct listing *what, const json_t *rows)
{
	size_t n = 0, i;
	const json_t *row;
	while (what->columns[n])
		n++;
	struct grid g;
	grid_init(&g, n, 0xf);
	for (i = 0; i < n; i++)
		grid_add(&g, "%s", what->columns[i]);
	json_array_foreach(rows, i, row)
	{
		for (size_t c = 0; c < n; c++) {
			const json_t *v = json_object_get(row, what->columns[c]);
			if (json_is_string(v))
				grid_add(&g, "%s", json_string_value(v));
			else if (v)
				grid_add(&g, "%lld", json_integer_value(v));
			else
				grid_add(&g, "-");
		}
	}
	grid_print(&g, stdout, 0);
	grid_free(&g);
}

static void list(const struct list *l, struct err *e)
{
	const struct listing *what = NULL;
	for (size_t i = 0; i < sizeof listings / sizeof *listings; i++)
		if (strcmp(l->what, listings[i].name) == 0)
			what = &listings[i];
	if (!what || (l->dir && what->list != list_runs)) {
		err_set(e, ERR_USAGE,
		        what ? "nothing goes behind '%s'"
		             : "cannot list '%s'; there are runs [DIR], "
		               "published, workloads and engines",
		        l->what);
		return;
	}
	json_t *rows = json_array();
	if (what->list(l, rows, e) == 0) {
		if (l->json) {
			json_dumpf(rows, stdout, JSON_INDENT(2));
			putchar('\n');
		} else {
			print_table(what, rows);
		}
	}
	json_decref(rows);
	if (fflush(stdout) == EOF)
		err_set(e, ERR_ENVIRONMENT, "cannot write to standard output");
}

int cmd_list(int argc, char **argv)
{
	static const struct argp argp = {
	        .options = options,
	        .parser = parse_option,
	        .args_doc = "runs [DIR]\npublished\nworkloads\nengines",
	        .doc = "Lists the runs below DIR (runs), published results to compare "
	               "with, "
	               "workloads or engines.\vExit codes: 0 ok, 2 usage.",
	};
	struct list l = {0};
	struct err e = {0};
	if (argp_parse(&argp, argc, argv, 0, NULL, &l) != 0)
		return ERR_USAGE;
	list(&l, &e);
	return command_end(&e);
}
