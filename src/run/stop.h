/* SIGINT, SIGTERM and SIGHUP as a wish to end in order. */
#ifndef RUN_STOP_H
#define RUN_STOP_H

#include <signal.h>

/* Catches them.  The flag that is returned becomes the signal's number; a second
 * signal then ends the program at once. */
const volatile sig_atomic_t *stop_catch(void);

#endif
