/* cellbench clean: removes what a killed run left. */
#include <argp.h>
#include <stdio.h>

#include "src/command.h"
#include "src/run/leftover.h"
#include "src/run/run.h"

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	const char **dir = state->input;
	if (key == ARGP_KEY_ARG && !*dir)
		*dir = arg;
	else if (key == ARGP_KEY_END && !*dir)
		argp_error(state, "name a run directory");
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

int cmd_clean(int argc, char **argv)
{
	static const struct argp argp = {
	        .parser = parse_option,
	        .args_doc = "RUN",
	        .doc = "Removes what the run of the directory RUN left in the folder "
	               "it "
	               "worked in, if it was killed; the record stays.  Nothing but "
	               "what "
	               "the run made is touched.\vExit codes: 0 nothing is left, 1 the "
	               "work folder holds other things too and was left alone, 2 no "
	               "run "
	               "there, or it or a command of it is still under way, 3 it could "
	               "not "
	               "be removed.",
	};
	const char *dir = NULL;
	struct run r = {0};
	struct err e = {0};
	if (argp_parse(&argp, argc, argv, 0, NULL, &dir) != 0)
		return ERR_USAGE;
	if (run_load(&r, dir, &e) == 0) {
		int removed = leftover_remove(&r, &e);
		if (removed >= 0)
			printf("cellbench: %s\n",
			       removed ? "what the run left is removed"
			               : "the run left nothing");
	}
	run_fini(&r);
	return command_end(&e);
}
