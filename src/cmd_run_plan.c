#include "src/cmd_run_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/command.h"
#include "src/report/series_report.h"
#include "src/run/json_text.h"
#include "src/run/run.h"
#include "src/run/stop.h"
#include "src/study/child.h"
#include "src/study/repeat.h"
#include "src/study/stats.h"

/* As config_check, and what lies above the configuration. */
static int check(struct run_config *c, struct err *e)
{
	enum order_kind order;
	return config_check(c, e) < 0 ? -1 : order_find(c->repeat.order, &order, e);
}

static int plan_section(struct plan *p, size_t i, const char *path, struct err *e)
{
	const struct run_config *given = p->given;
	const struct job_section *s = &p->job.sections[i];
	struct planned *r = &p->runs[i];
	int argc;
	r->argv = job_argv(&p->job, i, given->argc, given->argv,
	                   given->engine_options.dir != NULL, &argc);
	if (!r->argv)
		return err_set(e, ERR_ENVIRONMENT, "out of memory");
	if (config_words(&r->config, argc, r->argv, e) < 0 || check(&r->config, e) < 0)
		return err_prefix(e, "%s:%d: [run%s%s]", path, s->line,
		                  s->name[0] ? " " : "", s->name);
	if (s->name[0])
		snprintf(r->label, sizeof r->label, "%s", s->name);
	else
		snprintf(r->label, sizeof r->label, "run-%zu", i + 1);
	if (given->out && p->job.n > 1 &&
	    snprintf(r->out, sizeof r->out, "%s/%s", given->out, r->label) >=
	            (int)sizeof r->out)
		return err_set(e, ERR_USAGE, "the name %s is too long", given->out);
	return 0;
}

int plan_make(struct plan *p, const struct run_config *given, struct err *e)
{
	*p = (struct plan){.given = given};
	if (given->job && job_load(&p->job, given->job, e) < 0)
		return -1;
	size_t n = given->job ? p->job.n : 1;
	p->runs = calloc(n, sizeof *p->runs);
	if (!p->runs)
		return err_set(e, ERR_ENVIRONMENT, "out of memory");
	for (; p->n < n; p->n++)
		if (given->job) {
			if (plan_section(p, p->n, given->job, e) < 0) {
				p->n++;
				return -1;
			}
		} else if (config_words(&p->runs[0].config, given->argc, given->argv,
		                        e) < 0 ||
		           check(&p->runs[0].config, e) < 0)
			return -1;
	for (size_t i = 0; i < n; i++)
		p->repeated |= repeat_asked(&p->runs[i].config.repeat);
	return 0;
}

void plan_fini(struct plan *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->runs[i].argv);
	free(p->runs);
	job_fini(&p->job);
	*p = (struct plan){0};
}

/* A word as a shell takes it. */
static void print_word(const char *word)
{
	if (word[0] &&
	    strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXY"
	                 "Z0123456789-_=./:,%+@") == strlen(word)) {
		printf(" %s", word);
		return;
	}
	printf(" '");
	for (; *word; word++)
		printf(*word == '\'' ? "'\\''" : "%c", *word);
	putchar('\'');
}

static void print_phases(const struct run_config *c)
{
	struct workload_phase phases[WORKLOAD_PHASES];
	size_t n = workload_phases(c->workload, &c->workload_options, phases);
	printf("  phases:");
	for (size_t k = 0; k < c->ncaches; k++)
		for (size_t i = 0; i < n; i++)
			printf(" %s/%s", cache_state_names[c->caches[k]],
			       phases[i].name);
	putchar('\n');
}

static void print_repeats(const struct run_repeat *o)
{
	if (o->warmup)
		printf("  first runs not counted: %llu\n",
		       (unsigned long long)o->warmup);
	if (o->width > 0)
		printf("  repeated until each 95 %% interval is narrower than %g %%, "
		       "%llu to %llu times\n",
		       100 * o->width,
		       (unsigned long long)(o->times ? o->times : STATS_FEW),
		       (unsigned long long)(o->max ? o->max : REPEAT_MAX));
	else if (o->times > 1)
		printf("  repeated %llu times\n", (unsigned long long)o->times);
}

void plan_print(const struct plan *p)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct run_config *c = &p->runs[i].config;
		printf("%s", i ? "\n" : "");
		for (int k = 0; k < c->argc; k++)
			if (k == 0)
				printf("%s", c->argv[0]);
			else if (strcmp(c->argv[k], "--dry-run") != 0)
				print_word(c->argv[k]);
		printf("\n  engine %s, workload %s, %llu bytes, in %s\n",
		       c->engine->name, c->workload->name,
		       (unsigned long long)c->workload_options.size,
		       c->engine_options.dir);
		print_phases(c);
		print_repeats(&c->repeat);
	}
	if (p->n > 1 && p->repeated)
		printf("\norder of the repeats: %s\n",
		       p->runs[0].config.repeat.order ? p->runs[0].config.repeat.order
		                                      : order_names[ORDER_SEQUENTIAL]);
}

