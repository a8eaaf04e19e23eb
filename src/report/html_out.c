#include "src/report/html_out.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- text ----------------------------------------------------------------- */

/* Bytes of the UTF-8 character at s and its code point; 0 where there is none. */
static unsigned utf8_at(const unsigned char *s, uint32_t *point)
{
	static const struct {
		unsigned char mask, lead;
		uint32_t least;
	} forms[] = {{0x80, 0x00, 0},
	             {0xe0, 0xc0, 0x80},
	             {0xf0, 0xe0, 0x800},
	             {0xf8, 0xf0, 0x10000}};
	for (unsigned n = 0; n < 4; n++) {
		if ((s[0] & forms[n].mask) != forms[n].lead)
			continue;
		*point = s[0] & (unsigned char)~forms[n].mask;
		for (unsigned i = 1; i <= n; i++) {
			if ((s[i] & 0xc0) != 0x80)
				return 0;
			*point = *point << 6 | (s[i] & 0x3f);
		}
		bool surrogate = *point >= 0xd800 && *point <= 0xdfff;
		return *point < forms[n].least || *point > 0x10ffff || surrogate
		               ? 0
		               : n + 1;
	}
	return 0;
}

static bool is_hidden(uint32_t c)
{
	bool control = (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7f && c < 0xa0);
	bool turns = (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) ||
	             c == 0x200e || c == 0x200f;
	return control || turns;
}

static const char *entity(uint32_t c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

void html_text(struct html *h, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	while (*s) {
		uint32_t c = 0;
		unsigned n = utf8_at(s, &c);
		const char *e = n ? entity(c) : NULL;
		if (n == 0 || is_hidden(c))
			fputs("\xef\xbf\xbd", h->out);
		else if (e)
			fputs(e, h->out);
		else
			fwrite(s, 1, n, h->out);
		s += n ? n : 1;
	}
}

static void say(struct html *h, const char *fmt, va_list args)
        __attribute__((format(printf, 2, 0)));

static void say(struct html *h, const char *fmt, va_list args)
{
	char *text;
	if (vasprintf(&text, fmt, args) < 0)
		return;
	html_text(h, text);
	free(text);
}

void html_say(struct html *h, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	say(h, fmt, args);
	va_end(args);
}

void html_raw(struct html *h, const char *markup)
{
	fputs(markup, h->out);
}

/* In a dump that is all ASCII these stand in strings only. */
int html_json(FILE *out, const json_t *value)
{
	char *text =
	        json_dumps(value, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_ENCODE_ANY |
	                                  JSON_REAL_PRECISION(9));
	if (!text)
		return -1;
	for (const char *s = text; *s; s++) {
		if (*s == '<' || *s == '>' || *s == '&')
			fprintf(out, "\\u%04x", (unsigned char)*s);
		else
			fputc(*s, out);
	}
	free(text);
	return 0;
}

json_t *html_json_text(const char *text)
{
	json_t *value = json_string(text);
	if (value)
		return value;
	char *copy = strdup(text);
	for (char *s = copy; s && *s; s++)
		if ((unsigned char)*s >= 0x80)
			*s = '?';
	value = copy ? json_string(copy) : NULL;
	free(copy);
	return value;
}

const char *html_number(char out[HTML_NUMBER], double value, int decimals)
{
	static const char thin[] = "\xe2\x80\xaf"; /* U+202F, which does not break */
	char plain[HTML_NUMBER];
	int n = snprintf(plain, sizeof plain, "%.*f", decimals, value);
	size_t used = 0;
	if (n < 0 || n > 24) { /* 24 digits and 7 spaces of 3 bytes fit */
		snprintf(out, HTML_NUMBER, "%g", value);
		return out;
	}
	size_t whole = strcspn(plain, "."), first = plain[0] == '-' ? 1 : 0;
	for (size_t i = 0; plain[i]; i++) {
		if (i > first && i < whole && (whole - i) % 3 == 0) {
			memcpy(out + used, thin, 3);
			used += 3;
		}
		out[used++] = plain[i];
	}
	out[used] = '\0';
	return out;
}

/* ---- parts of the page ---------------------------------------------------- */

void html_section(struct html *h, const char *id, const char *title)
{
	fprintf(h->out, "<section id=\"%s\">\n<h2>%s</h2>\n", id, title);
}

void html_section_end(struct html *h)
{
	fputs("</section>\n", h->out);
}

void html_table_begin(struct html_table *t, struct html *h, const char *caption,
                      const char *const *heads, size_t columns, unsigned left)
{
	*t = (struct html_table){.h = h, .columns = columns, .left = left};
	fputs("<div class=\"scroll\" tabindex=\"0\"><table>\n", h->out);
	if (caption)
		fprintf(h->out, "<caption>%s</caption>\n", caption);
	fputs("<thead><tr>", h->out);
	for (size_t i = 0; i < columns; i++) {
		const char *bar = strchr(heads[i], '|');
		fprintf(h->out, "<th scope=\"col\"%s>",
		        left >> i & 1 ? " class=\"text\"" : "");
		html_say(h, "%.*s", (int)(bar ? bar - heads[i] : 1000), heads[i]);
		if (bar) {
			html_raw(h, "<small>");
			html_text(h, bar + 1);
			html_raw(h, "</small>");
		}
		html_raw(h, "</th>");
	}
	fputs("</tr></thead>\n<tbody>\n", h->out);
}

void html_cell_open(struct html_table *t, const char *class)
{
	bool text = t->left >> t->used & 1;
	if (t->used == 0)
		html_raw(t->h, "<tr>");
	fprintf(t->h->out,
	        t->used == 0 ? "<th scope=\"row\" class=\"%s%s\">"
	                     : "<td class=\"%s%s\">",
	        text ? "text " : "", class ? class : "");
}

void html_cell_close(struct html_table *t)
{
	html_raw(t->h, t->used == 0 ? "</th>" : "</td>");
	if (++t->used == t->columns) {
		html_raw(t->h, "</tr>\n");
		t->used = 0;
	}
}

void html_cell(struct html_table *t, const char *fmt, ...)
{
	va_list args;
	html_cell_open(t, NULL);
	va_start(args, fmt);
	say(t->h, fmt, args);
	va_end(args);
	html_cell_close(t);
}

void html_cell_number(struct html_table *t, double value, int decimals)
{
	char text[HTML_NUMBER];
	html_cell(t, "%s", html_number(text, value, decimals));
}

void html_table_end(struct html_table *t)
{
	html_raw(t->h, "</tbody></table></div>\n");
}

void html_plot(struct html *h, json_t *plot, const char *label)
{
	if (!h->can_plot || !plot) {
		json_decref(plot);
		return;
	}
	html_raw(h, "<div class=\"plot\"><canvas role=\"img\" aria-label=\"");
	html_text(h, label);
	html_raw(h, "\"></canvas></div>\n");
	json_array_append_new(h->plots, plot);
}
