/* cellbench compare: holds results against a baseline. */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "src/base/quantity.h"
#include "src/command.h"
#include "src/report/compare_report.h"
#include "src/run/json_text.h"

enum { SOURCES = 16, SIDES = 64, KEY_FAIL = 256, KEY_MARGIN, KEY_CSV };

struct request {
	const char *names[SOURCES];
	size_t nnames;
	struct compare_options options;
	double fail_slower; /* share; 0: not asked */
	bool json, csv;
	struct err *e;
};

struct work {
	struct source sources[SOURCES];
	size_t nsources;
	struct side sides[SIDES];
	size_t nsides;
	json_t *report; /* NULL: as text */
	size_t failed;  /* phases beyond the threshold */
	bool partial;
};

static const struct argp_option options[] = {
        {"fail-slower", KEY_FAIL, "PERCENT", 0,
         "exit code 1 if a phase is slower than the baseline by more than this", 0},
        {"margin", KEY_MARGIN, "PERCENT", 0,
         "of single figures, a smaller difference shows nothing (5)", 0},
        {"json", 'j', 0, 0, "print JSON instead of the report", 0},
        {"csv", KEY_CSV, 0, 0, "print CSV instead of the report", 0},
        {0},
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct request *q = state->input;
	int r = 0;
	switch (key) {
	case KEY_FAIL:
		r = percent_parse(arg, "--fail-slower", &q->fail_slower, q->e);
		break;
	case KEY_MARGIN:
		r = percent_parse(arg, "--margin", &q->options.margin, q->e);
		break;
	case 'j':
		q->json = true;
		break;
	case KEY_CSV:
		q->csv = true;
		break;
	case ARGP_KEY_ARG:
		if (q->nnames == SOURCES)
			argp_error(state, "at most %d results", SOURCES);
		else
			q->names[q->nnames++] = arg;
		break;
	case ARGP_KEY_END:
		if (q->nnames == 0)
			argp_error(state, "name the results to compare");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return r == 0 ? 0 : EINVAL;
}

/* A source of several parts stands for as many sides. */
static int add_sides(struct work *w, const struct source *s, struct err *e)
{
	const char *parts[SIDES];
	size_t n = source_parts(s, parts, SIDES);
	if (w->nsides + n > SIDES)
		return err_set(e, ERR_USAGE, "at most %d results can be compared",
		               SIDES);
	for (size_t i = 0; i < n; i++) {
		struct side *side = &w->sides[w->nsides++];
		side->source = s;
		side->part = n > 1 ? parts[i] : NULL;
		snprintf(side->name, sizeof side->name, "%s%s%s", s->name,
		         n > 1 ? "#" : "", n > 1 ? parts[i] : "");
	}
	w->partial |= s->partial;
	return 0;
}

static int open_all(struct work *w, const struct request *q, struct err *e)
{
	for (size_t i = 0; i < q->nnames; i++) {
		struct source *s = &w->sources[w->nsources++];
		if (source_open(s, q->names[i], e) < 0)
			return -1;
	}
	for (size_t i = 0; i < w->nsources; i++)
		if (add_sides(w, &w->sources[i], e) < 0)
			return -1;
	return w->nsides > 1 ? 0
	                     : err_set(e, ERR_USAGE,
	                               "%s is one result; name another to compare it "
	                               "with, such as published:atm-1995",
	                               w->sides[0].name);
}

static int compare_one(struct work *w, const struct request *q, size_t i, struct err *e)
{
	struct comparison c;
	int r = compare(&c, &w->sides[0], &w->sides[i], &q->options, e);
	if (r == 0) {
		for (size_t k = 0; q->fail_slower > 0 && k < c.n; k++)
			w->failed += compare_fails(&c.rows[k], q->fail_slower);
		if (w->report)
			compare_report_add(w->report, &c);
		else if (q->csv)
			compare_report_csv(&c, i == 1, stdout);
		else {
			if (i > 1)
				printf("\n\n");
			compare_report_text(&c, stdout);
		}
	}
	comparison_fini(&c);
	return r;
}

static void run(struct work *w, const struct request *q, struct err *e)
{
	if (open_all(w, q, e) < 0)
		return;
	w->report = q->json ? compare_report_new() : NULL;
	int r = 0;
	for (size_t i = 1; i < w->nsides && r == 0; i++)
		r = compare_one(w, q, i, e);
	if (r == 0 && w->report)
		json_text_print(w->report, stdout);
	if (fflush(stdout) == EOF)
		err_set(e, ERR_ENVIRONMENT, "cannot write to standard output");
	if (w->failed > 0)
		err_set(e, ERR_FINDINGS,
		        "%zu phase%s slower than the baseline %s by more than %g %%",
		        w->failed, w->failed == 1 ? " is" : "s are", w->sides[0].name,
		        100 * q->fail_slower);
	if (w->partial)
		err_set(e, ERR_PARTIAL, "a result is not complete; see the warnings");
}

int cmd_compare(int argc, char **argv)
{
	static const struct argp argp = {
	        .options = options,
	        .parser = parse_option,
	        .args_doc = "BASELINE [RESULT…]",
	        .doc = "Compares results with the first one named, the baseline.\vA "
	               "result "
	               "is a run directory, a file that bonnie++ (CSV or table), "
	               "Bonnie, "
	               "fio or iperf3 (JSON) wrote, or published:NAME (see `cellbench "
	               "list published`). #PART behind it names one of several results "
	               "in it; a result of several parts alone is compared with its "
	               "first part.\n\nExit codes: 0 ok, 1 slower than allowed, 2 "
	               "usage, "
	               "3 environment, 4 a result is not complete.",
	};
	struct err e = {0};
	struct request q = {.options = {.margin = COMPARE_MARGIN}, .e = &e};
	struct work w = {0};
	error_t parsed = argp_parse(&argp, argc, argv, 0, NULL, &q);
	if (e.code == ERR_NONE && parsed != 0)
		return ERR_USAGE;
	if (e.code == ERR_NONE)
		run(&w, &q, &e);
	json_decref(w.report);
	for (size_t i = 0; i < w.nsources; i++)
		source_fini(&w.sources[i]);
	return command_end(&e);
}
