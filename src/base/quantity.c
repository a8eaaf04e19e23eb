#include "src/base/quantity.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct unit {
	const char *suffix;
	uint64_t factor;
};

static const struct unit size_units[] = {
        {"", 1},
        {"b", 1},
        {"k", 1u << 10},
        {"kib", 1u << 10},
        {"m", 1u << 20},
        {"mib", 1u << 20},
        {"g", 1u << 30},
        {"gib", 1u << 30},
        {"t", UINT64_C(1) << 40},
        {"tib", UINT64_C(1) << 40},
};

static const struct unit time_units[] = {
        {"ns", 1},
        {"us", 1000},
        {"ms", 1000000},
        {"s", 1000000000},
};

/* strtoull takes a sign and leading blanks; a size has neither. */
static bool leading_number(const char *text, uint64_t *value, const char **rest)
{
	if (text[0] < '0' || text[0] > '9')
		return false;
	char *end;
	errno = 0;
	*value = strtoull(text, &end, 10);
	*rest = end;
	return errno == 0;
}

static bool scaled(const char *text, const struct unit *units, size_t n, uint64_t max,
                   uint64_t *out)
{
	uint64_t value;
	const char *rest;
	if (!leading_number(text, &value, &rest))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (strcasecmp(rest, units[i].suffix) != 0)
			continue;
		if (value > max / units[i].factor)
			return false;
		*out = value * units[i].factor;
		return true;
	}
	return false;
}

int size_parse(const char *text, uint64_t *bytes, struct err *e)
{
	if (scaled(text, size_units, sizeof size_units / sizeof *size_units, INT64_MAX,
	           bytes))
		return 0;
	return err_set(
	        e, ERR_USAGE,
	        "'%s' is not a size; write a whole number of bytes, or with K, M, G "
	        "or T behind it",
	        text);
}

int duration_parse(const char *text, int64_t *ns, struct err *e)
{
	uint64_t value;
	if (!scaled(text, time_units, sizeof time_units / sizeof *time_units, INT64_MAX,
	            &value))
		return err_set(
		        e, ERR_USAGE,
		        "'%s' is not a time; write a whole number with ns, us, ms or "
		        "s behind it",
		        text);
	*ns = (int64_t)value;
	return 0;
}

int number_parse(const char *text, const char *what, uint64_t min, uint64_t max,
                 uint64_t *out, struct err *e)
{
	const char *rest;
	if (leading_number(text, out, &rest) && *rest == '\0' && *out >= min &&
	    *out <= max)
		return 0;
	return err_set(e, ERR_USAGE,
	               "%s '%s' is not a whole number between %llu and %llu", what,
	               text, (unsigned long long)min, (unsigned long long)max);
}

int percent_parse(const char *text, const char *what, double *out, struct err *e)
{
	char *end;
	double value = strtod(text, &end);
	bool digits = (text[0] >= '0' && text[0] <= '9') || text[0] == '.';
	if (digits && end > text && strcmp(end + (*end == ' '), "%") == 0)
		end += strlen(end);
	if (!digits || *end != '\0' || !(value > 0 && value <= 100))
		return err_set(e, ERR_USAGE,
		               "%s '%s' is not a percentage above 0 and up to 100",
		               what, text);
	*out = value / 100;
	return 0;
}
