#include "netprobe/report/text_flow.h"

#include "netprobe/report/text_host.h"

#include <inttypes.h>
#include <stdlib.h>

#define SIZES_SHOWN 6

void text_add_rate(struct grid *g, uint64_t bytes, double seconds)
{
	if (seconds > 0)
		grid_add(g, "%.1f", (double)bytes / seconds / 1024);
	else
		grid_add(g, "-");
}

/* "1472 x 339, 176 x 2, 3 more sizes" */
static void sizes_text(const struct sizes *s, char *out, size_t size)
{
	size_t n, used = 0;
	struct size_count *rows = sizes_sorted(s, SIZES_BY_COUNT, &n);
	out[0] = 0;
	for (size_t i = 0; i < n && i < SIZES_SHOWN; i++) {
		int w = snprintf(out + used, size - used, "%s%" PRIu32 " x %" PRIu64,
		                 i ? ", " : "", rows[i].size, rows[i].n);
		used += w < 0 || (size_t)w >= size - used ? 0 : (size_t)w;
	}
	if (n > SIZES_SHOWN)
		snprintf(out + used, size - used, ", %zu more sizes", n - SIZES_SHOWN);
	if (n == 0)
		snprintf(out, size, "-");
	free(rows);
}

static void trailers_text(const struct flow_side *s, char *out, size_t size)
{
	size_t used = 0;
	snprintf(out, size, "-");
	for (unsigned i = 0; i < s->trailers; i++) {
		const struct rx_trailer *t = &s->trailer[i].trailer;
		int w = snprintf(out + used, size - used,
		                 "%s(%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32
		                 ")%s x %" PRIu64,
		                 i ? ", " : "", t->max_receive, t->interface, t->window,
		                 t->packets,
		                 rx_trailer_plausible(t) ? "" : " implausible",
		                 s->trailer[i].acks);
		used += w < 0 || (size_t)w >= size - used ? 0 : (size_t)w;
	}
}

static void add_count_row(struct grid *g, const char *head, uint64_t a, uint64_t b)
{
	grid_add(g, "%s", head);
	grid_add(g, "%" PRIu64, a);
	grid_add(g, "%" PRIu64, b);
}

static void add_ways(struct grid *g, const struct result_way way[WAYS])
{
	const struct tally *c = &way[TO_CLIENT].tally, *s = &way[TO_SERVER].tally;
	const struct {
		const char *head;
		uint64_t c, s;
		bool always;
	} rows[] = {
	        {"IP packets", c->ip_packets, s->ip_packets, true},
	        {"IP bytes", c->ip_bytes, s->ip_bytes, true},
	        {"Rx datagrams", c->datagrams, s->datagrams, true},
	        {"  of them DATA", c->type[RX_DATA], s->type[RX_DATA], true},
	        {"  of them ACK", c->type[RX_ACK], s->type[RX_ACK], true},
	        {"Rx DATA packets", c->data_packets, s->data_packets, true},
	        {"Rx data bytes", c->data_bytes, s->data_bytes, true},
	        {"jumbograms", c->jumbograms.total, s->jumbograms.total, false},
	        {"IP packets with DF", c->df, s->df, true},
	        {"fragments", c->fragments, s->fragments, false},
	        {"fragment trains whole", c->trains_whole, s->trains_whole, false},
	        {"fragment trains broken", c->trains_broken, s->trains_broken, false},
	        {"DATA packets resent", c->resends, s->resends, true},
	        {"resent, first copy unseen", c->recovered, s->recovered, false},
	        {"captured twice", c->duplicates, s->duplicates, false},
	        {"malformed", c->malformed, s->malformed, false},
	};
	grid_add(g, "%s", "");
	grid_add(g, "to client");
	grid_add(g, "to server");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].always || rows[i].c || rows[i].s)
			add_count_row(g, rows[i].head, rows[i].c, rows[i].s);
	grid_add(g, "Rx data, KiB/s");
	for (int w = TO_CLIENT; w >= 0; w--)
		text_add_rate(g, way[w].tally.data_bytes, way[w].seconds);
}

