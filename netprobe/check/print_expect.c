#include "netprobe/check/print_expect.h"

#include "netprobe/expect/link.h"
#include "netprobe/report/json_make.h"
#include "src/base/grid.h"

#include <errno.h>

#define LINKS_MAX 12

static const struct {
	enum expect_security level;
	const char *text, *key;
} levels[] = {
        {EXPECT_CLEAR, "clear", "clear"},
        {EXPECT_RXKAD_AUTH, "rxkad auth", "rxkad_auth"},
        {EXPECT_RXKAD_CRYPT, "rxkad crypt", "rxkad_crypt"},
};
#define LEVELS (sizeof levels / sizeof *levels)

static bool is_openafs(enum expect_program p)
{
	return p != EXPECT_KAFS && p != EXPECT_KAFS_PROBING && p != EXPECT_AURISTOR;
}

static int written(FILE *out, struct err *err)
{
	if (fflush(out) == EOF || ferror(out))
		return err_sys(err, errno, "cannot write the result");
	return 0;
}

/* Adds an MTU that is known (not 0) and not there yet. */
static void add_mtu(uint32_t mtu[LINKS_MAX], size_t *n, uint32_t one)
{
	for (size_t i = 0; i < *n; i++)
		if (mtu[i] == one)
			return;
	if (one && *n < LINKS_MAX)
		mtu[(*n)++] = one;
}

/* The MTUs of all links, the route's first (the kernel cuts to it, whether Rx asked for
 * it or not), each once. */
static size_t link_mtus(const struct expect_case *c, const struct expect_choice *x,
                        uint32_t mtu[LINKS_MAX])
{
	size_t n = 0;
	add_mtu(mtu, &n, c->route_mtu);
	add_mtu(mtu, &n, x->own.link_mtu);
	for (size_t i = 0; i < c->host->ifaces; i++)
		add_mtu(mtu, &n, c->host->iface[i].mtu);
	return n;
}

static void print_sizes(const struct expect_case *c, const struct expect_choice *x,
                        FILE *out)
{
	uint32_t mtu[LINKS_MAX];
	size_t links = link_mtus(c, x, mtu);
	struct grid g;
	if (links > 8)
		links = 8;
	grid_init(&g, 5 + links, 1);
	grid_add(&g, "security");
	grid_add(&g, "Rx packet");
	grid_add(&g, "packets");
	grid_add(&g, "UDP");
	grid_add(&g, "IP");
	for (size_t i = 0; i < links; i++)
		grid_add(&g, "fragments at %u", mtu[i]);
	for (size_t l = 0; l < LEVELS; l++) {
		const struct expect_size *s = &x->size[levels[l].level];
		grid_add(&g, "%s", levels[l].text);
		grid_add(&g, "%u", s->rx_packet);
		grid_add(&g, "%u", s->packets);
		grid_add(&g, "%u", s->udp_payload);
		grid_add(&g, "%u", s->ip_len);
		for (size_t i = 0; i < links; i++)
			grid_add(&g, "%u", link_fragments(4, s->ip_len, mtu[i]));
	}
	grid_print(&g, out, 2);
	grid_free(&g);
}

int print_expect_text(const struct expect_case *c, const struct expect_choice *x,
                      bool assumed, FILE *out, struct err *err)
{
	char a[ADDR_TEXT];
	enum expect_program p = c->host->config.program;
	struct expect_step step[EXPECT_STEPS];
	size_t n = expect_steps(c, x, step);
	fprintf(out, "%s%s to %s\n\n", expect_program_text(p),
	        !is_openafs(p)            ? ""
	        : c->release == EXPECT_16 ? ", 1.6 or older,"
	                                  : ", 1.8,",
	        addr_format(&c->peer, a));
	for (size_t i = 0; i < n; i++)
		fprintf(out, "  %-10s %s\n", step[i].label, step[i].text);
	if (assumed)
		fprintf(out,
		        "  %-10s assumed: an OpenAFS %s with its defaults %s; "
		        "--peer-trailer tells better\n",
		        "", p == EXPECT_SERVER ? "client" : "server",
		        x->match >= EXPECT_MATCH_SUBNET ? "on the same link"
		                                        : "on another subnet");
	fprintf(out, "\nBefore the first ack: Rx %u, UDP %u, IP %u.\n",
	        x->first.rx_packet, x->first.udp_payload, x->first.ip_len);
	fputs("In force then, largest datagrams of file data:\n\n", out);
	print_sizes(c, x, out);
	fprintf(out, "\n%s\n",
	        !x->df ? "DF is clear: routers may cut the datagrams."
	               : "DF is set on datagrams that fit the route's MTU; larger "
	                 "ones leave in fragments without DF.");
	if (x->uncertain)
		fputs("These rules are not published; take the sizes as a guess.\n",
		      out);
	return written(out, err);
}

