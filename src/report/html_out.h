/* Writing HTML: everything that is not markup of this program goes through an escape.
 */
#ifndef REPORT_HTML_OUT_H
#define REPORT_HTML_OUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

enum { HTML_NONCE = 33, HTML_NUMBER = 48 };

struct html {
	FILE *out;
	char nonce[HTML_NONCE]; /* of the page's own styles and scripts */
	bool can_plot;          /* the plotting library is in the page */
	json_t *plots;          /* array, owned: what the page's script draws */
};

/* Text as text: & < > " ' are escaped; control characters, characters that turn the
 * direction of writing and bytes that are no UTF-8 become U+FFFD. */
void html_text(struct html *h, const char *text);
void html_say(struct html *h, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));

/* Markup of this program, as it is. */
void html_raw(struct html *h, const char *markup);

/* A value as JSON that may stand in a script element: no "<", ">" or "&" and only
 * ASCII, so neither "</script>" nor U+2028 can be in it.  0, or -1. */
int html_json(FILE *out, const json_t *value);

/* A JSON string of bytes that may be no UTF-8. */
json_t *html_json_text(const char *text);

/* A number with a thin space after every three digits. */
const char *html_number(char out[HTML_NUMBER], double value, int decimals);

/* Sections: the title is a literal. */
void html_section(struct html *h, const char *id, const char *title);
void html_section_end(struct html *h);

/* Tables.  A head is "name" or "name|unit"; bit i of left: column i holds text.  Cells
 * fill rows from left to right. */
struct html_table {
	struct html *h;
	size_t columns, used;
	unsigned left;
};

void html_table_begin(struct html_table *t, struct html *h, const char *caption,
                      const char *const *heads, size_t columns, unsigned left);
void html_cell(struct html_table *t, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));
void html_cell_number(struct html_table *t, double value, int decimals);
/* Around a cell of other markup; class is a literal, or NULL. */
void html_cell_open(struct html_table *t, const char *class);
void html_cell_close(struct html_table *t);
void html_table_end(struct html_table *t);

/* The place of a plot, which is taken: its object is kept, or dropped where nothing can
 * be drawn.  label tells those who see no pixels what it shows. */
void html_plot(struct html *h, json_t *plot, const char *label);

#endif
