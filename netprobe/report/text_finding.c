#include "netprobe/report/text_finding.h"

#include "netprobe/report/finding_group.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 88u

/* Prints words in lines of WIDTH, each after the indent. */
static void wrapped(FILE *out, const char *text, unsigned indent, unsigned column)
{
	while (*text) {
		unsigned n = (unsigned)strcspn(text, " ");
		if (column > indent && column + 1 + n > WIDTH) {
			fprintf(out, "\n%*s", (int)indent, "");
			column = indent;
		} else if (column > indent) {
			fputc(' ', out);
			column++;
		}
		fwrite(text, 1, n, out);
		column += n;
		text += n + (text[n] == ' ');
	}
	fputc('\n', out);
}

static void print_evidence(const struct finding_group *g, FILE *out)
{
	const struct finding *f = g->member[0];
	double least = f->confidence, most = f->confidence;
	uint64_t also = 0;
	char text[400];
	int used;
	for (size_t i = 0; i < g->n; i++) {
		also += g->member[i]->also;
		least = g->member[i]->confidence < least ? g->member[i]->confidence
		                                         : least;
		most = g->member[i]->confidence > most ? g->member[i]->confidence
		                                       : most;
	}
	if (most - least < 0.005)
		used = snprintf(text, sizeof text, "confidence %.0f %%", most * 100);
	else
		used = snprintf(text, sizeof text, "confidence %.0f to %.0f %%",
		                least * 100, most * 100);
	if (f->doubt[0])
		used += snprintf(text + used, sizeof text - (size_t)used, " (%s)",
		                 f->doubt);
	if (f->first_frame && f->last_frame > f->first_frame)
		snprintf(text + used, sizeof text - (size_t)used,
		         "; frames %" PRIu64 " to %" PRIu64, f->first_frame,
		         f->last_frame);
	else if (f->first_frame)
		snprintf(text + used, sizeof text - (size_t)used, "; frame %" PRIu64,
		         f->first_frame);
	if (also) {
		size_t n = strlen(text);
		snprintf(text + n, sizeof text - n,
		         "; %" PRIu64 " more flows between them show it", also);
	}
	fputs("    ", out);
	wrapped(out, text, 4, 4);
}

/* The other members' ends and frames, top of them (0 = all). */
static void print_likewise(const struct finding_group *g, size_t top, FILE *out)
{
	char *text = NULL, addr[ADDR_TEXT];
	size_t size, shown = 0;
	FILE *to = open_memstream(&text, &size);
	if (!to)
		return;
	fprintf(to, "likewise %s %zu more:", g->by_source ? "from" : "to", g->n - 1);
	for (size_t i = 1; i < g->n && (!top || shown < top); i++, shown++) {
		const struct finding *f = g->member[i];
		fprintf(to, "%s %s", shown ? "," : "",
		        addr_format(g->by_source ? &f->from : &f->to, addr));
		if (f->first_frame)
			fprintf(to, " (frame %" PRIu64 ")", f->first_frame);
	}
	if (shown < g->n - 1)
		fputs(", …", to);
	if (fclose(to) == 0) {
		fputs("    ", out);
		wrapped(out, text, 4, 4);
	}
	free(text);
}

static void print_group(const struct finding_group *g, size_t top, FILE *out)
{
	const struct finding *f = g->member[0];
	const struct finding_about *a = finding_about(f->kind);
	int n = fprintf(out, "  %-7s %s %s:", finding_severity_name(f->severity), a->id,
	                a->slug);
	wrapped(out, f->text, n > 0 ? 4u : 0u, n > 0 ? (unsigned)n : 0);
	if (g->n > 1)
		print_likewise(g, top, out);
	if (f->remedy[0]) {
		fputs("    remedy:", out);
		wrapped(out, f->remedy, 4, 11);
	}
	print_evidence(g, out);
}

void text_findings(const struct result *r, size_t top, FILE *out)
{
	const struct findings *fs = &r->findings;
	size_t shown[FINDING_KINDS] = {0}, told[FINDING_KINDS] = {0};
	struct finding_groups groups;
	if (!fs->n) {
		fputs("\nFindings: none\n", out);
		return;
	}
	fputs("\nFindings\n", out);
	if (finding_groups_make(&groups, fs) != 0) {
		fputs("  out of memory\n", out);
		return;
	}
	for (size_t i = 0; i < groups.n; i++) {
		const struct finding_group *g = &groups.list[i];
		enum finding_kind kind = g->member[0]->kind;
		if (top && shown[kind] == top)
			continue;
		shown[kind]++;
		told[kind] += g->n;
		print_group(g, top, out);
	}
	for (int k = 0; k < FINDING_KINDS; k++) {
		uint64_t more = fs->of_kind[k] - told[k] + fs->more[k];
		if (more)
			fprintf(out, "  %" PRIu64 " more of %s %s\n", more,
			        finding_about((enum finding_kind)k)->id,
			        finding_about((enum finding_kind)k)->slug);
	}
	finding_groups_free(&groups);
}

static void print_about(const struct finding_about *a, FILE *out)
{
	const struct {
		const char *head, *text;
	} parts[] = {
	        {"", a->meaning}, {"Evidence:", a->evidence}, {"Remedy:", a->remedy}};
	fprintf(out, "\n## %s %s (%s)\n", a->id, a->slug,
	        finding_severity_name(a->severity));
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		fprintf(out, "\n%s", parts[i].head);
		wrapped(out, parts[i].text, 0, (unsigned)strlen(parts[i].head));
	}
}

int text_catalogue(FILE *out, struct err *err)
{
	fputs("# Findings\n\n", out);
	wrapped(out,
	        "What `netprobe read` and `record` can find in a capture. Printed by "
	        "`netprobe findings`; do not edit. Every finding comes with its "
	        "numbers, the "
	        "frames that show it, a confidence (lowered where the capture lost or "
	        "cut "
	        "packets) and a remedy. The severity named here is the usual one: some "
	        "findings raise or lower it by what they see. From warning on the exit "
	        "code "
	        "of `netprobe read` is 1 (`--no-fail`: 0; 4, a partial result, wins).",
	        0, 0);
	for (int k = 0; k < FINDING_KINDS; k++)
		print_about(finding_about((enum finding_kind)k), out);
	if (fflush(out) != 0 || ferror(out))
		return err_sys(err, errno, "cannot write the catalogue");
	return 0;
}
