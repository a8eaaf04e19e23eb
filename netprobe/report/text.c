#include "netprobe/report/text.h"

#include "netprobe/report/paint.h"
#include "netprobe/report/text_finding.h"
#include "netprobe/report/text_flow.h"
#include "netprobe/report/text_host.h"
#include "netprobe/report/text_pair.h"
#include "netprobe/report/text_points.h"
#include "src/base/clock.h"
#include "src/base/grid.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ISO 8601, in UTC or with the offset of the local zone. */
static void print_time(FILE *out, int64_t ns, bool local)
{
	time_t s = (time_t)(ns / NS_PER_S);
	int64_t rest = ns % NS_PER_S;
	if (rest < 0) {
		rest += NS_PER_S;
		s--;
	}
	struct tm tm;
	char text[40];
	if (!(local ? localtime_r(&s, &tm) : gmtime_r(&s, &tm)) ||
	    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &tm) == 0) {
		fprintf(out, "%" PRId64 " ns", ns);
		return;
	}
	fprintf(out, "%s.%06" PRId64, text, rest / 1000);
	if (!local) {
		fputc('Z', out);
		return;
	}
	long minutes = tm.tm_gmtoff / 60;
	fprintf(out, "%c%02ld:%02ld", minutes < 0 ? '-' : '+', labs(minutes) / 60,
	        labs(minutes) % 60);
}

static void print_head(const struct result *r, bool local, FILE *out)
{
	fprintf(out, "%zu interface%s, %" PRIu64 " frames", r->n_ifaces,
	        r->n_ifaces == 1 ? "" : "s", r->frames);
	if (r->frames) {
		fputs(", ", out);
		print_time(out, r->first_ns, local);
		fprintf(out, " and %.6f s on",
		        (double)(r->last_ns - r->first_ns) / 1e9);
	}
	fputc('\n', out);
	for (size_t i = 0; i < source_cut_count(r->source); i++) {
		const struct source_cut *c = source_cut(r->source, i);
		fprintf(out,
		        "ended early: %s: %s at byte %" PRIu64 ", after %" PRIu64
		        " whole frames\n",
		        c->file, c->why, c->offset, c->frames);
	}
	for (size_t i = 0; i < source_note_count(r->source); i++)
		fprintf(out, "note: %s\n", source_note(r->source, i));
	if (track_flows_evicted(r->track))
		fprintf(out,
		        "note: %" PRIu64 " flows left the full table; they are in the "
		        "interfaces' sums, without lines of their own\n",
		        track_flows_evicted(r->track));
	if (series_evicted(track_series(r->track)))
		fprintf(out,
		        "note: %" PRIu64
		        " rows over time left the full table; a longer "
		        "--interval needs fewer\n",
		        series_evicted(track_series(r->track)));
	if (track_starved(r->track))
		fputs("note: memory ran out; figures are lower bounds\n", out);
}

static void add_known(struct grid *g, uint64_t n, bool known)
{
	if (known)
		grid_add(g, "%" PRIu64, n);
	else
		grid_add(g, "unknown");
}

static uint64_t not_decoded(const struct iface_stats *s)
{
	uint64_t n = 0;
	for (int v = 0; v < PACKET_VERDICTS; v++)
		if (v != PACKET_IP && v != PACKET_NOT_IP)
			n += s->verdict[v];
	return n;
}

static uint64_t broken_trains(const struct iface_stats *s)
{
	uint64_t n = 0;
	for (int e = 0; e < FRAGMENT_ENDS; e++)
		if (e != FRAGMENT_WHOLE)
			n += s->trains[e];
	return n;
}

static void print_ifaces(const struct result *r, FILE *out)
{
	static const char *const heads[] = {"interface",  "link",       "IP MTU",
	                                    "frames",     "IP packets", "IP bytes",
	                                    "Rx datagr.", "fragments",  "trains broken",
	                                    "dropped",    "not decoded"};
	struct grid g;
	grid_init(&g, sizeof heads / sizeof *heads, 3);
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		grid_add(&g, "%s", heads[i]);
	for (size_t i = 0; i < r->n_ifaces; i++) {
		const struct result_iface *f = &r->ifaces[i];
		grid_add(&g, "%s", f->source->name);
		if (f->kind && f->rate_bps)
			grid_add(&g, "%s %.6g Mb/s", f->kind->name,
			         (double)f->rate_bps / 1e6);
		else
			grid_add(&g, "%s", f->kind ? f->kind->name : "unknown");
		add_known(&g, f->mtu, f->mtu != 0);
		grid_add(&g, "%" PRIu64, f->stats->frames);
		grid_add(&g, "%" PRIu64, f->stats->ip_packets);
		grid_add(&g, "%" PRIu64, f->stats->ip_bytes);
		grid_add(&g, "%" PRIu64, f->stats->rx);
		grid_add(&g, "%" PRIu64, f->stats->fragments);
		grid_add(&g, "%" PRIu64, broken_trains(f->stats));
		add_known(&g, f->source->dropped, f->source->has_dropped);
		grid_add(&g, "%" PRIu64, not_decoded(f->stats));
	}
	fputc('\n', out);
	grid_print(&g, out, 0);
	grid_free(&g);
}

