#include "src/study/matrix.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/quantity.h"

const struct axis_kind axis_kinds[AXIS_COUNT] = {
        [AXIS_LINK] = {"link", "", "ether atm", true, "ether"},
        [AXIS_SERVER] = {"server", "server ", "default", true, "default"},
        [AXIS_VICEP_FS] = {"vicep-fs", "/vicepa ", "tmpfs ext4 xfs btrfs", false,
                           "tmpfs"},
        [AXIS_CLIENT] = {"client", "client ", "default", true, "default"},
        [AXIS_FAULT] = {"fault", "fault ", "none", true, "none"},
        [AXIS_CLIENTS] = {"clients", "clients ", "", false, "1"},
        [AXIS_CHUNK_SIZE] = {"chunk-size", "chunk ", "", false, "1M"},
        [AXIS_CACHE_SIZE] = {"cache-size", "cache ", "", false, "64M"},
        [AXIS_SIZE] = {"size", "", "", false, "32M"},
        [AXIS_WORKLOAD] = {"workload", "", "bonnie bulk tree mixed", true, "bulk"},
        [AXIS_CACHE] = {"cache", "", "cold warm cold+warm", false, "cold"},
};

int axis_find(const char *name)
{
	for (int a = 0; a < AXIS_COUNT; a++)
		if (strcmp(name, axis_kinds[a].name) == 0)
			return a;
	return -1;
}

static bool in_list(const char *list, const char *word)
{
	size_t n = strlen(word);
	for (const char *p = list; *p;) {
		size_t len = strcspn(p, " ");
		if (len == n && strncmp(p, word, n) == 0)
			return true;
		p += len;
		p += strspn(p, " ");
	}
	return false;
}

int axis_check(enum axis axis, const char *text, struct err *e)
{
	const struct axis_kind *k = &axis_kinds[axis];
	uint64_t number;
	if (axis == AXIS_CLIENTS)
		return number_parse(text, k->name, 1, 99, &number, e);
	if (k->builtin[0] == '\0')
		return size_parse(text, &number, e);
	if (k->named || in_list(k->builtin, text))
		return 0;
	return err_set(e, ERR_USAGE, "'%s' is none of: %s", text, k->builtin);
}

static bool same(const struct cell *a, const struct cell *b)
{
	for (int i = 0; i < AXIS_COUNT; i++)
		if (strcmp(a->value[i], b->value[i]) != 0)
			return false;
	return true;
}

static bool has(const struct matrix *m, const struct cell *c)
{
	for (size_t i = 0; i < m->n; i++)
		if (same(&m->cells[i], c))
			return true;
	return false;
}

int matrix_add(struct matrix *m, const struct axis_values axes[AXIS_COUNT])
{
	size_t total = 1;
	for (int a = 0; a < AXIS_COUNT; a++)
		if (__builtin_mul_overflow(total, axes[a].n, &total))
			return -1;
	struct cell *more = reallocarray(m->cells, m->n + total + 1, sizeof *more);
	if (!more)
		return -1;
	m->cells = more;
	for (size_t i = 0; i < total; i++) {
		struct cell c;
		size_t rest = i;
		for (int a = AXIS_COUNT - 1; a >= 0; a--) {
			c.value[a] = axes[a].at[rest % axes[a].n];
			rest /= axes[a].n;
		}
		if (!has(m, &c))
			m->cells[m->n++] = c;
	}
	return 0;
}

void matrix_fini(struct matrix *m)
{
	free(m->cells);
	*m = (struct matrix){0};
}

/* How many of the n cells in order[] share values with c, axis by axis. */
static size_t seen_before(const struct matrix *m, const size_t *order, size_t n,
                          const struct cell *c)
{
	size_t seen = 0;
	for (size_t i = 0; i < n; i++)
		for (int a = 0; a < AXIS_COUNT; a++)
			seen += strcmp(m->cells[order[i]].value[a], c->value[a]) == 0;
	return seen;
}

int matrix_cover(const struct matrix *m, size_t *out)
{
	bool *taken = calloc(m->n + 1, sizeof *taken);
	if (!taken)
		return -1;
	for (size_t n = 0; n < m->n; n++) {
		size_t best = 0, least = SIZE_MAX;
		for (size_t i = 0; i < m->n; i++) {
			if (taken[i])
				continue;
			size_t seen = seen_before(m, out, n, &m->cells[i]);
			if (seen < least) {
				least = seen;
				best = i;
			}
		}
		taken[best] = true;
		out[n] = best;
	}
	free(taken);
	return 0;
}

static bool varies(const struct matrix *m, int axis)
{
	for (size_t i = 1; i < m->n; i++)
		if (strcmp(m->cells[i].value[axis], m->cells[0].value[axis]) != 0)
			return true;
	return false;
}

void matrix_label(const struct matrix *m, const struct cell *c, char label[CELL_LABEL])
{
	size_t used = 0;
	label[0] = '\0';
	for (int a = 0; a < AXIS_COUNT && used < CELL_LABEL - 1; a++) {
		if (!varies(m, a) && !(m->n == 1 && a == AXIS_LINK))
			continue;
		int n = snprintf(label + used, CELL_LABEL - used, "%s%s%s",
		                 used ? ", " : "", axis_kinds[a].prefix, c->value[a]);
		used += n > 0 ? (size_t)n : 0;
	}
}

void matrix_slug(const char *label, char *slug, size_t size)
{
	size_t n = 0;
	for (const char *p = label; *p && n + 1 < size; p++) {
		bool plain = isalnum((unsigned char)*p) || *p == '.' || *p == '-';
		if (plain)
			slug[n++] = *p;
		else if (n > 0 && slug[n - 1] != '-')
			slug[n++] = '-';
	}
	slug[n] = '\0';
}
