#include "netprobe/check/print.h"

#include "netprobe/host/offload.h"
#include "src/base/grid.h"

#include <errno.h>
#include <inttypes.h>

#define MEMBERS_MAX 16

/* "gro gso", or with members "gro gso; eth0: gro tso; eth1: gro". */
static void add_offloads(struct grid *g, const struct matrix *m, size_t i)
{
	size_t at[MEMBERS_MAX];
	size_t n = host_iface_members(m->ifaces, m->n_ifaces, i, at, MEMBERS_MAX);
	char text[400], names[64];
	host_offload_names(m->offloads[i], text, sizeof text);
	for (size_t k = 1; k < n; k++) {
		size_t used = strlen(text);
		host_offload_names(m->offloads[at[k]], names, sizeof names);
		snprintf(text + used, sizeof text - used, "; %s: %s",
		         m->ifaces[at[k]].name, names);
	}
	grid_add(g, "%s", text);
}

static void print_ifaces(const struct matrix *m, FILE *out)
{
	struct grid g;
	grid_init(&g, 6, 1 | 1 << 1 | 1 << 3 | 1 << 4 | 1 << 5);
	grid_add(&g, "interface");
	grid_add(&g, "state");
	grid_add(&g, "MTU");
	grid_add(&g, "addresses");
	grid_add(&g, "part of");
	grid_add(&g, "offloads, of members too");
	for (size_t i = 0; i < m->n_ifaces; i++) {
		const struct host_iface *f = &m->ifaces[i];
		const struct host_iface *master =
		        f->master
		                ? host_iface_by_index(m->ifaces, m->n_ifaces, f->master)
		                : NULL;
		if (f->loopback)
			continue;
		grid_add(&g, "%s", f->name);
		grid_add(&g, "%s",
		         !f->up                      ? "down, ignored"
		         : !f->running               ? "no link"
		         : matrix_rows_of(m, f) == 0 ? "up, no peer"
		                                     : "up");
		grid_add(&g, "%u", f->mtu);
		grid_add(&g, "%s", f->addresses[0] ? f->addresses : "-");
		grid_add(&g, "%s", master ? master->name : "-");
		add_offloads(&g, m, i);
	}
	grid_print(&g, out, 0);
	grid_free(&g);
	for (size_t i = 0; i < m->n_rules; i++)
		fprintf(out, "rule %u: %s\n", m->rules[i].priority, m->rules[i].text);
	fputc('\n', out);
}

static void add_route(struct grid *g, const struct row *r)
{
	if (r->only_seen)
		grid_add(g, "by %s", r->route_iface[0] ? r->route_iface : "none");
	else if (r->route.kind != HOST_ROUTE_UNICAST)
		grid_add(g, "%s", host_route_kind_text(r->route.kind));
	else if (r->route.path_mtu)
		grid_add(g, "%u learned", r->route.path_mtu);
	else if (r->route.mtu)
		grid_add(g, "%u%s", r->route.mtu, r->route.mtu_locked ? " locked" : "");
	else
		grid_add(g, "-");
}

static void add_path(struct grid *g, const struct row *r)
{
	const struct path_result *p = &r->path;
	if (!r->probed)
		grid_add(g, "-");
	else if (p->passes == 0)
		grid_add(g, "%s", path_end_id(p->end));
	else
		grid_add(g, "%s%u in %.1f ms", p->end == PATH_FOUND ? "" : "at least ",
		         p->passes, (double)p->rtt_ns / 1e6);
}

static void add_number(struct grid *g, uint32_t n)
{
	if (n)
		grid_add(g, "%u", n);
	else
		grid_add(g, "-");
}

