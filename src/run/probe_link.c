#include "src/run/probe_link.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/clock.h"

enum {
	WORDS = 96,
	READY_MS = 30000,
	MARK_MS = 10000,
	DONE_MS = 300000,
	EXIT_MS = 5000
};

struct probe_link {
	pid_t pid; /* also its process group; 0: gone */
	int in; /* to the probe's standard input: a socket, so that no SIGPIPE comes */
	int out;
	struct probe_config c;
	char buf[1024];
	size_t used;
};

extern char **environ;

/* Words of a command line; add_ functions ignore what is too much, words_ok
 * tells. */
struct words {
	char *at[WORDS + 1];
	int n;
	bool bad;
};

static void word_add(struct words *w, const char *fmt, ...) ERR_PRINTF(2, 3);

static void word_add(struct words *w, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	if (w->n == WORDS || vasprintf(&w->at[w->n], fmt, args) < 0)
		w->bad = true;
	else
		w->n++;
	va_end(args);
}

static void words_fini(struct words *w)
{
	while (w->n > 0)
		free(w->at[--w->n]);
}

static void word_add_list(struct words *w, const char *option, const char *text,
                          const char *separators)
{
	char *copy = strdup(text), *save = NULL;
	w->bad |= !copy;
	for (char *s = copy ? strtok_r(copy, separators, &save) : NULL; s;
	     s = strtok_r(NULL, separators, &save)) {
		if (option)
			word_add(w, "%s", option);
		word_add(w, "%s", s);
	}
	free(copy);
}

static void add_program(struct words *w, const struct probe_config *c)
{
	char self[4096];
	if (c->program) {
		word_add(w, "%s", c->program);
		return;
	}
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	if (n > 0) {
		self[n] = '\0';
		char *slash = strrchr(self, '/');
		if (slash) {
			size_t room = sizeof self - (size_t)(slash + 1 - self);
			snprintf(slash + 1, room, "netprobe");
			if (access(self, X_OK) == 0) {
				word_add(w, "%s", self);
				return;
			}
		}
	}
	word_add(w, "netprobe");
}

/* With a prefix the shell reads the prefix only; the probe's own words reach it
 * as they are, through "$@". */
static void build_words(struct words *w, const struct probe_config *c, const char *dir)
{
	if (c->via) {
		word_add(w, "/bin/sh");
		word_add(w, "-c");
		word_add(w, "%s \"$@\"", c->via);
		word_add(w, "probe-via");
	}
	add_program(w, c);
	word_add(w, "record");
	word_add(w, "--control");
	word_add(w, "-w");
	word_add(w, "%s/capture.pcapng", dir);
	word_add(w, "--json");
	word_add(w, "%s/probe.json", dir);
	word_add_list(w, "-i", c->interfaces, ",");
	if (c->options)
		word_add_list(w, NULL, c->options, " \t");
}

/* A process group of its own, so that a Ctrl-C meant for the driver does not
 * end the probe before it was told to finish. */
static int spawn(struct probe_link *p, char **argv, int child_in, int child_out)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none, all;
	sigemptyset(&none);
	sigfillset(&all);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, child_in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, child_out, STDOUT_FILENO);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
	                                        POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &all);
	int r = posix_spawnp(&p->pid, argv[0], &files, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	if (r)
		p->pid = 0;
	return r;
}

static int launch(struct probe_link *p, const char *dir, struct err *e)
{
	int in[2], out[2];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) < 0)
		return err_sys(e, errno, "cannot start the probe");
	if (pipe2(out, O_CLOEXEC) < 0) {
		err_sys(e, errno, "cannot start the probe");
		close(in[0]);
		close(in[1]);
		return -1;
	}
	struct words w = {0};
	build_words(&w, &p->c, dir);
	int r = w.bad ? E2BIG : spawn(p, w.at, in[1], out[1]);
	if (r)
		err_sys(e, r, "cannot start the probe %s", w.n ? w.at[0] : "");
	words_fini(&w);
	close(in[1]);
	close(out[1]);
	p->in = in[0];
	p->out = out[0];
	return r ? -1 : 0;
}

/* Waits until the probe has ended or the deadline passed; true if it ended. */
static bool reap(struct probe_link *p, int *status, int ms)
{
	int64_t deadline = clock_mono_ns() + ms * NS_PER_MS;
	for (;;) {
		pid_t r = waitpid(p->pid, status, WNOHANG);
		if (r == p->pid || (r < 0 && errno != EINTR)) {
			p->pid = 0;
			return true;
		}
		if (clock_mono_ns() >= deadline)
			return false;
		poll(NULL, 0, 5);
	}
}

static void end_probe(struct probe_link *p)
{
	int status;
	if (p->in >= 0)
		shutdown(p->in, SHUT_WR); /* end of file, where no signal may reach */
	if (p->pid && !reap(p, &status, 0)) {
		kill(-p->pid, SIGTERM);
		if (!reap(p, &status, EXIT_MS)) {
			kill(-p->pid, SIGKILL);
			reap(p, &status, EXIT_MS);
		}
	}
}

