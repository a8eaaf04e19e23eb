#include "src/run/stop.h"

#include <stddef.h>

/* A handler can reach nothing but a static object. */
static volatile sig_atomic_t stop;

static void on_signal(int signal)
{
	stop = signal;
}

/* The write that passed the limit fails with EFBIG then.  Caught, not ignored: commands
 * that are started have the signal's default again. */
static void on_limit(int signal)
{
	(void)signal;
}

const volatile sig_atomic_t *stop_catch(void)
{
	struct sigaction a = {.sa_handler = on_signal,
	                      .sa_flags = SA_RESTART | (int)SA_RESETHAND};
	sigemptyset(&a.sa_mask);
	sigaction(SIGINT, &a, NULL);
	sigaction(SIGTERM, &a, NULL);
	sigaction(SIGHUP, &a, NULL);
	struct sigaction limit = {.sa_handler = on_limit, .sa_flags = SA_RESTART};
	sigemptyset(&limit.sa_mask);
	sigaction(SIGXFSZ, &limit, NULL);
	return &stop;
}
