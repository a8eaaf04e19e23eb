/* bonnie++'s CSV.  Its man page bon_csv2html(1) tells the fields of format 1.98;
 * 1.93 to 1.97 lack the numbers of seeks and seekers; that of 1.0x begins with the
 * name and has one field for what later became five. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/study/source_bonnie.h"

enum { FIELDS = 64, LINE = 2048 };

struct layout {
	const char *format;
	double least; /* version from which it holds */
	int fields;   /* at least so many, up to the last figure */
	int name, size, data, count, files;
	const char *const *phases;
};

static const struct layout layouts[] = {
        {"bonnie++ CSV 1.98", 1.98, 21, 2, 5, 9, 21, 26, bonnie_byte_phases},
        {"bonnie++ CSV 1.96", 1.9, 19, 2, 5, 7, 19, 24, bonnie_byte_phases},
        {"bonnie++ CSV 1.03", 0, 14, 0, 1, 2, 14, 15, bonnie_data_phases},
};

static int split(char *line, const char *field[FIELDS])
{
	int n = 0;
	while (line && n < FIELDS)
		field[n++] = strsep(&line, ",");
	for (int i = n; i < FIELDS; i++)
		field[i] = "";
	return n;
}

/* The number of a version such as 1.93c, or 0. */
static double version_of(const char *text)
{
	char *end;
	double v = strtod(text, &end);
	const char *point = strchr(text, '.');
	bool version = text[0] >= '0' && text[0] <= '9' && point && point - text < 4;
	return version && strlen(end) <= 1 ? v : 0;
}

static const struct layout *layout_of(const char *const *field, int n)
{
	double version = n > 2 && version_of(field[1]) > 0 ? version_of(field[0]) : 0;
	const struct layout *l = layouts;
	while (version < l->least)
		l++;
	double rate;
	bool rates = false; /* a row of numbers, and not some other table */
	for (int i = 0; i < 6; i++) {
		const char *text = field[l->data + 2 * i];
		rates |= bonnie_number(text, &rate) || text[0] == '+';
	}
	bool files = bonnie_number(field[l->files], &rate) || field[l->files][0] == '+';
	if (n < l->fields || !(rates || files))
		return NULL;
	return bonnie_size(field[l->size]) || files ? l : NULL;
}

static int read_line(struct source *s, char *line, unsigned *missing)
{
	const char *field[FIELDS];
	int n = split(line, field);
	const struct layout *l = layout_of(field, n);
	if (!l)
		return 0;
	struct bonnie_row row = {.part = field[l->name],
	                         .cache = "",
	                         .size = bonnie_size(field[l->size]),
	                         .phases = l->phases};
	/* what cellbench writes of putc and getc names a bonnie++ that had them */
	if (l->name > 0 && version_of(field[1]) < 1.92)
		row.phases = bonnie_data_phases;
	if (bonnie_add_row(s, &row, field + l->data, missing) < 0)
		return -1;
	row.size = 0;
	row.phases = bonnie_file_phases;
	if (bonnie_add_row(s, &row, field + l->files, missing) < 0)
		return -1;
	s->kind = l->format;
	if (l->name > 0) {
		json_object_set_new(s->facts, "bonnie++", json_string(field[1]));
		json_object_set_new(s->facts, "concurrency", json_string(field[3]));
		json_object_set_new(s->facts, "request size", json_string(field[6]));
	}
	if (field[l->count][0])
		json_object_set_new(s->facts, "files (1024)",
		                    json_string(field[l->count]));
	return 1;
}

int source_bonnie_csv(struct source *s, const char *text, size_t n, struct err *e)
{
	const char *end = text + n;
	unsigned missing = 0;
	int rows = 0;
	while (text < end) {
		char line[LINE];
		const char *eol = memchr(text, '\n', (size_t)(end - text));
		const char *begin = text + strspn(text, "> \t");
		text = eol ? eol + 1 : end;
		if (begin > text)
			begin = text;
		size_t len = (size_t)(text - begin);
		if (len >= sizeof line || *begin == '#')
			continue;
		memcpy(line, begin, len);
		line[len] = '\0';
		line[strcspn(line, "\r\n")] = '\0';
		int r = read_line(s, line, &missing);
		if (r < 0)
			return err_set(e, ERR_ENVIRONMENT, "out of memory");
		rows += r;
	}
	if (rows > 0)
		bonnie_note_missing(s, missing);
	return rows > 0;
}
