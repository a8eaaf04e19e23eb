/* The command `cellbench lab`: finds the lab's scripts and becomes them. */
#ifndef LAB_LAB_H
#define LAB_LAB_H

#include <stddef.h>

#include "src/base/err.h"

/* Writes the full path of lab.sh into path: that of the tree which the executable
 * exe was built in (some folder above it has src/lab/lab.sh), else the installed one
 * (LABDIR).  Returns 0, or -1 with ERR_ENVIRONMENT where there is neither. */
int lab_script(const char *exe, char *path, size_t size, struct err *e);

/* Replaces the process by the script with argv[1..argc-1] as its arguments; argv[0] is
 * the command's own name.  Returns an exit code only where that failed; the sentence
 * why is then on standard error. */
int cmd_lab(int argc, char **argv);

#endif
