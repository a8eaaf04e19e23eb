/* cellbench run: runs a workload, writes the run directory, prints the report. */
#include <stdio.h>
#include <stdlib.h>

#include "src/base/clock.h"
#include "src/base/rng.h"
#include "src/cmd_run_plan.h"
#include "src/command.h"
#include "src/report/html.h"
#include "src/report/report.h"
#include "src/run/json_text.h"
#include "src/run/run.h"
#include "src/run/runner.h"
#include "src/run/stop.h"

static int write_report(const struct run *r, const struct probe_result *probe,
                        struct err *e)
{
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);
	if (!f)
		return err_set(e, ERR_ENVIRONMENT, "out of memory");
	report_text(r, probe, f);
	int result = fclose(f) == 0 ? run_write_file(r, "report.txt", text, n, e) : -1;
	if (result == 0)
		result = report_html_of_run(r, probe, e);
	free(text);
	return result;
}

static int print_report(const struct run *r, const struct probe_result *probe,
                        bool json, struct err *e)
{
	if (json) {
		json_t *o = report_json(r, probe);
		if (!o || json_text_print(o, stdout) < 0)
			err_set(e, ERR_ENVIRONMENT, "cannot print the record");
		json_decref(o);
	} else {
		report_text(r, probe, stdout);
	}
	if (fflush(stdout) == EOF)
		err_set(e, ERR_ENVIRONMENT, "cannot write to standard output");
	return e->code == ERR_NONE ? 0 : -1;
}

/* The report of what there is, also after a failure. */
static void report(struct run *r, const struct run_config *c, bool print, struct err *e)
{
	struct probe_result probe;
	struct err why = {0};
	int got = c->probe.interfaces ? probe_result_load(&probe, r->dir, &why) : 1;
	if (got == 0) {
		report_judge_caches(r, &probe);
		run_save(r, &why);
	}
	if (got == 0 || r->nphases > 0) {
		write_report(r, got == 0 ? &probe : NULL, &why);
		if (print)
			print_report(r, got == 0 ? &probe : NULL, c->json, &why);
	}
	if (got == 0)
		probe_result_fini(&probe);
	if (e->code == ERR_NONE)
		*e = why;
}

int run_once(struct run_config *c, const char *out, bool print)
{
	struct run r = {0};
	struct err e = {0};
	if (!c->seed_given) /* positive: JSON readers take integers as signed */
		c->workload_options.seed = rng_mix((uint64_t)clock_real_ns()) >> 1;
	if (run_init(&r, out ? out : c->out, &e) == 0) {
		const volatile sig_atomic_t *stop = stop_catch();
		fprintf(stderr, "cellbench: run directory %s\n", r.dir);
		runner_execute(c, &r, stop, &e);
		report(&r, c, print, &e);
	}
	run_fini(&r);
	return command_end(&e);
}

int cmd_run(int argc, char **argv)
{
	struct run_config given;
	struct plan p = {0};
	struct err e = {0};
	if (config_words(&given, argc, argv, &e) < 0 || plan_make(&p, &given, &e) < 0) {
		plan_fini(&p);
		return command_end(&e);
	}
	int code = 0;
	if (given.dry_run)
		plan_print(&p);
	else if (p.n == 1 && !p.repeated)
		code = run_once(&p.runs[0].config, NULL, true);
	else
		code = plan_execute(&p);
	plan_fini(&p);
	return code;
}
