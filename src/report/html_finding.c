/* What the probe found; what it captured, and why datagrams have their sizes. */
#include <stdlib.h>
#include <string.h>

#include "src/report/html_part.h"

static const char *text_of(const json_t *o, const char *key)
{
	const char *text = json_string_value(json_object_get(o, key));
	return text ? text : "";
}

/* ---- findings -----------------------------------------------------------------------
 */

static const struct {
	const char *name, *class, *says;
} severities[] = {
        {"error", "error", "Error"},
        {"warning", "warning", "Warning"},
        {"info", "info", "Note"},
};

enum { SEVERITIES = sizeof severities / sizeof *severities };

enum { LABELS_MAX = 8 };

static void evidence(struct html_page *p, const json_t *f)
{
	const char *key;
	json_t *value;
	bool any = false;
	json_object_foreach(json_object_get(f, "evidence"), key, value)
	{
		html_say(&p->h, "%s%s %" JSON_INTEGER_FORMAT,
		         any ? ", " : "Evidence: ", key, json_integer_value(value));
		any = true;
	}
	json_int_t first = json_integer_value(json_object_get(f, "first_frame"));
	json_int_t last = json_integer_value(json_object_get(f, "last_frame"));
	if (first <= 0)
		return;
	html_say(&p->h, "%sframe %" JSON_INTEGER_FORMAT,
	         any ? "; " : "Evidence: ", first);
	if (last > first)
		html_say(&p->h, " to %" JSON_INTEGER_FORMAT, last);
	html_raw(&p->h, " of the capture");
}

/* The same trouble at the same place, whatever its numbers. */
static bool same_finding(const json_t *a, const json_t *b)
{
	static const char *const keys[] = {"id", "severity", "interface", "from", "to"};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (strcmp(text_of(a, keys[i]), text_of(b, keys[i])) != 0)
			return false;
	return true;
}

static bool has_finding(const struct report_run *run, const json_t *finding)
{
	size_t i;
	const json_t *f;
	json_array_foreach(run->probe ? run->probe->findings : NULL, i,
	                   f) if (same_finding(f, finding)) return true;
	return false;
}

/* The configurations that show it, where there are several. */
static void found_in(struct html_page *p, const json_t *f)
{
	size_t labels = 0;
	for (size_t c = 0; c < p->m.nconfigs && p->m.nconfigs > 1; c++) {
		size_t found = 0, runs = 0;
		for (size_t r = 0; r < p->r->nruns; r++) {
			if (strcmp(p->r->runs[r].label, p->m.configs[c]) != 0)
				continue;
			runs++;
			found += has_finding(&p->r->runs[r], f);
		}
		if (found == 0 || ++labels > LABELS_MAX)
			continue;
		html_say(&p->h, "%s%s", labels > 1 ? "; " : "In ", p->m.configs[c]);
		if (runs > 1)
			html_say(&p->h, " (%zu of %zu runs)", found, runs);
	}
	if (labels > LABELS_MAX)
		html_say(&p->h, " and %zu more", labels - LABELS_MAX);
	if (labels > 0)
		html_raw(&p->h, ". ");
}

static void one_finding(struct html_page *p, const json_t *f, size_t s)
{
	fprintf(p->h.out, "<article class=\"finding %s\"><h3>%s", severities[s].class,
	        severities[s].says);
	html_say(&p->h, " %s%s%s", text_of(f, "id"), text_of(f, "slug")[0] ? ": " : "",
	         text_of(f, "slug"));
	html_raw(&p->h, " <small>");
	html_say(&p->h, "%s%s%s%s%s", text_of(f, "interface"),
	         text_of(f, "from")[0] ? ", " : "", text_of(f, "from"),
	         text_of(f, "to")[0] ? " to " : "", text_of(f, "to"));
	html_raw(&p->h, "</small></h3>\n<p>");
	html_text(&p->h, text_of(f, "text"));
	html_raw(&p->h, "</p>\n");
	if (text_of(f, "remedy")[0]) {
		html_raw(&p->h, "<p><b>Remedy:</b> ");
		html_text(&p->h, text_of(f, "remedy"));
		html_raw(&p->h, "</p>\n");
	}
	html_raw(&p->h, "<p class=\"note\">");
	found_in(p, f);
	const json_t *sure = json_object_get(f, "confidence");
	if (json_is_number(sure)) {
		const char *doubt = text_of(f, "confidence_lowered_by");
		html_say(&p->h, "Confidence %.0f %%%s%s%s. ",
		         100 * json_number_value(sure), doubt[0] ? " (" : "", doubt,
		         doubt[0] ? ")" : "");
	}
	evidence(p, f);
	html_raw(&p->h, "</p></article>\n");
}

static size_t severity_of(const json_t *f)
{
	for (size_t s = 0; s < SEVERITIES; s++)
		if (strcmp(text_of(f, "severity"), severities[s].name) == 0)
			return s;
	return SEVERITIES - 1;
}

/* Those of a run that no run before it showed. */
static void findings_of(struct html_page *p, size_t run, size_t severity)
{
	const struct probe_result *probe = p->r->runs[run].probe;
	size_t i;
	const json_t *f;
	json_array_foreach(probe ? probe->findings : NULL, i, f)
	{
		bool told = severity_of(f) != severity;
		for (size_t r = 0; r < run && !told; r++)
			told = has_finding(&p->r->runs[r], f);
		if (!told)
			one_finding(p, f, severity);
	}
}

