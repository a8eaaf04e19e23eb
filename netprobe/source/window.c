#include "netprobe/source/window.h"

#include "src/base/clock.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SECONDS_MAX 9.2e9 /* int64 nanoseconds end in 2262 */

/* ".25" -> 250000000, moving on behind it; digits beyond the ninth are dropped. */
static int64_t take_fraction(const char **at)
{
	int64_t ns = 0, unit = NS_PER_S;
	if (**at != '.' && **at != ',')
		return 0;
	while (isdigit((unsigned char)*++*at)) {
		unit /= 10;
		ns += unit * (**at - '0');
	}
	return ns;
}

/* "Z", "+02:00", "-0530" or nothing.  False where it is none of these. */
static bool take_offset(const char *at, int64_t *seconds)
{
	int hours, minutes, end = 0;
	*seconds = 0;
	if (!*at || strcmp(at, "Z") == 0 || strcmp(at, "z") == 0)
		return true;
	if ((sscanf(at + 1, "%2d:%2d%n", &hours, &minutes, &end) != 2 &&
	     sscanf(at + 1, "%2d%2d%n", &hours, &minutes, &end) != 2) ||
	    at[1 + end] || hours < 0 || hours > 23 || minutes < 0 || minutes > 59)
		return false;
	*seconds = (*at == '-' ? -60 : 60) * (hours * 60 + minutes);
	return *at == '+' || *at == '-';
}

static bool parse_iso(const char *text, int64_t *ns)
{
	static const char *const forms[] = {"%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S",
	                                    "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M",
	                                    "%Y-%m-%d"};
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		struct tm tm = {0};
		int64_t offset;
		const char *at = strptime(text, forms[i], &tm);
		if (!at)
			continue;
		bool whole = i < 2;
		int64_t fraction = whole ? take_fraction(&at) : 0;
		if (!take_offset(at, &offset))
			continue;
		time_t s = timegm(&tm);
		if (s < -9200000000 || s > 9200000000)
			return false;
		*ns = ((int64_t)s - offset) * NS_PER_S + fraction;
		return true;
	}
	return false;
}

int moment_parse(const char *text, const char *what, struct moment *m, struct err *err)
{
	char *end;
	double seconds = strtod(text, &end);
	if (end != text && !*end && isfinite(seconds)) {
		if (seconds < 0 || seconds > SECONDS_MAX)
			return err_set(err, ERR_USAGE,
			               "%s %s: seconds from the first frame are from 0 "
			               "to 9.2e9",
			               what, text);
		*m = (struct moment){MOMENT_RELATIVE,
		                     (int64_t)llround(seconds * (double)NS_PER_S)};
		return 0;
	}
	m->kind = MOMENT_ABSOLUTE;
	if (parse_iso(text, &m->ns))
		return 0;
	return err_set(
	        err, ERR_USAGE,
	        "%s %s: expected a time such as 2024-10-27T00:59:59Z, or seconds "
	        "from the first frame",
	        what, text);
}

/* The end as a time; start is what a relative one counts from. */
static int64_t at(const struct moment *m, int64_t start)
{
	int64_t sum = m->ns;
	if (m->kind == MOMENT_RELATIVE && __builtin_add_overflow(m->ns, start, &sum))
		sum = INT64_MAX;
	return sum;
}

static bool is_late(int64_t time_ns, int64_t end)
{
	return end <= INT64_MAX - WINDOW_LATE_NS && time_ns >= end + WINDOW_LATE_NS;
}

bool window_holds(struct window *w, int64_t time_ns)
{
	if (!w->started) {
		w->started = true;
		w->first_ns = time_ns;
	}
	if (w->to.kind != MOMENT_NONE) {
		int64_t end = at(&w->to, w->first_ns);
		w->late = is_late(time_ns, end) ? w->late + 1 : 0;
		if (time_ns >= end)
			return false;
	}
	return w->from.kind == MOMENT_NONE || time_ns >= at(&w->from, w->first_ns);
}

bool window_is_over(const struct window *w)
{
	return w->late >= WINDOW_LATE_FRAMES;
}

bool window_is_empty(const struct window *w)
{
	return w->from.kind != MOMENT_NONE && w->from.kind == w->to.kind &&
	       w->from.ns >= w->to.ns;
}
