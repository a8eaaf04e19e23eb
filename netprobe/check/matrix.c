#include "netprobe/check/matrix.h"

#include "netprobe/host/offload.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define ADDRESSES_MAX 64u
#define CALLBACK_PORT 7001u

/* The addresses of this host, as an AFS process that starts now would list them. */
struct table {
	struct expect_iface iface[ADDRESSES_MAX];
	size_t n;
};

struct maker {
	struct matrix *m;
	const struct matrix_options *o;
	struct host *host;
	struct err *err;
};

/* Where a row is to go by. */
struct from {
	const struct host_iface *iface; /* NULL = any */
	bool has_source;
	struct addr source;
	const struct host_iface *owner; /* of a source that was asked for by itself */
};

static void fill_table(struct table *t, const struct host_iface *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *at = list[i].addresses;
		struct addr a;
		unsigned bits;
		if (!list[i].up || list[i].loopback)
			continue;
		while (t->n < ADDRESSES_MAX && iface_next_address(&at, &a, &bits))
			if (addr_is_v4(&a))
				t->iface[t->n++] = (struct expect_iface){
				        a, (uint8_t)bits, list[i].mtu};
	}
}

static int read_host(struct maker *k)
{
	struct matrix *m = k->m;
	if (host_ifaces(k->host, &m->ifaces, &m->n_ifaces, k->err) != 0 ||
	    host_rules(k->host, &m->rules, &m->n_rules, k->err) != 0)
		return -1;
	m->offloads = calloc(m->n_ifaces + 1, sizeof *m->offloads);
	if (!m->offloads)
		return err_set(k->err, ERR_ENVIRONMENT, "out of memory");
	/* one that vanishes meanwhile has none */
	for (size_t i = 0; i < m->n_ifaces; i++)
		host_offloads(m->ifaces[i].name, &m->offloads[i], NULL);
	return 0;
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a == 0 || (b != 0 && b < a) ? b : a;
}

static void probe_row(const struct maker *k, struct row *r)
{
	struct probe_target t = {.method = k->o->method,
	                         .peer = r->peer.addr,
	                         .port = r->peer.port,
	                         .has_source = r->has_source,
	                         .source = r->source,
	                         .only_iface = r->from_iface,
	                         .stop = k->o->stop};
	struct path_options o = {.smallest = probe_smallest(&t),
	                         .limit = r->iface.mtu,
	                         .packets = k->o->packets,
	                         .gap_ns = k->o->gap_ns};
	struct err err = {0};
	snprintf(t.iface, sizeof t.iface, "%s", r->iface.name);
	if (k->o->progress)
		k->o->progress(r);
	r->probed = true;
	r->method = t.method;
	struct probe_socket *s = probe_socket_open(&t, &err);
	if (!s) {
		r->path = (struct path_result){
		        .end = err.sys == EPERM || err.sys == EACCES ? PATH_FORBIDDEN
		                                                     : PATH_GONE,
		        .sys = err.sys};
		return;
	}
	if (o.limit > 65535)
		o.limit = 65535;
	struct probe_net net = probe_socket_net(s);
	if (o.limit >= o.smallest)
		path_find(&net, &o, &r->path);
	snprintf(r->version, sizeof r->version, "%s", probe_socket_version(s));
	r->has_other = probe_socket_other(s, &r->other);
	probe_socket_close(s);
}

static int make_row(struct maker *k, const struct peer *peer, const struct from *from)
{
	struct matrix *m = k->m;
	struct row *rows = realloc(m->rows, (m->n_rows + 1) * sizeof *rows);
	if (!rows)
		return err_set(k->err, ERR_ENVIRONMENT, "out of memory");
	m->rows = rows;
	struct row *r = &rows[m->n_rows];
	*r = (struct row){.peer = *peer,
	                  .has_from = from->iface || from->has_source,
	                  .from_iface = from->iface != NULL};
	if (host_route_get(
	            k->host, &peer->addr, from->has_source ? &from->source : NULL,
	            from->iface ? from->iface->index : 0, &r->route, k->err) != 0)
		return -1;
	const struct host_iface *way =
	        from->iface
	                ? from->iface
	                : host_iface_by_index(m->ifaces, m->n_ifaces, r->route.iface);
	if (way) {
		r->has_iface = true;
		r->iface = *way;
		r->mtu = least(way->mtu, r->route.mtu);
	}
	r->has_source = from->has_source || r->route.has_source;
	r->source = from->has_source ? from->source : r->route.source;
	if (from->owner)
		snprintf(r->owner, sizeof r->owner, "%s", from->owner->name);
	if (k->o->wanted)
		r->wanted = expectations_for(k->o->wanted, &peer->addr);
	m->n_rows++;
	return 0;
}

