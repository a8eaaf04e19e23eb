#include "src/study/job.h"

#include <errno.h>
#include <ini.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/run/config.h"

/* A job being read. */
struct reading {
	struct job *j;
	struct job_section *section; /* at hand, or NULL */
	struct run_config scratch;   /* takes the values, to check them */
	const char *path;
	FILE *file;
	char *buf; /* of getline */
	size_t room;
	int line;
	bool continued; /* the line begins with a blank */
	int unchecked;  /* line of the option whose value may still go on; 0: none */
	size_t own;     /* words of the section before this one is its own */
	struct err *e;
};

static int fail(struct reading *r, const char *fmt, ...) ERR_PRINTF(2, 3);

static int fail(struct reading *r, const char *fmt, ...)
{
	char why[400];
	va_list args;
	va_start(args, fmt);
	vsnprintf(why, sizeof why, fmt, args);
	va_end(args);
	return err_set(r->e, ERR_USAGE, "%s:%d: %s", r->path, r->line, why);
}

/* Tries the value of the last option, now that it is whole. */
static int check_last(struct reading *r)
{
	char key[64];
	struct err why = {0};
	if (!r->unchecked)
		return 0;
	char *word = r->section->words[r->section->n - 1] + 2;
	char *value = strchr(word, '=');
	snprintf(key, sizeof key, "%.*s",
	         (int)(value ? (size_t)(value - word) : strlen(word)), word);
	if (config_set(&r->scratch, key, value ? value + 1 : NULL, &why) < 0) {
		r->line = r->unchecked;
		return fail(r, "%s: %s", key, why.text);
	}
	r->unchecked = 0;
	return 0;
}

/* Options that add up do so within a section only. */
static int clear_scratch(struct reading *r, struct err *e)
{
	char name[] = "run";
	char *argv[] = {name, NULL};
	return config_words(&r->scratch, 1, argv, e);
}

static int add_word(struct job_section *s, char *word)
{
	char **more = realloc(s->words, (s->n + 1) * sizeof *more);
	if (more)
		s->words = more;
	if (!more || !word) {
		free(word);
		return -1;
	}
	s->words[s->n++] = word;
	return 0;
}

/* A name becomes that of a folder, so there may be no other of it. */
static int check_name(struct reading *r, const char *name)
{
	if (strchr(name, '/') || strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
	    strlen(name) >= sizeof r->section->name)
		return fail(r, "'%s' cannot be the name of a run", name);
	for (size_t i = 0; name[0] && i < r->j->n; i++)
		if (strcmp(r->j->sections[i].name, name) == 0)
			return fail(r, "[run %s] is there twice (line %d)", name,
			            r->j->sections[i].line);
	return 0;
}

/* Begins the section [run NAME], with what [global] has so far. */
static int begin_run(struct reading *r, char *name)
{
	struct job *j = r->j;
	for (size_t n = strlen(name); n > 0 && strchr(" \t", name[n - 1]);)
		name[--n] = '\0';
	name += strspn(name, " \t");
	if (check_name(r, name) < 0)
		return -1;
	struct job_section *more = realloc(j->sections, (j->n + 1) * sizeof *more);
	if (!more)
		return err_set(r->e, ERR_ENVIRONMENT, "out of memory");
	j->sections = more;
	r->section = &j->sections[j->n++];
	*r->section = (struct job_section){.line = r->line};
	snprintf(r->section->name, sizeof r->section->name, "%s", name);
	for (size_t i = 0; i < j->global.n; i++)
		if (add_word(r->section, strdup(j->global.words[i])) < 0)
			return err_set(r->e, ERR_ENVIRONMENT, "out of memory");
	r->own = r->section->n;
	return 0;
}

static int begin_section(struct reading *r, const char *line)
{
	char name[80];
	const char *end = strchr(line, ']');
	if (check_last(r) < 0 || clear_scratch(r, r->e) < 0)
		return -1;
	size_t n = end ? (size_t)(end - line - 1) : 0;
	if (!end || n >= sizeof name)
		return fail(r, "a heading is [run], [run NAME] or [global]");
	memcpy(name, line + 1, n);
	name[n] = '\0';
	if (strcmp(name, "global") == 0) {
		r->section = &r->j->global;
		r->own = r->section->n;
		return 0;
	}
	if (strncmp(name, "run", 3) != 0 || (name[3] && name[3] != ' '))
		return fail(r,
		            "no section [%s]; there are [run], [run NAME] and "
		            "[global]",
		            name);
	return begin_run(r, name + 3);
}

/* Hands out the lines and follows the headings: the parser tells neither where it
 * is nor two sections of one name apart. */
static char *next_line(char *out, int size, void *ctx)
{
	struct reading *r = ctx;
	if (r->e->code != ERR_NONE)
		return NULL;
	ssize_t n = getline(&r->buf, &r->room, r->file);
	if (n < 0)
		return NULL;
	r->line++;
	r->continued = r->buf[0] == ' ' || r->buf[0] == '\t';
	const char *text = r->buf + strspn(r->buf, " \t");
	if (n + 1 > size || memchr(r->buf, '\0', (size_t)n)) {
		fail(r,
		     "the line is longer than %d characters; go on in a line that "
		     "begins with a blank",
		     size - 2);
		return NULL;
	}
	if (text[0] == '[' && !r->continued && begin_section(r, text) < 0)
		return NULL;
	memcpy(out, r->buf, (size_t)n + 1);
	return out;
}

static bool is_not_for_jobs(const char *key)
{
	static const char *const keys[] = {"job", "dry-run", "json", "help", "usage"};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (strcmp(key, keys[i]) == 0)
			return true;
	return false;
}