/* What a reader must know before trusting the sums, one line each. */
static void print_iface_notes(const struct result_iface *i, FILE *out)
{
	const struct iface_stats *s = i->stats;
	const struct {
		uint64_t n;
		const char *text;
	} lines[] = {
	        {s->verdict[PACKET_UNSUPPORTED],
	         "frames of a link type or encapsulation "
	         "that is not known here"},
	        {s->verdict[PACKET_SNAPPED], "frames captured too short to tell"},
	        {s->verdict[PACKET_SHORT], "frames with a length past their end"},
	        {s->verdict[PACKET_BAD], "frames with an impossible IP header"},
	        {s->cut_packets,
	         "IP packets longer than their frames (cut, and the frame's length "
	         "lost with it); sizes are those of the IP header"},
	        {s->offloaded,
	         "IP packets larger than the link carries (put together by "
	         "an offload: GRO, GSO, TSO); no size is taken from them"},
	        {s->orphans, "fragments whose first piece was not seen"},
	        {s->overlaps, "fragment trains with overlapping pieces"},
	        {s->oversize, "fragment trains beyond 65535 bytes"},
	        {s->rx_snapped,
	         "packets on AFS ports whose Rx header was not captured"},
	        {s->rx_short, "packets on AFS ports too short for Rx"},
	        {s->rx_refused, "packets on AFS ports that are not Rx"},
	        {s->udp_short, "UDP packets with a wrong length field"},
	        {s->icmp_errors, "ICMP errors"},
	        {s->backwards, "frames older than the one before them"},
	};
	for (size_t n = 0; n < sizeof lines / sizeof *lines; n++)
		if (lines[n].n)
			fprintf(out, "  %s: %s: %" PRIu64 "\n", i->source->name,
			        lines[n].text, lines[n].n);
	if (s->too_big && s->too_big_mtu)
		fprintf(out,
		        "  %s: of these \"packet too big\": %" PRIu64
		        ", smallest next-hop MTU %" PRIu32 "\n",
		        i->source->name, s->too_big, s->too_big_mtu);
	text_pair_notes(i, out);
	const struct source_iface *c = i->source;
	if (c->has_kernel)
		fprintf(out,
		        "  %s: kernel counted %" PRIu64 " packets, %" PRIu64
		        " bytes; captured %" PRIu64 ", %" PRIu64
		        "; left out by the filter %" PRIu64 ", %" PRIu64 "\n",
		        c->name, c->kernel_packets, c->kernel_bytes, s->frames,
		        s->wire_bytes, c->left_out_packets, c->left_out_bytes);
}

static void print_circuits(const struct result_iface *i, FILE *out)
{
	const struct circuits *c = &i->stats->circuits;
	for (uint32_t n = 0; n < c->n; n++)
		fprintf(out,
		        "  %s: ATM connection VPI/VCI %u/%u: frames from the host "
		        "%" PRIu64 ", to it %" PRIu64 "\n",
		        i->source->name, c->list[n].vpi, c->list[n].vci,
		        c->list[n].from_host, c->list[n].to_host);
	if (c->other)
		fprintf(out, "  %s: frames of other ATM connections: %" PRIu64 "\n",
		        i->source->name, c->other);
}

/* Sizes are those of the innermost IP packet; what lies around it, where that is
 * more than the link's own header. */
static void print_layers(const struct result_iface *i, FILE *out)
{
	const struct iface_stats *s = i->stats;
	unsigned kinds = 0;
	bool more = false;
	for (int k = 0; k < LAYER_KINDS; k++) {
		kinds += s->layer[k] > 0;
		more |= s->layer[k] > 0 && s->layer[k] < s->ip_packets;
	}
	if (kinds < 2 && !more)
		return;
	fprintf(out, "  %s: sizes are those of the innermost IP packet; around it:",
	        i->source->name);
	const char *gap = " ";
	for (int k = 0; k < LAYER_KINDS; k++) {
		if (!s->layer[k])
			continue;
		fprintf(out, "%s%s %.4g bytes x %" PRIu64, gap,
		        layer_name((enum layer_kind)k),
		        (double)s->layer_bytes[k] / (double)s->layer[k], s->layer[k]);
		gap = ", ";
	}
	fputc('\n', out);
}

