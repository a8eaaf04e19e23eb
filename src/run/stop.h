/* SIGINT, SIGTERM and SIGHUP as a wish to end in order; a file size limit as an error of
 * the write. */
#ifndef RUN_STOP_H
#define RUN_STOP_H

#include <signal.h>

/* Catches them.  The flag that is returned becomes the signal's number; a second
 * signal then ends the program at once.  SIGXFSZ kills no more. */
const volatile sig_atomic_t *stop_catch(void);

#endif
