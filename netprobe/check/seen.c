#include "netprobe/check/seen.h"

#include "netprobe/analysis.h"

#include <stdio.h>
#include <stdlib.h>

bool iface_next_address(const char **at, struct addr *a, unsigned *bits)
{
	while (**at) {
		char text[80];
		size_t n = strcspn(*at, ",");
		snprintf(text, sizeof text, "%.*s", (int)n, *at);
		*at += n + ((*at)[n] == ',');
		char *slash = strchr(text, '/');
		if (slash)
			*slash++ = '\0';
		if (addr_parse(text, a)) {
			*bits = slash ? (unsigned)strtoul(slash, NULL, 10) : 32;
			return true;
		}
	}
	return false;
}

bool seen_is_local(const struct host_iface *ifaces, size_t n, const struct addr *a)
{
	for (size_t i = 0; i < n; i++) {
		const char *at = ifaces[i].addresses;
		struct addr own;
		unsigned bits;
		while (iface_next_address(&at, &own, &bits))
			if (addr_compare(&own, a) == 0)
				return true;
	}
	return false;
}

const struct seen *seen_of(const struct seen_list *s, const struct addr *peer,
                           const char *iface)
{
	for (size_t i = 0; s && i < s->n; i++)
		if (addr_compare(&s->list[i].peer, peer) == 0 &&
		    (!s->list[i].iface[0] || strcmp(s->list[i].iface, iface) == 0))
			return &s->list[i];
	return NULL;
}

const struct seen *seen_anywhere(const struct seen_list *s, const struct addr *peer)
{
	const struct seen *best = NULL;
	for (size_t i = 0; s && i < s->n; i++)
		if (addr_compare(&s->list[i].peer, peer) == 0 &&
		    (!best || (s->list[i].has_peer && !best->has_peer)))
			best = &s->list[i];
	return best;
}

bool seen_gone(const struct seen_list *s, const char *iface)
{
	size_t n = strlen(iface);
	for (const char *at = s ? s->gone : ""; n && *at;
	     at += strcspn(at, ","), at += *at == ',')
		if (strcspn(at, ",") == n && strncmp(at, iface, n) == 0)
			return true;
	return false;
}

static struct seen *get(struct seen_list *s, const struct addr *peer, const char *iface)
{
	for (size_t i = 0; i < s->n; i++)
		if (addr_compare(&s->list[i].peer, peer) == 0 &&
		    strcmp(s->list[i].iface, iface) == 0)
			return &s->list[i];
	struct seen *list = realloc(s->list, (s->n + 1) * sizeof *list);
	if (!list)
		return NULL;
	s->list = list;
	list[s->n] = (struct seen){.peer = *peer};
	snprintf(list[s->n].iface, sizeof list[s->n].iface, "%.15s", iface);
	return &list[s->n++];
}

/* The wider of what was announced before and now. */
static void take_trailer(const struct flow_side *side, bool *has, struct rx_trailer *t)
{
	const struct rx_trailer *told = flow_trailer(side);
	if (!told || !rx_trailer_plausible(told))
		return;
	if (!*has || told->max_receive > t->max_receive)
		*t = *told;
	*has = true;
}

static void take_way(struct seen_way *s, const struct result_way *w)
{
	s->datagrams += w->tally.data_datagrams.total;
	if (w->tally.data_datagrams.max > s->largest)
		s->largest = w->tally.data_datagrams.max;
	if (w->dominant && w->tally.data_bytes >= s->dominant_bytes) {
		s->dominant = w->dominant;
		s->dominant_bytes = w->tally.data_bytes;
	}
}

/* out: the way our packets go. */
static void take_flow(struct seen *s, const struct result_flow *f, enum way out)
{
	take_way(&s->way[SEEN_SENT], &f->way[out]);
	take_way(&s->way[SEEN_RECEIVED], &f->way[!out]);
	*(out == TO_CLIENT ? &s->served : &s->asked) +=
	        f->way[out].tally.data_datagrams.total;
	s->security |= f->flow->side[out].security_seen;
	take_trailer(&f->flow->side[out], &s->has_own, &s->own);
	take_trailer(&f->flow->side[!out], &s->has_peer, &s->theirs);
}

/* A name that the source made up (FILE#N) is none of this host's. */
static const char *iface_name(const struct result_flow *f,
                              const struct host_iface *ifaces, size_t n)
{
	const char *name = f->iface->source->name;
	return host_iface_find(ifaces, n, name) ? name : "";
}

int seen_take(struct seen_list *s, const struct result *r,
              const struct host_iface *ifaces, size_t n, struct err *err)
{
	s->frames = r->frames;
	for (size_t i = 0; i < r->n_ifaces; i++)
		s->dropped += r->ifaces[i].source->dropped;
	for (size_t i = 0; i < r->n_flows; i++) {
		const struct flow_key *k = &r->flows[i].flow->key;
		bool client = seen_is_local(ifaces, n, &k->client);
		if (!client && !seen_is_local(ifaces, n, &k->server))
			continue;
		const struct addr *peer = client ? &k->server : &k->client;
		uint16_t port = client ? k->server_port : k->client_port;
		struct seen *x = get(s, peer, iface_name(&r->flows[i], ifaces, n));
		if (!x)
			return err_set(err, ERR_ENVIRONMENT, "out of memory");
		take_flow(x, &r->flows[i], client ? TO_SERVER : TO_CLIENT);
		/* other ports are those of commands that have ended */
		bool lasting = afs_port(port) || r->flows[i].flow->service == AFS_FS;
		if (lasting && peers_add_address(&s->peers, "", peer, port, err) != 0)
			return -1;
	}
	return 0;
}

int seen_read(struct seen_list *s, const char *path, const struct host_iface *ifaces,
              size_t n, struct err *err)
{
	struct analysis a;
	struct analysis_options o = {.paths = &path, .n_paths = 1};
	if (analysis_run(&a, &o, err) != 0)
		return -1;
	s->partial |= analysis_exit_code(&a) == ERR_PARTIAL;
	int rc = seen_take(s, &a.result, ifaces, n, err);
	analysis_free(&a);
	return rc;
}

void seen_free(struct seen_list *s)
{
	free(s->list);
	peers_free(&s->peers);
	*s = (struct seen_list){0};
}