/* One run of a plan, in its own process. */
struct errand {
	struct planned *run;
	const char *dir;
	bool print;
};

static int do_errand(void *ctx)
{
	struct errand *x = ctx;
	return run_once(&x->run->config, x->dir, x->print);
}

struct execution {
	struct plan *p;
	const volatile sig_atomic_t *stop;
	int worst; /* exit code */
};

static int run_repeated(void *ctx, size_t i, const char *dir)
{
	struct execution *x = ctx;
	struct errand errand = {.run = &x->p->runs[i], .dir = dir};
	struct err e = {0};
	int code = child_run(do_errand, &errand, x->stop, &e);
	command_end(&e);
	if (code > x->worst)
		x->worst = code;
	return code;
}

static void tell(void *ctx, size_t i, const struct repeat *r)
{
	const struct execution *x = ctx;
	const struct planned *run = &x->p->runs[i];
	fprintf(stderr, "cellbench: %s%srun %zu", run->label, run->label[0] ? ": " : "",
	        r->n);
	if (r->width > 0 && isfinite(r->width))
		fprintf(stderr, ", widest 95 %% interval %.1f %% of the median (%s)",
		        100 * r->width, r->whose);
	fprintf(stderr, "%s%s\n", r->done ? "; " : "", r->done ? r->why : "");
}

/* The folder of a repeated run, made. */
static int make_dir(struct repeat *r, const struct planned *run, struct err *e)
{
	struct run at = {0};
	char path[4200];
	int result = run_init(&at, run->out[0] ? run->out : run->config.out, e);
	memcpy(r->dir, at.dir, sizeof r->dir);
	run_fini(&at);
	snprintf(path, sizeof path, "%s/summary.json", r->dir);
	if (result == 0 && access(path, F_OK) == 0)
		result = err_set(e, ERR_USAGE,
		                 "%s holds repeated runs already; name another folder "
		                 "with -o",
		                 r->dir);
	if (result == 0)
		fprintf(stderr, "cellbench: run directory %s\n", r->dir);
	return result;
}

static void print_series(const struct plan *p, const struct repeat *r)
{
	for (size_t i = 0; i < p->n; i++) {
		if (!r[i].summary)
			continue;
		if (p->given->json) {
			json_text_print(r[i].summary, stdout);
			continue;
		}
		printf("%s", i ? "\n" : "");
		if (p->runs[i].label[0])
			printf("%s: ", p->runs[i].label);
		series_report_text(r[i].summary, stdout);
	}
}

static void execute_repeated(struct execution *x, struct err *e)
{
	struct plan *p = x->p;
	const struct repeat_calls calls = {run_repeated, tell, x};
	struct repeat *r = calloc(p->n, sizeof *r);
	enum order_kind order;
	int result = r ? order_find(p->runs[0].config.repeat.order, &order, e)
	               : err_set(e, ERR_ENVIRONMENT, "out of memory");
	for (size_t i = 0; i < p->n && result == 0; i++) {
		r[i].options = &p->runs[i].config.repeat;
		result = make_dir(&r[i], &p->runs[i], e);
	}
	if (result == 0)
		repeat_all(r, p->n, order, p->runs[0].config.workload_options.seed,
		           &calls, x->stop, e);
	if (r)
		print_series(p, r);
	for (size_t i = 0; r && i < p->n; i++)
		repeat_fini(&r[i]);
	free(r);
}

/* Several runs, each once. */
static void execute_each(struct execution *x, struct err *e)
{
	struct plan *p = x->p;
	for (size_t i = 0; i < p->n; i++) {
		struct planned *run = &p->runs[i];
		struct errand errand = {run, run->out[0] ? run->out : NULL, true};
		if (*x->stop) {
			err_set(e, ERR_PARTIAL, "interrupted before %s", run->label);
			return;
		}
		fprintf(stderr, "cellbench: %s\n", run->label);
		if (i > 0 && !p->given->json)
			printf("\n");
		int code = child_run(do_errand, &errand, x->stop, e);
		if (code > x->worst)
			x->worst = code;
		if (e->code != ERR_NONE)
			return;
	}
}

int plan_execute(struct plan *p)
{
	struct err e = {0};
	struct execution x = {.p = p, .stop = stop_catch()};
	if (p->repeated)
		execute_repeated(&x, &e);
	else
		execute_each(&x, &e);
	if (fflush(stdout) == EOF)
		err_set(&e, ERR_ENVIRONMENT, "cannot write to standard output");
	int code = command_end(&e);
	return code != ERR_NONE ? code : x.worst;
}
