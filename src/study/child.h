/* Work in a process of its own, so that each repeated run begins alike: an AFS
 * client, say, can be started once in a process. */
#ifndef STUDY_CHILD_H
#define STUDY_CHILD_H

#include <signal.h>

#include "src/base/err.h"

/* Calls work(ctx) in a child process and returns its exit code, ERR_ENVIRONMENT
 * where it could not be started or died of a signal.  When *stop is set, the child
 * is sent that signal once, unless the terminal sent it already (SIGINT). */
int child_run(int (*work)(void *ctx), void *ctx, const volatile sig_atomic_t *stop,
              struct err *e);

#endif
