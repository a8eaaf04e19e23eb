#include "src/study/child.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOOK_US = 20000 };

/* Handlers restart waitpid, so the wait looks around now and then. */
static int wait_for(pid_t pid, const volatile sig_atomic_t *stop)
{
	int status = 0;
	bool passed_on = false;
	for (;;) {
		pid_t got = waitpid(pid, &status, WNOHANG);
		if (got == pid || (got < 0 && errno != EINTR))
			return got == pid ? status : -1;
		if (stop && *stop && !passed_on) {
			passed_on = true;
			if (*stop != SIGINT)
				kill(pid, (int)*stop);
		}
		usleep(LOOK_US);
	}
}

int child_run(int (*work)(void *ctx), void *ctx, const volatile sig_atomic_t *stop,
              struct err *e)
{
	fflush(NULL);
	pid_t pid = fork();
	if (pid < 0) {
		err_sys(e, errno, "cannot start a process");
		return ERR_ENVIRONMENT;
	}
	if (pid == 0) {
		int code = work(ctx);
		fflush(NULL);
		_exit(code);
	}
	int status = wait_for(pid, stop);
	if (status >= 0 && WIFEXITED(status))
		return WEXITSTATUS(status);
	err_set(e, ERR_ENVIRONMENT, "a run died of signal %d",
	        status >= 0 ? WTERMSIG(status) : 0);
	return ERR_ENVIRONMENT;
}
