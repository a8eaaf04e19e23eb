/* cellbench show: renders a run directory again. */
#include <argp.h>
#include <stdio.h>

#include "src/command.h"
#include "src/report/html.h"
#include "src/report/report.h"
#include "src/run/run.h"

struct show {
	const char *dir;
	bool json;
	const char *html; /* the file to write, or NULL */
};

static const struct argp_option options[] = {
        {"json", 'j', 0, 0, "print the record instead of the report", 0},
        {"html", 'H', "FILE", 0,
         "write the report as one HTML file (- is standard output); RUN may also be a "
         "folder with runs below it",
         0},
        {0},
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct show *s = state->input;
	if (key == 'j')
		s->json = true;
	else if (key == 'H')
		s->html = arg;
	else if (key == ARGP_KEY_ARG && !s->dir)
		s->dir = arg;
	else if (key == ARGP_KEY_END && !s->dir)
		argp_error(state, "name a run directory");
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

static void show(const struct show *s, struct run *r, struct err *e)
{
	struct probe_result probe;
	int got = probe_result_load(&probe, s->dir, e);
	const struct probe_result *joined = got == 0 ? &probe : NULL;
	if (s->json) {
		json_t *o = report_json(r, joined);
		if (o)
			json_dumpf(o, stdout, JSON_INDENT(2));
		putchar('\n');
		json_decref(o);
	} else {
		report_text(r, joined, stdout);
	}
	if (fflush(stdout) == EOF)
		err_set(e, ERR_ENVIRONMENT, "cannot write to standard output");
	if (got == 0)
		probe_result_fini(&probe);
}

int cmd_show(int argc, char **argv)
{
	static const struct argp argp = {
	        .options = options,
	        .parser = parse_option,
	        .args_doc = "RUN",
	        .doc = "Prints the report of the run directory RUN.\vExit codes: 0 ok, "
	               "2 "
	               "no run there, 4 the run is not complete.",
	};
	struct show s = {0};
	struct run r = {0};
	struct err e = {0};
	if (argp_parse(&argp, argc, argv, 0, NULL, &s) != 0)
		return ERR_USAGE;
	if (s.html) {
		report_html_show(s.dir, s.html, &e);
	} else if (run_load(&r, s.dir, &e) == 0) {
		show(&s, &r, &e);
		if (r.status != RUN_COMPLETE)
			err_set(&e, ERR_PARTIAL, "the run is not complete: %s",
			        run_status_names[r.status]);
	}
	run_fini(&r);
	return command_end(&e);
}
