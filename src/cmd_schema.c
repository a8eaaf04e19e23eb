/* cellbench schema: the JSON Schemas of what cellbench writes. */
#include <argp.h>
#include <stdio.h>

#include "src/command.h"
#include "src/report/schema.h"

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	const char **name = state->input;
	if (key != ARGP_KEY_ARG || state->arg_num > 0)
		return ARGP_ERR_UNKNOWN;
	*name = arg;
	return 0;
}

int cmd_schema(int argc, char **argv)
{
	static const struct argp argp = {
	        .parser = parse_option,
	        .args_doc = "[run|summary|compare]",
	        .doc = "Prints the JSON Schema (2020-12) of run.json (run), of "
	               "summary.json "
	               "(summary), or of what compare --json prints (compare).\vExit "
	               "codes: "
	               "0 ok, 2 no such schema.",
	};
	const char *name = "run";
	struct err e = {0};
	if (argp_parse(&argp, argc, argv, 0, NULL, &name) != 0)
		return ERR_USAGE;
	const struct schema *s = schema_find(name);
	if (!s)
		err_set(&e, ERR_USAGE,
		        "no schema '%s'; there are run, summary and compare", name);
	else if (fputs(s->text, stdout) == EOF || fflush(stdout) == EOF)
		err_set(&e, ERR_ENVIRONMENT, "cannot write to standard output");
	return command_end(&e);
}
