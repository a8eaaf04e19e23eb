/* Makes the runs of a study. */
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/clock.h"
#include "src/base/process.h"
#include "src/run/facts.h"
#include "src/study/study_lab.h"

/* A study at work. */
struct at_work {
	struct study *s;
	struct study_lab lab;
	const volatile sig_atomic_t *stop;
	int64_t began_ns;
	size_t steps, done;
};

static int remove_entry(const char *path, const struct stat *st, int type,
                        struct FTW *where)
{
	(void)st;
	(void)type;
	(void)where;
	return remove(path);
}

/* What an interrupted run left, and the folders above the new one. */
static int clear_run_dir(const struct study *s, const char *dir, struct err *e)
{
	char up[4600];
	if (access(dir, F_OK) == 0 &&
	    nftw(dir, remove_entry, 16, FTW_DEPTH | FTW_PHYS) < 0)
		return err_sys(e, errno,
		               "cannot remove %s, which an interrupted run left", dir);
	snprintf(up, sizeof up, "%s", dir);
	for (char *p = up + strlen(s->dir) + 1; (p = strchr(p, '/')) != NULL;
	     *p++ = '/') {
		*p = '\0';
		if (mkdir(up, 0755) < 0 && errno != EEXIST)
			return err_sys(e, errno, "cannot make %s", up);
	}
	return 0;
}

/* A command of the job's, which may use the names of doc/studies/README.md. */
static int run_hook(struct at_work *w, const struct study_step *at, enum setting key,
                    const volatile sig_atomic_t *stop, struct err *e)
{
	const struct study *s = w->s;
	const struct cell *c = s->cells[at->cell].c;
	char *command = study_job_all(s->job, c, key, "\n"), *text = NULL;
	char *self = study_self();
	char log[4200], hosts[2048], first[128], dir[4600], why[256];
	char job_dir[4096];
	struct process_end end;
	study_hosts(s, c, hosts, sizeof hosts);
	snprintf(first, sizeof first, "%.*s", (int)strcspn(hosts, ","), hosts);
	snprintf(log, sizeof log, "%s/setup.log", s->dir);
	study_run_dir(s, at, dir, sizeof dir);
	const char *slash = strrchr(s->job->path, '/');
	snprintf(job_dir, sizeof job_dir, "%.*s",
	         slash ? (int)(slash - s->job->path) : 1, slash ? s->job->path : ".");
	const char *const env[] = {"CELLBENCH", self,    "CLIENT",  first,
	                           "CLIENTS",   hosts,   "RUN_DIR", dir,
	                           "JOB_DIR",   job_dir, "SIZE",    c->value[AXIS_SIZE],
	                           NULL};
	int r = command && self ? 0 : err_set(e, ERR_ENVIRONMENT, "out of memory");
	if (r == 0 && command[0] && asprintf(&text, "set -e\n%s", command) >= 0) {
		struct process p = {
		        .command = text, .log = log, .env = env, .stop = stop};
		r = process_run(&p, &end, e);
		if (r == 0 && end.status != 0) {
			process_text(&end, why, sizeof why);
			r = err_set(e, ERR_ENVIRONMENT, "%s of '%s': %s",
			            setting_names[key], s->cells[at->cell].label, why);
		}
	}
	free(text);
	free(command);
	free(self);
	return r;
}

/* What the run has to show. */
static void judge(struct study_run *r, const char *dir, const struct process_end *end)
{
	char path[4700];
	snprintf(path, sizeof path, "%s/clients.json", dir);
	json_t *o = json_load_file(path, 0, NULL);
	const json_t *problems = json_object_get(o, "problems");
	const char *problem = json_string_value(json_array_get(problems, 0));
	if (!o || json_array_size(json_object_get(o, "phases")) == 0) {
		r->status = STUDY_FAILED;
		process_text(end, r->why, sizeof r->why);
		if (problem)
			snprintf(r->why, sizeof r->why, "%s", problem);
	} else if (problem) {
		r->status = STUDY_PARTIAL;
		snprintf(r->why, sizeof r->why, "%s", problem);
	} else {
		r->status = STUDY_DONE;
	}
	json_decref(o);
}

