#include "netprobe/host/offload.h"

#include <errno.h>
#include <linux/ethtool.h>
#include <linux/if.h>
#include <linux/sockios.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#define FEATURES_MAX 4096u

/* The kernel's names of features (net/ethtool/common.c). */
static const struct {
	const char *feature;
	enum host_offload flag;
	const char *name;
} table[] = {
        {"rx-gro", HOST_GRO, "gro"},
        {"rx-lro", HOST_LRO, "lro"},
        {"rx-gro-hw", HOST_LRO, NULL},
        {"tx-generic-segmentation", HOST_GSO, "gso"},
        {"tx-tcp-segmentation", HOST_TSO, "tso"},
        {"tx-udp-fragmentation", HOST_UFO, "ufo"},
        {"tx-udp-segmentation", HOST_USO, "uso"},
        {"rx-udp-gro-forwarding", HOST_UDP_GRO, "udp-gro"},
        {"rx-gro-list", HOST_UDP_GRO, NULL},
};
#define ROWS (sizeof table / sizeof *table)

static int ask(int sock, const char *iface, void *request)
{
	struct ifreq r = {.ifr_data = request};
	snprintf(r.ifr_name, sizeof r.ifr_name, "%s", iface);
	return ioctl(sock, SIOCETHTOOL, &r);
}

static uint32_t feature_count(int sock, const char *iface)
{
	const size_t size = sizeof(struct ethtool_sset_info) + sizeof(uint32_t);
	struct ethtool_sset_info *q = calloc(1, size);
	uint32_t count = 0;
	if (!q)
		return 0;
	q->cmd = ETHTOOL_GSSET_INFO;
	q->sset_mask = UINT64_C(1) << ETH_SS_FEATURES;
	if (ask(sock, iface, q) == 0 && q->sset_mask != 0)
		count = q->data[0];
	free(q);
	return count <= FEATURES_MAX ? count : 0;
}

static unsigned flag_of(const char *feature)
{
	for (size_t i = 0; i < ROWS; i++)
		if (strncmp(table[i].feature, feature, ETH_GSTRING_LEN) == 0)
			return table[i].flag;
	return 0;
}

static unsigned read_features(int sock, const char *iface, uint32_t n)
{
	unsigned flags = 0;
	uint32_t blocks = (n + 31) / 32;
	struct ethtool_gstrings *names =
	        calloc(1, sizeof *names + (size_t)n * ETH_GSTRING_LEN);
	struct ethtool_gfeatures *values =
	        calloc(1, sizeof *values + blocks * sizeof values->features[0]);
	if (names && values) {
		names->cmd = ETHTOOL_GSTRINGS;
		names->string_set = ETH_SS_FEATURES;
		names->len = n;
		values->cmd = ETHTOOL_GFEATURES;
		values->size = blocks;
		if (ask(sock, iface, names) == 0 && ask(sock, iface, values) == 0)
			for (uint32_t i = 0; i < n; i++)
				if (values->features[i / 32].active >> (i % 32) & 1)
					flags |= flag_of((const char *)names->data +
					                 (size_t)i * ETH_GSTRING_LEN);
	}
	free(names);
	free(values);
	return flags;
}

int host_offloads(const char *iface, unsigned *flags, struct err *err)
{
	struct ethtool_value any = {.cmd = ETHTOOL_GGRO};
	*flags = 0;
	int sock = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (sock < 0)
		return err_sys(err, errno, "cannot ask for offloads");
	int rc = ask(sock, iface, &any), why = errno;
	uint32_t n = rc == 0 ? feature_count(sock, iface) : 0;
	if (n > 0)
		*flags = read_features(sock, iface, n);
	close(sock);
	if (rc < 0 && why == ENODEV)
		return err_set(err, ERR_ENVIRONMENT,
		               "there is no interface %s any more", iface);
	return 0;
}

const char *host_offload_names(unsigned flags, char *buf, size_t size)
{
	size_t used = 0;
	snprintf(buf, size, "-");
	for (size_t i = 0; i < ROWS && used < size; i++) {
		if (!table[i].name || !(flags & table[i].flag))
			continue;
		int n = snprintf(buf + used, size - used, "%s%s", used ? " " : "",
		                 table[i].name);
		used += n > 0 ? (size_t)n : 0;
	}
	return buf;
}