static int compare_rows(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	if (x->iface.index != y->iface.index)
		return x->iface.index < y->iface.index ? -1 : 1;
	int c = addr_compare(&x->peer.addr, &y->peer.addr);
	return c ? c : (int)x->peer.port - (int)y->peer.port;
}

/* Rows from every address of an interface, of the peer's family. */
static int rows_by_iface(struct maker *k, const struct peer *peer,
                         const struct host_iface *i)
{
	struct from f = {.has_source = true};
	const char *at = i->addresses;
	unsigned bits;
	while (iface_next_address(&at, &f.source, &bits))
		if (addr_is_v4(&f.source) == addr_is_v4(&peer->addr) &&
		    make_row(k, peer, &f) != 0)
			return -1;
	return 0;
}

static const struct host_iface *iface_of(const struct matrix *m, const struct addr *a)
{
	for (size_t i = 0; i < m->n_ifaces; i++)
		if (seen_is_local(&m->ifaces[i], 1, a))
			return &m->ifaces[i];
	return NULL;
}

static int rows_from(struct maker *k, const struct peer *peer, const char *text)
{
	struct matrix *m = k->m;
	struct from f = {0};
	char there[400];
	if (strcmp(text, "all") == 0) {
		for (size_t i = 0; i < m->n_ifaces; i++)
			if (m->ifaces[i].up && !m->ifaces[i].loopback &&
			    rows_by_iface(k, peer, &m->ifaces[i]) != 0)
				return -1;
		return 0;
	}
	f.has_source = addr_parse(text, &f.source);
	const struct host_iface *i =
	        f.has_source ? iface_of(m, &f.source)
	                     : host_iface_find(m->ifaces, m->n_ifaces, text);
	if (!i)
		return err_set(
		        k->err, ERR_USAGE,
		        "--from %s: this host has no such %s; it has %s", text,
		        f.has_source ? "address" : "interface",
		        host_iface_names(m->ifaces, m->n_ifaces, there, sizeof there));
	if (f.has_source && addr_is_v4(&f.source) != addr_is_v4(&peer->addr))
		return err_set(k->err, ERR_USAGE,
		               "--from %s: the peer has no address of that family",
		               text);
	*(f.has_source ? &f.owner : &f.iface) = i;
	return make_row(k, peer, &f);
}

static int make_rows(struct maker *k)
{
	const struct peers *p = k->o->peers;
	const struct from any = {0};
	for (size_t i = 0; i < p->n; i++) {
		if (k->o->n_from == 0 && make_row(k, &p->list[i], &any) != 0)
			return -1;
		for (size_t f = 0; f < k->o->n_from; f++)
			if (rows_from(k, &p->list[i], k->o->from[f]) != 0)
				return -1;
	}
	if (k->m->n_rows > 1)
		qsort(k->m->rows, k->m->n_rows, sizeof *k->m->rows, compare_rows);
	return 0;
}

int matrix_make(struct matrix *m, const struct matrix_options *o, struct err *err)
{
	struct maker k = {.m = m, .o = o, .err = err};
	*m = (struct matrix){0};
	k.host = host_open(err);
	if (!k.host)
		return -1;
	int rc = read_host(&k);
	if (rc == 0)
		rc = make_rows(&k);
	for (size_t i = 0; rc == 0 && o->active && i < m->n_rows; i++) {
		struct row *r = &m->rows[i];
		m->stopped |= o->stop && *o->stop;
		if (r->has_iface && r->iface.up &&
		    r->route.kind == HOST_ROUTE_UNICAST && !m->stopped)
			probe_row(&k, r);
	}
	host_close(k.host);
	if (rc != 0)
		matrix_free(m);
	return rc;
}

/* ---- what a capture shows ------------------------------------------------ */

static void expect_row(struct row *r, const struct matrix_options *o,
                       const struct table *table, const struct seen *told)
{
	struct expect_host host = {
	        .config = o->config, .iface = table->iface, .ifaces = table->n};
	bool server = told && told->served + told->asked
	                      ? seen_we_serve(told)
	                      : r->peer.port == CALLBACK_PORT;
	if (!addr_is_v4(&r->peer.addr) || r->route.kind != HOST_ROUTE_UNICAST)
		return;
	r->program = o->program >= 0 ? (enum expect_program)o->program
	             : server        ? EXPECT_SERVER
	                             : EXPECT_CLIENT;
	host.config.program = r->program;
	r->assumed = !(told && told->has_peer);
	if (!r->assumed)
		r->trailer = told->theirs;
	struct expect_case c = {.host = &host,
	                        .release = o->release,
	                        .peer = r->peer.addr,
	                        .route_mtu = r->mtu,
	                        .trailer = r->assumed ? NULL : &r->trailer};
	expect_choose(&c, &r->expect);
	if (r->assumed) {
		r->trailer = expect_likely_peer(&c, &r->expect);
		c.trailer = &r->trailer;
		expect_choose(&c, &r->expect);
	}
	r->expect.own.iface = NULL; /* points into what ends here */
	r->has_expect = true;
}

