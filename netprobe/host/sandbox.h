/* Giving up the kernel once everything is open: what reads a hostile capture can then
 * do nothing but read, compute and write to what is open. */
#ifndef HOST_SANDBOX_H
#define HOST_SANDBOX_H

#include "src/base/err.h"

/* Confines all threads of this process, for good, to system calls that use open
 * files, memory, threads and clocks (seccomp, by libseccomp); any other fails with
 * EPERM.  Does nothing where the environment has NETPROBE_SANDBOX=off (debuggers
 * need more), and in a build with a sanitizer.  Fails with ERR_ENVIRONMENT where the
 * kernel cannot do it. */
int sandbox_enter(struct err *err);

/* "libseccomp 2.5.4", or that this build confines nothing. */
const char *sandbox_library_version(void);

#endif
