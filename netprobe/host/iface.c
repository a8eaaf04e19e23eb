#include "netprobe/host/iface.h"

#include "netprobe/host/host_internal.h"

#include <errno.h>
#include <linux/ethtool.h>
#include <linux/if.h>
#include <linux/sockios.h>
#include <net/if_arp.h>
#include <netlink/cache.h>
#include <netlink/errno.h>
#include <netlink/netlink.h>
#include <netlink/route/addr.h>
#include <netlink/route/link.h>
#include <netlink/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct host *host_open(struct err *err)
{
	struct host *h = calloc(1, sizeof *h);
	if (h)
		h->sock = nl_socket_alloc();
	if (!h || !h->sock) {
		err_sys(err, ENOMEM, "netlink socket");
		free(h);
		return NULL;
	}
	int rc = nl_connect(h->sock, NETLINK_ROUTE);
	if (rc < 0) {
		err_set(err, ERR_ENVIRONMENT,
		        "cannot ask the kernel for interfaces: %s", nl_geterror(rc));
		host_close(h);
		return NULL;
	}
	return h;
}

void host_close(struct host *h)
{
	if (!h)
		return;
	nl_socket_free(h->sock);
	free(h);
}

/* Mb/s; 0 where the driver does not know, or the link is down.  Asked of the
 * driver, for /sys shows the interfaces of whoever mounted it. */
static uint64_t read_speed(int sock, const char *name)
{
	struct ethtool_cmd settings = {.cmd = ETHTOOL_GSET};
	struct ifreq r = {.ifr_data = (char *)&settings};
	snprintf(r.ifr_name, sizeof r.ifr_name, "%s", name);
	if (sock < 0 || ioctl(sock, SIOCETHTOOL, &r) < 0)
		return 0;
	/* the header's own helper shifts into the sign for an unknown speed */
	uint32_t mbps = (uint32_t)settings.speed_hi << 16 | settings.speed;
	return mbps == (uint32_t)SPEED_UNKNOWN ? 0 : (uint64_t)mbps * 1000000;
}

/* The link below: not a veth's or a tunnel's other end, and not one that lives in
 * another namespace, where the same number means something else. */
static int parent_of(struct rtnl_link *link, const char *kind)
{
	int32_t elsewhere;
	int parent = rtnl_link_get_link(link);
	if (parent <= 0 || strcmp(kind, "veth") == 0 ||
	    rtnl_link_get_link_netnsid(link, &elsewhere) == 0 ||
	    parent == rtnl_link_get_ifindex(link))
		return 0;
	return parent;
}

static void take_link(struct host_iface *i, struct rtnl_link *link, int sock)
{
	unsigned flags = rtnl_link_get_flags(link);
	const char *name = rtnl_link_get_name(link);
	*i = (struct host_iface){.index = rtnl_link_get_ifindex(link),
	                         .up = flags & IFF_UP,
	                         .loopback = flags & IFF_LOOPBACK,
	                         .ethernet =
	                                 rtnl_link_get_arptype(link) == ARPHRD_ETHER,
	                         .mtu = rtnl_link_get_mtu(link),
	                         .master = rtnl_link_get_master(link)};
	const char *kind = rtnl_link_get_type(link);
	i->running = i->up && (flags & IFF_RUNNING);
	snprintf(i->name, sizeof i->name, "%s", name ? name : "?");
	snprintf(i->kind, sizeof i->kind, "%s", kind ? kind : "");
	i->parent = parent_of(link, i->kind);
	i->speed_bps = read_speed(sock, i->name);
}

static void take_address(struct host_iface *list, size_t n, struct rtnl_addr *a)
{
	char text[80];
	struct nl_addr *local = rtnl_addr_get_local(a);
	if (!local || rtnl_addr_get_scope(a) == RT_SCOPE_LINK)
		return;
	nl_addr2str(local, text, sizeof text);
	/* whole addresses come without their length */
	if (!strchr(text, '/'))
		snprintf(text + strlen(text), sizeof text - strlen(text), "/%d",
		         rtnl_addr_get_prefixlen(a));
	for (size_t i = 0; i < n; i++) {
		if (list[i].index != rtnl_addr_get_ifindex(a))
			continue;
		size_t used = strlen(list[i].addresses);
		if (used + strlen(text) + 2 <= sizeof list[i].addresses)
			snprintf(list[i].addresses + used,
			         sizeof list[i].addresses - used, "%s%s",
			         used ? "," : "", text);
	}
}

