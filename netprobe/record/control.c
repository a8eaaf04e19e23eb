#include "netprobe/record/control.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void control_fill(struct control *c)
{
	if (c->ended || c->used == sizeof c->line)
		return;
	ssize_t n = read(c->in, c->line + c->used, sizeof c->line - c->used);
	if (n > 0)
		c->used += (size_t)n;
	else if (n == 0 || (errno != EAGAIN && errno != EINTR))
		c->ended = true;
}

static enum control_event parse(struct control *c, const char *line,
                                struct source_mark *mark)
{
	struct source_mark m = {0};
	char extra;
	if (strcmp(line, "finish") == 0)
		return CONTROL_FINISH;
	m.begin = sscanf(line, "begin %" SCNu32 " %" SCNd64 " %63s %c", &m.id,
	                 &m.time_ns, m.name, &extra) == 3;
	bool end = !m.begin && sscanf(line, "end %" SCNu32 " %" SCNd64 " %c", &m.id,
	                              &m.time_ns, &extra) == 2;
	if ((m.begin || end) && m.id > 0) {
		*mark = m;
		return CONTROL_MARK;
	}
	snprintf(c->bad, sizeof c->bad, "%.100s", line);
	return CONTROL_BAD;
}

enum control_event control_next(struct control *c, struct source_mark *mark)
{
	char *end = memchr(c->line, '\n', c->used);
	bool full = c->used == sizeof c->line;
	if (!end && !full)
		return c->ended ? CONTROL_FINISH : CONTROL_NONE;
	char line[sizeof c->line + 1];
	size_t n = end ? (size_t)(end - c->line) : c->used;
	memcpy(line, c->line, n);
	line[n] = '\0';
	size_t taken = end ? n + 1 : n;
	c->used -= taken;
	memmove(c->line, c->line + taken, c->used);
	return parse(c, line, mark);
}

bool control_send(const struct control *c, const char *fmt, ...)
{
	char line[1024];
	va_list args;
	va_start(args, fmt);
	int n = vsnprintf(line, sizeof line - 1, fmt, args);
	va_end(args);
	size_t left = n < 0                         ? 0
	              : (size_t)n < sizeof line - 1 ? (size_t)n
	                                            : sizeof line - 2;
	line[left++] = '\n';
	for (size_t at = 0; at < left;) {
		ssize_t done = write(c->out, line + at, left - at);
		if (done < 0 && errno != EINTR)
			return false;
		at += done > 0 ? (size_t)done : 0;
	}
	return true;
}
