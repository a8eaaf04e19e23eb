#include "netprobe/cmd_schema.h"

#include "netprobe/report/schema.h"

#include <argp.h>
#include <stdio.h>

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	const char **part = state->input;
	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	if (state->arg_num > 0)
		argp_error(state, "one part at a time");
	*part = arg;
	return 0;
}

int cmd_schema(int argc, char **argv)
{
	const char *part = "report";
	const struct argp argp = {
	        .parser = parse_option,
	        .args_doc = "[PART]",
	        .doc = "Prints the JSON Schema (2020-12) of what netprobe read prints: "
	               "of "
	               "the report of --json (PART report, the default), of a line of "
	               "--ndjson (record), or of one kind of record (call, flow, …); "
	               "or of what netprobe check prints (check).",
	};
	struct err err = {0};
	static char name[] = "netprobe schema";
	argv[0] = name;
	argp_err_exit_status = ERR_USAGE;
	argp_parse(&argp, argc, argv, 0, NULL, &part);
	json_t *schema = schema_of(part, &err);
	if (!schema) {
		fprintf(stderr, "netprobe schema: %s\n", err.text);
		return err.code;
	}
	int rc = json_dumpf(schema, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
	json_decref(schema);
	if (rc != 0 || putchar('\n') == EOF || fflush(stdout) != 0) {
		fputs("netprobe schema: cannot write the schema\n", stderr);
		return ERR_ENVIRONMENT;
	}
	return 0;
}
