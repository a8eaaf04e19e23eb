#include "netprobe/track/icmp_error.h"

#include <assert.h>

#define ICMP_ERRORS_MAX 4096u

static_assert(sizeof(struct icmp_error_key) == 60, "keys are compared byte by byte");

struct table *icmp_errors_new(void)
{
	return table_new(sizeof(struct icmp_error_key), sizeof(struct icmp_error),
	                 ICMP_ERRORS_MAX, NULL, NULL);
}

static void note_mtu(struct icmp_error *e, uint32_t mtu)
{
	if (mtu == 0) {
		e->without_mtu++;
		return;
	}
	if (!e->mtu_min || mtu < e->mtu_min)
		e->mtu_min = mtu;
	if (mtu > e->mtu_max)
		e->mtu_max = mtu;
}

bool icmp_errors_add(struct table *errors, const struct packet *p, const struct icmp *m,
                     const struct frame *f)
{
	struct icmp_error_key k = {.from = p->src,
	                           .iface = f->iface,
	                           .family = p->family,
	                           .type = m->type,
	                           .code = m->code};
	if (m->quotes) {
		k.src = m->src;
		k.dst = m->dst;
		k.proto = m->proto;
	}
	if (m->has_ports) {
		k.sport = m->sport;
		k.dport = m->dport;
	}
	bool made;
	struct icmp_error *e = table_get(errors, &k, &made);
	if (!e)
		return false;
	if (made) {
		e->first_frame = f->number;
		e->first_ns = f->time_ns;
		e->quotes = m->quotes;
		e->has_ports = m->has_ports;
		e->too_big = m->too_big;
	}
	e->count++;
	e->last_ns = f->time_ns;
	if (m->too_big)
		note_mtu(e, m->mtu);
	if (m->ip_len > e->quoted_max)
		e->quoted_max = m->ip_len;
	return true;
}
