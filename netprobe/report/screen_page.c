#include "netprobe/report/screen_page.h"

#include "src/base/clock.h"
#include "src/base/grid.h"
#include "src/base/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#define FLOWS_KEPT (1u << 17) /* as many as are tracked */

struct way_sums {
	uint64_t ip_packets, ip_bytes, data_bytes, link_bytes;
};

struct flow_sums {
	struct flow_key key;
	struct way_sums way[WAYS];
};

struct iface_sums {
	uint64_t ip_packets, ip_bytes;
	struct way_sums way[WAYS];
};

struct screen_past {
	struct table *flows; /* struct flow_sums */
	struct iface_sums *iface;
	size_t ifaces;
	int64_t last_ns; /* of the latest packet then */
};

/* A flow and what it sent since the page before. */
struct busy {
	const struct result_flow *flow;
	struct way_sums since[WAYS];
	uint64_t ip_bytes;
};

struct screen_past *screen_past_new(void)
{
	struct screen_past *p = calloc(1, sizeof *p);
	if (p)
		p->flows = table_new(sizeof(struct flow_key), sizeof(struct flow_sums),
		                     FLOWS_KEPT, NULL, NULL);
	if (p && p->flows)
		return p;
	free(p);
	return NULL;
}

void screen_past_free(struct screen_past *p)
{
	if (!p)
		return;
	table_free(p->flows);
	free(p->iface);
	free(p);
}

static struct way_sums sums_of(const struct result_way *w)
{
	return (struct way_sums){.ip_packets = w->tally.ip_packets,
	                         .ip_bytes = w->tally.ip_bytes,
	                         .data_bytes = w->tally.data_bytes,
	                         .link_bytes = w->link_bytes};
}

/* What came since, and now becomes the past. */
static struct way_sums step(struct way_sums *past, const struct result_way *w)
{
	struct way_sums now = sums_of(w),
	                since = {.ip_packets = now.ip_packets - past->ip_packets,
	                         .ip_bytes = now.ip_bytes - past->ip_bytes,
	                         .data_bytes = now.data_bytes - past->data_bytes,
	                         .link_bytes = now.link_bytes - past->link_bytes};
	*past = now;
	return since;
}

static void add_rate(struct grid *g, uint64_t n, double unit, double seconds)
{
	grid_add(g, "%.0f", seconds > 0 ? (double)n / unit / seconds : 0);
}

static void add_link_share(struct grid *g, const struct result_iface *i, uint64_t bytes,
                           double seconds)
{
	if (!i->kind || !i->rate_bps)
		grid_add(g, "-");
	else if (!(seconds > 0))
		grid_add(g, "0 %%");
	else
		grid_add(g, "%.0f %%",
		         (double)bytes * 800 / seconds / (double)i->rate_bps);
}

static int make_room(struct screen_past *past, size_t ifaces)
{
	if (past->ifaces >= ifaces)
		return 0;
	struct iface_sums *more = realloc(past->iface, ifaces * sizeof *more);
	if (!more)
		return -1;
	past->iface = more;
	for (; past->ifaces < ifaces; past->ifaces++)
		more[past->ifaces] = (struct iface_sums){0};
	return 0;
}

static void page_ifaces(struct screen_past *past, const struct result *r,
                        double seconds, FILE *out)
{
	static const char *const heads[] = {
	        "IP KiB/s on", "MTU",          "packets/s", "all",       "Rx to client",
	        "of link",     "Rx to server", "of link",   "fragments", "dropped"};
	struct grid g;
	grid_init(&g, sizeof heads / sizeof *heads, 1);
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		grid_add(&g, "%s", heads[i]);
	for (size_t i = 0; i < r->n_ifaces; i++) {
		const struct result_iface *f = &r->ifaces[i];
		struct iface_sums *p = &past->iface[i];
		grid_add(&g, "%s", f->source->name);
		grid_add(&g, f->mtu ? "%" PRIu32 : "-", f->mtu);
		add_rate(&g, f->stats->ip_packets - p->ip_packets, 1, seconds);
		add_rate(&g, f->stats->ip_bytes - p->ip_bytes, 1024, seconds);
		p->ip_packets = f->stats->ip_packets;
		p->ip_bytes = f->stats->ip_bytes;
		for (int w = TO_CLIENT; w >= 0; w--) {
			struct way_sums since = step(&p->way[w], &f->way[w]);
			add_rate(&g, since.ip_bytes, 1024, seconds);
			add_link_share(&g, f, since.link_bytes, seconds);
		}
		grid_add(&g, "%" PRIu64, f->stats->fragments);
		grid_add(&g, f->source->has_dropped ? "%" PRIu64 : "-",
		         f->source->dropped);
	}
	fputc('\n', out);
	grid_print(&g, out, 0);
	grid_free(&g);
}

