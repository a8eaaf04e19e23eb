#include "netprobe/probe/socket.h"

#include "netprobe/probe/packet.h"
#include "netprobe/probe/sockerr.h"
#include "src/base/clock.h"
#include "src/base/rng.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <netinet/icmp6.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#define DATAGRAM_MAX 65535u
#define EVENTS 32u

struct probe_socket {
	struct probe_target t;
	int fd;
	bool v6, raw; /* raw: an ICMP socket that wants privilege */
	uint16_t mark;
	unsigned ifindex;
	struct sockaddr_storage to;
	socklen_t to_len;
	struct probe_event event[EVENTS]; /* read from the error queue, not yet told */
	unsigned events;
	char version[66];
	bool has_other;
	struct addr other;
	uint8_t packet[DATAGRAM_MAX + 1];
};

static const char *const names[] = {
        [PROBE_RX] = "rx", [PROBE_UDP] = "udp", [PROBE_ICMP] = "icmp"};

const char *probe_method_name(enum probe_method m)
{
	return names[m];
}

int probe_method_find(const char *name)
{
	for (int i = 0; i < 3; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	return -1;
}

static uint32_t ip_header(bool v6)
{
	return v6 ? 40 : 20;
}

uint32_t probe_smallest(const struct probe_target *t)
{
	return ip_header(!addr_is_v4(&t->peer)) + probe_packet_header(t->method);
}

static socklen_t to_sockaddr(const struct addr *a, uint16_t port,
                             struct sockaddr_storage *to)
{
	memset(to, 0, sizeof *to);
	if (addr_is_v4(a)) {
		struct sockaddr_in *v4 = (struct sockaddr_in *)to;
		v4->sin_family = AF_INET;
		v4->sin_port = htons(port);
		memcpy(&v4->sin_addr, a->b + 12, 4);
		return sizeof *v4;
	}
	struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)to;
	v6->sin6_family = AF_INET6;
	v6->sin6_port = htons(port);
	memcpy(&v6->sin6_addr, a->b, 16);
	return sizeof *v6;
}

/* The kernel's ping socket first, which any user may have where the system allows. */
static int open_icmp(struct probe_socket *s)
{
	int family = s->v6 ? AF_INET6 : AF_INET;
	int protocol = s->v6 ? (int)IPPROTO_ICMPV6 : (int)IPPROTO_ICMP;
	int fd = socket(family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol);
	if (fd >= 0)
		return fd;
	s->raw = true;
	return socket(family, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol);
}

static int set_options(const struct probe_socket *s)
{
	const int on = 1, probe4 = IP_PMTUDISC_PROBE, probe6 = IPV6_PMTUDISC_PROBE;
	if (s->v6)
		return setsockopt(s->fd, IPPROTO_IPV6, IPV6_MTU_DISCOVER, &probe6,
		                  sizeof probe6) |
		       setsockopt(s->fd, IPPROTO_IPV6, IPV6_RECVERR, &on, sizeof on);
	return setsockopt(s->fd, IPPROTO_IP, IP_MTU_DISCOVER, &probe4, sizeof probe4) |
	       setsockopt(s->fd, IPPROTO_IP, IP_RECVERR, &on, sizeof on);
}

static int bind_source(struct probe_socket *s, struct err *err)
{
	char a[ADDR_TEXT];
	struct sockaddr_storage from;
	const struct probe_target *t = &s->t;
	if (t->iface[0]) {
		s->ifindex = if_nametoindex(t->iface);
		if (s->ifindex == 0 ||
		    (t->only_iface &&
		     setsockopt(s->fd, SOL_SOCKET, SO_BINDTODEVICE, t->iface,
		                (socklen_t)strlen(t->iface)) < 0))
			return err_sys(err, errno, "cannot send by the interface %s",
			               t->iface);
	}
	if (!t->has_source)
		return 0;
	socklen_t n = to_sockaddr(&t->source, 0, &from);
	if (bind(s->fd, (struct sockaddr *)&from, n) < 0)
		return err_sys(err, errno, "cannot send from the address %s",
		               addr_format(&t->source, a));
	return 0;
}

