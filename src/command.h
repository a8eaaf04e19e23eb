/* The commands of cellbench.  Each takes its own name as argv[0] and returns the
 * exit code; only these files print errors. */
#ifndef COMMAND_H
#define COMMAND_H

#include "src/base/err.h"

int cmd_compare(int argc, char **argv);
int cmd_clean(int argc, char **argv);
int cmd_clients(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_schema(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_study(int argc, char **argv);

/* Prints the sentence of e, if there is one, to standard error; its exit code. */
int command_end(const struct err *e);

#endif