static void add_flow(struct grid *g, const struct busy *b, int way, double seconds)
{
	static const char *const way_text[WAYS] = {"to server", "to client"};
	const struct flow *f = b->flow->flow;
	const struct flow_key *k = &f->key;
	const struct tally *y = &b->flow->way[way].tally;
	char client[ADDR_TEXT], server[ADDR_TEXT];
	grid_add(g, "%s", b->flow->iface->source->name);
	grid_add(g, "%s:%u", addr_format(&k->client, client), k->client_port);
	grid_add(g, "%s:%u", addr_format(&k->server, server), k->server_port);
	grid_add(g, "%s", afs_service_name(f->service));
	grid_add(g, "%s", way_text[way]);
	add_rate(g, b->since[way].data_bytes, 1024, seconds);
	grid_add(g, b->flow->way[way].dominant ? "%" PRIu32 : "-",
	         b->flow->way[way].dominant);
	grid_add(g, "%" PRIu64, y->fragments);
	grid_add(g, "%" PRIu64, y->resends);
	if (f->side[way].rtt.count)
		grid_add(g, "%.3f",
		         (double)hist_percentile(&f->side[way].rtt, 0.5) / 1e6);
	else
		grid_add(g, "-");
}

static int by_traffic(const void *a, const void *b)
{
	const struct busy *x = a, *y = b;
	if (x->ip_bytes != y->ip_bytes)
		return x->ip_bytes < y->ip_bytes ? 1 : -1;
	return (x->flow > y->flow) - (x->flow < y->flow);
}

/* All flows, the busiest first.  NULL where memory is out. */
static struct busy *busiest(struct screen_past *past, const struct result *r)
{
	struct busy *list = calloc(r->n_flows + 1, sizeof *list);
	for (size_t i = 0; list && i < r->n_flows; i++) {
		bool made;
		struct flow_sums *p =
		        table_get(past->flows, &r->flows[i].flow->key, &made);
		list[i].flow = &r->flows[i];
		for (int w = 0; p && w < WAYS; w++) {
			list[i].since[w] = step(&p->way[w], &r->flows[i].way[w]);
			list[i].ip_bytes += list[i].since[w].ip_bytes;
		}
	}
	if (list)
		qsort(list, r->n_flows, sizeof *list, by_traffic);
	return list;
}

static int page_flows(struct screen_past *past, const struct result *r, size_t flows,
                      double seconds, FILE *out)
{
	static const char *const heads[] = {
	        "Rx data KiB/s on", "client",    "server", "service", "way", "rate",
	        "UDP payload",      "fragments", "resent", "RTT ms"};
	struct busy *list = busiest(past, r);
	struct grid g;
	if (!list)
		return -1;
	grid_init(&g, sizeof heads / sizeof *heads, 0x1f);
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		grid_add(&g, "%s", heads[i]);
	for (size_t i = 0; i < r->n_flows && i < flows; i++)
		for (int w = TO_CLIENT; w >= 0; w--)
			if (list[i].flow->way[w].tally.data_packets)
				add_flow(&g, &list[i], w, seconds);
	fputc('\n', out);
	if (r->n_flows)
		grid_print(&g, out, 0);
	else
		fputs("no Rx so far\n", out);
	if (r->n_flows > flows)
		fprintf(out, "%zu flows more\n", r->n_flows - flows);
	grid_free(&g);
	free(list);
	return 0;
}

static void page_findings(const struct result *r, FILE *out)
{
	fputs("\nFindings so far\n", out);
	for (size_t i = 0; i < r->findings.n; i++) {
		const struct finding *f = &r->findings.list[i];
		const struct finding_about *a = finding_about(f->kind);
		fprintf(out, "%-7s %s %s: %s\n", finding_severity_name(f->severity),
		        a->id, a->slug, f->text);
	}
	if (!r->findings.n)
		fputs("none\n", out);
}

static void page_head(const struct result *r, double seconds, FILE *out)
{
	time_t s = (time_t)(r->last_ns / NS_PER_S);
	struct tm tm;
	char text[32] = "no packet so far";
	if (r->frames && gmtime_r(&s, &tm))
		strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm);
	fprintf(out, "netprobe  %s, %" PRIu64 " frames in %.0f s\n\n", text, r->frames,
	        (double)(r->last_ns - r->first_ns) / 1e9);
	fprintf(out,
	        "Rates over the last %.1f s; since the beginning: fragments, dropped, "
	        "resent,\nUDP payload (of most data), round trip (median)\n",
	        seconds);
}

int screen_page(struct screen_past *past, const struct result *r, size_t flows,
                FILE *out)
{
	int64_t since = past->last_ns ? past->last_ns : r->first_ns;
	double seconds = r->last_ns > since ? (double)(r->last_ns - since) / 1e9 : 0;
	if (make_room(past, r->n_ifaces) != 0)
		return -1;
	page_head(r, seconds, out);
	page_ifaces(past, r, seconds, out);
	if (page_flows(past, r, flows, seconds, out) != 0)
		return -1;
	page_findings(r, out);
	past->last_ns = r->last_ns;
	return 0;
}
