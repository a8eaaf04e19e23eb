#include "netprobe/report/text_points.h"

#include "netprobe/report/result_points.h"
#include "src/base/grid.h"

#include <assert.h>
#include <inttypes.h>

static double ms(int64_t ns)
{
	return (double)ns / 1e6;
}

/* What is counted, and by which size. */
static const char *things(const struct passage *p)
{
	return p->route->key.kind == POINT_TCP ? "packets" : "datagrams";
}

static const char *size_name(const struct passage *p)
{
	return passage_sizes_are_ip(p) ? "IP length" : "UDP payload";
}

static void print_lost(const struct passage *p, FILE *out)
{
	uint32_t min = p->size_lost->min, max = p->size_lost->max;
	const char *size = size_name(p);
	fprintf(out, "; lost %" PRIu64, p->lost);
	if (p->threshold && min >= p->threshold)
		fprintf(out, ", all of %s >= %" PRIu32, size, min);
	else if (p->threshold)
		fprintf(out,
		        ", %" PRIu64 " of them of %s >= %" PRIu32
		        " (%.1f %% lost, below it %.1f %%)",
		        p->lost_above, size, p->threshold, passage_share_above(p) * 100,
		        passage_share_below(p) * 100);
	else if (min == max)
		fprintf(out, ", of %s %" PRIu32, size, min);
	else
		fprintf(out, ", of %s %" PRIu32 " to %" PRIu32, size, min, max);
	if (p->in_part)
		fprintf(out, "; of %" PRIu64 " some fragments came", p->in_part);
}

static void print_super(const struct passage *p, FILE *out)
{
	if (p->route->super)
		fprintf(out,
		        "    %" PRIu64 " of them were put together by an offload: "
		        "not the sizes of the wire\n",
		        p->route->super);
}

static void print_hops(const struct passage *p, FILE *out)
{
	if (p->hops_min < 0)
		return;
	if (p->hops_min != p->hops_max)
		fprintf(out, "    %" PRId32 " to %" PRId32 " routers between\n",
		        p->hops_min, p->hops_max);
	else if (p->hops_max)
		fprintf(out, "    %" PRId32 " router%s between\n", p->hops_max,
		        p->hops_max == 1 ? "" : "s");
}

static void print_cuts(const struct passage *p, FILE *out)
{
	const char *what = things(p);
	if (p->cut_between)
		fprintf(out,
		        "    %" PRIu64 " %s whole at the first point came in "
		        "fragments: cut between them to IP packets of up to %" PRIu32
		        " bytes\n",
		        p->cut_between, what, p->second_piece);
	if (p->cut_before)
		fprintf(out,
		        "    %" PRIu64 " %s in the same fragments at both: cut "
		        "by the sender, or before the first point, to IP packets of "
		        "up to %" PRIu32 " bytes\n",
		        p->cut_before, what, p->first_piece);
	if (p->cut_again)
		fprintf(out,
		        "    %" PRIu64 " %s in fragments at both, but not the "
		        "same ones: cut again between them (longest first piece "
		        "%" PRIu32 ", then %" PRIu32 ")\n",
		        p->cut_again, what, p->first_piece, p->second_piece);
	if (p->joined)
		fprintf(out,
		        "    %" PRIu64 " %s in fragments at the first point "
		        "came whole: put together between them\n",
		        p->joined, what);
}

static void print_classes(const struct result_passage *p, FILE *out)
{
	struct grid g;
	grid_init(&g, 4, 1);
	grid_add(&g, "%s", size_name(&p->passage));
	grid_add(&g, "arrived");
	grid_add(&g, "lost");
	grid_add(&g, "lost %%");
	for (unsigned i = 0; i < POINTS_CLASSES; i++) {
		const struct points_class *c = &p->class[i];
		if (c->arrived + c->lost == 0)
			continue;
		if (c->max == UINT32_MAX)
			grid_add(&g, "from %" PRIu32, c->min);
		else
			grid_add(&g, "%" PRIu32 " to %" PRIu32, c->min, c->max);
		grid_add(&g, "%" PRIu64, c->arrived);
		grid_add(&g, "%" PRIu64, c->lost);
		grid_add(&g, "%.2f", result_lost_share(c->lost, c->arrived) * 100);
	}
	grid_print(&g, out, 4);
	grid_free(&g);
}

static void print_translation(const struct route *r, FILE *out)
{
	char src[ADDR_TEXT], dst[ADDR_TEXT];
	if (r->translated)
		fprintf(out,
		        "    Addresses are translated between: at the second point "
		        "%s to %s\n",
		        addr_format(&r->src_behind, src),
		        addr_format(&r->dst_behind, dst));
}

/* In place of what was lost. */
static void print_regrouped(const struct passage *p, FILE *out)
{
	fprintf(out,
	        "; %" PRIu64 " seen only at the first, %" PRIu64
	        " only at the second: an offload joins or parts packets there, so what "
	        "is lost is not known (capture with gro, gso and tso off)",
	        p->only_first, p->only_second);
}