static int run_step(struct at_work *w, const struct study_step *at, struct err *e)
{
	struct study *s = w->s;
	struct study_run *r = &s->cells[at->cell].runs[at->repeat];
	char dir[4600], log[4700];
	struct process_end end = {0};
	study_run_dir(s, at, dir, sizeof dir);
	snprintf(log, sizeof log, "%s.log", dir);
	if (clear_run_dir(s, dir, e) < 0)
		return -1;
	struct err setup = {0};
	int result = run_hook(w, at, SET_SETUP, w->stop, &setup);
	if (result == 0) {
		char *line =
		        study_command(s, at, s->job->lab ? study_lab_fileserver() : 0);
		char *command = NULL;
		/* what is waited for must be the run, not a shell */
		if (!line || asprintf(&command, "exec %s", line) < 0)
			command = NULL;
		free(line);
		struct process p = {.command = command, .log = log, .stop = w->stop};
		result = command ? process_run(&p, &end, e)
		                 : err_set(e, ERR_ENVIRONMENT, "out of memory");
		free(command);
		if (result == 0)
			judge(r, dir, &end);
	} else if (*w->stop) {
		*e = setup;
	} else {
		r->status = STUDY_FAILED;
		snprintf(r->why, sizeof r->why, "%.255s", setup.text);
		result = 0;
	}
	struct err cleanup = {0};
	if (run_hook(w, at, SET_CLEANUP, NULL, &cleanup) == 0 || result < 0)
		return result;
	/* The next cell must not run in what this one left; a new lab is clean. */
	if (!r->why[0])
		snprintf(r->why, sizeof r->why, "%.255s", cleanup.text);
	if (r->status == STUDY_DONE)
		r->status = STUDY_PARTIAL;
	return s->job->lab ? study_lab_down(&w->lab, s, e)
	                   : err_set(e, ERR_ENVIRONMENT, "%s", cleanup.text);
}

static void say_left(FILE *out, double seconds)
{
	if (seconds < 90)
		fprintf(out, "about %.0f s", seconds);
	else
		fprintf(out, "about %.0f min", seconds / 60);
}

static void progress(const struct at_work *w, const struct study_step *steps,
                     size_t next, const struct study_step *at)
{
	const struct study *s = w->s;
	const struct study_run *r = &s->cells[at->cell].runs[at->repeat];
	double left = 0;
	for (size_t i = next; i < w->steps; i++)
		left += study_estimate(s, steps[i].cell);
	fprintf(stderr, "[%*zu/%zu] %s, run %zu: %s, %.1f s; left ",
	        w->steps < 10    ? 1
	        : w->steps < 100 ? 2
	                         : 3,
	        next, w->steps, s->cells[at->cell].label, at->repeat + 1,
	        study_status_names[r->status], r->seconds);
	say_left(stderr, left);
	fprintf(stderr, "%s%s\n", r->why[0] ? ": " : "", r->why);
}

static void leave_out(struct study *s, const struct study_step *at, const char *why)
{
	char text[400];
	snprintf(text, sizeof text, "%s, run %zu: %s", s->cells[at->cell].label,
	         at->repeat + 1, why);
	json_array_append_new(s->left_out, json_string(text));
}

static double elapsed(const struct at_work *w)
{
	return (double)(clock_mono_ns() - w->began_ns) / 1e9;
}

static void set_facts(struct study *s)
{
	double load[3] = {0};
	json_object_set_new(s->facts, "host", facts_host());
	json_object_set_new(s->facts, "clock", facts_clock());
	if (getloadavg(load, 3) == 3)
		json_object_set_new(s->facts, "load_before",
		                    json_pack("[f,f,f]", load[0], load[1], load[2]));
}

/* One run with the lab that it needs.  A failure that is the cell's own is in its
 * record; -1 ends the study. */
static int make_run(struct at_work *w, const struct study_step *at, struct err *e)
{
	struct study *s = w->s;
	const struct cell *c = s->cells[at->cell].c;
	int64_t began = clock_mono_ns();
	struct study_run *r = &s->cells[at->cell].runs[at->repeat];
	struct err why = {0}, down = {0};
	int result = 0;
	getloadavg(&r->load, 1);
	if (s->job->lab && study_lab_need(&w->lab, s, c, w->stop, &why) < 0) {
		if (!w->lab.up) {
			*e = why;
			return -1;
		}
		/* options that a server refuses are the cell's failure */
		r->status = STUDY_FAILED;
		snprintf(r->why, sizeof r->why, "%.255s", why.text);
		if (study_lab_down(&w->lab, s, &down) < 0) {
			*e = down;
			return -1;
		}
	} else {
		result = run_step(w, at, e);
	}
	if (*w->stop)
		r->status = STUDY_OPEN;
	if (result == 0) {
		r->seconds = (double)(clock_mono_ns() - began) / 1e9;
		result = *w->stop ? 0 : study_save(s, e);
	}
	return result;
}

