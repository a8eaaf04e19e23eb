#include "src/base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/clock.h"

enum { POLL_MS = 100, GRACE_MS = 3000, EXIT_NO_DIR = 126 };

static void set_env(const char *const *env)
{
	for (; env && env[0] && env[1]; env += 2)
		setenv(env[0], env[1], 1);
}

/* In the child; the parent may have threads, but this program's own hold no lock
 * of setenv or of the heap at a fork for long. */
static void become(const struct process *p, int log, const sigset_t *mask, pid_t parent)
{
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(EXIT_NO_DIR);
	sigprocmask(SIG_SETMASK, mask, NULL);
	int null = open("/dev/null", O_RDWR);
	dup2(null, STDIN_FILENO);
	dup2(log >= 0 ? log : null, STDOUT_FILENO);
	dup2(log >= 0 ? log : null, STDERR_FILENO);
	if (p->dir && chdir(p->dir) < 0) {
		dprintf(STDERR_FILENO, "cannot enter %s: %s\n", p->dir,
		        strerror(errno));
		_exit(EXIT_NO_DIR);
	}
	set_env(p->env);
	execl("/bin/sh", "sh", "-c", p->command, (char *)NULL);
	_exit(127);
}

static bool wants_stop(const struct process *p)
{
	return p->stop && *p->stop;
}

/* Waits for the end or for the wish to stop, which ends the group: by SIGTERM,
 * later by SIGKILL.  Whether it was stopped. */
static bool wait_end(const struct process *p, pid_t pid, int pidfd)
{
	struct pollfd f = {.fd = pidfd, .events = POLLIN};
	int waited = 0;
	bool stopped = false;
	while (poll(&f, 1, POLL_MS) <= 0) {
		if (!wants_stop(p))
			continue;
		if (!stopped)
			kill(-pid, SIGTERM);
		stopped = true;
		waited += POLL_MS;
		if (waited == GRACE_MS)
			kill(-pid, SIGKILL);
	}
	return stopped;
}

static int64_t ns_of(struct timeval t)
{
	return t.tv_sec * NS_PER_S + t.tv_usec * 1000;
}

/* The last line of the log behind the place where the command began. */
static void last_line(int log, off_t begin, char *last, size_t size)
{
	char buf[512];
	off_t end = lseek(log, 0, SEEK_END);
	off_t from = end - (off_t)sizeof buf + 1 > begin ? end - (off_t)sizeof buf + 1
	                                                 : begin;
	ssize_t n = end > begin ? pread(log, buf, sizeof buf - 1, from) : 0;
	last[0] = '\0';
	if (n <= 0)
		return;
	while (n > 0 && (buf[n - 1] == '\n' || buf[n - 1] == '\r'))
		n--;
	buf[n] = '\0';
	const char *line = strrchr(buf, '\n');
	snprintf(last, size, "%.159s", line ? line + 1 : buf);
}

static int start(const struct process *p, int log, pid_t *pid, int *pidfd,
                 struct err *e)
{
	sigset_t mask;
	sigprocmask(SIG_SETMASK, NULL, &mask);
	pid_t parent = getpid();
	*pid = fork();
	if (*pid == 0)
		become(p, log, &mask, parent);
	if (*pid < 0)
		return err_sys(e, errno, "cannot start '%s'", p->command);
	setpgid(*pid, *pid);
	*pidfd = (int)syscall(SYS_pidfd_open, *pid, 0);
	if (*pidfd >= 0)
		return 0;
	err_sys(e, errno, "cannot watch '%s'", p->command);
	kill(-*pid, SIGKILL);
	waitpid(*pid, NULL, 0);
	return -1;
}

int process_run(const struct process *p, struct process_end *end, struct err *e)
{
	pid_t pid;
	int pidfd = -1, log = -1;
	struct rusage usage;
	*end = (struct process_end){0};
	if (p->log)
		log = open(p->log, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	if (p->log && log < 0)
		return err_sys(e, errno, "cannot write %s", p->log);
	off_t begin = log >= 0 ? lseek(log, 0, SEEK_END) : 0;
	int64_t at = clock_mono_ns();
	if (start(p, log, &pid, &pidfd, e) < 0) {
		if (log >= 0)
			close(log);
		return -1;
	}
	bool stopped = wait_end(p, pid, pidfd);
	while (wait4(pid, &end->status, 0, &usage) < 0 && errno == EINTR)
		;
	end->ns = clock_mono_ns() - at;
	end->cpu_user_ns = ns_of(usage.ru_utime);
	end->cpu_ns = end->cpu_user_ns + ns_of(usage.ru_stime);
	close(pidfd);
	if (log >= 0) {
		last_line(log, begin, end->last, sizeof end->last);
		close(log);
	}
	return stopped ? err_set(e, ERR_PARTIAL, "interrupted: '%s' was ended",
	                         p->command)
	               : 0;
}

void process_text(const struct process_end *end, char *text, size_t size)
{
	const char *colon = end->last[0] ? ": " : "";
	if (WIFSIGNALED(end->status))
		snprintf(text, size, "signal %d%s%s", WTERMSIG(end->status), colon,
		         end->last);
	else
		snprintf(text, size, "exit code %d%s%s", WEXITSTATUS(end->status),
		         colon, end->last);
}