void html_findings(struct html_page *p)
{
	size_t total = 0;
	for (size_t r = 0; r < p->r->nruns; r++)
		if (p->r->runs[r].probe)
			total += json_array_size(p->r->runs[r].probe->findings);
	if (total == 0)
		return;
	html_section(&p->h, "findings", "Findings and remedies");
	if (p->r->nruns > 1)
		html_raw(&p->h,
		         "<p class=\"note\">What several runs show is told once, "
		         "with the numbers of the first.</p>\n");
	for (size_t s = 0; s < SEVERITIES; s++)
		for (size_t r = 0; r < p->r->nruns; r++)
			findings_of(p, r, s);
	html_section_end(&p->h);
}

/* ---- links and choices
 * ------------------------------------------------------------------ */

static void link_rows(struct html_page *p, struct html_table *t,
                      const struct report_run *from)
{
	char label[256];
	for (size_t i = 0; i < from->probe->ntotals; i++) {
		const struct probe_total *at = &from->probe->totals[i];
		html_cell(t, "%s%s", html_label(p, from, label), at->name);
		html_cell(t, "%s", at->kind[0] ? at->kind : "unknown");
		if (at->rate_bps)
			html_cell(t, "%.6g", (double)at->rate_bps / 1e6);
		else
			html_cell(t, "–");
		html_cell_number(t, (double)at->mtu, 0);
		html_cell(t, "%s", at->addresses);
		html_cell_number(t, (double)at->frames, 0);
		html_cell_number(t, (double)at->dropped, 0);
		html_cell_number(
		        t, (double)(at->to_client.fragments + at->to_server.fragments),
		        0);
		html_cell_number(
		        t, (double)(at->to_client.resends + at->to_server.resends), 0);
	}
}

static bool same_verdict(const json_t *a, const json_t *b)
{
	static const char *const keys[] = {"interface", "client",    "server",
	                                   "service",   "direction", "text"};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (strcmp(text_of(a, keys[i]), text_of(b, keys[i])) != 0)
			return false;
	return true;
}

/* Whether a run of the same configuration said the same before. */
static bool was_said(const struct html_report *r, size_t run, const json_t *verdict)
{
	size_t i;
	const json_t *v;
	for (size_t k = 0; k < run; k++) {
		if (!r->runs[k].probe ||
		    strcmp(r->runs[k].label, r->runs[run].label) != 0)
			continue;
		json_array_foreach(r->runs[k].probe->verdicts, i,
		                   v) if (same_verdict(v, verdict)) return true;
	}
	return false;
}

static void verdict_rows(struct html_page *p, struct html_table *t, size_t run,
                         bool files)
{
	const struct report_run *from = &p->r->runs[run];
	char label[256];
	size_t i;
	const json_t *v;
	json_array_foreach(from->probe->verdicts, i, v)
	{
		const char *service = text_of(v, "service");
		bool to_client = strcmp(text_of(v, "direction"), "to_client") == 0;
		const char *client = text_of(v, "client"),
		           *server = text_of(v, "server");
		if ((strcmp(service, "fs") == 0) != files || was_said(p->r, run, v))
			continue;
		html_cell(t, "%s%s", html_label(p, from, label),
		          text_of(v, "interface"));
		html_cell(t, "%s to %s", to_client ? server : client,
		          to_client ? client : server);
		html_cell(t, "%s", service);
		html_cell(t, "%s", text_of(v, "text"));
	}
}

static void choices(struct html_page *p)
{
	static const char *const heads[] = {"Interface", "From, to", "Service",
	                                    "Size of datagrams, and why"};
	struct html_table t;
	size_t any = 0;
	for (size_t r = 0; r < p->r->nruns; r++)
		if (p->r->runs[r].probe)
			any += json_array_size(p->r->runs[r].probe->verdicts);
	if (any == 0)
		return;
	html_section(&p->h, "choices", "Why datagrams have their sizes");
	html_raw(&p->h, "<div class=\"prose\">");
	html_table_begin(&t, &p->h, NULL, heads, sizeof heads / sizeof *heads, 15);
	for (int files = 1; files >= 0; files--)
		for (size_t r = 0; r < p->r->nruns; r++)
			if (p->r->runs[r].probe)
				verdict_rows(p, &t, r, files == 1);
	html_table_end(&t);
	html_raw(&p->h, "</div>\n");
	html_section_end(&p->h);
}

void html_links(struct html_page *p)
{
	static const char *const heads[] = {"Interface",           "Link",
	                                    "Rate|Mbit/s",         "MTU|bytes",
	                                    "Addresses",           "Frames",
	                                    "Not captured|frames", "Fragments|packets",
	                                    "Sent again|packets"};
	struct html_table t;
	bool any = false;
	choices(p);
	for (size_t r = 0; r < p->r->nruns; r++)
		any |= p->r->runs[r].probe && p->r->runs[r].probe->ntotals > 0;
	if (!any)
		return;
	html_section(&p->h, "links", "What was captured");
	html_table_begin(&t, &p->h, NULL, heads, sizeof heads / sizeof *heads,
	                 1u << 0 | 1u << 1 | 1u << 4);
	for (size_t r = 0; r < p->r->nruns; r++)
		if (p->r->runs[r].probe)
			link_rows(p, &t, &p->r->runs[r]);
	html_table_end(&t);
	html_section_end(&p->h);
}
