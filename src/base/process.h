/* A command line as a process of its own, waited for and counted. */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include <signal.h>
#include <stdint.h>

#include "src/base/err.h"

struct process {
	const char *command; /* for /bin/sh -c */
	const char *dir;     /* NULL: the caller's */
	const char *log;     /* file that its output is appended to; NULL: /dev/null */
	const char *const
	        *env; /* NAME, value, …, NULL: added to the caller's; or NULL */
	const volatile sig_atomic_t
	        *stop; /* set: the process group is ended; or NULL */
};

struct process_end {
	int status;          /* of wait(2) */
	int64_t ns;          /* from fork to its end */
	int64_t cpu_ns;      /* of it and all children it waited for, user and system */
	int64_t cpu_user_ns; /* the user part of it */
	char last[160];      /* the last line it printed into the log */
};

/* Runs it to its end; it reads from /dev/null.  0 whatever its exit code, or -1 and
 * e: it could not be started, or was stopped (ERR_PARTIAL). */
int process_run(const struct process *p, struct process_end *end, struct err *e);

/* How a process ended as a sentence's tail: "exit code 2: last line". */
void process_text(const struct process_end *end, char *text, size_t size);

#endif
