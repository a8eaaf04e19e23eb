/* The tables of Bonnie and bonnie++ as they stand in mail: quoted, re-wrapped, with
 * text around.  So line ends mean nothing: the words are read one after the other.
 * A heading is known by its words and ends with its sixth pair of "/sec %CPU";
 * behind it, twelve figures in a row with a size before them are a row. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/study/source_bonnie.h"

enum { WORD = 64, VALUES = 13, LABEL_WORDS = 4 };

enum table { TABLE_NONE, TABLE_DATA, TABLE_FILES };

struct reader {
	struct source *s;
	enum table table;
	bool heading; /* inside one */
	int columns;  /* of the heading, seen so far */
	double version;
	bool version_next;
	char label[FIGURE_TEXT]; /* of the row to come */
	int label_words;
	char last_label[FIGURE_TEXT];    /* of the last row of data */
	char heading_label[FIGURE_TEXT]; /* bonnie++ 1.9x names the machine there */
	char size[WORD];                 /* a size that cannot be a figure, or "" */
	char value[VALUES][WORD];
	int values;
	unsigned missing;
	int rows;
	bool no_memory;
};

static bool has(const char *word, const char *part)
{
	return strstr(word, part) != NULL;
}

static bool is_value(const char *word)
{
	double number;
	return bonnie_number(word, &number) || strcmp(word, "-") == 0 ||
	       (word[0] == '+' && strspn(word, "+") == strlen(word));
}

/* Words that stand in a heading and nowhere else. */
static bool is_heading(const char *word)
{
	static const char *const parts[] = {
	        "-Sequential", "-Per",     "--Block",   "-Rewrite", "--Seeks",
	        "--Random",    "-Create-", "--Read---", "-Delete-", "Output--",
	        "Input--",     "Create--", "Chr-",      "Char-",
	};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (has(word, parts[i]))
			return true;
	return false;
}

static void add_label(struct reader *r, const char *word)
{
	if (r->label_words++ >= LABEL_WORDS) { /* prose: begin anew */
		r->label[0] = '\0';
		r->label_words = 1;
	}
	size_t used = strlen(r->label);
	snprintf(r->label + used, sizeof r->label - used, "%s%s", used ? " " : "",
	         word);
}

static void clear_row(struct reader *r)
{
	r->values = 0;
	r->size[0] = '\0';
	r->label[0] = '\0';
	r->label_words = 0;
}

/* The six pairs of a row that has skipped the per-character phases (-f). */
static void spread(const char *const eight[8], const char *field[12])
{
	for (int i = 0; i < 12; i++)
		field[i] = "";
	for (int i = 0; i < 4; i++)
		field[2 + i] = eight[i];
	for (int i = 0; i < 4; i++)
		field[8 + i] = eight[4 + i];
}

static void keep_row(struct reader *r, const char *size, const char *const *value,
                     int n)
{
	const char *field[12];
	struct bonnie_row row = {.part = r->label, .cache = ""};
	if (n == 8)
		spread(value, field);
	else
		memcpy(field, value, sizeof field);
	if (strcmp(r->label, "cold") == 0 || strcmp(r->label, "warm") == 0 ||
	    strcmp(r->label, "cold?") == 0) {
		row.cache = r->label[0] == 'c' ? "cold" : "warm";
		row.part = "";
		if (has(r->label, "?"))
			row.doubt = "not cold";
	}
	if (r->table == TABLE_DATA) {
		row.size = bonnie_size(size);
		row.phases =
		        r->version >= 1.92 ? bonnie_byte_phases : bonnie_data_phases;
		snprintf(r->last_label, sizeof r->last_label, "%s", row.part);
	} else {
		row.phases = bonnie_file_phases;
		if (!r->label[0])
			row.part =
			        r->heading_label[0] ? r->heading_label : r->last_label;
	}
	r->no_memory |= bonnie_add_row(r->s, &row, field, &r->missing) < 0;
	r->rows++;
}

/* Takes what was collected for a row, if it is one; `whole`: of twelve figures. */
static bool take_row(struct reader *r, bool whole)
{
	const char *value[VALUES];
	for (int i = 0; i < r->values; i++)
		value[i] = r->value[i];
	bool apart = r->size[0]; /* the size is no figure */
	int n = r->values - !apart;
	if (n != (whole ? 12 : 8) || (!whole && r->table == TABLE_FILES))
		return false;
	keep_row(r, apart ? r->size : value[0], value + !apart, n);
	clear_row(r);
	return true;
}