static void print_arrived(const struct result_passage *rp, FILE *out)
{
	static const char *const ways[WAYS] = {"to client", "to server"};
	static const char *const kinds[POINT_KINDS] = {
	        [POINT_UDP] = "UDP", [POINT_TCP] = "TCP"};
	const struct passage *p = &rp->passage;
	const struct route_key *k = &p->route->key;
	char src[ADDR_TEXT], dst[ADDR_TEXT];
	fprintf(out, "  %s to %s (%s, passing %s first): ", addr_format(&k->src, src),
	        addr_format(&k->dst, dst),
	        k->kind == POINT_RX ? ways[k->way == TO_SERVER] : kinds[k->kind],
	        rp->first->source->name);
	if (p->regrouped)
		fprintf(out, "%" PRIu64 " %s arrived", p->both, things(p));
	else
		fprintf(out, "%" PRIu64 " of %" PRIu64 " %s arrived", p->both,
		        p->both + p->lost, things(p));
}

static void print_passage(const struct result_passage *rp, FILE *out)
{
	const struct passage *p = &rp->passage;
	print_arrived(rp, out);
	if (p->regrouped)
		print_regrouped(p, out);
	if (p->lost)
		print_lost(p, out);
	if (p->extra)
		fprintf(out,
		        "; %" PRIu64 " more at %s alone: they came another way, or the "
		        "capture at %s lost them",
		        p->extra, rp->second->source->name, rp->first->source->name);
	fputc('\n', out);
	print_super(p, out);
	print_translation(p->route, out);
	print_hops(p, out);
	print_cuts(p, out);
	if (p->lost)
		print_classes(rp, out);
	if (p->order == ORDER_CLOCK)
		fputs("    Which point is first is known from the clocks alone\n", out);
}

static void print_clock(const struct result_points *p, FILE *out)
{
	const struct clock_offset *c = &p->clock;
	const char *a = p->a->source->name, *b = p->b->source->name;
	if (p->one_clock) {
		fputs("  One file: one clock\n", out);
	} else if (c->has_low && c->has_high) {
		int64_t ahead = c->offset_ns < 0 ? -c->offset_ns : c->offset_ns;
		fprintf(out,
		        "  The clock of %s is %.3f ms ahead of that of %s (+- %.3f ms, "
		        "assuming that the fastest datagrams took as long both ways)\n",
		        c->offset_ns < 0 ? a : b, ms(ahead), c->offset_ns < 0 ? b : a,
		        ms(c->uncertainty_ns));
		if (c->drifts)
			fprintf(out,
			        "  That is at the beginning; the clock of %s then runs "
			        "%.2f us/s %s\n",
			        b, c->drift_ppm < 0 ? -c->drift_ppm : c->drift_ppm,
			        c->drift_ppm < 0 ? "slower" : "faster");
	} else if (c->has_low || c->has_high) {
		fprintf(out,
		        "  The clock of %s is at %s %.3f ms ahead of that of %s: "
		        "datagrams went one way only, so their delay is not known\n",
		        b, c->has_high ? "most" : "least",
		        ms(c->has_high ? c->high_ns : c->low_ns), a);
	} else {
		fputs("  How far the clocks are apart cannot be told: nothing but the "
		      "clocks shows which point is passed first\n",
		      out);
	}
}

static bool has_other_files(const struct result *r)
{
	for (size_t i = 1; i < r->n_ifaces; i++)
		if (r->ifaces[i].source->file != r->ifaces[0].source->file)
			return true;
	return false;
}

static void print_left_out(const struct points_limits *l, FILE *out)
{
	const struct {
		uint64_t n;
		const char *why;
	} left_out[] = {
	        {l->edges, "seen at one point while the other did not capture"},
	        {l->undecided, "too many to wait for at once"},
	        {l->other_pairs, "seen at other pairs of points than the first 64"},
	        {l->alike, "as another one at the same point: not told apart"},
	        {l->unread, "headers not captured, or Rx on other ports without proof"},
	};
	static_assert(POINTS_PAIRS == 64, "as in the text");
	for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
		if (left_out[i].n)
			fprintf(out, "Left out: %" PRIu64 " datagrams: %s\n",
			        left_out[i].n, left_out[i].why);
}

void text_points(const struct result *r, size_t top, FILE *out)
{
	const struct points_limits *l = points_limits(track_points(r->track));
	for (size_t i = 0; i < r->n_points; i++) {
		const struct result_points *p = &r->points[i];
		fprintf(out, "\nBetween %s and %s\n", p->a->source->name,
		        p->b->source->name);
		for (size_t n = 0; n < p->n && (top == 0 || n < top); n++)
			print_passage(&p->passages[n], out);
		if (top && p->n > top)
			fprintf(out, "  %zu more pairs of hosts\n", p->n - top);
		print_clock(p, out);
	}
	if (!r->n_points) {
		if (has_other_files(r))
			fprintf(out,
			        "\nNo datagram was seen at two capture points: the "
			        "files are of other traffic, nothing passes between "
			        "them, or their clocks are more than %d s apart\n",
			        (int)(POINTS_WAIT_NS / 1000000000));
		return;
	}
	print_left_out(l, out);
}