static int run_all(struct at_work *w, const struct study_step *steps, double limit_s,
                   struct err *e)
{
	struct study *s = w->s;
	for (size_t i = 0; i < w->steps; i++) {
		double room = limit_s - elapsed(w);
		if (*w->stop)
			return err_set(e, ERR_PARTIAL,
			               "interrupted; the same command goes on where it "
			               "stopped");
		if (limit_s > 0 && study_estimate(s, steps[i].cell) > room) {
			leave_out(s, &steps[i], "beyond the limit of time");
			continue;
		}
		if (make_run(w, &steps[i], e) < 0)
			return -1;
		if (!*w->stop)
			progress(w, steps, i + 1, &steps[i]);
	}
	return *w->stop ? err_set(e, ERR_PARTIAL,
	                          "interrupted; the same command goes on where it "
	                          "stopped")
	                : 0;
}

static void first_trouble(const struct study *s, struct err *e)
{
	size_t failed = 0, partial = 0;
	const struct study_cell *first = NULL;
	const char *why = "";
	for (size_t i = 0; i < s->n; i++)
		for (size_t k = 0; k < s->job->repeats; k++) {
			const struct study_run *r = &s->cells[i].runs[k];
			failed += r->status == STUDY_FAILED;
			partial += r->status == STUDY_PARTIAL;
			if (!first &&
			    (r->status == STUDY_FAILED || r->status == STUDY_PARTIAL)) {
				first = &s->cells[i];
				why = r->why;
			}
		}
	if (first)
		err_set(e, ERR_PARTIAL,
		        "%zu runs failed, %zu are less than whole; the first: %s: %s",
		        failed, partial, first->label, why);
	else if (json_array_size(s->left_out) > 0)
		err_set(e, ERR_PARTIAL,
		        "%zu runs were left out for the limit of time; the same "
		        "command "
		        "goes on with them",
		        json_array_size(s->left_out));
}

int study_execute(struct study *s, double limit_s, const volatile sig_atomic_t *stop,
                  struct err *e)
{
	struct at_work w = {.s = s, .stop = stop, .began_ns = clock_mono_ns()};
	if (s->job->lab && geteuid() != 0)
		return err_set(e, ERR_ENVIRONMENT,
		               "the lab of study %s needs root; run it with sudo",
		               s->job->name);
	struct study_step *steps = study_steps(s, limit_s > 0, &w.steps);
	if (!steps)
		return err_set(e, ERR_ENVIRONMENT, "out of memory");
	json_array_clear(s->left_out);
	set_facts(s);
	if (s->job->lab)
		study_lab_name();
	int r = study_save(s, e);
	if (r == 0)
		r = run_all(&w, steps, limit_s, e);
	struct err down = {0};
	if (study_lab_down(&w.lab, s, &down) < 0 && e->code == ERR_NONE)
		*e = down;
	free(steps);
	if (study_save(s, &down) < 0 && e->code == ERR_NONE)
		*e = down;
	if (e->code == ERR_NONE)
		first_trouble(s, e);
	return e->code == ERR_NONE ? 0 : -1;
}

int study_dry_run(const struct study *s, double limit_s, FILE *out, struct err *e)
{
	size_t n;
	double sum = 0;
	struct study_step *steps = study_steps(s, limit_s > 0, &n);
	if (!steps)
		return err_set(e, ERR_ENVIRONMENT, "out of memory");
	fprintf(out, "%s: %zu cells, %zu runs to make%s%s\n", s->job->name, s->n, n,
	        s->job->question ? "\n" : "", s->job->question ? s->job->question : "");
	for (size_t i = 0; i < n; i++) {
		double seconds = study_estimate(s, steps[i].cell);
		const struct cell *c = s->cells[steps[i].cell].c;
		bool left = limit_s > 0 && sum + seconds > limit_s;
		char *command = study_command(s, &steps[i], 0);
		char *lab = s->job->lab ? study_lab_up_command(s, c) : NULL;
		sum += left ? 0 : seconds;
		fprintf(out, "\n%zu. %s, run %zu (about %.0f s)%s\n", i + 1,
		        s->cells[steps[i].cell].label, steps[i].repeat + 1, seconds,
		        left ? ": left out, beyond the limit" : "");
		if (lab)
			fprintf(out, "   %s\n", lab + strlen("exec "));
		fprintf(out, "   %s\n", command ? command : "");
		free(command);
		free(lab);
	}
	fprintf(out, "\nin all ");
	say_left(out, sum);
	fputc('\n', out);
	free(steps);
	return 0;
}
