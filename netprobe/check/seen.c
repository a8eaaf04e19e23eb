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

const struct seen *seen_of(const struct seen_list *s, const struct addr *peer)
{
	for (size_t i = 0; s && i < s->n; i++)
		if (addr_compare(&s->list[i].peer, peer) == 0)
			return &s->list[i];
	return NULL;
}

static struct seen *get(struct seen_list *s, const struct addr *peer)
{
	struct seen *old = (struct seen *)(uintptr_t)seen_of(s, peer);
	if (old)
		return old;
	struct seen *list = realloc(s->list, (s->n + 1) * sizeof *list);
	if (!list)
		return NULL;
	s->list = list;
	list[s->n] = (struct seen){.peer = *peer};
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

/* out: the way our packets go. */
static void take_flow(struct seen *s, const struct result_flow *f, enum way out)
{
	const struct result_way *w = &f->way[out];
	uint64_t n = w->tally.data_datagrams.total;
	s->we_serve |= out == TO_CLIENT && n > s->datagrams;
	s->datagrams += n;
	if (n && w->tally.data_datagrams.max > s->largest)
		s->largest = w->tally.data_datagrams.max;
	if (w->dominant > s->dominant)
		s->dominant = w->dominant;
	s->security |= f->flow->side[out].security_seen;
	take_trailer(&f->flow->side[out], &s->has_own, &s->own);
	take_trailer(&f->flow->side[!out], &s->has_peer, &s->theirs);
}

static int take_result(struct seen_list *s, const struct result *r,
                       const struct host_iface *ifaces, size_t n, struct peers *peers,
                       struct err *err)
{
	for (size_t i = 0; i < r->n_flows; i++) {
		const struct flow_key *k = &r->flows[i].flow->key;
		bool client = seen_is_local(ifaces, n, &k->client);
		if (!client && !seen_is_local(ifaces, n, &k->server))
			continue;
		const struct addr *peer = client ? &k->server : &k->client;
		uint16_t port = client ? k->server_port : k->client_port;
		struct seen *x = get(s, peer);
		if (!x)
			return err_set(err, ERR_ENVIRONMENT, "out of memory");
		take_flow(x, &r->flows[i], client ? TO_SERVER : TO_CLIENT);
		/* other ports are those of commands that have ended */
		bool lasting = afs_port(port) || r->flows[i].flow->service == AFS_FS;
		if (peers && lasting &&
		    peers_add_address(peers, "", peer, port, err) != 0)
			return -1;
	}
	if (s->n == 0)
		return err_set(
		        err, ERR_USAGE,
		        "no AFS traffic in the capture is from or to an address of "
		        "this host; check a capture where it was taken");
	return 0;
}

int seen_read(struct seen_list *s, const char *path, const struct host_iface *ifaces,
              size_t n, struct peers *peers, struct err *err)
{
	struct analysis a;
	struct analysis_options o = {.paths = &path, .n_paths = 1};
	*s = (struct seen_list){0};
	if (analysis_run(&a, &o, err) != 0)
		return -1;
	s->frames = a.result.frames;
	s->partial = analysis_exit_code(&a) == ERR_PARTIAL;
	int rc = take_result(s, &a.result, ifaces, n, peers, err);
	analysis_free(&a);
	if (rc != 0)
		seen_free(s);
	return rc;
}

void seen_free(struct seen_list *s)
{
	free(s->list);
	*s = (struct seen_list){0};
}
