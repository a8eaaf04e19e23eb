#include "netprobe/report/chosen.h"

#include "netprobe/expect/explain.h"

#include <stdio.h>
#include <string.h>

/* True if the interface has this address, by "ADDR/BITS[,ADDR/BITS…]". */
static bool has_address(const struct source_iface *i, const struct addr *a)
{
	char text[ADDR_TEXT];
	addr_format(a, text);
	size_t n = strlen(text);
	for (const char *p = i->addresses; (p = strstr(p, text)) != NULL; p += n) {
		bool begins = p == i->addresses || p[-1] == ',';
		if (begins && (p[n] == '/' || p[n] == ',' || p[n] == 0))
			return true;
	}
	return false;
}

/* The link MTU of an end of the flow, where the capture was taken on that host, or
 * where the host told it. */
static uint32_t mtu_of(const struct result_flow *f, const struct track *t,
                       const struct addr *a)
{
	if (f->iface->mtu && has_address(f->iface->source, a))
		return f->iface->mtu;
	return hosts_mtu(track_hosts(t), a);
}

static uint8_t highest_bit(uint8_t bits)
{
	uint8_t i = 0;
	while (bits >>= 1)
		i++;
	return i;
}

/* What this end announced: on this flow, on its other half, else on any flow;
 * *elsewhere if that was to another peer. */
static const struct rx_trailer *announced(const struct flow *f, const struct track *t,
                                          const struct announced *all, enum way way,
                                          bool *elsewhere)
{
	const struct rx_trailer *own = flow_trailer(&f->side[way]);
	const struct flow *other =
	        !own && f->split ? track_flow_find(t, &f->other_half) : NULL;
	*elsewhere = false;
	if (!own && other)
		own = flow_trailer(&other->side[way]);
	if (own || f->side[way].acks_without_trailer)
		return own;
	const struct flow_key *k = &f->key;
	bool client = way == TO_SERVER, same_peer;
	own = announced_find(all, client ? &k->client : &k->server,
	                     client ? k->client_port : k->server_port, k->iface,
	                     client ? &k->server : &k->client, &same_peer);
	*elsewhere = own && !same_peer;
	return own;
}

/* A limit told to another peer that this one's datagrams do not keep to: a single
 * packet beyond 1440 bytes is of a sender that joins none here. */
static bool contradicted(const struct rx_trailer *t, const struct tally *y)
{
	return t && t->words >= 4 && t->packets > 1 && !y->jumbograms.total &&
	       y->data_datagrams.max > RX_HEADER + RX_JUMBO_DATA;
}

void chosen_explain(const struct result_flow *f, const struct track *t,
                    const struct announced *a, enum way way, char *out, size_t size)
{
	const struct tally *y = &f->way[way].tally;
	out[0] = 0;
	if (!y->data_datagrams.total)
		return;
	enum way back = way == TO_SERVER ? TO_CLIENT : TO_SERVER;
	const struct addr *end[WAYS] = {
	        [TO_SERVER] = &f->flow->key.client, [TO_CLIENT] = &f->flow->key.server};
	struct explain_input in = {
	        .from_server = way == TO_CLIENT,
	        .sender_mtu = mtu_of(f, t, end[way]),
	        .receiver_mtu = mtu_of(f, t, end[back]),
	        .largest = y->data_datagrams.max,
	        .dominant = f->way[way].dominant,
	        .packets = y->jumbograms.total ? y->jumbograms.max : 1,
	        .datagrams = y->data_datagrams.total,
	        .pieces = y->train_pieces.total ? y->train_pieces.max : 1,
	        .piece_len = y->fragments ? y->ip_lengths.max : 0,
	        .security = highest_bit(f->flow->side[way].security_seen),
	        .level = f->level,
	};
	in.sender = announced(f->flow, t, a, way, &in.sender_elsewhere);
	in.receiver = announced(f->flow, t, a, back, &in.receiver_elsewhere);
	if (in.sender_elsewhere && contradicted(in.sender, y)) {
		in.sender = NULL;
		in.sender_elsewhere = false;
	}
	struct explanation x;
	expect_explain(&in, &x);
	explain_text(&in, &x, out, size);
}