static int say_gone(struct probe_link *p, const char *awaited, struct err *e)
{
	int status = 0;
	if (!reap(p, &status, EXIT_MS)) {
		end_probe(p);
		return err_set(e, ERR_ENVIRONMENT,
		               "the probe closed its output before it said '%s'",
		               awaited);
	}
	if (WIFSIGNALED(status))
		return err_set(e, ERR_ENVIRONMENT,
		               "the probe was ended by signal %d before it said '%s'",
		               WTERMSIG(status), awaited);
	return err_set(e, ERR_ENVIRONMENT,
	               "the probe ended with exit code %d before it said '%s'",
	               WEXITSTATUS(status), awaited);
}

/* Takes one line without its newline; 1, 0 at end of file, -1 at the deadline. */
static int read_line(struct probe_link *p, char *line, size_t room, int64_t deadline)
{
	for (;;) {
		char *end = memchr(p->buf, '\n', p->used);
		if (end || p->used == sizeof p->buf) {
			size_t n = end ? (size_t)(end - p->buf) : p->used;
			snprintf(line, room, "%.*s", (int)n, p->buf);
			n += end ? 1 : 0;
			p->used -= n;
			memmove(p->buf, p->buf + n, p->used);
			return 1;
		}
		int64_t left = (deadline - clock_mono_ns()) / NS_PER_MS;
		struct pollfd f = {.fd = p->out, .events = POLLIN};
		int r = left > 0 ? poll(&f, 1, (int)left) : 0;
		if (r == 0)
			return -1;
		if (r < 0)
			continue;
		ssize_t n = read(p->out, p->buf + p->used, sizeof p->buf - p->used);
		if (n == 0 || (n < 0 && errno != EINTR))
			return 0;
		p->used += n > 0 ? (size_t)n : 0;
	}
}

/* Waits for the line that begins with the words awaited. */
static int expect(struct probe_link *p, const char *awaited, int ms, struct err *e)
{
	char line[sizeof p->buf + 1];
	size_t n = strlen(awaited);
	if (!p->pid)
		return err_set(e, ERR_ENVIRONMENT, "the probe is gone");
	int r;
	do /* who says that it waits itself is given its time again */
		r = read_line(p, line, sizeof line, clock_mono_ns() + ms * NS_PER_MS);
	while (r > 0 && strcmp(line, "waiting") == 0);
	if (r == 0)
		return say_gone(p, awaited, e);
	if (r > 0 && strncmp(line, awaited, n) == 0 &&
	    (line[n] == '\0' || line[n] == ' '))
		return 0;
	if (r > 0 && strncmp(line, "error ", 6) == 0)
		err_set(e, ERR_ENVIRONMENT, "the probe: %s", line + 6);
	else if (r > 0)
		err_set(e, ERR_ENVIRONMENT,
		        "the probe said '%s' where '%s' was awaited", line, awaited);
	else
		err_set(e, ERR_ENVIRONMENT, "the probe did not say '%s' within %g s",
		        awaited, ms / 1e3);
	end_probe(p);
	return -1;
}

static int or_default(int ms, int fallback)
{
	return ms > 0 ? ms : fallback;
}

/* A write that fails is told by the answer that does not come. */
static void say(const struct probe_link *p, const char *fmt, ...) ERR_PRINTF(2, 3);

static void say(const struct probe_link *p, const char *fmt, ...)
{
	char line[512];
	va_list args;
	va_start(args, fmt);
	int n = vsnprintf(line, sizeof line, fmt, args);
	va_end(args);
	for (int done = 0; done < n;) {
		ssize_t r = send(p->in, line + done, (size_t)(n - done), MSG_NOSIGNAL);
		if (r < 0 && errno != EINTR)
			break;
		done += r > 0 ? (int)r : 0;
	}
}

int probe_link_start(struct probe_link **out, const struct probe_config *c,
                     const char *run_dir, struct err *e)
{
	struct probe_link *p = calloc(1, sizeof *p);
	if (!p)
		return err_sys(e, ENOMEM, "cannot start the probe");
	p->c = *c;
	p->in = p->out = -1;
	if (launch(p, run_dir, e) == 0 &&
	    expect(p, "ready", or_default(c->ready_ms, READY_MS), e) == 0) {
		*out = p;
		return 0;
	}
	probe_link_close(p);
	return -1;
}

static int await_mark(struct probe_link *p, int id, struct err *e)
{
	char awaited[32];
	snprintf(awaited, sizeof awaited, "marked %d", id);
	return expect(p, awaited, or_default(p->c.mark_ms, MARK_MS), e);
}

int probe_link_begin(struct probe_link *p, int id, int64_t real_ns, const char *name,
                     struct err *e)
{
	say(p, "begin %d %lld %s\n", id, (long long)real_ns, name);
	return await_mark(p, id, e);
}

int probe_link_end(struct probe_link *p, int id, int64_t real_ns, struct err *e)
{
	say(p, "end %d %lld\n", id, (long long)real_ns);
	return await_mark(p, id, e);
}

int probe_link_finish(struct probe_link *p, struct err *e)
{
	int status;
	say(p, "finish\n");
	if (expect(p, "done", or_default(p->c.done_ms, DONE_MS), e) < 0)
		return -1;
	if (!reap(p, &status, EXIT_MS))
		end_probe(p);
	return 0;
}

void probe_link_close(struct probe_link *p)
{
	if (!p)
		return;
	end_probe(p);
	if (p->in >= 0)
		close(p->in);
	if (p->out >= 0)
		close(p->out);
	free(p);
}
