#include "src/run/json_text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Behind a string that begins here. */
static const char *string_end(const char *p)
{
	for (p++; *p && *p != '"'; p++)
		if (*p == '\\')
			p++;
	return *p ? p + 1 : p;
}

/* Behind a list that begins here and holds only numbers, or such lists; NULL where it
 * holds anything else or nothing. */
static const char *numbers_end(const char *p)
{
	int depth = 0;
	bool any = false;
	for (; *p; p++) {
		if (*p == '[')
			depth++;
		else if (*p == ']' && --depth == 0)
			return any ? p + 1 : NULL;
		else if (!strchr("0123456789+-.eE, \n]", *p))
			return NULL;
		any |= *p >= '0' && *p <= '9';
	}
	return NULL;
}

static char *copy(char *to, const char *from, const char *end)
{
	memmove(to, from, (size_t)(end - from));
	return to + (end - from);
}

/* Shortens the text in its place. */
static void join_lines(char *text)
{
	char *to = text;
	for (const char *p = text; *p;) {
		const char *end = *p == '[' ? numbers_end(p) : NULL;
		if (!end) {
			end = *p == '"' ? string_end(p) : p + 1;
			to = copy(to, p, end);
			p = end;
			continue;
		}
		for (; p < end; p++) {
			if (*p == ' ' || *p == '\n')
				continue;
			*to++ = *p;
			if (*p == ',')
				*to++ = ' '; /* an end of line was there */
		}
	}
	*to = '\0';
}

char *json_text(const json_t *o)
{
	char *text = json_dumps(o, JSON_INDENT(2));
	if (text)
		join_lines(text);
	return text;
}

int json_text_print(const json_t *o, FILE *out)
{
	char *text = json_text(o);
	int r = text && fprintf(out, "%s\n", text) >= 0 ? 0 : -1;
	free(text);
	return r;
}