struct probe_socket *probe_socket_open(const struct probe_target *t, struct err *err)
{
	struct probe_socket *s = calloc(1, sizeof *s);
	if (!s) {
		err_set(err, ERR_ENVIRONMENT, "out of memory");
		return NULL;
	}
	s->t = *t;
	s->v6 = !addr_is_v4(&t->peer);
	s->mark = (uint16_t)rng_mix((uint64_t)clock_real_ns() ^ (uint64_t)getpid());
	s->to_len =
	        to_sockaddr(&t->peer, t->method == PROBE_ICMP ? 0 : t->port, &s->to);
	s->fd = t->method == PROBE_ICMP
	                ? open_icmp(s)
	                : socket(s->v6 ? AF_INET6 : AF_INET,
	                         SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (s->fd < 0)
		err_sys(err, errno,
		        t->method == PROBE_ICMP
		                ? "cannot send ICMP echo (it needs root, or the sysctl "
		                  "net.ipv4.ping_group_range)"
		                : "cannot open a socket");
	else if (set_options(s) != 0)
		err_sys(err, errno, "cannot forbid fragments on a socket");
	else if (bind_source(s, err) == 0)
		return s;
	probe_socket_close(s);
	return NULL;
}

void probe_socket_close(struct probe_socket *s)
{
	if (!s)
		return;
	if (s->fd >= 0)
		close(s->fd);
	free(s);
}

const char *probe_socket_version(const struct probe_socket *s)
{
	return s->version;
}

bool probe_socket_other(const struct probe_socket *s, struct addr *from)
{
	if (s->has_other)
		*from = s->other;
	return s->has_other;
}

static bool stopped(const struct probe_socket *s)
{
	return s->t.stop && *s->t.stop;
}

/* The interface is not there any more, or was switched off. */
static bool gone(const struct probe_socket *s)
{
	if (!s->t.iface[0])
		return false;
	struct ifreq r = {0};
	snprintf(r.ifr_name, sizeof r.ifr_name, "%s", s->t.iface);
	if (if_nametoindex(s->t.iface) != s->ifindex)
		return true;
	return ioctl(s->fd, SIOCGIFFLAGS, &r) == 0 && !(r.ifr_flags & IFF_UP);
}

static void drain_errors(struct probe_socket *s)
{
	struct probe_event e;
	while (sockerr_read(s->fd, &e))
		if (e.kind != PROBE_NOTHING && s->events < EVENTS)
			s->event[s->events++] = e;
	int pending;
	socklen_t n = sizeof pending;
	getsockopt(s->fd, SOL_SOCKET, SO_ERROR, &pending, &n);
}

static struct probe_event next_event(struct probe_socket *s)
{
	struct probe_event e = {0};
	if (s->events == 0)
		return e;
	e = s->event[0];
	memmove(s->event, s->event + 1, --s->events * sizeof *s->event);
	return e;
}

/* What a failed send means, when the error queue does not tell. */
static struct probe_event send_failed(const struct probe_socket *s, int why)
{
	struct probe_event e = {.sys = why, .local = true};
	switch (why) {
	case EMSGSIZE:
		e.kind = PROBE_TOO_BIG;
		break;
	case ENETUNREACH:
	case EHOSTUNREACH:
		e.kind = gone(s) ? PROBE_GONE : PROBE_UNREACHABLE;
		break;
	case EPERM:
	case EACCES:
		e.kind = PROBE_FORBIDDEN;
		break;
	case ENOBUFS: /* as good as lost on the way */
	case EAGAIN:
		break;
	default: /* ENODEV, ENETDOWN; EINVAL: the source address is gone */
		e.kind = PROBE_GONE;
	}
	return e;
}

static struct probe_event net_send(void *ctx, uint32_t id, uint32_t ip_len)
{
	struct probe_socket *s = ctx;
	uint32_t outer = ip_header(s->v6) + (s->t.method == PROBE_ICMP ? 0 : 8);
	size_t len = ip_len - outer;
	if (gone(s)) /* the routes may know another way */
		return (struct probe_event){.kind = PROBE_GONE, .local = true};
	memset(s->packet, 0, len);
	probe_packet_fill(s->t.method, s->v6, s->packet, len, s->mark, id);
	for (unsigned i = 0; i < 2; i++) {
		if (sendto(s->fd, s->packet, len, MSG_NOSIGNAL,
		           (struct sockaddr *)&s->to, s->to_len) >= 0)
			return (struct probe_event){0};
		/* It may be an earlier packet's error, told now: then the second try
		 * goes out. */
		int why = errno;
		unsigned before = s->events;
		drain_errors(s);
		if (why == EMSGSIZE && s->events > before &&
		    s->event[s->events - 1].local)
			return s->event[--s->events];
		if (i == 1)
			return send_failed(s, why);
	}
	return (struct probe_event){0};
}

static void note_from(struct probe_socket *s, const struct sockaddr_storage *from)
{
	struct addr a;
	if (!sockerr_addr(from, &a) || addr_compare(&a, &s->t.peer) == 0)
		return;
	s->has_other = true;
	s->other = a;
}

static bool read_answer(struct probe_socket *s, uint32_t *id)
{
	struct sockaddr_storage from;
	for (;;) {
		socklen_t n = sizeof from;
		ssize_t got = recvfrom(s->fd, s->packet, sizeof s->packet, MSG_DONTWAIT,
		                       (struct sockaddr *)&from, &n);
		if (got < 0)
			return false;
		const uint8_t *p = s->packet;
		size_t len = (size_t)got;
		if (s->raw && !s->v6) { /* comes with its IP header */
			size_t header = len > 0 ? (size_t)(p[0] & 15) * 4 : 0;
			if (header > len)
				continue;
			p += header;
			len -= header;
		}
		if (!probe_packet_answer(s->t.method, s->v6, p, len, s->mark, id,
		                         s->version))
			continue;
		note_from(s, &from);
		return true;
	}
}

static struct probe_event net_wait(void *ctx, int64_t until)
{
	struct probe_socket *s = ctx;
	for (;;) {
		uint32_t id;
		if (stopped(s))
			return (struct probe_event){.kind = PROBE_STOPPED};
		if (s->events > 0)
			return next_event(s);
		if (read_answer(s, &id))
			return (struct probe_event){.kind = PROBE_ANSWER, .id = id};
		drain_errors(s);
		if (s->events > 0)
			continue;
		if (gone(s))
			return (struct probe_event){.kind = PROBE_GONE, .local = true};
		int64_t left = until - clock_mono_ns();
		if (left <= 0)
			return (struct probe_event){0};
		struct timespec t = {.tv_sec = left / NS_PER_S,
		                     .tv_nsec = left % NS_PER_S};
		struct pollfd p = {.fd = s->fd, .events = POLLIN};
		ppoll(&p, 1, &t, NULL);
	}
}

static int64_t net_now(void *ctx)
{
	(void)ctx;
	return clock_mono_ns();
}

struct probe_net probe_socket_net(struct probe_socket *s)
{
	return (struct probe_net){
	        .ctx = s, .now = net_now, .send = net_send, .wait = net_wait};
}