/* Figures of the way's sender that are not counts of packets. */
static void print_path(const struct result_flow *rf, enum way w, const char *way_text,
                       FILE *out)
{
	const struct flow_side *s = &rf->flow->side[w];
	const struct hist *h = &s->rtt;
	if (h->count)
		fprintf(out,
		        "    %s, round trips from here: median %.3f ms, 99 %% under "
		        "%.3f ms "
		        "(%" PRIu64 " datagrams)\n",
		        way_text, (double)hist_percentile(h, 0.5) / 1e6,
		        (double)hist_percentile(h, 0.99) / 1e6, h->count);
	if (rf->way[w].tally.data_packets > 1 && s->flight)
		fprintf(out,
		        "    %s, most packets on the way: %" PRIu32 "; %" PRIu64
		        " datagrams left with the window full\n",
		        way_text, s->flight, s->at_window);
	if (s->missed > 0)
		fprintf(out,
		        "    %s, serials that did not come by: %" PRId64
		        " (lost before here, or not captured)\n",
		        way_text, s->missed);
}

static void print_lists(const struct result_flow *rf, FILE *out)
{
	static const char *const way_text[WAYS] = {"to server", "to client"};
	static const char *const sender[WAYS] = {"client", "server"};
	for (int w = TO_CLIENT; w >= 0; w--) {
		const struct tally *y = &rf->way[w].tally;
		char text[400];
		if (!y->ip_packets)
			continue;
		sizes_text(&y->ip_lengths, text, sizeof text);
		fprintf(out, "    %s, IP lengths: %s\n", way_text[w], text);
		sizes_text(&y->data_datagrams, text, sizeof text);
		if (y->data_datagrams.total)
			fprintf(out, "    %s, UDP payload of DATA: %s\n", way_text[w],
			        text);
		sizes_text(&y->jumbograms, text, sizeof text);
		if (y->jumbograms.total)
			fprintf(out, "    %s, packets in a jumbogram: %s\n",
			        way_text[w], text);
		sizes_text(&y->train_pieces, text, sizeof text);
		if (y->train_pieces.total)
			fprintf(out, "    %s, fragments a datagram: %s\n", way_text[w],
			        text);
		print_path(rf, (enum way)w, way_text[w], out);
		trailers_text(&rf->flow->side[w], text, sizeof text);
		fprintf(out,
		        "    %s announces (max receive,interface,window,packets): %s\n",
		        sender[w], text);
	}
	for (int w = TO_CLIENT; w >= 0; w--)
		if (rf->chosen[w])
			fprintf(out, "    %s: %s\n", way_text[w], rf->chosen[w]);
}

static void print_other_half(const struct result_flow *rf, FILE *out)
{
	const struct flow *f = rf->flow;
	char here[ADDR_TEXT], there[ADDR_TEXT];
	if (!f->split)
		return;
	bool replies_here = rf->way[TO_CLIENT].tally.datagrams > 0;
	addr_format(&f->key.server, here);
	addr_format(&f->other_half.server, there);
	fprintf(out,
	        "    the server is asked at %s and answers from %s "
	        "(datagrams that show it: %" PRIu64 ")\n",
	        replies_here ? there : here, replies_here ? here : there, f->split);
}

void text_flow(const struct result_flow *rf, FILE *out)
{
	const struct flow_key *k = &rf->flow->key;
	char client[ADDR_TEXT], server[ADDR_TEXT];
	fprintf(out, "\n%s: client %s port %u, server %s port %u (%s)\n",
	        rf->iface->source->name, addr_format(&k->client, client),
	        k->client_port, addr_format(&k->server, server), k->server_port,
	        afs_service_name(rf->flow->service));
	struct grid g;
	grid_init(&g, 3, 1);
	add_ways(&g, rf->way);
	grid_print(&g, out, 4);
	grid_free(&g);
	print_lists(rf, out);
	text_security(rf, out);
	print_other_half(rf, out);
}
