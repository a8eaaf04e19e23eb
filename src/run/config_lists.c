#include "src/run/config_lists.h"

#include <errno.h>
#include <stdio.h>
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
		char *value = strchr(word, '=');
		if (value)
			*value++ = '\0';
		int op = op_find(word);
		if (op < 0 || !value)
			return err_set(e, ERR_USAGE,
			               "--null-delay takes OPERATION=TIME, such as "
			               "write=1ms, not '%s'",
			               text);
		if (duration_parse(value, &o->delay_ns[op], e) < 0)
			return err_prefix(e, "--null-delay");
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
