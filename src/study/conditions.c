#include "src/study/conditions.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void add_difference(json_t *list, const char *key, json_t *a, json_t *b)
{
	json_array_append_new(
	        list, json_pack("{s:s, s:O*, s:O*}", "name", key, "a", a, "b", b));
}

/* Whether what is not told on a side was not set there: a run and repeated runs tell
 * the same facts. */
static bool alike(const struct source *a, const struct source *b)
{
	return strcmp(a->kind, b->kind) == 0 || (source_is_run(a) && source_is_run(b));
}

json_t *conditions_differences(const struct source *a, const struct source *b)
{
	json_t *list = json_array();
	bool both = alike(a, b);
	const char *key;
	json_t *value;
	json_object_foreach(a->facts, key, value)
	{
		json_t *other = json_object_get(b->facts, key);
		if (other ? !json_equal(value, other) : both)
			add_difference(list, key, value, other);
	}
	json_object_foreach(b->facts, key, value)
	{
		if (both && !json_object_get(a->facts, key))
			add_difference(list, key, NULL, value);
	}
	return list;
}

static void warn(json_t *list, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));

static void warn(json_t *list, const char *fmt, ...)
{
	char text[600];
	va_list args;
	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	for (size_t i = 0; i < json_array_size(list); i++)
		if (strcmp(json_string_value(json_array_get(list, i)), text) == 0)
			return;
	json_array_append_new(list, json_string(text));
}

/* Facts whose difference is more than an option tried. */
static const struct unequal {
	const char *fact, *sentence;
} unequals[] = {
        {"engine", "the engines differ: not the same program did the file operations"},
        {"workload", "the workloads differ"},
        {"cpu_includes_client",
         "the client (cache manager) works in the driver process on one side only: the "
         "driver's CPU time is not comparable"},
        {"host.name", "the machines differ"},
        {"host.cpu_model", "the processors differ"},
        {"host.cpus", "the machines differ in their number of processors"},
        {"host.memory_bytes", "the machines differ in memory"},
        {"host.kernel", "the kernels differ"},
        {"engine.mount.type", "the file systems differ"},
        {"bonnie++", "the versions of bonnie++ differ"},
};

static void warn_of_facts(json_t *list, const struct comparison *c)
{
	const struct source *a = c->a.source, *b = c->b.source;
	for (size_t i = 0; i < sizeof unequals / sizeof *unequals; i++) {
		const json_t *x = json_object_get(a->facts, unequals[i].fact);
		const json_t *y = json_object_get(b->facts, unequals[i].fact);
		if (x && y && !json_equal(x, y))
			warn(list, "%s", unequals[i].sentence);
	}
	if (!alike(a, b))
		warn(list, "A is %s, B is %s: what is timed may differ", a->kind,
		     b->kind);
	size_t k;
	const json_t *note;
	json_array_foreach(a->notes, k, note)
	        warn(list, "A: %s", json_string_value(note));
	if (a != b)
		json_array_foreach(b->notes, k, note)
		        warn(list, "B: %s", json_string_value(note));
}

static void warn_of_doubt(json_t *list, const char *side, const struct figure *f)
{
	if (f->doubt && strcmp(f->doubt, "short") == 0)
		warn(list, "%s: phases shorter than 0.5 s are among them", side);
	else if (f->doubt)
		warn(list, "%s: %s%s%s was not shown to be cold", side, f->cache,
		     f->cache[0] ? "/" : "", f->phase);
}

static void warn_of_pair(json_t *list, const struct figure *a, const struct figure *b)
{
	if (a->size && b->size && a->size != b->size)
		warn(list, "the files differ in size: %.6g MiB in A, %.6g MiB in B",
		     (double)a->size / 1048576, (double)b->size / 1048576);
	if (!a->cache[0] != !b->cache[0])
		warn(list, "the state of the cache (cold, warm) is told of %s only",
		     a->cache[0] ? "A" : "B");
	if (strcmp(a->setting, b->setting) != 0)
		warn(list, "the settings differ: %s in A, %s in B",
		     a->setting[0] ? a->setting : "not told",
		     b->setting[0] ? b->setting : "not told");
	warn_of_doubt(list, "A", a);
	warn_of_doubt(list, "B", b);
}

static void warn_of_few(json_t *list, const struct comparison *c)
{
	bool once = false, few = false;
	for (size_t i = 0; i < c->n; i++) {
		const struct figure *a = c->rows[i].a, *b = c->rows[i].b;
		size_t least = a->n < b->n ? a->n : b->n;
		once |= least == 1;
		few |= least > 1 && least < STATS_FEW;
	}
	if (once)
		warn(list, "a side has one figure a phase: how much it scatters is "
		           "not known, and differences may be chance");
	if (few)
		warn(list,
		     "a side has fewer than %d figures a phase: intervals cover "
		     "less than 95 %%",
		     STATS_FEW);
}

static void warn_of_left(json_t *list, const char *name, const struct side *side,
                         const struct match *pairs, size_t n)
{
	const struct figure *left[16];
	size_t found = match_left(side, pairs, n, left, 16), others = found;
	for (size_t i = 0; i < found && i < 16; i++)
		if (left[i]->failed) {
			warn(list, "%s failed in %s", left[i]->phase, name);
			others--;
		}
	if (others > 0)
		warn(list, "%zu figure%s of %s (such as %s) ha%s no counterpart",
		     others, others > 1 ? "s" : "", name, left[0]->phase,
		     others > 1 ? "ve" : "s");
}

json_t *conditions_warnings(const struct comparison *c, const struct match *pairs,
                            size_t n)
{
	json_t *list = json_array();
	warn_of_facts(list, c);
	for (size_t i = 0; i < n; i++)
		warn_of_pair(list, pairs[i].a, pairs[i].b);
	warn_of_few(list, c);
	warn_of_left(list, "A", &c->a, pairs, n);
	warn_of_left(list, "B", &c->b, pairs, n);
	return list;
}
