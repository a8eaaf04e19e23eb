#include "src/report/html.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "src/report/html_part.h"
#include "src/report/summary.h"

/* Style and script of the page, put in by the assembler; make runs above src/. */
#define TEXT_IN(symbol, file)                                                          \
	__asm__(".section .rodata\n" symbol ":\n.incbin \"" file "\"\n.byte "          \
	                                                         "0\n.text\n")
TEXT_IN("report_html_style", "src/report/html/report.css");
TEXT_IN("report_html_script", "src/report/html/report.js");
extern const char style_text[] __asm__("report_html_style");
extern const char script_text[] __asm__("report_html_script");

#define CHARTJS "/usr/share/javascript/chart.js/chart.min.js"
#define CHARTJS_MAX (4 << 20)

static const struct {
	const char *id, *title;
	void (*write)(struct html_page *);
} parts[] = {
        {"findings", "Findings", html_findings},
        {"matrix", "Matrix", html_matrix},
        {"rates", "Rates", html_rates},
        {"cpu", "CPU time", html_cpu},
        {"latency", "Latency", html_latency},
        {"wire", "Wire", html_wire},
        {"sizes", "Sizes", html_sizes},
        {"time", "Time", html_time},
        {"links", "Links", html_links},
        {"record", "Record", html_record},
};

enum { PARTS = sizeof parts / sizeof *parts };

static const char *chartjs_path(void)
{
	const char *path = getenv("CELLBENCH_CHARTJS");
	return path ? path : CHARTJS;
}

bool report_html_can_plot(void)
{
	return access(chartjs_path(), R_OK) == 0;
}

/* The library's text, or NULL: none there, or none that may stand in a script. */
static char *chartjs_load(void)
{
	FILE *f = fopen(chartjs_path(), "re");
	if (!f)
		return NULL;
	char *text = malloc(CHARTJS_MAX + 1);
	size_t n = text ? fread(text, 1, CHARTJS_MAX + 1, f) : 0;
	bool good = n > 0 && n <= CHARTJS_MAX && !ferror(f);
	if (good) {
		text[n] = '\0';
		good = strlen(text) == n && !strcasestr(text, "</script") &&
		       !strstr(text, "<!--");
	}
	fclose(f);
	if (good)
		return text;
	free(text);
	return NULL;
}

/* Only styles and scripts that carry it run, whatever else got into the page. */
static int make_nonce(char out[HTML_NONCE], struct err *e)
{
	unsigned char bytes[(HTML_NONCE - 1) / 2];
	if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
		return err_sys(e, errno, "no random numbers for the report");
	for (size_t i = 0; i < sizeof bytes; i++)
		snprintf(out + 2 * i, 3, "%02x", bytes[i]);
	return 0;
}

const char *html_label(const struct html_page *p, const struct report_run *run,
                       char out[256])
{
	snprintf(out, 256, "%s%s", p->m.nconfigs > 1 ? run->label : "",
	         p->m.nconfigs > 1 ? ", " : "");
	return out;
}

static void title_of(const struct html_report *r, char out[256])
{
	const struct run *run = r->runs[0].run;
	if (r->title && r->title[0])
		snprintf(out, 256, "%s", r->title);
	else if (r->nruns > 1)
		snprintf(out, 256, "%s, %zu runs", run->workload, r->nruns);
	else
		snprintf(out, 256, "%s, %.4g MiB, engine %s", run->workload,
		         (double)run->size / (1 << 20), run->engine);
}

static void head(struct html_page *p, const char *title)
{
	struct html *h = &p->h;
	fprintf(h->out,
	        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta "
	        "charset=\"utf-8\">\n"
	        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
	        "'none'; img-src data:; style-src 'nonce-%s'; script-src "
	        "'nonce-%s'\">\n"
	        "<meta name=\"viewport\" content=\"width=device-width, "
	        "initial-scale=1\">\n"
	        "<meta name=\"color-scheme\" content=\"light dark\">\n"
	        "<link rel=\"icon\" href=\"data:,\">\n<title>",
	        h->nonce, h->nonce);
	html_text(h, title);
	fprintf(h->out, "</title>\n<style nonce=\"%s\">\n%s</style>\n</head>\n<body>\n",
	        h->nonce, style_text);
}

static const char *fact(const struct run *r, const char *part, const char *key)
{
	const char *text = json_string_value(
	        json_object_get(json_object_get(r->facts, part), key));
	return text ? text : "";
}

/* Where it ran: one line. */
static void origin(struct html_page *p)
{
	const struct run *r = p->r->runs[0].run;
	html_raw(&p->h, "<p class=\"origin\">");
	if (p->r->nruns == 1)
		html_say(&p->h, "Run %s, host %s, ", r->id, fact(r, "host", "name"));
	html_say(&p->h, "Linux %s, engine %s%s%s%s%s", fact(r, "host", "kernel"),
	         r->engine, fact(r, "engine", "version")[0] ? " (" : "",
	         fact(r, "engine", "version"),
	         fact(r, "engine", "version")[0] ? ")" : "",
	         fact(r, "engine", "cell")[0] ? ", cell " : "");
	html_text(&p->h, fact(r, "engine", "cell"));
	html_raw(&p->h, "</p>\n");
}

