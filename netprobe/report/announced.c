#include "netprobe/report/announced.h"

#include "src/base/table.h"

#include <stdlib.h>

struct announced_key {
	struct addr end;
	struct addr peer; /* zero: to any */
	uint32_t iface;
	uint32_t port;
};

/* The trailer of the flow with most acks of one. */
struct announcement {
	struct announced_key key;
	struct rx_trailer trailer;
	uint64_t acks;
};

struct announced {
	struct table *ends;
};

static uint64_t acks_of(const struct flow_side *s, const struct rx_trailer *t)
{
	for (unsigned i = 0; i < s->trailers; i++)
		if (&s->trailer[i].trailer == t)
			return s->trailer[i].acks;
	return 0;
}

static int note(struct announced *a, const struct announced_key *k,
                const struct rx_trailer *t, uint64_t acks)
{
	bool made;
	struct announcement *n = table_get(a->ends, k, &made);
	if (!n)
		return -1;
	if (acks > n->acks) {
		n->acks = acks;
		n->trailer = *t;
	}
	return 0;
}

static int gather(struct announced *a, const struct flow *f)
{
	for (int w = 0; w < WAYS; w++) {
		const struct flow_side *s = &f->side[w];
		const struct rx_trailer *t = flow_trailer(s);
		if (!t)
			continue;
		struct announced_key k = {
		        .end = w == TO_SERVER ? f->key.client : f->key.server,
		        .peer = w == TO_SERVER ? f->key.server : f->key.client,
		        .iface = f->key.iface,
		        .port = w == TO_SERVER ? f->key.client_port
		                               : f->key.server_port};
		uint64_t acks = acks_of(s, t);
		if (note(a, &k, t, acks) != 0)
			return -1;
		k.peer = (struct addr){{0}};
		if (note(a, &k, t, acks) != 0)
			return -1;
	}
	return 0;
}

struct announced *announced_new(const struct track *t)
{
	struct announced *a = calloc(1, sizeof *a);
	if (!a)
		return NULL;
	a->ends = table_new(sizeof(struct announced_key), sizeof(struct announcement),
	                    4 * track_flow_count(t) + 1, NULL, NULL);
	for (const struct flow *f = NULL; a->ends && (f = track_flow_next(t, f));) {
		if (gather(a, f) == 0)
			continue;
		table_free(a->ends);
		a->ends = NULL;
	}
	if (!a->ends) {
		free(a);
		return NULL;
	}
	return a;
}

void announced_free(struct announced *a)
{
	if (!a)
		return;
	table_free(a->ends);
	free(a);
}

const struct rx_trailer *announced_find(const struct announced *a,
                                        const struct addr *end, uint16_t port,
                                        uint32_t iface, const struct addr *peer,
                                        bool *same_peer)
{
	struct announced_key k = {
	        .end = *end, .peer = *peer, .iface = iface, .port = port};
	const struct announcement *n = table_find(a->ends, &k);
	*same_peer = n != NULL;
	if (!n) {
		k.peer = (struct addr){{0}};
		n = table_find(a->ends, &k);
	}
	return n ? &n->trailer : NULL;
}
