#include "netprobe/cmd_findings.h"

#include "netprobe/report/text_finding.h"

#include <argp.h>
#include <stdio.h>

int cmd_findings(int argc, char **argv)
{
	const struct argp argp = {
	        .doc = "Prints the catalogue of findings as Markdown: what each means, "
	               "what "
	               "shows it, what to change.",
	};
	struct err err = {0};
	argp_err_exit_status = ERR_USAGE;
	static char name[] = "netprobe findings";
	argv[0] = name;
	argp_parse(&argp, argc, argv, 0, NULL, NULL);
	if (text_catalogue(stdout, &err) == 0)
		return 0;
	fprintf(stderr, "netprobe findings: %s\n", err.text);
	return err.code;
}
