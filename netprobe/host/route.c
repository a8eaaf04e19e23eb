#include "netprobe/host/route.h"

#include "netprobe/host/host_internal.h"

#include <errno.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CLOCK_TICKS_MS 10 /* rta_expires counts USER_HZ, 100 a second everywhere */

struct answer {
	struct host_route *route;
	int error; /* errno of the kernel's refusal */
	bool came; /* the route did */
	bool done; /* and the ack, or a refusal */
};

static enum host_route_kind kind_of(unsigned type)
{
	switch (type) {
	case RTN_UNICAST:
		return HOST_ROUTE_UNICAST;
	case RTN_LOCAL:
		return HOST_ROUTE_LOCAL;
	case RTN_UNREACHABLE:
		return HOST_ROUTE_UNREACHABLE;
	case RTN_BLACKHOLE:
		return HOST_ROUTE_BLACKHOLE;
	case RTN_PROHIBIT:
		return HOST_ROUTE_PROHIBIT;
	default:
		return HOST_ROUTE_OTHER;
	}
}

static bool take_addr(const struct nlattr *a, struct addr *to)
{
	if (!a)
		return false;
	if (nla_len(a) == 4)
		*to = addr_from_v4(nla_data(a));
	else if (nla_len(a) == 16)
		*to = addr_from_v6(nla_data(a));
	else
		return false;
	return true;
}

static uint32_t take_u32(struct nlattr *a)
{
	return a && nla_len(a) >= 4 ? nla_get_u32(a) : 0;
}

static void take_metrics(struct nlattr *metrics, struct nlattr *cache,
                         struct host_route *r)
{
	struct nlattr *m[RTAX_MAX + 1] = {0};
	struct rta_cacheinfo info = {0};
	if (!metrics || nla_parse_nested(m, RTAX_MAX, metrics, NULL) < 0)
		return;
	if (cache)
		nla_memcpy(&info, cache, sizeof info);
	uint32_t mtu = take_u32(m[RTAX_MTU]);
	r->mtu_locked = take_u32(m[RTAX_LOCK]) & 1u << RTAX_MTU;
	if (info.rta_expires > 0) {
		r->path_mtu = mtu;
		r->path_mtu_ms = (uint32_t)info.rta_expires * CLOCK_TICKS_MS;
	} else {
		r->mtu = mtu;
	}
}

static int take_route(struct nl_msg *msg, void *arg)
{
	struct answer *a = arg;
	struct host_route *r = a->route;
	struct nlattr *tb[RTA_MAX + 1] = {0};
	struct nlmsghdr *h = nlmsg_hdr(msg);
	if (h->nlmsg_type != RTM_NEWROUTE ||
	    nlmsg_parse(h, sizeof(struct rtmsg), tb, RTA_MAX, NULL) < 0)
		return NL_SKIP;
	const struct rtmsg *rtm = nlmsg_data(h);
	a->came = true;
	r->kind = kind_of(rtm->rtm_type);
	r->iface = (int)take_u32(tb[RTA_OIF]);
	r->table = tb[RTA_TABLE] ? take_u32(tb[RTA_TABLE]) : rtm->rtm_table;
	r->has_source = take_addr(tb[RTA_PREFSRC], &r->source);
	r->has_gateway = take_addr(tb[RTA_GATEWAY], &r->gateway);
	take_metrics(tb[RTA_METRICS], tb[RTA_CACHEINFO], r);
	return NL_OK;
}

static int take_error(struct sockaddr_nl *who, struct nlmsgerr *e, void *arg)
{
	(void)who;
	struct answer *a = arg;
	a->error = -e->error;
	a->done = true;
	return NL_STOP;
}

static int take_ack(struct nl_msg *msg, void *arg)
{
	(void)msg;
	struct answer *a = arg;
	a->done = true;
	return NL_STOP;
}

static int put_addr(struct nl_msg *msg, int attribute, const struct addr *a)
{
	bool v4 = addr_is_v4(a);
	return nla_put(msg, attribute, v4 ? 4 : 16, v4 ? a->b + 12 : a->b);
}

