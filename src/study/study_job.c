#include "src/study/study_job.h"

#include <ctype.h>
#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/quantity.h"
#include "src/run/config.h"
#include "src/study/published.h"
#include "src/workload/workload.h"

enum {
	LINE_MAX_LENGTH = 198, /* of the INI reader, without the newline */
	FILE_MAX = 1 << 20,
	MATRICES = 16
};

const char *const setting_names[SET_COUNT] = {
        [SET_HOST] = "host",
        [SET_VIA] = "via",
        [SET_DIR] = "dir",
        [SET_VOLUME] = "volume",
        [SET_ENGINE] = "engine",
        [SET_WORKLOAD] = "workload",
        [SET_PROBE] = "probe",
        [SET_PROBE_VIA] = "probe-via",
        [SET_PROBE_OPTIONS] = "probe-options",
        [SET_OPTIONS] = "options",
        [SET_CLIENT_OPTIONS] = "client-options",
        [SET_FILESERVER_OPTIONS] = "fileserver-options",
        [SET_VOLSERVER_OPTIONS] = "volserver-options",
        [SET_LAB_OPTIONS] = "lab-options",
        [SET_SETUP] = "setup",
        [SET_CLEANUP] = "cleanup",
};

struct product {
	struct axis_values axes[AXIS_COUNT];
	int line[AXIS_COUNT];
	char name[64];
};

/* A job being read. */
struct reading {
	struct study_job *j;
	struct err *e;
	const char *at; /* what is left of the text */
	int line;
	bool continued; /* the line begins with a blank */
	struct product products[MATRICES];
	size_t nproducts;
	char last[2][64]; /* section and key of the line before */
	char **joined;    /* where a continuation goes, or NULL */
	bool lines;       /* it keeps its line ends */
};

static int fail(struct reading *r, int line, const char *key, const char *fmt, ...)
        ERR_PRINTF(4, 5);

static int fail(struct reading *r, int line, const char *key, const char *fmt, ...)
{
	char why[300];
	va_list args;
	va_start(args, fmt);
	vsnprintf(why, sizeof why, fmt, args);
	va_end(args);
	if (line == 0)
		return err_set(r->e, ERR_USAGE, "--set %s: %s", key, why);
	return err_set(r->e, ERR_USAGE, "%s:%d: %s: %s", r->j->path, line, key, why);
}

/* A copy that lives as long as the job. */
static char *keep(struct reading *r, const char *text)
{
	struct study_job *j = r->j;
	char **more = realloc(j->strings, (j->nstrings + 1) * sizeof *more);
	char *copy = strdup(text);
	if (more)
		j->strings = more;
	if (!more || !copy) {
		free(copy);
		err_set(r->e, ERR_ENVIRONMENT, "out of memory");
		return NULL;
	}
	return j->strings[j->nstrings++] = copy;
}

static int append(struct reading *r, char **to, const char *text)
{
	char *more = NULL;
	if (asprintf(&more, "%s%c%s", *to, r->lines ? '\n' : ' ', text) < 0)
		return err_set(r->e, ERR_ENVIRONMENT, "out of memory");
	free(*to);
	*to = more;
	return 0;
}

static int read_values(struct reading *r, struct product *p, int axis, const char *text)
{
	struct axis_values *v = &p->axes[axis];
	char *copy = keep(r, text), *save = NULL;
	const char *key = axis_kinds[axis].name;
	struct err why = {0};
	*v = (struct axis_values){0};
	p->line[axis] = r->line;
	for (char *word = copy ? strtok_r(copy, ",", &save) : NULL; word;
	     word = strtok_r(NULL, ",", &save)) {
		while (isspace((unsigned char)*word))
			word++;
		for (size_t n = strlen(word);
		     n > 0 && isspace((unsigned char)word[n - 1]);)
			word[--n] = '\0';
		if (axis_check((enum axis)axis, word, &why) < 0)
			return fail(r, r->line, key, "%s", why.text);
		if (v->n == AXIS_VALUES)
			return fail(r, r->line, key, "more than %d values",
			            AXIS_VALUES);
		v->at[v->n++] = word;
	}
	return v->n > 0 ? 0 : fail(r, r->line, key, "names no value");
}