static void summary(struct html_page *p)
{
	size_t i;
	const json_t *sentence;
	html_section(&p->h, "summary", "Summary");
	html_raw(&p->h, "<ul class=\"summary\">\n");
	json_array_foreach(p->summary, i, sentence)
	{
		html_raw(&p->h, "<li>");
		html_text(&p->h, json_string_value(sentence));
		html_raw(&p->h, "</li>\n");
	}
	html_raw(&p->h, "</ul>\n");
	if (!p->h.can_plot)
		html_raw(
		        &p->h,
		        "<p class=\"note\" id=\"no-plots\">The plots are missing: they "
		        "need Chart.js, on Debian the package libjs-chart.js; the "
		        "tables are complete.</p>\n");
	html_section_end(&p->h);
}

/* The parts are written apart, so that the list of them names those that are there. */
static int body(struct html_page *p, FILE *out, struct err *e)
{
	char *text[PARTS] = {0};
	size_t size[PARTS] = {0};
	int r = 0;
	for (size_t i = 0; i < PARTS && r == 0; i++) {
		p->h.out = open_memstream(&text[i], &size[i]);
		if (!p->h.out) {
			r = err_set(e, ERR_ENVIRONMENT, "out of memory");
			break;
		}
		parts[i].write(p);
		if (fclose(p->h.out) != 0)
			r = err_set(e, ERR_ENVIRONMENT, "out of memory");
	}
	p->h.out = out;
	fputs("<nav>", out);
	for (size_t i = 0; i < PARTS && r == 0; i++)
		if (size[i] > 0)
			fprintf(out, "<a href=\"#%s\">%s</a> ", parts[i].id,
			        parts[i].title);
	fputs("</nav>\n</header>\n<main>\n", out);
	summary(p);
	for (size_t i = 0; i < PARTS; i++) {
		if (r == 0)
			fwrite(text[i], 1, size[i], out);
		free(text[i]);
	}
	fputs("</main>\n<footer>Made by cellbench. All rates are of this machine, link "
	      "and load; ratios travel better.</footer>\n",
	      out);
	return r;
}

static int scripts(struct html_page *p, const char *chartjs, struct err *e)
{
	struct html *h = &p->h;
	if (!chartjs)
		return 0;
	fprintf(h->out, "<script type=\"application/json\" id=\"plots\">");
	if (html_json(h->out, h->plots) < 0)
		return err_set(e, ERR_ENVIRONMENT, "out of memory");
	fprintf(h->out,
	        "</script>\n<script nonce=\"%s\">%s\n</script>\n"
	        "<script nonce=\"%s\">\n%s</script>\n",
	        h->nonce, chartjs, h->nonce, script_text);
	return 0;
}

static int page(struct html_page *p, const char *chartjs, FILE *out, struct err *e)
{
	char title[256];
	p->h.out = out;
	title_of(p->r, title);
	head(p, title);
	html_raw(&p->h, "<header><h1>");
	html_text(&p->h, title);
	html_raw(&p->h, "</h1>\n");
	if (p->r->question && p->r->question[0]) {
		html_raw(&p->h, "<p class=\"question\">");
		html_text(&p->h, p->r->question);
		html_raw(&p->h, "</p>\n");
	}
	origin(p);
	if (body(p, out, e) < 0 || scripts(p, chartjs, e) < 0)
		return -1;
	fputs("</body>\n</html>\n", out);
	return 0;
}

int report_html(const struct html_report *r, FILE *out, struct err *e)
{
	struct html_page p = {.r = r};
	if (make_nonce(p.h.nonce, e) < 0)
		return -1;
	char *chartjs = chartjs_load();
	p.h.can_plot = chartjs != NULL;
	p.h.plots = json_array();
	int result = -1;
	if (!p.h.plots || measures_make(&p.m, r->runs, r->nruns) < 0) {
		err_set(e, ERR_ENVIRONMENT, "out of memory");
	} else {
		p.summary = summary_sentences(r->runs, r->nruns, &p.m);
		result = page(&p, chartjs, out, e);
		measures_fini(&p.m);
	}
	json_decref(p.summary);
	json_decref(p.h.plots);
	free(chartjs);
	if (result == 0 && ferror(out))
		result = err_set(e, ERR_ENVIRONMENT,
		                 "the HTML report cannot be written");
	return result;
}

int report_html_of_run(const struct run *r, const struct probe_result *probe,
                       struct err *e)
{
	const struct report_run one = {
	        .label = "", .dir = r->dir, .run = r, .probe = probe};
	const struct html_report report = {.runs = &one, .nruns = 1};
	char *text = NULL;
	size_t n = 0;
	if (!report_html_can_plot())
		return 0;
	FILE *f = open_memstream(&text, &n);
	if (!f)
		return err_set(e, ERR_ENVIRONMENT, "out of memory");
	int result = report_html(&report, f, e);
	if (fclose(f) != 0 && result == 0)
		result = err_set(e, ERR_ENVIRONMENT, "out of memory");
	if (result == 0)
		result = run_write_file(r, "report.html", text, n, e);
	free(text);
	return result;
}
