/* An error value: what failed in the environment or on the command line.
 *
 * Trouble in the input (a cut capture, a malformed packet) is data and is
 * counted, not reported through this.  The first error set wins; callers add
 * what they were doing with err_prefix.  All functions accept e == NULL. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

/* The codes are the exit codes of both programs (doc/exit-codes in README). */
enum err_code {
	ERR_NONE = 0,
	ERR_FINDINGS = 1,    /* findings or thresholds */
	ERR_USAGE = 2,       /* wrong option, unreadable or empty input named by the user */
	ERR_ENVIRONMENT = 3, /* no privilege, no interface, full disk, dead server */
	ERR_PARTIAL = 4,     /* some results are there, some are missing */
};

struct err {
	enum err_code code;
	int sys; /* errno of the failing call, 0 where there was none */
	char text[512];
};

#define ERR_PRINTF(f, a) __attribute__((format(printf, f, a)))

/* Sets code and text unless e already holds an error.  Returns -1, so that
 * a caller can `return err_set(…)`. */
int err_set(struct err *e, enum err_code code, const char *fmt, ...) ERR_PRINTF(3, 4);

/* As err_set with ERR_ENVIRONMENT, with ": strerror(sys)" behind the text. */
int err_sys(struct err *e, int sys, const char *fmt, ...) ERR_PRINTF(3, 4);

/* Puts "prefix: " before the text of an error that is set.  Returns -1. */
int err_prefix(struct err *e, const char *fmt, ...) ERR_PRINTF(2, 3);

#endif
