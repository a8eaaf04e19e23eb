#include "netprobe/report/text_host.h"

#include "src/base/grid.h"

#include <inttypes.h>

#define PEERS_SHOWN 20
#define HOSTS_SHOWN 50

static void add_row(struct grid *g, const char *host, const char *address,
                    const struct host_sum *sent, const struct host_sum *received)
{
	grid_add(g, "%s", host);
	grid_add(g, "%s", address);
	grid_add(g, "%" PRIu64, sent->ip_packets);
	grid_add(g, "%" PRIu64, sent->ip_bytes);
	grid_add(g, "%" PRIu64, sent->data_bytes);
	grid_add(g, "%" PRIu64, received->ip_packets);
	grid_add(g, "%" PRIu64, received->ip_bytes);
	grid_add(g, "%" PRIu64, received->data_bytes);
}

static const char *name_of(const struct result_host *h, char buf[ADDR_TEXT])
{
	return h->name ? h->name : addr_format(&h->addresses[0].addr, buf);
}

static void add_host(struct grid *g, const struct result_host *h)
{
	char name[ADDR_TEXT], text[ADDR_TEXT];
	const char *host = name_of(h, name);
	for (size_t i = 0; i < h->n_addresses; i++)
		add_row(g, i ? "" : host, addr_format(&h->addresses[i].addr, text),
		        &h->addresses[i].sent, &h->addresses[i].received);
	if (h->n_addresses > 1)
		add_row(g, "", "together", &h->sent, &h->received);
}

/* "/24" for a netmask of leading ones, else nothing. */
static int prefix_of(uint32_t mask)
{
	int bits = 0;
	while (bits < 32 && mask >> (31 - bits) & 1)
		bits++;
	return mask && (bits == 32 || mask << bits == 0) ? bits : -1;
}

static void print_told(const struct host_disclosure *d, FILE *out)
{
	char text[ADDR_TEXT], uuid[UUID_TEXT];
	const struct disclosure *t = &d->told;
	const char *gap = " ";
	fprintf(out, "    %s", disclose_name(d->key.kind));
	if (t->third_party)
		fprintf(out, " by %s", addr_format(&d->by, text));
	fprintf(out, " (frame %" PRIu64 "):", d->frame);
	if (t->has_uuid) {
		fprintf(out, " uuid %s", uuid_format(t->uuid, uuid));
		gap = "; ";
	}
	for (uint32_t i = 0; i < t->n; i++, gap = ", ") {
		const struct disclosed_iface *f = &t->iface[i];
		int bits = prefix_of(f->netmask);
		fprintf(out, "%s%s", gap, addr_format(&f->addr, text));
		if (bits >= 0)
			fprintf(out, "/%d", bits);
		if (f->mtu)
			fprintf(out, " MTU %" PRIu32, f->mtu);
	}
	fputs(t->cut ? " (more was not captured)\n" : "\n", out);
}

static void print_version(const struct host_version *v, FILE *out)
{
	char text[ADDR_TEXT];
	fprintf(out, "    version at %s port %u: %s (frame %" PRIu64 ")\n",
	        addr_format(&v->key.addr, text), v->key.port, v->text, v->frame);
}

static void add_peer(struct grid *g, const struct host_peer *p)
{
	char text[ADDR_TEXT];
	const struct rx_debug_peer *t = &p->told;
	grid_add(g, "%s", addr_format(&t->host, text));
	grid_add(g, "%u", t->port);
	grid_add(g, "%u", p->key.port);
	grid_add(g, "%u", t->if_mtu);
	grid_add(g, "%u", t->nat_mtu);
	grid_add(g, "%u", t->max_mtu);
	grid_add(g, "%u", t->mtu);
	grid_add(g, "%u/%u/%u", t->packets, t->if_packets, t->max_packets);
	grid_add(g, "%u", t->cwind);
	grid_add(g, "%" PRIu32, t->sent);
	grid_add(g, "%" PRIu32, t->resends);
	grid_add(g, "%" PRIu32, t->rtt_ms);
	grid_add(g, "%" PRIu64, p->frame);
}

