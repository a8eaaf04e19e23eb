#include "netprobe/report/result_host.h"

#include "netprobe/report/result.h"

#include <stdio.h>
#include <stdlib.h>

/* An address while hosts are put together: a tree of each host's addresses, by
 * index; the root stands for the host. */
struct member {
	struct result_address a;
	size_t parent;
	size_t host;                        /* index in the list, once there is one */
	const struct host_map_entry *given; /* at a root: of any in its tree */
	unsigned why;                       /* at a root: of the whole tree */
};

struct members {
	struct member *list; /* rising addresses */
	size_t n;
	size_t facts; /* that hosts told in all */
};

static int by_address(const void *a, const void *b)
{
	const struct member *x = a, *y = b;
	return addr_compare(&x->a.addr, &y->a.addr);
}

static struct member *find(const struct members *m, const struct addr *a)
{
	struct member key = {.a.addr = *a};
	return m->n ? bsearch(&key, m->list, m->n, sizeof *m->list, by_address) : NULL;
}

static size_t root_of(const struct members *m, size_t i)
{
	while (m->list[i].parent != i) {
		m->list[i].parent = m->list[m->list[i].parent].parent;
		i = m->list[i].parent;
	}
	return i;
}

/* What the user said of two hosts is never put aside. */
static void join(struct members *m, struct member *a, struct member *b, unsigned why)
{
	size_t x = root_of(m, (size_t)(a - m->list));
	size_t y = root_of(m, (size_t)(b - m->list));
	struct member *to = &m->list[x < y ? x : y], *from = &m->list[x < y ? y : x];
	if (to == from) {
		if (a != b)
			to->why |= why;
		return;
	}
	if (to->given && from->given && to->given->name != from->given->name)
		return;
	from->parent = (size_t)(to - m->list);
	to->why |= from->why | why;
	if (!to->given)
		to->given = from->given;
}

static void add(struct members *m, const struct addr *a)
{
	m->list[m->n++] = (struct member){.a.addr = *a};
}

/* Every address of a flow and of a fact, once. */
static int collect(struct members *m, const struct result *r)
{
	const struct hosts *h = track_hosts(r->track);
	const struct host_version *v = NULL;
	const struct host_disclosure *d = NULL;
	const struct host_peer *p = NULL;
	while ((v = hosts_version_next(h, v)))
		m->facts++;
	while ((d = hosts_disclosure_next(h, d)))
		m->facts++;
	while ((p = hosts_peer_next(h, p)))
		m->facts++;
	m->list = calloc(2 * r->n_flows + m->facts + 1, sizeof *m->list);
	if (!m->list)
		return -1;
	for (size_t i = 0; i < r->n_flows; i++) {
		add(m, &r->flows[i].flow->key.client);
		add(m, &r->flows[i].flow->key.server);
	}
	while ((v = hosts_version_next(h, v)))
		add(m, &v->key.addr);
	while ((d = hosts_disclosure_next(h, d)))
		add(m, &d->key.about);
	while ((p = hosts_peer_next(h, p)))
		add(m, &p->key.addr);
	qsort(m->list, m->n, sizeof *m->list, by_address);
	size_t kept = 0;
	for (size_t i = 0; i < m->n; i++)
		if (kept == 0 || by_address(&m->list[i], &m->list[kept - 1]) != 0)
			m->list[kept++] = m->list[i];
	m->n = kept;
	for (size_t i = 0; i < m->n; i++)
		m->list[i].parent = i;
	return 0;
}

static void join_given(struct members *m, const struct host_map *map)
{
	struct member *first = NULL;
	for (size_t i = 0; i < m->n; i++)
		m->list[i].given = host_map_find(map, &m->list[i].a.addr);
	for (size_t name = 0; name < map->n_names; name++, first = NULL) {
		for (size_t i = 0; i < map->n; i++) {
			struct member *x = map->entry[i].name == name
			                           ? find(m, &map->entry[i].addr)
			                           : NULL;
			if (x && first)
				join(m, first, x, HOST_GIVEN);
			else if (x)
				first = x;
		}
	}
}

static void join_answered(struct members *m, const struct result *r)
{
	for (size_t i = 0; i < r->n_flows; i++) {
		const struct flow *f = r->flows[i].flow;
		struct member *a = find(m, &f->key.server);
		struct member *b = f->split ? find(m, &f->other_half.server) : NULL;
		if (a && b && a != b)
			join(m, a, b, HOST_ANSWERED);
	}
}

/* One address that a uuid, or a host, claims. */
struct claim {
	uint8_t uuid[UUID_BYTES];
	struct member *member; /* the address */
	struct member *by;     /* the host that lists it as its own */
};

static int by_uuid(const void *a, const void *b)
{
	const struct claim *x = a, *y = b;
	int c = memcmp(x->uuid, y->uuid, UUID_BYTES);
	if (c != 0)
		return c;
	return x->member < y->member ? -1 : x->member > y->member;
}

