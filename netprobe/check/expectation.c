#include "netprobe/check/expectation.h"

#include "src/base/quantity.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static bool within(const struct addr *net, unsigned bits, const struct addr *a)
{
	unsigned whole = bits / 8, rest = bits % 8;
	if (memcmp(net->b, a->b, whole) != 0)
		return false;
	return rest == 0 || ((net->b[whole] ^ a->b[whole]) >> (8 - rest)) == 0;
}

static int parse_network(struct expectation *e, char *text, struct err *err)
{
	char *slash = strchr(text, '/');
	uint64_t bits = 0;
	if (slash)
		*slash = '\0';
	if (!addr_parse(text, &e->net))
		return err_set(err, ERR_USAGE,
		               "'%s' is no network; write it as 10.1.0.0/16", text);
	bool v4 = addr_is_v4(&e->net);
	unsigned max = v4 ? 32 : 128;
	bits = max;
	if (slash &&
	    number_parse(slash + 1, "the network's length", 0, max, &bits, err) != 0)
		return -1;
	e->bits = (unsigned)bits + (v4 ? 96 : 0);
	return 0;
}

static int parse_value(struct expectation *e, char *word, struct err *err)
{
	const struct {
		const char *key;
		uint32_t *to;
		uint32_t min;
	} keys[] = {{"mtu", &e->mtu, 68}, {"path", &e->path, 68}, {"rx", &e->rx, 28}};
	char *value = strchr(word, '=');
	uint64_t n;
	if (value)
		*value++ = '\0';
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		if (strcmp(word, keys[i].key) != 0)
			continue;
		if (!value)
			return err_set(err, ERR_USAGE, "%s needs a value: %s=N", word,
			               word);
		if (number_parse(value, word, keys[i].min, 65536, &n, err) != 0)
			return -1;
		*keys[i].to = (uint32_t)n;
		return 0;
	}
	return err_set(err, ERR_USAGE,
	               "'%s' is not known; there are mtu=, path= and rx=", word);
}

static int parse_line(struct expectation *e, char *line, struct err *err)
{
	char *rest, *word = strtok_r(line, " \t\r\n", &rest);
	if (parse_network(e, word, err) != 0)
		return -1;
	while ((word = strtok_r(NULL, " \t\r\n", &rest)) != NULL)
		if (parse_value(e, word, err) != 0)
			return -1;
	if (e->mtu == 0 && e->path == 0 && e->rx == 0)
		return err_set(err, ERR_USAGE,
		               "nothing is stated; there are mtu=, path= and "
		               "rx=");
	return 0;
}

static int add(struct expectations *es, const struct expectation *e, struct err *err)
{
	struct expectation *list = realloc(es->list, (es->n + 1) * sizeof *list);
	if (!list)
		return err_set(err, ERR_ENVIRONMENT, "out of memory");
	es->list = list;
	list[es->n++] = *e;
	return 0;
}

int expectations_load(struct expectations *es, const char *path, struct err *err)
{
	char *line = NULL;
	size_t room = 0;
	int rc = 0;
	FILE *f = fopen(path, "re");
	*es = (struct expectations){0};
	if (!f)
		return err_set(err, ERR_USAGE, "cannot read %s: %s", path,
		               strerror(errno));
	for (unsigned n = 1; rc == 0 && getline(&line, &room, f) >= 0; n++) {
		struct expectation e = {.line = n};
		line[strcspn(line, "#\n")] = '\0';
		if (line[strspn(line, " \t\r")] == '\0')
			continue;
		if (parse_line(&e, line, err) != 0)
			rc = err_prefix(err, "%s:%u", path, n);
		else
			rc = add(es, &e, err);
	}
	free(line);
	fclose(f);
	if (rc == 0 && es->n == 0)
		rc = err_set(err, ERR_USAGE, "%s states nothing", path);
	if (rc != 0)
		expectations_free(es);
	return rc;
}

void expectations_free(struct expectations *e)
{
	free(e->list);
	*e = (struct expectations){0};
}

const struct expectation *expectations_for(const struct expectations *e,
                                           const struct addr *a)
{
	const struct expectation *best = NULL;
	for (size_t i = 0; i < e->n; i++)
		if (within(&e->list[i].net, e->list[i].bits, a) &&
		    (!best || e->list[i].bits > best->bits))
			best = &e->list[i];
	return best;
}
