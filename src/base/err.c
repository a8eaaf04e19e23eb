#include "src/base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int err_set(struct err *e, enum err_code code, const char *fmt, ...)
{
	if (!e || e->code != ERR_NONE)
		return -1;
	va_list args;
	va_start(args, fmt);
	vsnprintf(e->text, sizeof e->text, fmt, args);
	va_end(args);
	e->code = code;
	e->sys = 0;
	return -1;
}

int err_sys(struct err *e, int sys, const char *fmt, ...)
{
	if (!e || e->code != ERR_NONE)
		return -1;
	va_list args;
	va_start(args, fmt);
	int n = vsnprintf(e->text, sizeof e->text, fmt, args);
	va_end(args);
	size_t used = n < 0 ? 0 : (size_t)n;
	if (used < sizeof e->text) {
		char why[128];
		/* the GNU strerror_r may return a string of its own */
		snprintf(e->text + used, sizeof e->text - used, ": %s",
			 strerror_r(sys, why, sizeof why));
	}
	e->code = ERR_ENVIRONMENT;
	e->sys = sys;
	return -1;
}

int err_prefix(struct err *e, const char *fmt, ...)
{
	if (!e || e->code == ERR_NONE)
		return -1;
	char old[sizeof e->text];
	memcpy(old, e->text, sizeof old);
	va_list args;
	va_start(args, fmt);
	int n = vsnprintf(e->text, sizeof e->text, fmt, args);
	va_end(args);
	size_t used = n < 0 ? 0 : (size_t)n;
	if (used < sizeof e->text)
		snprintf(e->text + used, sizeof e->text - used, ": %s", old);
	return -1;
}
