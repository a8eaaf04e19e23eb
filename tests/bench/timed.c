/* timed N COMMAND…: runs the command N times with its output thrown away and prints
 * "WALL CPU RSS" of the fastest run: seconds, seconds of user and system time, and KiB
 * of the largest resident set.  Exit code 1 if a run was killed or could not start. */
#include "src/base/clock.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct figures {
	double wall, cpu;
	long rss;
};

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static int run_once(char **command, struct figures *f)
{
	int64_t began = clock_mono_ns();
	pid_t pid = fork();
	if (pid == 0) {
		int null = open("/dev/null", O_WRONLY);
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		execvp(command[0], command);
		_exit(127);
	}
	int status;
	struct rusage use;
	if (pid < 0 || wait4(pid, &status, 0, &use) != pid)
		return -1;
	f->wall = (double)(clock_mono_ns() - began) / 1e9;
	f->cpu = seconds(use.ru_utime) + seconds(use.ru_stime);
	f->rss = use.ru_maxrss;
	return WIFEXITED(status) && WEXITSTATUS(status) != 127 ? 0 : -1;
}

int main(int argc, char **argv)
{
	int runs = argc > 2 ? atoi(argv[1]) : 0;
	if (runs < 1) {
		fputs("usage: timed N COMMAND…\n", stderr);
		return 2;
	}
	struct figures best = { .wall = 1e99 };
	for (int i = 0; i < runs; i++) {
		struct figures f;
		if (run_once(argv + 2, &f) != 0) {
			fprintf(stderr, "timed: %s did not run\n", argv[2]);
			return 1;
		}
		if (f.wall < best.wall)
			best = f;
	}
	printf("%.3f %.3f %ld\n", best.wall, best.cpu, best.rss);
	return 0;
}
