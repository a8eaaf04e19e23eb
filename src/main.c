/* cellbench: the workload driver. */
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "src/command.h"
#include "src/engine/engine.h"
#include "src/lab/lab.h"
#include "src/study/clients_comm.h"

#define VERSION "0.1"

struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help;
};

static const struct command commands[] = {
        {"run", cmd_run, "run a workload and print the report"},
        {"show", cmd_show, "print the report of a run directory again"},
        {"compare", cmd_compare, "hold results against a baseline, phase by phase"},
        {"list", cmd_list, "runs, published results, workloads, engines"},
        {"schema", cmd_schema, "the JSON Schemas of what cellbench writes"},
        {"clean", cmd_clean, "remove what a killed run left"},
        {"study", cmd_study, "run a matrix of configurations that a job file names"},
        {"clients", cmd_clients, "one workload on several clients at once (mpirun)"},
        {"lab", cmd_lab, "a real AFS cell on this machine: up, down, status, exec"},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

int command_end(const struct err *e)
{
	if (e->code != ERR_NONE)
		fprintf(stderr, "cellbench: %s\n", e->text);
	return (int)e->code;
}

static void print_version(void)
{
	printf("cellbench %s; engines:", VERSION);
	for (size_t i = 0; engine_table[i]; i++)
		printf("%s %s", i ? "," : "", engine_table[i]->name);
	if (!engine_find("afs"))
		printf(" (afs was not built in: no libuafs)");
	printf("; several clients: %s",
	       comm_version() ? comm_version() : "no (built without MPI)");
	putchar('\n');
}

static void print_help(FILE *out)
{
	fprintf(out, "Usage: cellbench COMMAND [OPTION...]\n"
	             "Measures file systems over the network, AFS above all.\n\n");
	for (size_t i = 0; i < COMMANDS; i++)
		fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].help);
	fprintf(out, "\n  cellbench COMMAND --help  tells the options of a command\n"
	             "  cellbench --version       tells which engines are built "
	             "in\n\nEngines:\n");
	for (size_t i = 0; engine_table[i]; i++)
		fprintf(out, "  %-6s %s\n", engine_table[i]->name,
		        engine_table[i]->help);
}

/* What was printed must have arrived, whoever printed it.  A command that found out
 * by itself has said so. */
static int end(int code)
{
	bool lost = fflush(stdout) == EOF || ferror(stdout);
	if (!lost || code != ERR_NONE)
		return code;
	fprintf(stderr, "cellbench: cannot write to standard output\n");
	return ERR_ENVIRONMENT;
}

int main(int argc, char **argv)
{
	argp_err_exit_status = ERR_USAGE;
	const char *name = argc > 1 ? argv[1] : "";
	for (size_t i = 0; i < COMMANDS; i++)
		if (strcmp(name, commands[i].name) == 0) {
			char called[64]; /* how argp names us in its messages */
			snprintf(called, sizeof called, "cellbench %s", name);
			argv[1] = called;
			return end(commands[i].run(argc - 1, argv + 1));
		}
	if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
		print_version();
		return end(0);
	}
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 ||
	    strcmp(name, "help") == 0) {
		print_help(stdout);
		return end(0);
	}
	if (name[0])
		fprintf(stderr, "cellbench: no command '%s'; try cellbench --help\n",
		        name);
	else
		print_help(stderr);
	return ERR_USAGE;
}