static struct product *product_of(struct reading *r, const char *section)
{
	const char *name = section[6] ? section + 7 : "";
	for (size_t i = 0; i < r->nproducts; i++)
		if (strcmp(r->products[i].name, name) == 0)
			return &r->products[i];
	if (r->nproducts == MATRICES)
		return NULL;
	struct product *p = &r->products[r->nproducts++];
	snprintf(p->name, sizeof p->name, "%s", name);
	for (int a = 0; a < AXIS_COUNT; a++)
		p->axes[a] = (struct axis_values){.at = {axis_kinds[a].usual}, .n = 1};
	return p;
}

static int read_matrix(struct reading *r, const char *section, const char *key,
                       const char *value)
{
	struct product *p = product_of(r, section);
	int axis = axis_find(key);
	if (!p)
		return fail(r, r->line, key, "more than %d matrices", MATRICES);
	if (axis < 0)
		return fail(r, r->line, key,
		            "no axis of this name; there are link, "
		            "server, vicep-fs, client, fault, clients, "
		            "chunk-size, cache-size, size, workload "
		            "and cache");
	if (p->line[axis])
		return fail(r, r->line, key, "is there twice (line %d)", p->line[axis]);
	return read_values(r, p, axis, value);
}

static int read_study(struct reading *r, const char *key, const char *value)
{
	struct study_job *j = r->j;
	struct err why = {0};
	int bad = 0;
	if (strcmp(key, "name") == 0) {
		matrix_slug(value, j->name, sizeof j->name);
	} else if (strcmp(key, "question") == 0 || strcmp(key, "hosts") == 0) {
		char **to = key[0] == 'q' ? &j->question : &j->hosts;
		free(*to);
		*to = strdup(value);
		r->joined = to;
	} else if (strcmp(key, "repeats") == 0) {
		bad = number_parse(value, key, 1, 1000, &j->repeats, &why);
	} else if (strcmp(key, "seed") == 0) {
		bad = number_parse(value, key, 0, INT64_MAX, &j->seed, &why);
	} else if (strcmp(key, "order") == 0) {
		bad = order_find(value, &j->order, &why);
	} else if (strcmp(key, "published") == 0) {
		size_t i = 0;
		while (published_table[i] &&
		       strcmp(published_table[i]->name, value) != 0)
			i++;
		if (!published_table[i])
			bad = err_set(&why, ERR_USAGE, "no published result '%s'",
			              value);
		snprintf(j->published, sizeof j->published, "%s", value);
	} else if (strcmp(key, "lab") == 0 || strcmp(key, "calls") == 0) {
		bool yes = strcmp(value, "yes") == 0;
		*(key[0] == 'l' ? &j->lab : &j->calls) = yes;
		if (!yes && strcmp(value, "no") != 0)
			bad = err_set(&why, ERR_USAGE, "takes yes or no");
	} else {
		return 1;
	}
	return bad ? fail(r, r->line, key, "%s", why.text) : 0;
}

/* Options that cellbench run does not have are found before hours of runs. */
static int check_options(struct reading *r, const char *key, const char *text)
{
	char name[64];
	for (const char *p = text; (p = strstr(p, "--")) != NULL;) {
		size_t n = strcspn(p + 2, "= \t\n\"'");
		if ((p == text || isspace((unsigned char)p[-1])) && n > 0 &&
		    n < sizeof name) {
			snprintf(name, sizeof name, "%.*s", (int)n, p + 2);
			if (!config_takes(name))
				return fail(r, r->line, key,
				            "cellbench run has no option --%s", name);
		}
		p += 2 + n;
	}
	return 0;
}

static int check_setting(struct reading *r, enum setting key, const char *value)
{
	if (key == SET_OPTIONS)
		return check_options(r, "options", value);
	if (key == SET_WORKLOAD && !workload_find(value))
		return fail(r, r->line, "workload", "no workload '%s'", value);
	if (key == SET_ENGINE && !engine_find(value))
		return fail(r, r->line, "engine", "no engine '%s' is built in", value);
	return 0;
}