static int by_member(const void *a, const void *b)
{
	const struct claim *x = a, *y = b;
	if (x->member != y->member)
		return x->member < y->member ? -1 : 1;
	return x->by < y->by ? -1 : x->by > y->by;
}

static void join_uuids(struct members *m, struct claim *list, size_t n)
{
	qsort(list, n, sizeof *list, by_uuid);
	for (size_t i = 1; i < n; i++)
		if (memcmp(list[i].uuid, list[i - 1].uuid, UUID_BYTES) == 0 &&
		    list[i].member != list[i - 1].member)
			join(m, list[i - 1].member, list[i].member, HOST_UUID);
}

/* Private addresses (of bridges, behind NAT) are listed by many hosts, so a list only
 * counts where one host alone claims the address. */
static void join_listed(struct members *m, struct claim *list, size_t n)
{
	qsort(list, n, sizeof *list, by_member);
	for (size_t i = 0, end; i < n; i = end) {
		bool one = true;
		size_t host = root_of(m, (size_t)(list[i].by - m->list));
		for (end = i; end < n && list[end].member == list[i].member; end++)
			one &= root_of(m, (size_t)(list[end].by - m->list)) == host;
		if (one)
			join(m, list[i].by, list[i].member, HOST_DISCLOSED);
	}
}

/* Claims of uuids (by = NULL) first, then lists; returns both counts. */
static int join_disclosed(struct members *m, const struct hosts *h)
{
	const struct host_disclosure *d = NULL;
	size_t room = 1, n_uuid = 0, n_listed = 0;
	while ((d = hosts_disclosure_next(h, d)))
		room += 1 + d->told.n;
	struct claim *uuids = calloc(room, sizeof *uuids);
	struct claim *listed = calloc(room, sizeof *listed);
	if (!uuids || !listed) {
		free(uuids);
		free(listed);
		return -1;
	}
	while ((d = hosts_disclosure_next(h, d))) {
		struct claim c = {.member = find(m, &d->key.about)};
		struct member *about = c.member;
		memcpy(c.uuid, d->told.uuid, UUID_BYTES);
		if (about && d->told.has_uuid)
			uuids[n_uuid++] = c;
		for (uint32_t i = 0; about && i < d->told.n; i++) {
			c.member = find(m, &d->told.iface[i].addr);
			c.by = about;
			if (c.member)
				listed[n_listed++] = c;
		}
	}
	join_uuids(m, uuids, n_uuid);
	join_listed(m, listed, n_listed);
	free(uuids);
	free(listed);
	return 0;
}

static void add_sum(struct host_sum *s, const struct tally *y)
{
	s->ip_packets += y->ip_packets;
	s->ip_bytes += y->ip_bytes;
	s->datagrams += y->datagrams;
	s->data_bytes += y->data_bytes;
}

static void merge_sum(struct host_sum *s, const struct host_sum *add)
{
	s->ip_packets += add->ip_packets;
	s->ip_bytes += add->ip_bytes;
	s->datagrams += add->datagrams;
	s->data_bytes += add->data_bytes;
}

static void sum_flows(struct members *m, const struct result *r)
{
	for (size_t i = 0; i < r->n_flows; i++) {
		const struct result_flow *f = &r->flows[i];
		struct member *c = find(m, &f->flow->key.client);
		struct member *s = find(m, &f->flow->key.server);
		add_sum(&c->a.sent, &f->way[TO_SERVER].tally);
		add_sum(&s->a.received, &f->way[TO_SERVER].tally);
		add_sum(&s->a.sent, &f->way[TO_CLIENT].tally);
		add_sum(&c->a.received, &f->way[TO_CLIENT].tally);
	}
}

/* Links every address to what its own host told of it. */
static void tell_interfaces(struct members *m, const struct hosts *h)
{
	for (const struct host_disclosure *d = NULL;
	     (d = hosts_disclosure_next(h, d));) {
		struct member *about = find(m, &d->key.about);
		for (uint32_t i = 0; about && i < d->told.n; i++) {
			const struct disclosed_iface *f = &d->told.iface[i];
			struct member *x = find(m, &f->addr);
			if (!x || root_of(m, (size_t)(x - m->list)) !=
			                  root_of(m, (size_t)(about - m->list)))
				continue;
			if (x->a.iface && (x->a.iface->mtu || !f->mtu))
				continue;
			x->a.told = d;
			x->a.iface = f;
		}
	}
}

static uint64_t bytes_of(const struct result_host *h)
{
	return h->sent.ip_bytes + h->received.ip_bytes;
}

static int by_bytes(const void *a, const void *b)
{
	const struct result_host *x = a, *y = b;
	if (bytes_of(x) != bytes_of(y))
		return bytes_of(x) > bytes_of(y) ? -1 : 1;
	return addr_compare(&x->addresses[0].addr, &y->addresses[0].addr);
}

