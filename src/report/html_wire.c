/* What the wire carried: phases side by side with it, and sizes of datagrams. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/sizes.h"
#include "src/report/html_part.h"
#include "src/report/joined.h"

/* ---- phases and their wire ---------------------------------------------------------
 */

/* A joined row of one of the runs; rows of the same key repeat each other. */
struct wire_row {
	const struct report_run *from;
	struct joined j;
	bool done;
};

static bool same_key(const struct wire_row *a, const struct wire_row *b)
{
	return strcmp(a->from->label, b->from->label) == 0 &&
	       strcmp(a->j.phase->name, b->j.phase->name) == 0 &&
	       strcmp(a->j.phase->cache, b->j.phase->cache) == 0 &&
	       strcmp(a->j.interface, b->j.interface) == 0 &&
	       a->j.to_client == b->j.to_client;
}

static struct wire_row *collect(const struct html_report *r, size_t *n)
{
	struct wire_row *rows = NULL;
	*n = 0;
	for (size_t i = 0; i < r->nruns; i++) {
		size_t k = 0;
		if (!r->runs[i].probe)
			continue;
		struct joined *j = joined_rows(r->runs[i].run, r->runs[i].probe, &k);
		struct wire_row *more = realloc(rows, (*n + k + 1) * sizeof *rows);
		for (size_t at = 0; j && more && at < k; at++)
			more[(*n)++] = (struct wire_row){&r->runs[i], j[at], false};
		rows = more ? more : rows;
		free(j);
	}
	return rows;
}

static double app_of(const struct joined *j)
{
	return run_phase_kib_s(j->phase);
}

static double wire_of(const struct joined *j)
{
	return j->wire_kib_s;
}

static double share_of(const struct joined *j)
{
	return j->share;
}

static double size_of(const struct joined *j)
{
	return (double)j->flow->top_size;
}

static double top_of(const struct joined *j)
{
	return j->top_share;
}

static double fragments_of(const struct joined *j)
{
	return (double)j->fragments;
}

static double resends_of(const struct joined *j)
{
	return (double)j->resends;
}

/* Median of a figure over the rows of this key, from this one on. */
static double median_of(const struct wire_row *row, const struct wire_row *end,
                        double (*figure)(const struct joined *), double *room)
{
	size_t n = 0;
	for (const struct wire_row *at = row; at < end; at++)
		if (same_key(at, row))
			room[n++] = figure(&at->j);
	return stats_median(room, n);
}

/* A number with a bar behind it that is full at 100 per cent. */
static void share_cell(struct html_table *t, double share)
{
	if (!(share >= 0)) {
		html_cell(t, "–");
		return;
	}
	double width = share > 1 ? 60 : 60 * share;
	html_cell_open(t, NULL);
	html_say(t->h, "%.1f", 100 * share);
	fprintf(t->h->out,
	        " <svg class=\"meter\" width=\"60\" height=\"8\" aria-hidden=\"true\">"
	        "<rect class=\"all\" width=\"60\" height=\"8\"/>"
	        "<rect class=\"part\" width=\"%.1f\" height=\"8\"/></svg>",
	        width);
	html_cell_close(t);
}

static void wire_cells(struct html_page *p, struct html_table *t,
                       const struct wire_row *row, const struct wire_row *end,
                       double *room)
{
	char label[256];
	bool sized = row->j.flow->sized > 0;
	html_cell(t, "%s%s %s", html_label(p, row->from, label), row->j.phase->cache,
	          row->j.phase->name);
	html_cell(t, "%s", row->j.interface);
	html_cell(t, "%s", row->j.to_client ? "to client" : "to server");
	html_cell_number(t, median_of(row, end, app_of, room), 0);
	html_cell_number(t, median_of(row, end, wire_of, room), 0);
	share_cell(t, row->j.share < 0 ? -1 : median_of(row, end, share_of, room));
	if (sized) {
		html_cell_number(t, median_of(row, end, size_of, room), 0);
		html_cell_number(t, 100 * median_of(row, end, top_of, room), 1);
	} else {
		html_cell(t, "–");
		html_cell(t, "–");
	}
	html_cell_number(t, median_of(row, end, fragments_of, room), 0);
	html_cell_number(t, median_of(row, end, resends_of, room), 0);
}

void html_wire(struct html_page *p)
{
	static const char *const heads[] = {"Phase",
	                                    "Interface",
	                                    "Direction",
	                                    "Files|KiB/s",
	                                    "IP|KiB/s",
	                                    "Of ceiling|%",
	                                    "Datagram|bytes",
	                                    "have this size|%",
	                                    "Fragments|packets",
	                                    "Sent again|packets"};
	size_t n;
	struct html_table t;
	struct wire_row *rows = collect(p->r, &n);
	double *room = calloc(n + 1, sizeof *room);
	if (rows && room && n > 0) {
		html_section(&p->h, "wire", "On the wire");
		html_table_begin(&t, &p->h,
		                 p->r->nruns > 1 ? "Medians over repeated runs" : NULL,
		                 heads, sizeof heads / sizeof *heads, 7);
		for (size_t i = 0; i < n; i++) {
			if (rows[i].done)
				continue;
			wire_cells(p, &t, &rows[i], rows + n, room);
			for (size_t k = i; k < n; k++)
				rows[k].done |= same_key(&rows[k], &rows[i]);
		}
		html_table_end(&t);
		html_raw(&p->h,
		         "<p class=\"note\">Files: what the application moved. Of "
		         "ceiling: "
		         "Rx data of this direction over the phase’s time, of the most "
		         "that the link carries in datagrams of the commonest size. "
		         "Datagram: UDP payload of DATA packets.</p>\n");
		html_section_end(&p->h);
	}
	free(room);
	free(rows);
}

