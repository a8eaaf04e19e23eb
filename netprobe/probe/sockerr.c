#include "netprobe/probe/sockerr.h"

#include <errno.h>
#include <linux/errqueue.h>
#include <netinet/in.h>

/* RFC 792 and 4443. */
enum {
	UNREACH4 = 3,
	UNREACH4_PORT = 3,
	UNREACH4_FRAG = 4,
	UNREACH6 = 1,
	UNREACH6_PORT = 4,
	TOO_BIG6 = 2,
};

bool sockerr_addr(const struct sockaddr_storage *from, struct addr *a)
{
	if (from->ss_family == AF_INET) {
		*a = addr_from_v4(
		        (const uint8_t *)&((const struct sockaddr_in *)from)->sin_addr);
		return true;
	}
	if (from->ss_family == AF_INET6) {
		*a = addr_from_v6((const uint8_t *)&((const struct sockaddr_in6 *)from)
		                          ->sin6_addr);
		return true;
	}
	return false;
}

static enum probe_event_kind icmp_kind(const struct sock_extended_err *x)
{
	bool v6 = x->ee_origin == SO_EE_ORIGIN_ICMP6;
	if (v6 ? x->ee_type == TOO_BIG6
	       : x->ee_type == UNREACH4 && x->ee_code == UNREACH4_FRAG)
		return PROBE_TOO_BIG;
	if (x->ee_type != (v6 ? UNREACH6 : UNREACH4))
		return PROBE_NOTHING;
	return x->ee_code == (v6 ? UNREACH6_PORT : UNREACH4_PORT) ? PROBE_REFUSED
	                                                          : PROBE_UNREACHABLE;
}

static void take(const struct sock_extended_err *x, struct probe_event *e)
{
	e->sys = (int)x->ee_errno;
	if (x->ee_origin == SO_EE_ORIGIN_LOCAL) {
		e->local = true;
		e->kind = x->ee_errno == EMSGSIZE ? PROBE_TOO_BIG : PROBE_NOTHING;
	} else {
		e->kind = icmp_kind(x);
	}
	if (e->kind == PROBE_TOO_BIG)
		e->mtu = x->ee_info;
}

bool sockerr_read(int fd, struct probe_event *e)
{
	uint8_t quoted[64]; /* what the error was about: the sizes are known anyhow */
	union {
		struct cmsghdr align;
		uint8_t bytes[512];
	} control;
	struct iovec v = {.iov_base = quoted, .iov_len = sizeof quoted};
	struct msghdr m = {.msg_iov = &v,
	                   .msg_iovlen = 1,
	                   .msg_control = control.bytes,
	                   .msg_controllen = sizeof control.bytes};
	*e = (struct probe_event){0};
	if (recvmsg(fd, &m, MSG_ERRQUEUE | MSG_DONTWAIT) < 0)
		return false;
	for (struct cmsghdr *c = CMSG_FIRSTHDR(&m); c; c = CMSG_NXTHDR(&m, c)) {
		bool ours =
		        (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_RECVERR) ||
		        (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_RECVERR);
		struct sock_extended_err x;
		if (!ours || c->cmsg_len < CMSG_LEN(sizeof x))
			continue;
		memcpy(&x, CMSG_DATA(c), sizeof x);
		take(&x, e);
		/* behind it, where somebody else found the error, his address */
		struct sockaddr_storage who = {0};
		size_t n = c->cmsg_len - CMSG_LEN(sizeof x);
		memcpy(&who, CMSG_DATA(c) + sizeof x, n < sizeof who ? n : sizeof who);
		if (!e->local)
			e->has_from = sockerr_addr(&who, &e->from);
	}
	return true;
}