static void print_flows(const struct result *r, size_t top, FILE *out)
{
	const struct result_iface *iface = NULL;
	size_t shown = 0, hidden = 0;
	for (size_t i = 0; i < r->n_flows; i++) {
		if (r->flows[i].iface != iface) {
			iface = r->flows[i].iface;
			shown = 0;
		}
		if (top && shown >= top) {
			hidden++;
			continue;
		}
		shown++;
		text_flow(&r->flows[i], out);
	}
	if (hidden)
		fprintf(out, "\n%zu smaller flows are not shown (--top 0 shows all)\n",
		        hidden);
}

/* True if the share of the ceiling is impossible. */
static bool add_phase_row(struct grid *g, const struct result_phase *ph,
                          const struct result_part *part, enum way w)
{
	const struct result_way *way = &part->way[w];
	const struct tally *y = &way->tally;
	grid_add(g, "%s", ph->phase->name);
	grid_add(g, "%s", part->iface->source->name);
	grid_add(g, "%s", w == TO_SERVER ? "to server" : "to client");
	grid_add(g, "%.3f", ph->seconds);
	grid_add(g, "%" PRIu64, y->data_bytes);
	text_add_rate(g, y->data_bytes, ph->seconds);
	text_add_rate(g, y->ip_bytes, ph->seconds);
	if (way->ceiling > 0)
		grid_add(g, "%.1f", way->share_of_ceiling * 100);
	else
		grid_add(g, "unknown");
	grid_add(g, "%" PRIu32, way->dominant);
	grid_add(g, "%.1f", way->dominant_share * 100);
	grid_add(g, "%" PRIu64, y->fragments);
	grid_add(g, "%" PRIu64, y->trains_broken);
	grid_add(g, "%" PRIu64, y->resends + y->recovered);
	return way->share_of_ceiling > 1.005;
}

static void print_phases(const struct result *r, FILE *out)
{
	static const char *const heads[] = {
	        "phase",     "interface", "way",       "s",        "Rx data bytes",
	        "Rx KiB/s",  "IP KiB/s",  "% ceiling", "datagram", "% of data",
	        "fragments", "broken",    "resent"};
	if (!r->n_phases)
		return;
	bool over = false, rows = false;
	struct grid g;
	grid_init(&g, sizeof heads / sizeof *heads, 7);
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		grid_add(&g, "%s", heads[i]);
	for (size_t i = 0; i < r->n_phases; i++)
		for (size_t n = 0; n < r->n_ifaces; n++)
			for (int w = TO_CLIENT; w >= 0; w--)
				if (r->phases[i].parts[n].way[w].tally.ip_packets) {
					over |= add_phase_row(&g, &r->phases[i],
					                      &r->phases[i].parts[n],
					                      (enum way)w);
					rows = true;
				}
	if (!rows) {
		fputs("\nPhases: no Rx in any of them\n", out);
		grid_free(&g);
		return;
	}
	fputs("\nPhases (datagram: the UDP payload that carried most Rx data; ceiling: "
	      "Rx data at that size on this link)\n",
	      out);
	grid_print(&g, out, 0);
	grid_free(&g);
	if (over)
		fputs("Over 100 % of the ceiling: the link was faster than told, be it "
		      "for "
		      "the moment of a shaper's credit\n",
		      out);
}

/* What cannot be read may. */
static bool carries_file_data(const struct op *o)
{
	return o->key.opcode == OPS_UNREADABLE || o->file_calls > 0 ||
	       afs_bulk_of((enum afs_service)o->key.service, o->key.opcode) !=
	               AFS_BULK_NONE;
}

