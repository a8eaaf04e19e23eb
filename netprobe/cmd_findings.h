/* netprobe findings: prints the catalogue of findings. */
#ifndef NETPROBE_CMD_FINDINGS_H
#define NETPROBE_CMD_FINDINGS_H

/* Returns the exit code. */
int cmd_findings(int argc, char **argv);

#endif
