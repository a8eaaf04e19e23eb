/* All options, and the whole record. */
#include <stdlib.h>
#include <string.h>

#include "src/report/html_part.h"
#include "src/report/report.h"

enum { DEPTH_MAX = 6 };

static void option_row(struct html_table *t, const char *key, const json_t *value)
{
	char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(9));
	html_cell(t, "%s", key);
	html_cell(t, "%s",
	          json_is_string(value) ? json_string_value(value)
	                                : (text ? text : ""));
	free(text);
}

static bool is_flat(const json_t *list)
{
	size_t i;
	const json_t *item;
	json_array_foreach(list, i, item) if (json_is_object(item) ||
	                                      json_is_array(item)) return false;
	return json_is_array(list);
}

static void flat_row(struct html_table *t, const char *key, const json_t *list)
{
	size_t i;
	const json_t *item;
	html_cell(t, "%s", key);
	html_cell_open(t, NULL);
	json_array_foreach(list, i, item)
	{
		char *text = json_dumps(item, JSON_ENCODE_ANY);
		html_say(t->h, "%s%s", i ? " " : "",
		         json_is_string(item) ? json_string_value(item)
		                              : (text ? text : ""));
		free(text);
	}
	html_cell_close(t);
}

/* Objects in objects and lists of objects: a row a leaf, keys joined by points. */
static void option_rows(struct html_table *t, const char *prefix, const json_t *value,
                        int depth)
{
	char name[256];
	if (json_is_object(value) && depth < DEPTH_MAX) {
		const char *key;
		json_t *item;
		json_object_foreach((json_t *)(uintptr_t)value, key, item)
		{
			snprintf(name, sizeof name, "%s%s%s", prefix,
			         prefix[0] ? "." : "", key);
			option_rows(t, name, item, depth + 1);
		}
	} else if (is_flat(value)) {
		flat_row(t, prefix, value);
	} else if (json_is_array(value) && depth < DEPTH_MAX) {
		size_t i;
		const json_t *item;
		json_array_foreach(value, i, item)
		{
			snprintf(name, sizeof name, "%s.%zu", prefix, i + 1);
			option_rows(t, name, item, depth + 1);
		}
	} else {
		option_row(t, prefix, value);
	}
}

static void options_table(struct html_page *p, const json_t *facts)
{
	static const char *const heads[] = {"Option or fact", "Value"};
	struct html_table t;
	html_raw(&p->h, "<div class=\"options\">");
	html_table_begin(&t, &p->h, NULL, heads, 2, 3);
	option_rows(&t, "", facts, 0);
	html_table_end(&t);
	html_raw(&p->h, "</div>\n");
}

static void problems(struct html_page *p)
{
	char label[256];
	size_t i;
	const json_t *item;
	bool any = false;
	for (size_t r = 0; r < p->r->nruns; r++)
		any |= json_array_size(p->r->runs[r].run->problems) > 0;
	if (!any)
		return;
	html_section(&p->h, "problems", "Problems");
	html_raw(&p->h, "<ul>\n");
	for (size_t r = 0; r < p->r->nruns; r++) {
		json_array_foreach(p->r->runs[r].run->problems, i, item)
		{
			html_raw(&p->h, "<li>");
			html_say(&p->h, "%s%s", html_label(p, &p->r->runs[r], label),
			         json_string_value(item));
			html_raw(&p->h, "</li>\n");
		}
	}
	html_raw(&p->h, "</ul>\n");
	html_section_end(&p->h);
}

static void dump(struct html_page *p, const json_t *o, const char *title,
                 const char *of)
{
	char *text = o ? json_dumps(o, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) : NULL;
	html_raw(&p->h, "<details><summary>");
	html_say(&p->h, "%s%s%s", title, of[0] ? ": " : "", of);
	html_raw(&p->h, "</summary>\n<pre tabindex=\"0\">");
	html_text(&p->h, text ? text : "");
	html_raw(&p->h, "</pre></details>\n");
	free(text);
}

static void one_record(struct html_page *p, const struct report_run *from)
{
	const char *of = p->r->nruns > 1 ? from->dir : "";
	if (p->r->nruns > 1) {
		html_raw(&p->h, "<details><summary>");
		html_say(&p->h, "Options of %s", of);
		html_raw(&p->h, "</summary>\n");
	}
	options_table(p, from->run->facts);
	if (p->r->nruns > 1)
		html_raw(&p->h, "</details>\n");
	json_t *o = report_json(from->run, from->probe);
	dump(p, o, "The whole record as JSON", of);
	json_decref(o);
}

void html_record(struct html_page *p)
{
	problems(p);
	html_section(&p->h, "record", "All options, and the record");
	if (p->r->study)
		dump(p, p->r->study, "The study", "");
	for (size_t i = 0; i < p->r->nruns; i++)
		one_record(p, &p->r->runs[i]);
	html_section_end(&p->h);
}
