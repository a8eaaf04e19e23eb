/* cellbench study: runs the matrix of a job file, goes on where it stopped. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/clock.h"
#include "src/command.h"
#include "src/run/stop.h"
#include "src/study/study.h"
#include "src/study/study_table.h"

enum { KEY_LIMIT = 256, KEY_DRY_RUN, KEY_RESULT, KEY_JSON, KEY_SET, SETS = 32 };

static const struct argp_option options[] = {
        {"output", 'o', "DIR", 0, "folder of the study (studies/NAME)", 0},
        {"limit", KEY_LIMIT, "TIME", 0,
         "end after about so long (20m): every cell once before any twice", 0},
        {"set", KEY_SET, "KEY=VALUE", 0,
         "instead of what the job says: an axis' values in every matrix, or a key of "
         "[study]; may be repeated",
         0},
        {"dry-run", KEY_DRY_RUN, 0, 0, "print the plan and the commands", 0},
        {"result", KEY_RESULT, 0, 0, "run nothing; the result of what was run", 0},
        {"json", KEY_JSON, 0, 0, "print the result as JSON", 0},
        {0}};

struct asked {
	const char *job, *out;
	double limit_s;
	char *sets[SETS];
	size_t nsets;
	bool dry_run, result, json;
	struct err e;
};

/* 20m, 2h, 90s */
static int parse_limit(const char *text, double *seconds, struct err *e)
{
	char unit = '\0', more = '\0';
	if (sscanf(text, "%lf%c%c", seconds, &unit, &more) != 2 || !(*seconds > 0) ||
	    !strchr("smh", unit))
		return err_set(e, ERR_USAGE,
		               "--limit takes a time such as 90s, 20m or 2h, not '%s'",
		               text);
	*seconds *= unit == 'h' ? 3600 : unit == 'm' ? 60 : 1;
	return 0;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct asked *a = state->input;
	switch (key) {
	case 'o':
		a->out = arg;
		return 0;
	case KEY_LIMIT:
		return parse_limit(arg, &a->limit_s, &a->e) < 0 ? EINVAL : 0;
	case KEY_SET:
		if (a->nsets == SETS)
			return ARGP_ERR_UNKNOWN;
		a->sets[a->nsets++] = arg;
		return 0;
	case KEY_DRY_RUN:
		a->dry_run = true;
		return 0;
	case KEY_RESULT:
		a->result = true;
		return 0;
	case KEY_JSON:
		a->json = true;
		return 0;
	case ARGP_KEY_ARG:
		if (a->job)
			return ARGP_ERR_UNKNOWN;
		a->job = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void print_result(const struct study *s, const json_t *result, FILE *out)
{
	study_result_text(result, out);
	study_table_print(result, s->job->published, out);
}

static int write_text(const struct study *s, const json_t *result, struct err *e)
{
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);
	if (!f)
		return err_set(e, ERR_ENVIRONMENT, "out of memory");
	print_result(s, result, f);
	int r = fclose(f) == 0 ? study_write_file(s, "result.txt", text, n, e) : -1;
	free(text);
	return r;
}

static void give_result(const struct study *s, bool json, struct err *e)
{
	struct err why = {0};
	json_t *result = study_result(s);
	char *text = result ? json_dumps(result, JSON_INDENT(2)) : NULL;
	if (!text)
		err_set(&why, ERR_ENVIRONMENT, "out of memory");
	else if (study_write_file(s, "result.json", text, strlen(text), &why) == 0 &&
	         write_text(s, result, &why) == 0) {
		if (json)
			puts(text);
		else
			print_result(s, result, stdout);
	}
	if (fflush(stdout) == EOF)
		err_set(&why, ERR_ENVIRONMENT, "cannot write to standard output");
	if (result)
		study_html(s, result, &why);
	free(text);
	json_decref(result);
	if (e->code == ERR_NONE)
		*e = why;
}

static void run(const struct asked *a, const struct study_job *job, struct err *e)
{
	struct study s = {.lock = -1};
	if (a->dry_run && !a->out) {
		if (study_plan_only(&s, job, e) == 0)
			study_dry_run(&s, a->limit_s, stdout, e);
	} else if (study_open(&s, job, a->out, e) == 0) {
		if (a->dry_run) {
			study_dry_run(&s, a->limit_s, stdout, e);
		} else {
			if (!a->result) {
				fprintf(stderr, "cellbench: study %s in %s\n",
				        job->name, s.dir);
				study_execute(&s, a->limit_s, stop_catch(), e);
			}
			give_result(&s, a->json, e);
		}
	}
	study_fini(&s);
}

int cmd_study(int argc, char **argv)
{
	struct asked a = {0};
	struct study_job job = {0};
	const struct argp argp = {
	        .options = options,
	        .parser = parse_option,
	        .args_doc = "JOB",
	        .doc = "Runs the matrix of configurations that the job file JOB names, "
	               "in "
	               "the lab, which it raises and takes down, or on hosts that are "
	               "there.  Interrupted, the same command goes on where it "
	               "stopped.\v"
	               "Jobs that come with the program: doc/studies.  Exit codes: 0 "
	               "ok, "
	               "2 usage, 3 environment, 4 something is missing.",
	};
	if (argp_parse(&argp, argc, argv, 0, NULL, &a) != 0 && a.e.code == ERR_NONE)
		err_set(&a.e, ERR_USAGE, "cannot read the options");
	if (a.e.code == ERR_NONE && !a.job)
		err_set(&a.e, ERR_USAGE,
		        "name a job file; there are some in doc/studies");
	if (a.e.code == ERR_NONE &&
	    study_job_load(&job, a.job, a.sets, a.nsets, &a.e) == 0)
		run(&a, &job, &a.e);
	study_job_fini(&job);
	return command_end(&a.e);
}