static int read_setting(struct reading *r, int axis, const char *of, const char *key,
                        const char *value)
{
	struct study_job *j = r->j;
	int k = 0;
	while (k < SET_COUNT && strcmp(key, setting_names[k]) != 0)
		k++;
	if (k == SET_COUNT)
		return fail(r, r->line, key, "no setting of this name");
	for (size_t i = 0; i < j->nsettings; i++)
		if (j->settings[i].axis == axis && (int)j->settings[i].key == k &&
		    (axis < 0 || strcmp(j->settings[i].value, of) == 0))
			return fail(r, r->line, key, "is there twice (line %d)",
			            j->settings[i].line);
	if (check_setting(r, (enum setting)k, value) < 0)
		return -1;
	struct study_setting *more =
	        realloc(j->settings, (j->nsettings + 1) * sizeof *more);
	if (more)
		j->settings = more;
	char *text = strdup(value);
	const char *kept = axis < 0 ? NULL : keep(r, of);
	if (!more || !text || (axis >= 0 && !kept)) {
		free(text);
		return err_set(r->e, ERR_ENVIRONMENT, "out of memory");
	}
	struct study_setting *s = &j->settings[j->nsettings++];
	*s = (struct study_setting){axis, kept, (enum setting)k, text, r->line};
	r->joined = &s->text;
	r->lines = k == SET_SETUP || k == SET_CLEANUP;
	return 0;
}

static int read_section(struct reading *r, const char *section, const char *key,
                        const char *value)
{
	char axis_name[32] = "";
	const char *space = strchr(section, ' ');
	if (strcmp(section, "study") == 0) {
		int done = read_study(r, key, value);
		return done <= 0 ? done : read_setting(r, -1, NULL, key, value);
	}
	if (strncmp(section, "matrix", 6) == 0 && (!section[6] || section[6] == ' '))
		return read_matrix(r, section, key, value);
	if (space)
		snprintf(axis_name, sizeof axis_name, "%.*s", (int)(space - section),
		         section);
	int axis = axis_find(axis_name);
	if (axis < 0 || !axis_kinds[axis].named || !space[1])
		return fail(r, r->line, key,
		            "stands in [%s]; there are [study], [matrix] and [link "
		            "NAME], [server NAME], [client NAME], [fault NAME], "
		            "[workload NAME]",
		            section);
	return read_setting(r, axis, space + 1, key, value);
}

static int on_entry(void *ctx, const char *section, const char *key, const char *value)
{
	struct reading *r = ctx;
	bool same = strcmp(section, r->last[0]) == 0 && strcmp(key, r->last[1]) == 0;
	if (r->e->code != ERR_NONE)
		return 0;
	if (same && r->continued) {
		if (!r->joined)
			fail(r, r->line, key, "cannot go on in a second line");
		else if (append(r, r->joined, value) == 0)
			check_options(r, key, strcmp(key, "options") == 0 ? value : "");
		return r->e->code == ERR_NONE;
	}
	r->joined = NULL;
	r->lines = false;
	snprintf(r->last[0], sizeof r->last[0], "%s", section);
	snprintf(r->last[1], sizeof r->last[1], "%s", key);
	return read_section(r, section, key, value) == 0;
}

/* Hands out the text line by line, for the sake of their numbers. */
static char *next_line(char *buf, int size, void *ctx)
{
	struct reading *r = ctx;
	if (*r->at == '\0' || r->e->code != ERR_NONE)
		return NULL;
	size_t n = strcspn(r->at, "\n");
	r->line++;
	r->continued = r->at[0] == ' ' || r->at[0] == '\t';
	if (n > LINE_MAX_LENGTH || n + 2 > (size_t)size) {
		fail(r, r->line, "line",
		     "is longer than %d characters; go on in a line that begins with "
		     "a blank",
		     LINE_MAX_LENGTH);
		return NULL;
	}
	memcpy(buf, r->at, n);
	buf[n] = '\n';
	buf[n + 1] = '\0';
	r->at += n + (r->at[n] == '\n');
	return buf;
}

static int read_file(struct study_job *j, struct err *e)
{
	FILE *f = fopen(j->path, "re");
	if (!f)
		return err_set(e, ERR_USAGE, "cannot read the job file %s: %s", j->path,
		               strerror(errno));
	j->text = calloc(1, FILE_MAX + 1);
	size_t n = j->text ? fread(j->text, 1, FILE_MAX, f) : 0;
	bool ok = j->text && !ferror(f) && n < FILE_MAX && !memchr(j->text, '\0', n);
	fclose(f);
	return ok ? 0 : err_set(e, ERR_USAGE, "%s is no job file", j->path);
}