/* ---- sizes of datagrams -------------------------------------------------------------
 */

enum { PLOT_SIZES = 80, TABLE_SIZES = 5 };

/* An interface under one configuration, all of its runs. */
struct size_part {
	const char *label, *name;
	uint64_t mtu;
	struct sizes way[2]; /* to server, to client */
};

static void add_sizes(struct sizes *to, const struct probe_flow *f)
{
	for (size_t i = 0; i < f->nsizes; i++)
		sizes_add(to,
		          f->sizes[i].size > SIZES_OVER ? SIZES_OVER
		                                        : (uint32_t)f->sizes[i].size,
		          f->sizes[i].count);
}

static struct size_part *part_of(struct size_part **list, size_t *n, const char *label,
                                 const char *name)
{
	for (size_t i = 0; i < *n; i++)
		if (strcmp((*list)[i].label, label) == 0 &&
		    strcmp((*list)[i].name, name) == 0)
			return &(*list)[i];
	struct size_part *more = realloc(*list, (*n + 1) * sizeof **list);
	if (!more)
		return NULL;
	*list = more;
	more[*n] = (struct size_part){.label = label, .name = name};
	return &more[(*n)++];
}

static struct size_part *collect_sizes(const struct html_report *r, size_t *n)
{
	struct size_part *list = NULL;
	*n = 0;
	for (size_t i = 0; i < r->nruns; i++) {
		const struct probe_result *probe = r->runs[i].probe;
		for (size_t k = 0; probe && k < probe->ntotals; k++) {
			const struct probe_total *t = &probe->totals[k];
			if (t->to_client.sized + t->to_server.sized == 0)
				continue;
			struct size_part *at =
			        part_of(&list, n, r->runs[i].label, t->name);
			if (!at)
				continue;
			at->mtu = t->mtu;
			add_sizes(&at->way[0], &t->to_server);
			add_sizes(&at->way[1], &t->to_client);
		}
	}
	return list;
}

static json_t *size_points(const struct sizes *s)
{
	size_t n;
	json_t *list = json_array();
	struct size_count *rows = sizes_sorted(s, SIZES_BY_COUNT, &n);
	for (size_t i = 0; i < n && i < PLOT_SIZES; i++)
		json_array_append_new(
		        list, json_pack("[i,f]", (int)rows[i].size,
		                        100 * (double)rows[i].n / (double)s->total));
	free(rows);
	return list;
}

static void size_cells(struct html_table *t, const struct size_part *at, int way)
{
	size_t n;
	uint64_t shown = 0, total = at->way[way].total;
	struct size_count *rows = sizes_sorted(&at->way[way], SIZES_BY_COUNT, &n);
	size_t most = n <= TABLE_SIZES + 1 ? n : TABLE_SIZES;
	for (size_t i = 0; i < most + (n > most); i++) {
		bool others = i == most;
		uint64_t count = others ? total - shown : rows[i].n;
		html_cell(t, "%s%s%s, %s", at->label, at->label[0] ? ", " : "",
		          at->name, way ? "server to client" : "client to server");
		if (others)
			html_cell(t, "%zu other sizes", n - most);
		else
			html_cell_number(t, rows[i].size, 0);
		html_cell_number(t, (double)count, 0);
		html_cell_number(t, 100 * (double)count / (double)total, 2);
		shown += count;
	}
	free(rows);
}

static void plot_sizes(struct html_page *p, const struct size_part *at)
{
	char title[400];
	snprintf(title, sizeof title, "%s%s%s", at->label, at->label[0] ? ", " : "",
	         at->name);
	html_raw(&p->h, "<div><h3>");
	html_text(&p->h, title);
	html_raw(&p->h, "</h3>\n");
	html_plot(&p->h,
	          json_pack("{s:s, s:I, s:[{s:s, s:o}, {s:s, s:o}]}", "kind", "sizes",
	                    "mtu", (json_int_t)at->mtu, "series", "name",
	                    "server to client", "points", size_points(&at->way[1]),
	                    "name", "client to server", "points",
	                    size_points(&at->way[0])),
	          "Share of data datagrams by their UDP payload");
	html_raw(&p->h, "</div>\n");
}

void html_sizes(struct html_page *p)
{
	static const char *const heads[] = {"Interface, direction", "UDP payload|bytes",
	                                    "Datagrams", "Share|%"};
	size_t n;
	struct html_table t;
	struct size_part *list = collect_sizes(p->r, &n);
	if (n > 0) {
		html_section(&p->h, "sizes", "Sizes of data datagrams");
		html_raw(&p->h, "<div class=\"multiples\">\n");
		for (size_t i = 0; i < n && p->h.can_plot; i++)
			plot_sizes(p, &list[i]);
		html_raw(&p->h, "</div>\n");
		html_table_begin(&t, &p->h, NULL, heads, sizeof heads / sizeof *heads,
		                 1);
		for (size_t i = 0; i < 2 * n; i++)
			if (list[i / 2].way[i % 2].total > 0)
				size_cells(&t, &list[i / 2], (int)(i % 2));
		html_table_end(&t);
		html_section_end(&p->h);
	}
	for (size_t i = 0; i < 2 * n; i++)
		sizes_free(&list[i / 2].way[i % 2]);
	free(list);
}