/* One host a root, its addresses in a row. */
static int make_list(struct result_hosts *out, struct members *m,
                     const struct host_map *map)
{
	size_t at = 0;
	out->list = calloc(m->n + 1, sizeof *out->list);
	out->addresses = calloc(m->n + 1, sizeof *out->addresses);
	if (!out->list || !out->addresses)
		return -1;
	for (size_t i = 0; i < m->n; i++) {
		size_t root = root_of(m, i);
		if (root == i)
			m->list[i].host = out->n++;
		out->list[m->list[root].host].n_addresses++;
	}
	for (size_t i = 0; i < m->n; i++) {
		size_t root = root_of(m, i);
		struct result_host *h = &out->list[m->list[root].host];
		if (root == i) {
			const struct host_map_entry *given = m->list[i].given;
			h->name = given ? map->names[given->name] : NULL;
			h->why = m->list[i].why;
			h->addresses = out->addresses + at;
			at += h->n_addresses;
			h->n_addresses = 0;
		}
		h->addresses[h->n_addresses++] = m->list[i].a;
		merge_sum(&h->sent, &m->list[i].a.sent);
		merge_sum(&h->received, &m->list[i].a.received);
	}
	qsort(out->list, out->n, sizeof *out->list, by_bytes);
	for (size_t n = 0; n < out->n; n++)
		for (size_t i = 0; i < out->list[n].n_addresses; i++) {
			struct member *x = find(m, &out->list[n].addresses[i].addr);
			x->host = n;
		}
	return 0;
}

static int by_host(const void *a, const void *b)
{
	const struct host_fact *x = a, *y = b;
	if (x->host != y->host)
		return x->host < y->host ? -1 : 1;
	if (!x->version != !y->version)
		return x->version ? -1 : 1;
	if (!x->disclosure != !y->disclosure)
		return x->disclosure ? -1 : 1;
	return x->frame < y->frame ? -1 : x->frame > y->frame;
}

/* All facts, one host's in a row. */
static int deal_facts(struct result_hosts *out, const struct members *m,
                      const struct hosts *h)
{
	size_t n = 0;
	struct host_fact *list = calloc(m->facts + 1, sizeof *list);
	if (!list)
		return -1;
	out->facts = list;
	for (const struct host_version *v = NULL; (v = hosts_version_next(h, v));)
		list[n++] = (struct host_fact){.host = find(m, &v->key.addr)->host,
		                               .frame = v->frame,
		                               .version = v};
	for (const struct host_disclosure *d = NULL; (d = hosts_disclosure_next(h, d));)
		list[n++] = (struct host_fact){.host = find(m, &d->key.about)->host,
		                               .frame = d->frame,
		                               .disclosure = d};
	for (const struct host_peer *p = NULL; (p = hosts_peer_next(h, p));)
		list[n++] = (struct host_fact){.host = find(m, &p->key.addr)->host,
		                               .frame = p->frame,
		                               .peer = p};
	if (n)
		qsort(list, n, sizeof *list, by_host);
	for (size_t i = 0; i < n; i++) {
		struct result_host *to = &out->list[list[i].host];
		if (to->n_facts++ == 0)
			to->facts = &list[i];
		if (!to->uuid && list[i].disclosure &&
		    list[i].disclosure->told.has_uuid)
			to->uuid = list[i].disclosure->told.uuid;
	}
	return 0;
}

int result_hosts_make(struct result *r, const struct host_map *map, struct err *err)
{
	const struct hosts *h = track_hosts(r->track);
	struct members m = {0};
	struct result_hosts *out = &r->hosts;
	int rc = collect(&m, r);
	if (rc == 0) {
		if (map)
			join_given(&m, map);
		join_answered(&m, r);
		rc = join_disclosed(&m, h);
	}
	if (rc == 0) {
		sum_flows(&m, r);
		tell_interfaces(&m, h);
		rc = make_list(out, &m, map);
	}
	if (rc == 0)
		rc = deal_facts(out, &m, h);
	free(m.list);
	if (rc != 0) {
		result_hosts_free(out);
		return err_set(err, ERR_ENVIRONMENT,
		               "out of memory while making the report");
	}
	return 0;
}

void result_hosts_free(struct result_hosts *h)
{
	free(h->list);
	free(h->addresses);
	free(h->facts);
	*h = (struct result_hosts){0};
}

bool result_host_tells(const struct result_host *h)
{
	return h->n_addresses > 1 || h->name || h->n_facts;
}

const char *host_why_text(unsigned why, char *buf, size_t size)
{
	static const struct {
		unsigned bit;
		const char *text;
	} rows[] = {
	        {HOST_GIVEN, "host map"},
	        {HOST_UUID, "same uuid"},
	        {HOST_ANSWERED, "one connection from both"},
	        {HOST_DISCLOSED, "listed as its own"},
	};
	size_t used = 0;
	if (size)
		buf[0] = 0;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (!(why & rows[i].bit) || used >= size)
			continue;
		int n = snprintf(buf + used, size - used, "%s%s", used ? ", " : "",
		                 rows[i].text);
		used += n > 0 ? (size_t)n : 0;
	}
	return buf;
}