static struct nl_msg *question(const struct addr *dst, const struct addr *src, int oif,
                               unsigned flags)
{
	bool v4 = addr_is_v4(dst);
	struct rtmsg rtm = {.rtm_family = v4 ? AF_INET : AF_INET6,
	                    .rtm_dst_len = v4 ? 32 : 128,
	                    .rtm_flags = RTM_F_LOOKUP_TABLE | flags};
	struct nl_msg *msg = nlmsg_alloc_simple(RTM_GETROUTE, 0);
	if (src)
		rtm.rtm_src_len = rtm.rtm_dst_len;
	if (!msg || nlmsg_append(msg, &rtm, sizeof rtm, NLMSG_ALIGNTO) < 0 ||
	    put_addr(msg, RTA_DST, dst) < 0 ||
	    (src && put_addr(msg, RTA_SRC, src) < 0) ||
	    (oif && nla_put_u32(msg, RTA_OIF, (uint32_t)oif) < 0)) {
		nlmsg_free(msg);
		return NULL;
	}
	return msg;
}

/* The kernel answers with the route and an ack, or with an error. */
static int ask(struct nl_sock *sock, struct nl_msg *msg, struct answer *a)
{
	struct nl_cb *cb = nl_cb_alloc(NL_CB_DEFAULT);
	int rc = -NLE_NOMEM;
	if (msg && cb) {
		nl_cb_set(cb, NL_CB_VALID, NL_CB_CUSTOM, take_route, a);
		nl_cb_set(cb, NL_CB_ACK, NL_CB_CUSTOM, take_ack, a);
		nl_cb_err(cb, NL_CB_CUSTOM, take_error, a);
		rc = nl_send_auto(sock, msg);
		while (rc >= 0 && !a->done)
			rc = nl_recvmsgs(sock, cb);
	}
	nl_cb_put(cb);
	nlmsg_free(msg);
	return a->done ? 0 : rc;
}

static bool refused(int error, enum host_route_kind *kind)
{
	switch (error) {
	case ENETUNREACH:
	case EADDRNOTAVAIL: /* IPv6 switched off */
	case ENODEV:        /* the interface asked for is gone */
		*kind = HOST_ROUTE_NONE;
		return true;
	case EHOSTUNREACH:
		*kind = HOST_ROUTE_UNREACHABLE;
		return true;
	case EACCES:
		*kind = HOST_ROUTE_PROHIBIT;
		return true;
	case EINVAL: /* what the kernel says of a blackhole route */
		*kind = HOST_ROUTE_BLACKHOLE;
		return true;
	default:
		return false;
	}
}

int host_route_get(struct host *h, const struct addr *dst, const struct addr *src,
                   int oif, struct host_route *r, struct err *err)
{
	struct answer a = {.route = r};
	char text[ADDR_TEXT];
	*r = (struct host_route){.kind = HOST_ROUTE_NONE};
	int rc = ask(h->sock, question(dst, src, oif, 0), &a);
	if (rc < 0 || (!a.came && !refused(a.error, &r->kind)))
		return err_set(err, ERR_ENVIRONMENT,
		               "cannot ask the kernel for the route to %s: %s",
		               addr_format(dst, text),
		               a.error ? strerror(a.error) : nl_geterror(rc));
	if (!a.came || r->path_mtu == 0)
		return 0;
	/* A remembered path MTU hides the route's own: that is asked for apart. */
	struct host_route own = {0};
	struct answer b = {.route = &own};
	if (ask(h->sock, question(dst, src, oif, RTM_F_FIB_MATCH), &b) == 0 || b.came)
		r->mtu = own.mtu;
	return 0;
}

const char *host_route_kind_text(enum host_route_kind kind)
{
	static const char *const text[] = {
	        [HOST_ROUTE_UNICAST] = "routed",
	        [HOST_ROUTE_LOCAL] = "this host",
	        [HOST_ROUTE_NONE] = "no route",
	        [HOST_ROUTE_UNREACHABLE] = "unreachable route",
	        [HOST_ROUTE_BLACKHOLE] = "blackhole route",
	        [HOST_ROUTE_PROHIBIT] = "prohibit route",
	        [HOST_ROUTE_OTHER] = "broadcast or multicast",
	};
	return text[kind];
}