static json_t *trailer_json(const struct rx_trailer *t)
{
	static const char *const key[] = {"max_receive", "interface", "window",
	                                  "packets"};
	const uint32_t word[] = {t->max_receive, t->interface, t->window, t->packets};
	json_t *o = json_object();
	for (unsigned i = 0; i < t->words && i < 4; i++)
		json_object_set_new(o, key[i], json_integer(word[i]));
	return o;
}

static json_t *size_json(struct json_maker *m, const struct expect_size *s,
                         const uint32_t *mtu, size_t links)
{
	json_t *o = json_object(), *pieces = json_object();
	json_put_count(m, o, "rx_packet_bytes", s->rx_packet);
	json_put_count(m, o, "packets", s->packets);
	json_put_count(m, o, "udp_payload_bytes", s->udp_payload);
	json_put_count(m, o, "ip_bytes", s->ip_len);
	for (size_t i = 0; i < links; i++) {
		char key[16];
		snprintf(key, sizeof key, "%u", mtu[i]);
		json_put_count(m, pieces, key, link_fragments(4, s->ip_len, mtu[i]));
	}
	json_put(m, o, "fragments_by_link_mtu", pieces);
	return o;
}

static json_t *steps_json(struct json_maker *m, const struct expect_case *c,
                          const struct expect_choice *x)
{
	struct expect_step step[EXPECT_STEPS];
	size_t n = expect_steps(c, x, step);
	json_t *list = json_array();
	for (size_t i = 0; i < n; i++)
		if (json_array_append_new(list,
		                          json_pack("{s:s,s:s}", "step", step[i].label,
		                                    "text", step[i].text)) != 0)
			m->failed = true;
	return list;
}

int print_expect_json(const struct expect_case *c, const struct expect_choice *x,
                      bool assumed, FILE *out, struct err *err)
{
	struct json_maker m = {0};
	char a[ADDR_TEXT];
	uint32_t mtu[LINKS_MAX];
	size_t links = link_mtus(c, x, mtu);
	json_t *o = json_object(), *sizes = json_object();
	json_put_text(&m, o, "schema", "netprobe-expect/1");
	json_put_text(&m, o, "program", expect_program_name(c->host->config.program));
	json_put(&m, o, "release",
	         is_openafs(c->host->config.program)
	                 ? json_string(c->release == EXPECT_16 ? "1.6" : "1.8")
	                 : json_null());
	json_put_text(&m, o, "peer", addr_format(&c->peer, a));
	json_put(&m, o, "announces", trailer_json(&x->own.trailer));
	json_put_unknown(&m, o, "interface_once_acked", x->grown, x->grown != 0);
	json_put(&m, o, "peer_announces", trailer_json(c->trailer));
	json_put(&m, o, "peer_assumed", json_boolean(assumed));
	json_put_unknown(&m, o, "link_mtu", x->own.link_mtu, x->own.link_mtu != 0);
	json_put(&m, o, "before_first_ack", size_json(&m, &x->first, mtu, links));
	for (size_t l = 0; l < LEVELS; l++)
		json_put(&m, sizes, levels[l].key,
		         size_json(&m, &x->size[levels[l].level], mtu, links));
	json_put(&m, o, "in_force", sizes);
	json_put(&m, o, "df", json_boolean(x->df));
	json_put(&m, o, "uncertain", json_boolean(x->uncertain));
	json_put(&m, o, "arithmetic", steps_json(&m, c, x));
	int rc = m.failed ? err_set(err, ERR_ENVIRONMENT, "out of memory") : 0;
	if (rc == 0 &&
	    (json_dumpf(o, out, JSON_INDENT(2)) != 0 || fputc('\n', out) == EOF))
		rc = err_sys(err, errno, "cannot write the result");
	json_decref(o);
	return rc == 0 ? written(out, err) : rc;
}
