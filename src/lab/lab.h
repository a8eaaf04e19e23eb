/* The command `cellbench lab`: finds the lab's scripts and becomes them. */
#ifndef LAB_LAB_H
#define LAB_LAB_H

#include <stddef.h>

#include "src/base/err.h"

/* Writes the full path of lab.sh into path.  It is looked for in every folder above
 * the executable exe: as src/lab/lab.sh in the tree that exe was built in, as
 * libexec/cellbench/lab.sh under the prefix that it was installed with.  Returns 0, or
 * -1 with ERR_ENVIRONMENT where there is neither. */
int lab_script(const char *exe, char *path, size_t size, struct err *e);

/* Replaces the process by the script with argv[1..argc-1] as its arguments; argv[0] is
 * the command's own name.  Returns an exit code only where that failed; the sentence
 * why is then on standard error. */
int cmd_lab(int argc, char **argv);

#endif
