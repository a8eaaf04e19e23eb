/* cellbench show: prints a run directory, or another result, again. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/command.h"
#include "src/report/bonnie_plus.h"
#include "src/report/bonnie_table.h"
#include "src/report/html.h"
#include "src/report/report.h"
#include "src/report/run_csv.h"
#include "src/report/series_report.h"
#include "src/report/source_report.h"
#include "src/run/json_text.h"
#include "src/run/run.h"

enum format {
	FORMAT_TEXT,
	FORMAT_JSON,
	FORMAT_CSV,
	FORMAT_BONNIE,
	FORMAT_BONNIE_PLUS_1,
	FORMAT_BONNIE_PLUS_2,
	FORMAT_BONNIE_PLUS_CSV,
	FORMAT_COUNT
};

static const char *const format_names[FORMAT_COUNT] = {
        "text", "json", "csv", "bonnie", "bonnie++1", "bonnie++2", "bonnie++csv"};

typedef void rows_printer(const struct bonnie_result *rows, size_t n, FILE *out);

static rows_printer *const printers[FORMAT_COUNT] = {
        [FORMAT_BONNIE] = bonnie_table_rows,
        [FORMAT_BONNIE_PLUS_1] = bonnie_plus_table_1,
        [FORMAT_BONNIE_PLUS_2] = bonnie_plus_table_2,
        [FORMAT_BONNIE_PLUS_CSV] = bonnie_plus_csv,
};

struct show {
	const char *name;
	enum format format;
	const char *html; /* the file to write, or NULL */
};

static const struct argp_option options[] = {
        {"json", 'j', 0, 0, "as --format=json", 0},
        {"format", 'f', "NAME", 0,
         "text (the default), json, csv, bonnie, bonnie++1 and bonnie++2 (its tables "
         "of "
         "1.0x and 2.00), bonnie++csv (for bon_csv2html)",
         0},
        {"html", 'H', "FILE", 0,
         "write the report as one HTML file (- is standard output); RUN may also be a "
         "folder with runs below it",
         0},
        {0},
};

static int find_format(const char *name)
{
	int f = 0;
	while (f < FORMAT_COUNT && strcmp(name, format_names[f]) != 0)
		f++;
	return f;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct show *s = state->input;
	int format;
	switch (key) {
	case 'j':
		s->format = FORMAT_JSON;
		return 0;
	case 'f':
		format = find_format(arg);
		if (format == FORMAT_COUNT)
			argp_error(state, "no format '%s'", arg);
		s->format = (enum format)format;
		return 0;
	case 'H':
		s->html = arg;
		return 0;
	case ARGP_KEY_ARG:
		if (s->name)
			return ARGP_ERR_UNKNOWN;
		s->name = arg;
		return 0;
	case ARGP_KEY_END:
		if (!s->name)
			argp_error(state, "name a run directory");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void print_json(json_t *o, struct err *e)
{
	if (!o || json_text_print(o, stdout) < 0)
		err_set(e, ERR_ENVIRONMENT, "cannot print the record");
	json_decref(o);
}

static void print_rows(struct bonnie_result *rows, size_t n, const struct show *s,
                       struct err *e)
{
	if (!rows)
		err_set(e, ERR_ENVIRONMENT, "out of memory");
	else if (n == 0)
		err_set(e, ERR_USAGE, "%s has none of Bonnie's phases", s->name);
	else
		printers[s->format](rows, n, stdout);
	free(rows);
}

static void show_run(const struct show *s, struct run *r, struct err *e)
{
	struct probe_result probe;
	int got = probe_result_load(&probe, s->name, e);
	const struct probe_result *joined = got == 0 ? &probe : NULL;
	size_t n;
	if (printers[s->format]) {
		struct bonnie_result *rows = bonnie_results_of_run(r, &n);
		print_rows(rows, n, s, e);
	} else if (s->format == FORMAT_JSON)
		print_json(report_json(r, joined), e);
	else if (s->format == FORMAT_CSV)
		run_csv_print(r, stdout);
	else
		report_text(r, joined, stdout);
	if (got == 0)
		probe_result_fini(&probe);
	if (r->status != RUN_COMPLETE)
		err_set(e, ERR_PARTIAL, "the run is not complete: %s",
		        run_status_names[r->status]);
}

static void show_source(const struct show *s, struct err *e)
{
	struct source source;
	size_t n;
	if (source_open(&source, s->name, e) == 0) {
		if (printers[s->format]) {
			struct bonnie_result *rows =
			        bonnie_results_of_source(&source, &n);
			print_rows(rows, n, s, e);
		} else if (s->format == FORMAT_JSON)
			print_json(source_report_json(&source), e);
		else if (s->format == FORMAT_CSV)
			source_csv_print(&source, stdout);
		else
			source_report_text(&source, stdout);
		if (source.partial)
			err_set(e, ERR_PARTIAL, "%s is not complete", s->name);
	}
	source_fini(&source);
}

static void show_series(const struct show *s, const char *path, struct err *e)
{
	json_error_t why;
	json_t *o = json_load_file(path, 0, &why);
	const char *status = json_string_value(json_object_get(o, "status"));
	if (!o)
		err_set(e, ERR_USAGE, "%s cannot be read: %s", path, why.text);
	else if (s->format == FORMAT_JSON)
		print_json(json_incref(o), e);
	else if (s->format == FORMAT_CSV)
		series_report_csv(o, stdout);
	else
		series_report_text(o, stdout);
	if (o && (!status || strcmp(status, "complete") != 0))
		err_set(e, ERR_PARTIAL, "the runs are not complete");
	json_decref(o);
}

static void show(const struct show *s, struct err *e)
{
	struct stat st;
	struct run r = {0};
	char summary[4200];
	snprintf(summary, sizeof summary, "%s/summary.json", s->name);
	bool folder = stat(s->name, &st) == 0 && S_ISDIR(st.st_mode);
	bool series = folder && access(summary, F_OK) == 0;
	if (s->html)
		report_html_show(s->name, s->html, e);
	else if (series && !printers[s->format])
		show_series(s, summary, e);
	else if (folder && !series) {
		if (run_load(&r, s->name, e) == 0)
			show_run(s, &r, e);
		run_fini(&r);
	} else
		show_source(s, e);
	if (fflush(stdout) == EOF)
		err_set(e, ERR_ENVIRONMENT, "cannot write to standard output");
}

int cmd_show(int argc, char **argv)
{
	static const struct argp argp = {
	        .options = options,
	        .parser = parse_option,
	        .args_doc = "RUN",
	        .doc = "Prints the report of the run directory RUN, of repeated runs, "
	               "or of "
	               "whatever `cellbench compare` takes, such as "
	               "published:atm-1995.\vExit codes: 0 ok, 2 no result there, 4 "
	               "the "
	               "result is not complete.",
	};
	struct show s = {0};
	struct err e = {0};
	if (argp_parse(&argp, argc, argv, 0, NULL, &s) != 0)
		return ERR_USAGE;
	show(&s, &e);
	return command_end(&e);
}