int host_ifaces(struct host *h, struct host_iface **list, size_t *n, struct err *err)
{
	struct nl_cache *links = NULL, *addresses = NULL;
	int sock = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	*list = NULL;
	*n = 0;
	int rc = rtnl_link_alloc_cache(h->sock, AF_UNSPEC, &links);
	if (rc == 0)
		rc = rtnl_addr_alloc_cache(h->sock, &addresses);
	if (rc == 0) {
		size_t room = (size_t)nl_cache_nitems(links);
		*list = calloc(room + 1, sizeof **list);
		if (!*list)
			rc = -NLE_NOMEM;
	}
	if (rc == 0) {
		for (struct nl_object *o = nl_cache_get_first(links); o;
		     o = nl_cache_get_next(o))
			take_link(&(*list)[(*n)++], (struct rtnl_link *)o, sock);
		for (struct nl_object *o = nl_cache_get_first(addresses); o;
		     o = nl_cache_get_next(o))
			take_address(*list, *n, (struct rtnl_addr *)o);
	}
	if (sock >= 0)
		close(sock);
	nl_cache_free(addresses);
	nl_cache_free(links);
	if (rc < 0)
		return err_set(err, ERR_ENVIRONMENT, "cannot list the interfaces: %s",
		               nl_geterror(rc));
	return 0;
}

const struct host_iface *host_iface_find(const struct host_iface *list, size_t n,
                                         const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(list[i].name, name) == 0)
			return &list[i];
	return NULL;
}

const struct host_iface *host_iface_by_index(const struct host_iface *list, size_t n,
                                             int index)
{
	for (size_t i = 0; i < n; i++)
		if (list[i].index == index)
			return &list[i];
	return NULL;
}

static bool holds(const size_t *at, size_t used, size_t i)
{
	while (used > 0)
		if (at[--used] == i)
			return true;
	return false;
}

size_t host_iface_members(const struct host_iface *list, size_t n, size_t i, size_t *at,
                          size_t max)
{
	size_t used = 0;
	if (max > 0)
		at[used++] = i;
	for (size_t next = 0; next < used; next++) {
		const struct host_iface *above = &list[at[next]];
		for (size_t k = 0; k < n && used < max; k++) {
			bool member = list[k].master == above->index ||
			              list[k].index == above->parent;
			if (member && !holds(at, used, k))
				at[used++] = k;
		}
	}
	return used;
}

const char *host_iface_names(const struct host_iface *list, size_t n, char *buf,
                             size_t size)
{
	size_t used = 0;
	buf[0] = '\0';
	for (size_t i = 0; i < n && used < size; i++) {
		int more = snprintf(buf + used, size - used, "%s%s%s", used ? ", " : "",
		                    list[i].name, list[i].up ? "" : " (down)");
		used += more > 0 ? (size_t)more : 0;
	}
	return buf;
}

int host_counters(struct host *h, int index, struct host_counters *c, struct err *err)
{
	struct rtnl_link *link = NULL;
	int rc = rtnl_link_get_kernel(h->sock, index, NULL, &link);
	if (rc < 0)
		return err_set(err, ERR_ENVIRONMENT,
		               "cannot read interface counters: %s", nl_geterror(rc));
	*c = (struct host_counters){
	        .rx_packets = rtnl_link_get_stat(link, RTNL_LINK_RX_PACKETS),
	        .rx_bytes = rtnl_link_get_stat(link, RTNL_LINK_RX_BYTES),
	        .tx_packets = rtnl_link_get_stat(link, RTNL_LINK_TX_PACKETS),
	        .tx_bytes = rtnl_link_get_stat(link, RTNL_LINK_TX_BYTES),
	        .rx_dropped = rtnl_link_get_stat(link, RTNL_LINK_RX_DROPPED),
	        .rx_missed = rtnl_link_get_stat(link, RTNL_LINK_RX_MISSED_ERR),
	};
	rtnl_link_put(link);
	return 0;
}

const char *host_library_version(void)
{
	return LIBNL_STRING;
}