static void print_rows(const struct matrix *m, FILE *out)
{
	struct grid g;
	static const char *const heads[] = {
	        "peer", "interface",   "from", "link",     "route",
	        "path", "Rx expected", "sent", "received", "verdict"};
	grid_init(&g, 10, 1 | 1 << 1 | 1 << 2 | 1 << 9);
	for (size_t i = 0; i < 10; i++)
		grid_add(&g, "%s", heads[i]);
	for (size_t i = 0; i < m->n_rows; i++) {
		const struct row *r = &m->rows[i];
		char text[PEER_TEXT], a[ADDR_TEXT];
		grid_add(&g, "%s", peer_format(&r->peer, text));
		grid_add(&g, "%s", r->has_iface ? r->iface.name : "-");
		grid_add(&g, "%s", r->has_source ? addr_format(&r->source, a) : "-");
		add_number(&g, r->has_iface ? r->iface.mtu : 0);
		add_route(&g, r);
		add_path(&g, r);
		add_number(&g, r->has_expect ? r->expect.size[EXPECT_CLEAR].udp_payload
		                             : 0);
		for (size_t d = 0; d < SEEN_DIRECTIONS; d++)
			add_number(&g, r->seen ? r->seen->way[d].largest : 0);
		grid_add(&g, "%s", verdict_id(r->verdict));
	}
	grid_print(&g, out, 0);
	grid_free(&g);
}

void print_far_command(const struct row *r, char *buf, size_t size)
{
	char a[ADDR_TEXT];
	bool server = r->has_expect ? r->program == EXPECT_SERVER : false;
	bool v6 = r->has_source && !addr_is_v4(&r->source);
	snprintf(buf, size, "netprobe check --active --peer %s%s%s:%u", v6 ? "[" : "",
	         r->has_source ? addr_format(&r->source, a) : "ADDRESS", v6 ? "]" : "",
	         server ? 7000u : 7001u);
}

/* Echoes come back as long as they went. */
static bool echoed(const struct matrix *m)
{
	bool any = false;
	for (size_t i = 0; i < m->n_rows; i++) {
		if (m->rows[i].probed && m->rows[i].method == PROBE_RX)
			return false;
		any |= m->rows[i].probed;
	}
	return any;
}

static void print_far(const struct matrix *m, FILE *out)
{
	if (echoed(m)) {
		fputs("\nAn echo goes both ways in one size: the path is the smaller "
		      "of the two ways.\nTo tell them apart use --method rx, here and "
		      "at the other end.\n",
		      out);
		return;
	}
	fputs("\nA probe by Rx measures the way there only: its answer is short. For "
	      "the way\n"
	      "back run at the other end (port 7001 answers while a cache manager "
	      "runs here):\n",
	      out);
	for (size_t i = 0; i < m->n_rows; i++) {
		const struct row *r = &m->rows[i];
		char command[200], a[ADDR_TEXT];
		if (!r->has_source || r->only_seen || matrix_row_repeats(m, i))
			continue;
		print_far_command(r, command, sizeof command);
		fprintf(out, "  on %s: %s\n", addr_format(&r->peer.addr, a), command);
	}
}

static void print_capture(const struct seen_list *s, FILE *out)
{
	if (!s)
		return;
	fprintf(out, "Sent and received are what %s has: %" PRIu64 " frames",
	        s->live ? "the live capture" : "the capture", s->frames);
	if (s->dropped)
		fprintf(out,
		        ", and %" PRIu64
		        " were lost, so the sizes are the least that there was",
		        s->dropped);
	fputs(".\n", out);
	if (s->gone[0])
		fprintf(out, "Gone while it was captured on: %s.\n", s->gone);
}

int print_table(const struct matrix *m, const struct print_options *o, FILE *out,
                struct err *err)
{
	size_t findings = 0;
	print_ifaces(m, out);
	print_rows(m, out);
	for (size_t i = 0; i < m->n_rows; i++)
		for (size_t f = 0; f < m->rows[i].findings; f++) {
			const struct row_finding *x = &m->rows[i].finding[f];
			fprintf(out, "%s%s: %s.\n", findings++ ? "" : "\n",
			        verdict_id(x->verdict), x->text);
		}
	fputs("\nlink, route and path are lengths of IP packets; Rx sizes are UDP "
	      "payload of the\n"
	      "largest datagram of file data: expected and sent by this host, "
	      "received from any\nport of the peer.\n",
	      out);
	print_capture(m->seen, out);
	if (!o->active)
		fputs("No probe was sent; --active finds what gets through in truth.\n",
		      out);
	if (o->both_ways)
		print_far(m, out);
	if (fflush(out) == EOF || ferror(out))
		return err_sys(err, errno, "cannot write the result");
	return 0;
}