static void print_ops(const struct result *r, FILE *out)
{
	static const char *const heads[] = {
	        "service",    "operation",    "calls",        "aborted",
	        "file bytes", "Rx to server", "Rx to client", "timed",
	        "ms median",  "ms p95",       "ms p99",       "ms max"};
	if (!r->n_ops)
		return;
	struct grid g;
	grid_init(&g, sizeof heads / sizeof *heads, 3);
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		grid_add(&g, "%s", heads[i]);
	for (size_t i = 0; i < r->n_ops; i++) {
		const struct op *o = r->ops[i];
		const char *name = afs_opcode_name((enum afs_service)o->key.service,
		                                   o->key.opcode);
		grid_add(&g, "%s", afs_service_name((enum afs_service)o->key.service));
		grid_add(&g, "%s", name ? name : "not readable");
		grid_add(&g, "%" PRIu64, o->calls);
		grid_add(&g, "%" PRIu64, o->ended[CALL_ABORTED]);
		if (carries_file_data(o))
			add_known(&g, o->file_bytes, o->file_calls > 0);
		else
			grid_add(&g, "-");
		grid_add(&g, "%" PRIu64, o->data_bytes[TO_SERVER]);
		grid_add(&g, "%" PRIu64, o->data_bytes[TO_CLIENT]);
		grid_add(&g, "%" PRIu64, o->duration.count);
		static const double q[] = {0.5, 0.95, 0.99, 1};
		for (size_t n = 0; n < 4; n++) {
			if (o->duration.count)
				grid_add(&g, "%.3f",
				         (double)hist_percentile(&o->duration, q[n]) /
				                 1e6);
			else
				grid_add(&g, "-");
		}
	}
	fputs("\nCalls (Rx: data bytes; ms: from the first packet of the request to "
	      "the "
	      "last of the reply, of the calls timed, in which both were seen)\n",
	      out);
	grid_print(&g, out, 0);
	grid_free(&g);
}

static void print_series(const struct result *r, FILE *out)
{
	static const char *const heads[] = {"begin",     "interface", "way",
	                                    "IP KiB/s",  "Rx KiB/s",  "IP packets",
	                                    "fragments", "resent"};
	const struct series *s = track_series(r->track);
	size_t n;
	const struct series_row **rows = series_sorted(s, &n);
	if (!rows)
		return;
	struct grid g;
	grid_init(&g, sizeof heads / sizeof *heads, 6);
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		grid_add(&g, "%s", heads[i]);
	double seconds = (double)s->interval_ns / 1e9;
	for (size_t i = 0; i < n; i++) {
		const struct series_row *w = rows[i];
		grid_add(&g, "%.3f", (double)(w->key.begin_ns - r->first_ns) / 1e9);
		grid_add(&g, "%s", r->ifaces[w->key.iface].source->name);
		grid_add(&g, "%s", w->key.way == TO_SERVER ? "to server" : "to client");
		text_add_rate(&g, w->ip_bytes, seconds);
		text_add_rate(&g, w->data_bytes, seconds);
		grid_add(&g, "%" PRIu64, w->ip_packets);
		grid_add(&g, "%" PRIu64, w->fragments);
		grid_add(&g, "%" PRIu64, w->resends);
	}
	fprintf(out,
	        "\nOver time (rows of %g s that saw Rx, at multiples of that since "
	        "1970 "
	        "UTC; begin: s from the first frame; rates are over whole rows, though "
	        "the capture may begin and end inside one)\n",
	        seconds);
	grid_print(&g, out, 0);
	grid_free(&g);
	free(rows);
}

static void print_all(const struct result *r, const struct report_text_options *o,
                      FILE *out)
{
	print_head(r, o->local, out);
	print_ifaces(r, out);
	for (size_t i = 0; i < r->n_ifaces; i++)
		print_iface_notes(&r->ifaces[i], out);
	for (size_t i = 0; i < r->n_ifaces; i++) {
		print_layers(&r->ifaces[i], out);
		print_circuits(&r->ifaces[i], out);
	}
	text_findings(r, o->top, out);
	print_phases(r, out);
	print_ops(r, out);
	print_series(r, out);
	text_hosts(r, out);
	print_flows(r, o->top, out);
	text_pairs(r, o->top, out);
	text_points(r, o->top, out);
}

static int print_painted(const struct result *r, const struct report_text_options *o,
                         FILE *out, struct err *err)
{
	char *text = NULL;
	size_t n;
	FILE *memory = open_memstream(&text, &n);
	if (!memory)
		return err_set(err, ERR_ENVIRONMENT, "out of memory");
	print_all(r, o, memory);
	bool whole = fclose(memory) == 0;
	if (whole)
		paint(text, out);
	free(text);
	return whole ? 0 : err_set(err, ERR_ENVIRONMENT, "out of memory");
}

int report_text(const struct result *r, const struct report_text_options *o, FILE *out,
                struct err *err)
{
	if (!o->color)
		print_all(r, o, out);
	else if (print_painted(r, o, out, err) != 0)
		return -1;
	if (fflush(out) != 0 || ferror(out))
		return err_sys(err, errno, "cannot write the report");
	return 0;
}
