#include "netprobe/host/host_internal.h"
#include "netprobe/host/route.h"

#include <netlink/cache.h>
#include <netlink/errno.h>
#include <netlink/route/rule.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* local, main, default: net/ipv4/fib_rules.c */
static bool usual(uint32_t priority)
{
	return priority == 0 || priority == 32766 || priority == 32767;
}

static int take_rules(struct nl_cache *cache, int family, int version,
                      struct host_rule **list, size_t *n)
{
	for (struct nl_object *o = nl_cache_get_first(cache); o;
	     o = nl_cache_get_next(o)) {
		uint32_t priority = rtnl_rule_get_prio((struct rtnl_rule *)o);
		/* some kernels list the rules of all families */
		if (usual(priority) ||
		    rtnl_rule_get_family((struct rtnl_rule *)o) != family)
			continue;
		struct host_rule *more = realloc(*list, (*n + 1) * sizeof **list);
		if (!more)
			return -NLE_NOMEM;
		*list = more;
		struct host_rule *r = &more[(*n)++];
		*r = (struct host_rule){.priority = priority, .family = version};
		nl_object_dump_buf(o, r->text, sizeof r->text);
		r->text[strcspn(r->text, "\n")] = '\0';
	}
	return 0;
}

int host_rules(struct host *h, struct host_rule **list, size_t *n, struct err *err)
{
	static const struct {
		int family, version;
	} families[] = {{AF_INET, 4}, {AF_INET6, 6}};
	*list = NULL;
	*n = 0;
	for (size_t i = 0; i < 2; i++) {
		struct nl_cache *cache = NULL;
		int rc = rtnl_rule_alloc_cache(h->sock, families[i].family, &cache);
		if (rc == 0)
			rc = take_rules(cache, families[i].family, families[i].version,
			                list, n);
		nl_cache_free(cache);
		/* a kernel without IPv6 has no such rules to list */
		if (rc < 0 && i == 0) {
			free(*list);
			*list = NULL;
			return err_set(err, ERR_ENVIRONMENT,
			               "cannot list routing rules: %s",
			               nl_geterror(rc));
		}
	}
	return 0;
}