static bool in_words(const char *words, const char *word)
{
	size_t n = strlen(word);
	for (const char *p = strstr(words, word); p; p = strstr(p + 1, word))
		if ((p == words || p[-1] == ' ') && (p[n] == ' ' || !p[n]))
			return true;
	return false;
}

static bool defined(const struct study_job *j, int axis, const char *value)
{
	for (size_t i = 0; i < j->nsettings; i++)
		if (j->settings[i].axis == axis &&
		    strcmp(j->settings[i].value, value) == 0)
			return true;
	return false;
}

static int build_matrix(struct reading *r)
{
	struct study_job *j = r->j;
	for (size_t i = 0; i < r->nproducts; i++) {
		const struct product *p = &r->products[i];
		for (int a = 0; a < AXIS_COUNT; a++)
			for (size_t v = 0; axis_kinds[a].named && v < p->axes[a].n; v++)
				if (!in_words(axis_kinds[a].builtin,
				              p->axes[a].at[v]) &&
				    !defined(j, a, p->axes[a].at[v]))
					return fail(
					        r, p->line[a], axis_kinds[a].name,
					        "'%s' is none of: %s; a section [%s "
					        "%s] "
					        "would define it",
					        p->axes[a].at[v], axis_kinds[a].builtin,
					        axis_kinds[a].name, p->axes[a].at[v]);
		if (matrix_add(&j->matrix, p->axes) < 0)
			return err_set(r->e, ERR_ENVIRONMENT, "out of memory");
	}
	if (j->matrix.n == 0)
		return err_set(r->e, ERR_USAGE, "%s: there is no section [matrix]",
		               j->path);
	return 0;
}

/* atm-1995 of doc/studies/atm-1995.ini */
static void default_name(struct study_job *j)
{
	const char *slash = strrchr(j->path, '/');
	matrix_slug(slash ? slash + 1 : j->path, j->name, sizeof j->name);
	char *dot = strrchr(j->name, '.');
	if (dot)
		*dot = '\0';
}

/* KEY=VALUE of the command line. */
static int set_one(struct reading *r, const char *text)
{
	char key[64];
	const char *value = strchr(text, '=');
	snprintf(key, sizeof key, "%.*s", value ? (int)(value - text) : 0, text);
	int axis = axis_find(key);
	if (!value)
		return err_set(r->e, ERR_USAGE, "--set takes KEY=VALUE, not '%s'",
		               text);
	for (size_t i = 0; axis >= 0 && i < r->nproducts; i++)
		if (read_values(r, &r->products[i], axis, value + 1) < 0)
			return -1;
	if (axis >= 0)
		return 0;
	int done = read_study(r, key, value + 1);
	return done == 0
	               ? 0
	               : err_set(r->e, ERR_USAGE,
	                         "--set %s: neither an axis nor a key of [study]", key);
}

/* What was set belongs to the job's text, by which a study knows its own job. */
static int set_all(struct reading *r, char *const *sets, size_t n)
{
	struct study_job *j = r->j;
	r->line = 0;
	for (size_t i = 0; i < n; i++) {
		char *more = NULL;
		if (set_one(r, sets[i]) < 0)
			return -1;
		if (asprintf(&more, "%s; --set %s\n", j->text, sets[i]) < 0)
			return err_set(r->e, ERR_ENVIRONMENT, "out of memory");
		free(j->text);
		j->text = more;
	}
	return 0;
}

int study_job_load(struct study_job *j, const char *path, char *const *sets, size_t n,
                   struct err *e)
{
	*j = (struct study_job){.path = path,
	                        .repeats = 3,
	                        .seed = 1995,
	                        .order = ORDER_INTERLEAVE,
	                        .lab = true};
	struct reading *r = calloc(1, sizeof *r);
	if (!r)
		return err_set(e, ERR_ENVIRONMENT, "out of memory");
	*r = (struct reading){.j = j, .e = e};
	default_name(j);
	int result = read_file(j, e);
	if (result == 0) {
		r->at = j->text;
		int bad = ini_parse_stream(next_line, r, on_entry, r);
		if (bad != 0 && e->code == ERR_NONE)
			fail(r, bad > 0 ? bad : r->line, "line",
			     "is neither [SECTION] nor KEY = VALUE");
		result = e->code == ERR_NONE ? set_all(r, sets, n) : -1;
		result = result == 0 ? build_matrix(r) : -1;
	}
	free(r);
	return result;
}