static void print_peers(const struct result_host *h, FILE *out)
{
	static const char *const heads[] = {
	        "peer",   "port",   "of port",        "ifMTU", "natMTU",
	        "maxMTU", "MTU",    "packets/if/max", "cwind", "sent",
	        "resent", "rtt ms", "frame"};
	size_t shown = 0, all = 0;
	struct grid g;
	for (size_t i = 0; i < h->n_facts; i++)
		all += h->facts[i].peer != NULL;
	if (!all)
		return;
	grid_init(&g, sizeof heads / sizeof *heads, 1);
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		grid_add(&g, "%s", heads[i]);
	for (size_t i = 0; i < h->n_facts && shown < PEERS_SHOWN; i++)
		if (h->facts[i].peer) {
			add_peer(&g, h->facts[i].peer);
			shown++;
		}
	fputs("    what it told rxdebug of its peers (sizes: Rx packets with their "
	      "header)\n",
	      out);
	grid_print(&g, out, 6);
	grid_free(&g);
	if (all > shown)
		fprintf(out, "      %zu more peers are in the JSON report\n",
		        all - shown);
}

static void print_facts(const struct result_host *h, FILE *out)
{
	char name[ADDR_TEXT], why[120];
	if (h->n_facts == 0 && h->n_addresses < 2)
		return;
	fprintf(out, "  %s", name_of(h, name));
	if (h->n_addresses > 1)
		fprintf(out, ": %zu addresses of one host (%s)", h->n_addresses,
		        host_why_text(h->why, why, sizeof why));
	fputc('\n', out);
	for (size_t i = 0; i < h->n_facts; i++) {
		if (h->facts[i].version)
			print_version(h->facts[i].version, out);
		else if (h->facts[i].disclosure)
			print_told(h->facts[i].disclosure, out);
	}
	print_peers(h, out);
}

void text_hosts(const struct result *r, FILE *out)
{
	static const char *const heads[] = {
	        "host",          "address",       "sent packets",   "sent IP bytes",
	        "sent Rx bytes", "recv. packets", "recv. IP bytes", "recv. Rx bytes"};
	size_t n = 0;
	struct grid g;
	grid_init(&g, sizeof heads / sizeof *heads, 3);
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		grid_add(&g, "%s", heads[i]);
	for (size_t i = 0; i < r->hosts.n; i++) {
		if (!result_host_tells(&r->hosts.list[i]))
			continue;
		if (n++ < HOSTS_SHOWN)
			add_host(&g, &r->hosts.list[i]);
	}
	if (n) {
		fputs("\nHosts (Rx flows of all interfaces; what they told of "
		      "themselves)\n",
		      out);
		grid_print(&g, out, 0);
	}
	grid_free(&g);
	for (size_t i = 0, shown = 0; i < r->hosts.n && shown < HOSTS_SHOWN; i++) {
		if (!result_host_tells(&r->hosts.list[i]))
			continue;
		print_facts(&r->hosts.list[i], out);
		shown++;
	}
	if (n > HOSTS_SHOWN)
		fprintf(out, "%zu more hosts are in the JSON report\n",
		        n - HOSTS_SHOWN);
}

static void print_handshake(const struct flow_security *s, FILE *out)
{
	if (!s->challenges && !s->responses)
		return;
	fprintf(out,
	        "    authentication: challenges %" PRIu64 " (repeated %" PRIu64 ")",
	        s->challenges, s->challenge_repeats);
	if (s->responses)
		fprintf(out,
		        ", responses %" PRIu64 " (in fragments %" PRIu64
		        "), the largest %" PRIu32 " bytes",
		        s->responses, s->responses_fragmented, s->largest_response);
	fputc('\n', out);
}

void text_security(const struct result_flow *f, FILE *out)
{
	static const char *const way_text[WAYS] = {"to server", "to client"};
	char text[100];
	if (!(f->classes & ~1u))
		return;
	rx_classes_text(f->classes, text, sizeof text);
	for (int w = TO_CLIENT; w >= 0; w--)
		if (f->evidence[w][0])
			fprintf(out, "    %s, security (%s), %s\n", way_text[w], text,
			        f->evidence[w]);
	if (f->flow->security)
		print_handshake(f->flow->security, out);
}
