#include "netprobe/track/host.h"

#include "src/base/table.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static_assert(sizeof(struct host_version_key) == 18, "no padding in keys");
static_assert(sizeof(struct host_disclosure_key) == 17, "no padding in keys");
static_assert(sizeof(struct host_peer_key) == 36, "no padding in keys");

#define VERSIONS 8192u
#define DISCLOSURES 8192u
#define PEERS 16384u

struct hosts {
	struct table *versions, *disclosures, *peers;
};

struct hosts *hosts_new(void)
{
	struct hosts *h = calloc(1, sizeof *h);
	if (!h)
		return NULL;
	h->versions = table_new(sizeof(struct host_version_key),
	                        sizeof(struct host_version), VERSIONS, NULL, NULL);
	h->disclosures =
	        table_new(sizeof(struct host_disclosure_key),
	                  sizeof(struct host_disclosure), DISCLOSURES, NULL, NULL);
	h->peers = table_new(sizeof(struct host_peer_key), sizeof(struct host_peer),
	                     PEERS, NULL, NULL);
	if (!h->versions || !h->disclosures || !h->peers) {
		hosts_free(h);
		return NULL;
	}
	return h;
}

void hosts_free(struct hosts *h)
{
	if (!h)
		return;
	table_free(h->versions);
	table_free(h->disclosures);
	table_free(h->peers);
	free(h);
}

bool hosts_take_version(struct hosts *h, const struct addr *addr, uint16_t port,
                        const char *text, uint64_t frame)
{
	struct host_version_key k = {*addr, port};
	bool made;
	struct host_version *v = table_get(h->versions, &k, &made);
	if (!v)
		return false;
	v->frame = frame;
	snprintf(v->text, sizeof v->text, "%s", text);
	return true;
}

bool hosts_take_disclosure(struct hosts *h, const struct addr *by,
                           const struct disclosure *d, uint64_t frame)
{
	if (d->third_party && d->n == 0)
		return true;
	struct host_disclosure_key k = {d->third_party ? d->iface[0].addr : *by,
	                                d->kind};
	bool made;
	struct host_disclosure *e = table_get(h->disclosures, &k, &made);
	if (!e)
		return false;
	e->times++;
	/* what a short capture cut does not replace what was whole */
	if (!made && d->cut && !e->told.cut)
		return true;
	e->by = *by;
	e->frame = frame;
	e->told = *d;
	return true;
}

bool hosts_take_peer(struct hosts *h, const struct addr *addr, uint16_t port,
                     const struct rx_debug_peer *p, uint64_t frame)
{
	struct host_peer_key k = {*addr, p->host, port, p->port};
	bool made;
	struct host_peer *e = table_get(h->peers, &k, &made);
	if (!e)
		return false;
	e->frame = frame;
	e->told = *p;
	return true;
}

const struct host_version *hosts_version_next(const struct hosts *h,
                                              const struct host_version *v)
{
	return table_next(h->versions, v);
}

const struct host_disclosure *hosts_disclosure_next(const struct hosts *h,
                                                    const struct host_disclosure *d)
{
	return table_next(h->disclosures, d);
}

const struct host_peer *hosts_peer_next(const struct hosts *h,
                                        const struct host_peer *p)
{
	return table_next(h->peers, p);
}

uint32_t hosts_mtu(const struct hosts *h, const struct addr *a)
{
	static const uint8_t kinds[] = {DISCLOSE_TELL_ME, DISCLOSE_WHO_ARE_YOU,
	                                DISCLOSE_INIT_STATE2};
	for (size_t i = 0; i < sizeof kinds; i++) {
		struct host_disclosure_key k = {*a, kinds[i]};
		const struct host_disclosure *d = table_find(h->disclosures, &k);
		for (uint32_t n = 0; d && n < d->told.n; n++)
			if (d->told.iface[n].mtu &&
			    addr_compare(&d->told.iface[n].addr, a) == 0)
				return d->told.iface[n].mtu;
	}
	return 0;
}

uint64_t hosts_evicted(const struct hosts *h)
{
	return table_evicted(h->versions) + table_evicted(h->disclosures) +
	       table_evicted(h->peers);
}