static void heading_word(struct reader *r, const char *word)
{
	if (!r->heading) {
		take_row(r, false);
		clear_row(r);
		r->heading = true;
		r->table = TABLE_NONE;
		r->columns = 0;
		r->heading_label[0] = '\0';
	}
	if (has(word, "Output"))
		r->table = TABLE_DATA;
	else if (has(word, "Create") && r->table == TABLE_NONE)
		r->table = TABLE_FILES;
}

static void in_heading(struct reader *r, const char *word)
{
	static const char *const plain[] = {"Machine", "Size",      "MB",
	                                    "Cache",   "Name:Size", "etc",
	                                    "files",   "Version",   "Concurrency"};
	if (strcmp(word, "K/sec") == 0 || strcmp(word, "/sec") == 0) {
		r->columns++;
		return;
	}
	if (strcmp(word, "%CPU") == 0 || strcmp(word, "%CP") == 0) {
		r->heading = r->columns < 6;
		return;
	}
	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
		if (strcmp(word, plain[i]) == 0)
			return;
	if (!is_value(word) && !has(word, "files:") && r->table == TABLE_FILES)
		snprintf(r->heading_label, sizeof r->heading_label, "%.*s",
		         FIGURE_TEXT - 1, word);
}

static bool is_latency(const char *word)
{
	size_t digits = strspn(word, "0123456789");
	const char *unit = word + digits;
	return digits > 0 && (strcmp(unit, "us") == 0 || strcmp(unit, "ms") == 0 ||
	                      strcmp(unit, "s") == 0 || strcmp(unit, "ns") == 0);
}

static void in_rows(struct reader *r, const char *word)
{
	if (is_value(word)) {
		if (r->values == VALUES) /* more figures than a row has: prose */
			clear_row(r);
		memcpy(r->value[r->values++], word, strlen(word) + 1);
		take_row(r, true);
		return;
	}
	if (r->values > 0) {
		take_row(r, false);
		clear_row(r);
	}
	if (strcmp(word, "Latency") == 0 || is_latency(word)) {
		clear_row(r);
	} else if (isdigit((unsigned char)word[0]) &&
	           (has(word, ":") || bonnie_size(word))) {
		memcpy(r->size, word, strlen(word) + 1);
	} else {
		r->size[0] = '\0';
		add_label(r, word);
	}
}

static void take_word(struct reader *r, const char *word)
{
	if (r->version_next)
		r->version = strtod(word, NULL);
	r->version_next = strcmp(word, "Version") == 0;
	if (is_heading(word))
		heading_word(r, word);
	else if (r->heading)
		in_heading(r, word);
	else if (r->table != TABLE_NONE)
		in_rows(r, word);
}

/* Quoting marks, with initials before them or not, are left out. */
static const char *skip_quoting(const char *at, const char *end)
{
	for (;;) {
		const char *p = at;
		while (p < end && (*p == ' ' || *p == '\t'))
			p++;
		const char *mark = p;
		while (mark < end && mark - p < 3 && isalpha((unsigned char)*mark))
			mark++;
		if (mark < end && (*mark == '>' || (*mark == '|' && mark == p)))
			at = mark + 1;
		else
			return p;
	}
}

int source_bonnie_text(struct source *s, const char *text, size_t n, struct err *e)
{
	const char *end = text + n, *p = skip_quoting(text, end);
	struct reader r = {.s = s};
	while (p < end) {
		char word[WORD];
		size_t len = 0;
		while (p + len < end && !isspace((unsigned char)p[len]))
			len++;
		if (len > 0 && len < WORD) {
			memcpy(word, p, len);
			word[len] = '\0';
			take_word(&r, word);
		}
		p += len;
		if (p < end && *p == '\n')
			p = skip_quoting(p + 1, end);
		else if (p < end)
			p++;
	}
	take_row(&r, false);
	if (r.no_memory)
		return err_set(e, ERR_ENVIRONMENT, "out of memory");
	if (r.rows == 0)
		return 0;
	s->kind = r.version > 0 ? "bonnie++ table" : "Bonnie table";
	bonnie_note_missing(s, r.missing);
	return 1;
}