/* "yes" and its kin: 1, 0; -1: neither. */
static int truth(const char *value)
{
	static const char *const words[] = {"no", "yes", "false", "true", "0", "1"};
	for (int i = 0; i < 6; i++)
		if (strcmp(value, words[i]) == 0)
			return i & 1;
	return -1;
}

/* Whether the section has told this option itself; those that add up may come again. */
static bool is_told(const struct reading *r, const char *key)
{
	size_t n = strlen(key);
	if (strcmp(key, "step") == 0 || strcmp(key, "null-delay") == 0)
		return false;
	for (size_t i = r->own; i < r->section->n; i++) {
		const char *word = r->section->words[i];
		if (strncmp(word, "--", 2) == 0 && strncmp(word + 2, key, n) == 0 &&
		    (word[2 + n] == '=' || word[2 + n] == '\0'))
			return true;
	}
	return false;
}

static int add_option(struct reading *r, const char *key, const char *value)
{
	const char *takes = config_takes(key);
	char *word = NULL;
	int is_switch = takes && !takes[0], on = is_switch ? truth(value) : 1;
	if (!takes || is_not_for_jobs(key))
		return fail(r,
		            "%s: no option of this name; `cellbench run --help` "
		            "tells them",
		            key);
	if (is_told(r, key))
		return fail(r, "%s: is there twice in this section", key);
	if (on < 0)
		return fail(r, "%s: takes yes or no, not '%s'", key, value);
	if (on == 0)
		return 0;
	if ((is_switch ? asprintf(&word, "--%s", key)
	               : asprintf(&word, "--%s=%s", key, value)) < 0)
		word = NULL;
	if (add_word(r->section, word) < 0)
		return err_set(r->e, ERR_ENVIRONMENT, "out of memory");
	r->unchecked = r->line;
	return 0;
}

/* The line before goes on, behind a blank unless in a list. */
static int extend(struct reading *r, const char *key, const char *value)
{
	struct job_section *s = r->section;
	if (!r->unchecked || !strchr(s->words[s->n - 1], '='))
		return fail(r, "%s: cannot go on in a second line", key);
	const char *last = s->words[s->n - 1];
	const char *gap = last[strlen(last) - 1] == ',' ? "" : " ";
	char *word = NULL;
	if (asprintf(&word, "%s%s%s", last, gap, value) < 0)
		return err_set(r->e, ERR_ENVIRONMENT, "out of memory");
	free(s->words[s->n - 1]);
	s->words[s->n - 1] = word;
	return 0;
}

static int on_entry(void *ctx, const char *section, const char *key, const char *value)
{
	struct reading *r = ctx;
	(void)section;
	if (r->e->code != ERR_NONE)
		return 0;
	if (!r->section)
		return fail(r, "%s: stands before the first section", key) == 0;
	if (r->continued)
		return extend(r, key, value) == 0;
	if (check_last(r) < 0)
		return 0;
	if (strcmp(key, "dir") != 0)
		return add_option(r, key, value) == 0;
	if (!value[0] || value[0] == '-')
		return fail(r, "dir: '%s' is no folder", value) == 0;
	return add_word(r->section, strdup(value)) == 0;
}

int job_load(struct job *j, const char *path, struct err *e)
{
	*j = (struct job){0};
	struct reading *r = calloc(1, sizeof *r);
	if (!r)
		return err_set(e, ERR_ENVIRONMENT, "out of memory");
	*r = (struct reading){.j = j, .path = path, .e = e, .file = fopen(path, "re")};
	if (!r->file)
		err_set(e, ERR_USAGE, "cannot read the job file %s: %s", path,
		        strerror(errno));
	else if (clear_scratch(r, e) == 0) {
		int bad = ini_parse_stream(next_line, r, on_entry, r);
		if (bad != 0 && e->code == ERR_NONE) {
			r->line = bad > 0 ? bad : r->line;
			fail(r, "is neither [SECTION] nor OPTION = VALUE");
		}
		if (e->code == ERR_NONE)
			check_last(r);
		if (j->n == 0)
			err_set(e, ERR_USAGE, "%s has no section [run]", path);
	}
	if (r->file)
		fclose(r->file);
	free(r->buf);
	free(r);
	return e->code == ERR_NONE ? 0 : -1;
}

static void free_section(struct job_section *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->words[i]);
	free(s->words);
}

void job_fini(struct job *j)
{
	for (size_t i = 0; i < j->n; i++)
		free_section(&j->sections[i]);
	free_section(&j->global);
	free(j->sections);
	*j = (struct job){0};
}

/* A section's last folder counts, and none where the command line has one. */
static bool is_left_out(const struct job_section *s, size_t i, bool has_dir)
{
	if (s->words[i][0] == '-')
		return false;
	for (size_t k = i + 1; k < s->n && !has_dir; k++)
		has_dir = s->words[k][0] != '-';
	return has_dir;
}

char **job_argv(const struct job *j, size_t i, int argc, char **argv, bool has_dir,
                int *n)
{
	const struct job_section *s = &j->sections[i];
	char **out = calloc(s->n + (size_t)argc + 2, sizeof *out);
	*n = 0;
	if (!out)
		return NULL;
	out[(*n)++] = argv[0];
	for (size_t k = 0; k < s->n; k++)
		if (!is_left_out(s, k, has_dir))
			out[(*n)++] = s->words[k];
	for (int k = 1; k < argc; k++) {
		if (strcmp(argv[k], "--job") == 0)
			k++;
		else if (strncmp(argv[k], "--job=", 6) != 0)
			out[(*n)++] = argv[k];
	}
	return out;
}
