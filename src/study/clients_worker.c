#include "src/study/clients_worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/run/runner.h"

enum { WORDS = 256, GATE_IN = 8, GATE_OUT = 9 };

/* What the child starts in the place of netprobe: joins its standard input and
 * output to the descriptors of the gate, which it inherited. */
static const char gate_command[] = "sh -c 'exec 3<&0; cat <&3 >&9 & exec cat <&8' gate";

char *worker_fill(const char *text, const char *host)
{
	char *out = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&out, &n);
	if (!f)
		return NULL;
	for (const char *p = text; *p;) {
		const char *hole = strstr(p, "{}");
		size_t len = hole ? (size_t)(hole - p) : strlen(p);
		fwrite(p, 1, len, f);
		if (hole)
			fputs(host, f);
		p += len + (hole ? 2 : 0);
	}
	return fclose(f) == 0 ? out : NULL;
}

/* In the child. */
static void become(const struct worker_config *c, char **words, int in, int out,
                   int log, pid_t parent)
{
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(127);
	if (c->shared)
		setenv(RUNNER_SHARED, "1", 1);
	int null = open("/dev/null", O_RDWR);
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(log, STDERR_FILENO);
	/* first away from the places where they shall be */
	int a = fcntl(in, F_DUPFD_CLOEXEC, 10), b = fcntl(out, F_DUPFD_CLOEXEC, 10);
	dup2(a, GATE_IN);
	dup2(b, GATE_OUT);
	execv(words[0], words);
	dprintf(STDERR_FILENO, "cannot start %s on %s\n", words[0], c->host);
	_exit(127);
}

/* A word that the library wants writable and does not write. */
static char *word(const char *text)
{
	union {
		const char *c;
		char *m;
	} u = {.c = text};
	return u.m;
}

/* sh -c 'VIA "$@"' client SELF run WORDS… */
static int build_words(char **out, const struct worker_config *c, char *via, char *self)
{
	size_t n = 0;
	if (via) {
		out[n++] = word("/bin/sh");
		out[n++] = word("-c");
		out[n++] = via;
		out[n++] = word("client");
	}
	out[n++] = self;
	out[n++] = word("run");
	for (size_t i = 0; c->words[i]; i++) {
		if (n + 10 > WORDS)
			return -1;
		out[n++] = c->words[i];
	}
	const char *const tail[] = {"--quiet", "--output",    c->dir,      "--probe",
	                            "gate",    "--probe-via", gate_command};
	for (size_t i = 0; i < sizeof tail / sizeof *tail; i++)
		out[n++] = word(tail[i]);
	out[n] = NULL;
	return 0;
}

static int start(struct worker *w, const struct worker_config *c, char **words,
                 struct err *e)
{
	int to[2] = {-1, -1}, from[2] = {-1, -1};
	int log = open(c->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	if (log < 0)
		return err_sys(e, errno, "cannot write %s", c->log);
	/* a socket, so that a child that is gone sends no SIGPIPE here */
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, to) < 0 ||
	    pipe2(from, O_CLOEXEC) < 0) {
		close(log);
		return err_sys(e, errno, "cannot make the gate of a client");
	}
	pid_t parent = getpid();
	w->pid = fork();
	if (w->pid == 0)
		become(c, words, to[1], from[1], log, parent);
	close(to[1]);
	close(from[1]);
	close(log);
	w->out = to[0];
	w->in = from[0];
	fcntl(w->in, F_SETFL, O_NONBLOCK);
	if (w->pid > 0)
		return 0;
	w->pid = 0;
	worker_stop(w, 0);
	return err_sys(e, errno, "cannot start a client");
}

int worker_start(struct worker *w, const struct worker_config *c, struct err *e)
{
	char self[4096], *via = NULL, *filled = NULL, *words[WORDS];
	*w = (struct worker){.in = -1, .out = -1};
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	if (n < 0)
		return err_sys(e, errno, "/proc/self/exe cannot be read");
	self[n] = '\0';
	if (c->via) {
		filled = worker_fill(c->via, c->host);
		if (!filled || asprintf(&via, "exec %s \"$@\"", filled) < 0) {
			free(filled);
			return err_set(e, ERR_ENVIRONMENT, "out of memory");
		}
		free(filled);
	}
	int r = build_words(words, c, via, self);
	r = r < 0 ? err_set(e, ERR_USAGE, "too many words for cellbench run")
	          : start(w, c, words, e);
	free(via);
	return r;
}

int worker_line(struct worker *w, char *line, size_t size)
{
	for (;;) {
		char *end = memchr(w->buf, '\n', w->used);
		if (end || w->used == sizeof w->buf) {
			size_t n = end ? (size_t)(end - w->buf) : w->used;
			snprintf(line, size, "%.*s", (int)n, w->buf);
			n += end ? 1 : 0;
			w->used -= n;
			memmove(w->buf, w->buf + n, w->used);
			return 1;
		}
		ssize_t n = read(w->in, w->buf + w->used, sizeof w->buf - w->used);
		if (n == 0)
			return -1;
		if (n < 0 && errno != EINTR)
			return errno == EAGAIN ? 0 : -1;
		w->used += n > 0 ? (size_t)n : 0;
	}
}

void worker_say(const struct worker *w, const char *fmt, ...)
{
	char line[256];
	va_list args;
	va_start(args, fmt);
	int n = vsnprintf(line, sizeof line - 1, fmt, args);
	va_end(args);
	if (n < 0 || (size_t)n >= sizeof line - 1)
		return;
	line[n++] = '\n';
	/* a client that is gone is told by its end */
	while (send(w->out, line, (size_t)n, MSG_NOSIGNAL) < 0 && errno == EINTR)
		;
}

bool worker_ended(struct worker *w, int *status)
{
	if (!w->pid)
		return false;
	pid_t r = waitpid(w->pid, status, WNOHANG);
	if (r == 0 || (r < 0 && errno == EINTR))
		return false;
	w->pid = 0;
	return true;
}

void worker_done(const struct worker *w)
{
	worker_say(w, "done");
	shutdown(w->out, SHUT_WR);
}

void worker_stop(struct worker *w, int signal)
{
	int status;
	if (w->pid) {
		kill(w->pid, signal);
		while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
			;
		w->pid = 0;
	}
	if (w->in >= 0)
		close(w->in);
	if (w->out >= 0)
		close(w->out);
	w->in = w->out = -1;
}