static const struct row *row_of_peer(const struct matrix *m, const struct addr *peer)
{
	for (size_t i = 0; i < m->n_rows; i++)
		if (addr_compare(&m->rows[i].peer.addr, peer) == 0)
			return &m->rows[i];
	return NULL;
}

static bool in_a_row(const struct matrix *m, const struct seen *s)
{
	for (size_t i = 0; i < m->n_rows; i++)
		if (m->rows[i].seen == s)
			return true;
	return false;
}

/* A row for a peer of the matrix whose data passed by another interface too. */
static int add_seen_row(struct matrix *m, const struct seen *s, struct err *err)
{
	const struct row *route = row_of_peer(m, &s->peer);
	const struct host_iface *i = host_iface_find(m->ifaces, m->n_ifaces, s->iface);
	if (!route || !i || in_a_row(m, s) ||
	    s->way[SEEN_SENT].datagrams + s->way[SEEN_RECEIVED].datagrams == 0)
		return 0;
	/* a member sees what its bond or bridge sees, and a link what its VLANs see */
	if (route->has_iface &&
	    (i->master == route->iface.index || route->iface.parent == i->index))
		return 0;
	struct row x = {.peer = route->peer,
	                .route.kind = HOST_ROUTE_UNICAST,
	                .has_iface = true,
	                .iface = *i,
	                .mtu = i->mtu,
	                .seen = s,
	                .only_seen = true};
	if (route->has_iface)
		snprintf(x.route_iface, sizeof x.route_iface, "%s", route->iface.name);
	struct row *rows = realloc(m->rows, (m->n_rows + 1) * sizeof *rows);
	if (!rows)
		return err_set(err, ERR_ENVIRONMENT, "out of memory");
	m->rows = rows;
	rows[m->n_rows++] = x;
	return 0;
}

int matrix_judge(struct matrix *m, const struct matrix_options *o,
                 const struct seen_list *seen, struct err *err)
{
	struct table table = {0};
	fill_table(&table, m->ifaces, m->n_ifaces);
	m->seen = seen;
	for (size_t i = 0; i < m->n_rows; i++)
		m->rows[i].seen =
		        seen_of(seen, &m->rows[i].peer.addr, m->rows[i].iface.name);
	for (size_t i = 0; seen && i < seen->n; i++)
		if (add_seen_row(m, &seen->list[i], err) != 0)
			return -1;
	if (m->n_rows > 1)
		qsort(m->rows, m->n_rows, sizeof *m->rows, compare_rows);
	for (size_t i = 0; i < m->n_rows; i++) {
		struct row *r = &m->rows[i];
		r->live_gone = seen_gone(seen, r->iface.name);
		expect_row(r, o, &table,
		           r->seen ? r->seen : seen_anywhere(seen, &r->peer.addr));
		row_judge(r);
	}
	m->stopped |= o->stop && *o->stop;
	return 0;
}

void matrix_free(struct matrix *m)
{
	free(m->ifaces);
	free(m->offloads);
	free(m->rules);
	free(m->rows);
	*m = (struct matrix){0};
}

enum gravity matrix_gravity(const struct matrix *m)
{
	enum gravity worst = GRAVITY_OK;
	for (size_t i = 0; i < m->n_rows; i++)
		if (verdict_gravity(m->rows[i].verdict) > worst)
			worst = verdict_gravity(m->rows[i].verdict);
	return worst;
}

static bool any(const struct matrix *m, enum verdict v)
{
	for (size_t i = 0; i < m->n_rows; i++)
		for (size_t f = 0; f < m->rows[i].findings; f++)
			if (m->rows[i].finding[f].verdict == v)
				return true;
	return false;
}

int matrix_exit_code(const struct matrix *m)
{
	if (any(m, VERDICT_GONE))
		return ERR_ENVIRONMENT;
	if (m->stopped || any(m, VERDICT_NOT_EXACT))
		return ERR_PARTIAL;
	return matrix_gravity(m) >= GRAVITY_WARNING ? ERR_FINDINGS : 0;
}

bool matrix_row_repeats(const struct matrix *m, size_t row)
{
	const struct row *r = &m->rows[row];
	for (size_t i = 0; i < row; i++) {
		const struct row *x = &m->rows[i];
		if (compare_rows(x, r) == 0 && x->has_source == r->has_source &&
		    (!r->has_source || addr_compare(&x->source, &r->source) == 0))
			return true;
	}
	return false;
}

size_t matrix_rows_of(const struct matrix *m, const struct host_iface *i)
{
	size_t n = 0;
	for (size_t k = 0; k < m->n_rows; k++)
		n += m->rows[k].has_iface && m->rows[k].iface.index == i->index;
	return n;
}
