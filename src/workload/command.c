/* Command lines, timed: each step is a phase.  They work in the folder command of
 * the work folder, which is empty when a round begins; what they print goes to
 * command.log in the run directory.  A step that fails is shown as failed. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "src/base/process.h"
#include "src/workload/owned.h"
#include "src/workload/workload.h"

static int run_command(struct work *w, const char *command, const char *what,
                       struct process_end *end, struct err *e)
{
	char dir[sizeof w->path], log[sizeof w->path], pass[16], why[256];
	snprintf(pass, sizeof pass, "%u", w->pass + 1);
	if (work_path(w, e, "command") < 0)
		return -1;
	memcpy(dir, w->path, sizeof dir);
	int n = snprintf(log, sizeof log, "%s/command.log",
	                 w->run_dir ? w->run_dir : "");
	if (n < 0 || (size_t)n >= sizeof log)
		return err_sys(e, ENAMETOOLONG, "cannot write the log of commands");
	const char *const env[] = {"CELLBENCH_DIR", dir, "CELLBENCH_PASS", pass, NULL};
	struct process p = {.command = command,
	                    .dir = dir,
	                    .log = w->run_dir ? log : NULL,
	                    .env = env,
	                    .stop = w->stop};
	if (process_run(&p, end, e) < 0)
		return -1;
	if (end->status == 0)
		return 0;
	process_text(end, why, sizeof why);
	return err_set(e, ERR_FINDINGS, "%s '%s' failed: %s", what, command, why);
}

static int step(struct work *w, struct err *e)
{
	const struct workload_options *o = w->options;
	const char *command = NULL;
	struct process_end end;
	for (size_t i = 0; i < o->nsteps; i++)
		if (strcmp(o->steps[i].name, w->step) == 0)
			command = o->steps[i].command;
	meter_begin(&w->meter, 0, "command");
	int r = run_command(w, command, "the command", &end, e);
	meter_done(&w->meter);
	meter_count(&w->meter, 0);
	meter_last_call(&w->meter);
	if (r < 0)
		return -1;
	w->meter.children_cpu_ns = end.cpu_ns;
	w->meter.children_user_ns = end.cpu_user_ns;
	meter_end(&w->meter);
	return 0;
}

static int round_begin(struct work *w, struct err *e)
{
	struct process_end end;
	const struct engine *en = w->engine;
	if (work_path(w, e, "command") < 0)
		return -1;
	int r = en->ops->mkdir(en->st, w->path, 0755);
	if (r == -EEXIST)
		r = owned_empty(w->path);
	if (r < 0)
		return work_error(w, e, r, "emptying the folder", WORK_WHOLE_FILE);
	if (!w->options->prepare)
		return 0;
	return run_command(w, w->options->prepare, "the command --prepare", &end, e);
}

static int round_end(struct work *w, struct err *e)
{
	struct process_end end;
	if (!w->options->cleanup)
		return 0;
	return run_command(w, w->options->cleanup, "the command --cleanup", &end, e);
}

static size_t list(const struct workload_options *o,
                   struct workload_phase out[WORKLOAD_PHASES])
{
	for (size_t i = 0; i < o->nsteps; i++)
		out[i] = (struct workload_phase){.name = o->steps[i].name,
		                                 .run = step,
		                                 .reads = true,
		                                 .names = true};
	return o->nsteps;
}

const struct workload workload_command = {
        .name = "command",
        .help = "command lines (--step), timed one by one",
        .list = list,
        .round_begin = round_begin,
        .round_end = round_end,
        .rounds = true,
        .independent = true,
        .needs = ENGINE_MOUNTED,
};
