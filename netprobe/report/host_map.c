#include "netprobe/report/host_map.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\r\n"

struct reading {
	struct host_map *map;
	const char *path;
	size_t line;
	size_t *line_of; /* of each entry */
	struct err *err;
};

static int no_memory(const struct reading *r)
{
	return err_set(r->err, ERR_ENVIRONMENT, "%s: out of memory", r->path);
}

static int add_name(struct reading *r, const char *name)
{
	struct host_map *m = r->map;
	for (size_t i = 0; i < m->n_names; i++)
		if (strcmp(m->names[i], name) == 0)
			return err_set(r->err, ERR_USAGE,
			               "%s:%zu: the host %s has a line already; put "
			               "all its addresses on one",
			               r->path, r->line, name);
	char **names = realloc(m->names, (m->n_names + 1) * sizeof *names);
	if (!names)
		return no_memory(r);
	m->names = names;
	names[m->n_names] = strdup(name);
	if (!names[m->n_names])
		return no_memory(r);
	m->n_names++;
	return 0;
}

static int add_address(struct reading *r, const char *text)
{
	struct host_map *m = r->map;
	struct addr a;
	if (!addr_parse(text, &a))
		return err_set(r->err, ERR_USAGE,
		               "%s:%zu: '%s' is no IPv4 or IPv6 address", r->path,
		               r->line, text);
	for (size_t i = 0; i < m->n; i++)
		if (addr_compare(&m->entry[i].addr, &a) == 0)
			return err_set(r->err, ERR_USAGE,
			               "%s:%zu: the address %s stands on line %zu "
			               "already",
			               r->path, r->line, text, r->line_of[i]);
	struct host_map_entry *list = realloc(m->entry, (m->n + 1) * sizeof *list);
	if (!list)
		return no_memory(r);
	m->entry = list;
	size_t *lines = realloc(r->line_of, (m->n + 1) * sizeof *lines);
	if (!lines)
		return no_memory(r);
	r->line_of = lines;
	lines[m->n] = r->line;
	list[m->n++] = (struct host_map_entry){.addr = a, .name = m->n_names - 1};
	return 0;
}

static int read_line(struct reading *r, char *line)
{
	line[strcspn(line, "#")] = 0;
	char *rest;
	const char *word = strtok_r(line, BLANKS, &rest);
	if (!word)
		return 0;
	if (add_name(r, word) != 0)
		return -1;
	size_t before = r->map->n;
	while ((word = strtok_r(NULL, BLANKS, &rest)) != NULL)
		if (add_address(r, word) != 0)
			return -1;
	if (r->map->n == before)
		return err_set(r->err, ERR_USAGE,
		               "%s:%zu: no address behind the name %s", r->path,
		               r->line, r->map->names[r->map->n_names - 1]);
	return 0;
}

static int by_address(const void *a, const void *b)
{
	const struct host_map_entry *x = a, *y = b;
	return addr_compare(&x->addr, &y->addr);
}

int host_map_read(struct host_map *m, const char *path, struct err *err)
{
	*m = (struct host_map){0};
	struct reading r = {.map = m, .path = path, .err = err};
	FILE *in = fopen(path, "re");
	if (!in)
		return err_set(err, ERR_USAGE, "cannot open the host map %s: %s", path,
		               strerror(errno));
	char *line = NULL;
	size_t size = 0;
	int rc = 0;
	errno = 0;
	while (rc == 0 && getline(&line, &size, in) >= 0) {
		r.line++;
		rc = read_line(&r, line);
	}
	if (rc == 0 && ferror(in))
		rc = err_set(err, ERR_USAGE, "cannot read the host map %s: %s", path,
		             strerror(errno));
	free(line);
	free(r.line_of);
	fclose(in);
	if (rc != 0)
		host_map_free(m);
	else if (m->n)
		qsort(m->entry, m->n, sizeof *m->entry, by_address);
	return rc;
}

void host_map_free(struct host_map *m)
{
	for (size_t i = 0; i < m->n_names; i++)
		free(m->names[i]);
	free(m->names);
	free(m->entry);
	*m = (struct host_map){0};
}

const struct host_map_entry *host_map_find(const struct host_map *m,
                                           const struct addr *a)
{
	struct host_map_entry key = {.addr = *a};
	return m->n ? bsearch(&key, m->entry, m->n, sizeof *m->entry, by_address)
	            : NULL;
}
