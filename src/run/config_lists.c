#include "src/run/config_lists.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/names.h"
#include "src/base/quantity.h"

enum { WORD = 64 };

/* Copies the piece up to a comma; the rest, or NULL at the end or where the
 * piece is empty or too long (then word is ""). */
static const char *next_word(const char *text, char word[WORD])
{
	size_t n = strcspn(text, ",");
	word[0] = '\0';
	if (n == 0 || n >= WORD)
		return NULL;
	memcpy(word, text, n);
	word[n] = '\0';
	return text[n] == ',' ? text + n + 1 : NULL;
}

int caches_parse(struct run_config *c, const char *text, struct err *e)
{
	char word[WORD];
	c->ncaches = 0;
	for (const char *rest = text; rest;) {
		rest = next_word(rest, word);
		int state = 0;
		while (state < CACHE_STATE_COUNT &&
		       strcmp(word, cache_state_names[state]) != 0)
			state++;
		if (state == CACHE_STATE_COUNT || c->ncaches == CONFIG_CACHES_MAX)
			return err_set(
			        e, ERR_USAGE,
			        "--cache takes cold, warm or a list of them, not "
			        "'%s'",
			        text);
		c->caches[c->ncaches++] = (enum cache_state)state;
	}
	return 0;
}

static int op_find(const char *name)
{
	for (int op = 0; op < ENGINE_OP_COUNT; op++)
		if (strcmp(name, engine_op_names[op]) == 0)
			return op;
	return -1;
}

int delays_parse(struct null_options *o, const char *text, struct err *e)
{
	char word[WORD];
	for (const char *rest = text; rest;) {
		rest = next_word(rest, word);
		char *value = strchr(word, '='), *every = strchr(word, '@');
		uint64_t n = 0;
		if (value)
			*value++ = '\0';
		if (every)
			*every++ = '\0';
		int op = op_find(word);
		if (op < 0 || !value ||
		    (every && number_parse(every, "", 1, UINT32_MAX, &n, NULL) < 0))
			return err_set(
			        e, ERR_USAGE,
			        "--null-delay takes OPERATION[@EVERY]=TIME, such as "
			        "write=1ms or write@20=9ms, not '%s'",
			        text);
		int64_t *to = every ? &o->slow_ns[op] : &o->delay_ns[op];
		if (duration_parse(value, to, e) < 0)
			return err_prefix(e, "--null-delay");
		if (every)
			o->slow_every[op] = n;
	}
	return 0;
}

static const struct name errors[] = {
        {ENOSPC, "ENOSPC"}, {EIO, "EIO"},       {EDQUOT, "EDQUOT"},
        {EROFS, "EROFS"},   {ENOENT, "ENOENT"}, {ESTALE, "ESTALE"},
        {EACCES, "EACCES"}, {EFBIG, "EFBIG"},   {ETIMEDOUT, "ETIMEDOUT"},
};

int fail_parse(struct null_options *o, const char *text, struct err *e)
{
	char op[WORD], error[WORD];
	unsigned long long at;
	int end = 0;
	if (sscanf(text, "%63[a-z]:%llu=%63[A-Z]%n", op, &at, error, &end) == 3 &&
	    text[end] == '\0' && op_find(op) >= 0 && at > 0) {
		o->fail_op = (enum engine_op)op_find(op);
		o->fail_at = at;
		for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
			if (strcmp(error, errors[i].text) == 0) {
				o->fail_errno = (int)errors[i].value;
				return 0;
			}
	}
	return err_set(e, ERR_USAGE,
	               "--null-fail takes OPERATION:N=ERROR, such as write:100=ENOSPC, "
	               "not '%s'",
	               text);
}

/* Lower-case words are names, so FOO=1 make is a command. */
static size_t step_name(const char *text)
{
	size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-");
	return islower((unsigned char)text[0]) && text[n] == '=' ? n : 0;
}

int step_parse(struct workload_options *w, const char *text, struct err *e)
{
	if (w->nsteps == WORKLOAD_STEPS)
		return err_set(e, ERR_USAGE, "there may be %d steps", WORKLOAD_STEPS);
	struct step *s = &w->steps[w->nsteps];
	size_t n = step_name(text);
	s->command = n ? text + n + 1 : text;
	if (n >= sizeof s->name || !s->command[0])
		return err_set(e, ERR_USAGE,
		               "--step takes NAME=COMMAND with a name of up to %zu "
		               "letters, not '%s'",
		               sizeof s->name - 1, text);
	if (n)
		snprintf(s->name, sizeof s->name, "%.*s", (int)n, text);
	else
		snprintf(s->name, sizeof s->name, "step-%zu", w->nsteps + 1);
	for (size_t i = 0; i < w->nsteps; i++)
		if (strcmp(w->steps[i].name, s->name) == 0)
			return err_set(e, ERR_USAGE, "two steps are called %s",
			               s->name);
	w->nsteps++;
	return 0;
}

int files_parse(struct workload_options *w, const char *text, struct err *e)
{
	char *end;
	uint64_t v[3] = {0};
	double num = strtod(text, &end);
	size_t n = 0;
	bool good = end > text && isdigit((unsigned char)text[0]) && num <= 1 << 20;
	while (good && *end == ':' && n < 3) {
		char word[32];
		size_t len = strcspn(end + 1, ":");
		snprintf(word, sizeof word, "%.*s", (int)len, end + 1);
		good = len < sizeof word && size_parse(word, &v[n++], NULL) == 0;
		end += len + 1;
	}
	if (!good || *end != '\0' || v[0] > 1 << 30 || v[2] > 99999)
		return err_set(
		        e, ERR_USAGE,
		        "--files takes NUM[:MAX[:MIN[:DIRS]]], such as 16:4096:0:8 "
		        "(links, MAX below 0, are not measured), not '%s'",
		        text);
	w->files = (uint64_t)(num * 1024 + 0.5);
	w->file_max = v[0];
	w->file_min = v[1];
	w->dirs = (unsigned)v[2];
	return 0;
}
