#include "src/run/stop.h"

#include <stddef.h>

/* A handler can reach nothing but a static object. */
static volatile sig_atomic_t stop;

static void on_signal(int signal)
{
	stop = signal;
}

const volatile sig_atomic_t *stop_catch(void)
{
	struct sigaction a = {.sa_handler = on_signal,
	                      .sa_flags = SA_RESTART | (int)SA_RESETHAND};
	sigemptyset(&a.sa_mask);
	sigaction(SIGINT, &a, NULL);
	sigaction(SIGTERM, &a, NULL);
	sigaction(SIGHUP, &a, NULL);
	return &stop;
}
