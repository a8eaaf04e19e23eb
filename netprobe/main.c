/* netprobe: the probe. */
#include "netprobe/cmd_check.h"
#include "netprobe/cmd_expect.h"
#include "netprobe/cmd_findings.h"
#include "netprobe/cmd_links.h"
#include "netprobe/cmd_read.h"
#include "netprobe/cmd_record.h"
#include "netprobe/cmd_schema.h"
#include "netprobe/host/iface.h"
#include "netprobe/host/sandbox.h"
#include "netprobe/source/live.h"
#include "netprobe/source/unpack.h"
#include "src/base/err.h"

#include <stdio.h>
#include <string.h>

#define VERSION "0.1"

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help;
} commands[] = {
        {"record", cmd_record, "capture on interfaces into a pcapng file"},
        {"read", cmd_read, "analyse captures: MTUs chosen, fragments, losses, rates"},
        {"findings", cmd_findings, "what read can find, and what to change then"},
        {"check", cmd_check, "from this host: links, routes, paths and what Rx sends"},
        {"expect", cmd_expect, "which sizes a host should choose, with the arithmetic"},
        {"links", cmd_links, "what packets cost on Ethernet, ATM, FDDI, tunnels, …"},
        {"schema", cmd_schema, "print the JSON Schema of reports and records"},
};
#define COMMANDS (sizeof commands / sizeof *commands)

static void print_help(FILE *out)
{
	fputs("Usage: netprobe COMMAND [OPTION...]\n"
	      "Shows what AFS's Rx protocol does on the wire.\n\n",
	      out);
	for (size_t i = 0; i < COMMANDS; i++)
		fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].help);
	fputs("\n  netprobe COMMAND --help  tells the options of a command\n"
	      "  netprobe --version       tells the libraries in use\n\n"
	      "Exit codes: 0 ok, 1 findings or thresholds, 2 wrong usage or unreadable "
	      "input,\n"
	      "3 trouble with the machine (privilege, interface, disk), 4 partial "
	      "result.\n",
	      out);
}

static void print_version(void)
{
	printf("netprobe %s\n%s\n%s\n%s\n%s\n", VERSION, live_library_version(),
	       unpack_library_version(), host_library_version(),
	       sandbox_library_version());
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	for (size_t i = 0; i < COMMANDS; i++)
		if (strcmp(name, commands[i].name) == 0)
			return commands[i].run(argc - 1, argv + 1);
	if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
		print_version();
		return 0;
	}
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 ||
	    strcmp(name, "help") == 0) {
		print_help(stdout);
		return 0;
	}
	if (*name)
		fprintf(stderr,
		        "netprobe: no command '%s'; netprobe --help lists them\n",
		        name);
	else
		print_help(stderr);
	return ERR_USAGE;
}
