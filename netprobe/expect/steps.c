/* The arithmetic of a choice, in words and numbers. */
#include "netprobe/expect/choice.h"

#include <stdarg.h>
#include <stdio.h>

struct steps {
	struct expect_step *step;
	size_t n;
};

__attribute__((format(printf, 3, 4))) static void say(struct steps *s,
                                                      const char *label,
                                                      const char *fmt, ...)
{
	if (s->n == EXPECT_STEPS)
		return;
	struct expect_step *step = &s->step[s->n++];
	va_list args;
	va_start(args, fmt);
	step->label = label;
	vsnprintf(step->text, sizeof step->text, fmt, args);
	va_end(args);
}

static void say_match(struct steps *s, const struct expect_choice *x)
{
	char a[ADDR_TEXT];
	const struct expect_iface *f = x->own.iface;
	if (!f) {
		say(s, "interface",
		    "the peer is on no subnet of ours: the size for other subnets, %u",
		    EXPECT_REMOTE);
		return;
	}
	static const char *const how[] = {
	        [EXPECT_MATCH_CLASS] = "the peer is on another subnet, but in the same "
	                               "class A, B or C network, which is enough here",
	        [EXPECT_MATCH_SUBNET] = "the peer is on its subnet",
	        [EXPECT_MATCH_SELF] = "the peer is this address",
	};
	say(s, "interface", "%s/%u, MTU %u: %s", addr_format(&f->addr, a), f->prefix,
	    f->mtu, how[x->match] ? how[x->match] : how[EXPECT_MATCH_SUBNET]);
}

static void say_size(struct steps *s, const struct expect_case *c,
                     const struct expect_choice *x)
{
	const struct expect_config *config = &c->host->config;
	uint32_t frags = expect_frags(config), raw = EXPECT_REMOTE;
	uint32_t cap = config->rxmaxmtu ? config->rxmaxmtu : EXPECT_MAX_SEND;
	char text[120];
	int n = snprintf(text, sizeof text, "%u", EXPECT_REMOTE);
	if (x->own.iface) {
		raw = expect_size_for_mtu(x->own.iface->mtu);
		n = snprintf(text, sizeof text, "%u - %u = %u", x->own.iface->mtu,
		             EXPECT_IP_UDP, raw);
	}
	if (raw > cap) {
		raw = cap;
		n += snprintf(text + n, sizeof text - (size_t)n, ", at most %u (%s)",
		              cap, config->rxmaxmtu ? "-rxmaxmtu" : "six packets");
	}
	bool routed = config->program != EXPECT_KERNEL && c->release != EXPECT_16;
	if (routed && c->route_mtu && expect_size_for_mtu(c->route_mtu) < raw) {
		raw = expect_size_for_mtu(c->route_mtu);
		snprintf(text + n, sizeof text - (size_t)n, ", route: %u - %u = %u",
		         c->route_mtu, EXPECT_IP_UDP, raw);
	}
	if (raw == x->own.size)
		say(s, "size", "%s", text);
	else
		say(s, "size",
		    "%s; whole packets: 1444 + 1416 x floor((%u - 1444) / 1416) = %u",
		    text, raw, x->own.size);
	uint32_t room = frags * (x->own.size + 8) - 8;
	if (room >= expect_jumbogram(2))
		say(s, "packets",
		    "%u x (%u + 8) - 8 = %u; 2 + floor((%u - 2856) / 1416), "
		    "at most %u: %u a jumbogram",
		    frags, x->own.size, room, room > 16384 ? 16384 : room,
		    EXPECT_PACKETS, x->own.packets);
	else
		say(s, "packets", "%u x (%u + 8) - 8 = %u, under 2856: 1 a datagram",
		    frags, x->own.size, room);
	say(s, "receives", "at most %u, over all interfaces; %u fragment%s a datagram",
	    x->own.receive, frags, frags == 1 ? "" : "s");
}

/* kAFS asks the routing table for every peer. */
static void say_route(struct steps *s, const struct expect_case *c,
                      const struct expect_choice *x)
{
	char a[ADDR_TEXT];
	const struct expect_iface *f = x->own.iface;
	if (f)
		say(s, "route", "by %s/%u, MTU %u: %s", addr_format(&f->addr, a),
		    f->prefix, f->mtu,
		    x->match == EXPECT_MATCH_SUBNET ? "the peer is on its subnet"
		                                    : "the only interface");
	else if (c->route_mtu)
		say(s, "route", "MTU %u, as the kernel has it for this peer",
		    c->route_mtu);
	else
		say(s, "route",
		    "not known (several interfaces, the peer on none of "
		    "them): as MTU 1500");
}

static void say_kafs(struct steps *s, const struct expect_choice *x)
{
	say(s, "size", "min(28 + 1412, %u - 20 - 8) = %u", x->own.link_mtu,
	    x->own.size);
	say(s, "packets", "%u a datagram", x->size[EXPECT_CLEAR].packets);
}

size_t expect_steps(const struct expect_case *c, const struct expect_choice *x,
                    struct expect_step step[EXPECT_STEPS])
{
	struct steps s = {.step = step};
	switch (c->host->config.program) {
	case EXPECT_KAFS:
	case EXPECT_KAFS_PROBING:
		say_route(&s, c, x);
		say_kafs(&s, x);
		break;
	case EXPECT_AURISTOR:
		say_route(&s, c, x);
		say(&s, "size",
		    "no published rule; no jumbograms since v2021.05-37, so one "
		    "packet of at most %u",
		    x->own.size);
		break;
	default:
		say_match(&s, x);
		say_size(&s, c, x);
	}
	const struct rx_trailer *t = &x->own.trailer;
	say(&s, "announces", "(%u, %u, %u, %u) = receives, interface, window, packets",
	    t->max_receive, t->interface, t->window, t->packets);
	if (x->grown)
		say(&s, "later", "interface %u, once packets of a jumbogram were acked",
		    x->grown);
	if (c->trailer)
		say(&s, "peer", "(%u, %u, %u, %u)", c->trailer->max_receive,
		    c->trailer->interface, c->trailer->window, c->trailer->packets);
	return s.n;
}
