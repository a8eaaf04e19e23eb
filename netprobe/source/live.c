#include "netprobe/source/live.h"

#include "netprobe/source/linktype.h"

#include <pcap/pcap.h>

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct live_iface {
	pcap_t *pcap;
	const char *filter;
	int fd;
	uint16_t link_type;
	bool gone;
	struct pcap_stat last;
	struct live_stats sum;
};

struct live {
	size_t n;
	struct live_iface iface[];
};

static int explain(const char *name, int rc, pcap_t *p, struct err *err)
{
	const char *detail = pcap_geterr(p);
	switch (rc) {
	case PCAP_ERROR_PERM_DENIED:
	case PCAP_ERROR_PROMISC_PERM_DENIED:
		return err_set(
		        err, ERR_ENVIRONMENT,
		        "no privilege to capture on %s: run with sudo, or give the "
		        "program CAP_NET_RAW (setcap cap_net_raw+ep netprobe)",
		        name);
	case PCAP_ERROR_NO_SUCH_DEVICE:
		return err_set(err, ERR_ENVIRONMENT, "no interface %s to capture on",
		               name);
	case PCAP_ERROR_IFACE_NOT_UP:
		return err_set(err, ERR_ENVIRONMENT,
		               "interface %s is down; ip link set %s up", name, name);
	default:
		return err_set(err, ERR_ENVIRONMENT, "cannot capture on %s: %s", name,
		               detail && *detail ? detail : pcap_statustostr(rc));
	}
}

/* Compiles and installs; *usable tells whether the expression was at fault. */
static int install(struct live_iface *i, const char *text, const char *name,
                   bool *compiled, struct err *err)
{
	struct bpf_program code;
	*compiled = pcap_compile(i->pcap, &code, text, 1, PCAP_NETMASK_UNKNOWN) == 0;
	if (!*compiled)
		return err_set(err, ERR_USAGE, "filter for %s: %s in \"%s\"", name,
		               pcap_geterr(i->pcap), text);
	int rc = pcap_setfilter(i->pcap, &code);
	pcap_freecode(&code);
	if (rc < 0)
		return err_set(err, ERR_ENVIRONMENT, "cannot set the filter on %s: %s",
		               name, pcap_geterr(i->pcap));
	i->filter = text;
	return 0;
}

static int install_filter(struct live_iface *i, const struct live_options *o,
                          const char *name, struct err *err)
{
	i->filter = "";
	if (!o->filter || !*o->filter)
		return 0;
	struct err first = {0};
	bool compiled;
	if (install(i, o->filter, name, &compiled, &first) == 0)
		return 0;
	if (!compiled && o->filter_plain)
		return install(i, o->filter_plain, name, &compiled, err);
	*err = first;
	return -1;
}

static int open_iface(struct live_iface *i, const struct live_options *o,
                      const char *name, struct err *err)
{
	char why[PCAP_ERRBUF_SIZE];
	i->pcap = pcap_create(name, why);
	if (!i->pcap)
		return err_set(err, ERR_ENVIRONMENT, "cannot capture on %s: %s", name,
		               why);
	pcap_set_snaplen(i->pcap, (int)o->snaplen);
	pcap_set_promisc(i->pcap, 1);
	pcap_set_timeout(i->pcap, LIVE_TIMEOUT_MS);
	pcap_set_buffer_size(i->pcap, o->buffer_bytes > INT_MAX ? INT_MAX
	                                                        : (int)o->buffer_bytes);
	pcap_set_tstamp_precision(i->pcap, PCAP_TSTAMP_PRECISION_NANO);
	int rc = pcap_activate(i->pcap);
	if (rc < 0)
		return explain(name, rc, i->pcap, err);
	if (pcap_get_tstamp_precision(i->pcap) != PCAP_TSTAMP_PRECISION_NANO)
		return err_set(err, ERR_ENVIRONMENT,
		               "%s gives no time stamps in nanoseconds", name);
	if (pcap_setnonblock(i->pcap, 1, why) < 0)
		return err_set(err, ERR_ENVIRONMENT, "cannot capture on %s: %s", name,
		               why);
	i->link_type = link_type_from((uint32_t)pcap_datalink(i->pcap));
	i->fd = pcap_get_selectable_fd(i->pcap);
	return install_filter(i, o, name, err);
}

struct live *live_open(const struct live_options *o, struct err *err)
{
	struct live *l = calloc(1, sizeof *l + o->n * sizeof l->iface[0]);
	if (!l) {
		err_sys(err, errno, "memory for capturing");
		return NULL;
	}
	for (; l->n < o->n; l->n++) {
		if (open_iface(&l->iface[l->n], o, o->names[l->n], err) < 0) {
			l->n++; /* half open counts for closing */
			live_close(l);
			return NULL;
		}
	}
	return l;
}

void live_close(struct live *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->n; i++)
		if (l->iface[i].pcap)
			pcap_close(l->iface[i].pcap);
	free(l);
}

uint16_t live_link_type(const struct live *l, size_t i)
{
	return l->iface[i].link_type;
}

const char *live_filter(const struct live *l, size_t i)
{
	return l->iface[i].filter;
}

bool live_gone(const struct live *l, size_t i)
{
	return l->iface[i].gone;
}

void live_poll_fds(const struct live *l, struct pollfd *fds)
{
	for (size_t i = 0; i < l->n; i++)
		fds[i] = (struct pollfd){.fd = l->iface[i].gone ? -1 : l->iface[i].fd,
		                         .events = POLLIN};
}

struct dispatch {
	struct live_iface *iface;
	struct frame frame;
	live_frame_fn *fn;
	void *ctx;
};

static void take(u_char *user, const struct pcap_pkthdr *h, const u_char *bytes)
{
	struct dispatch *d = (void *)user;
	d->frame.bytes = bytes;
	d->frame.caplen = h->caplen;
	d->frame.wirelen = h->len;
	/* tv_usec holds nanoseconds: so it was asked for */
	d->frame.time_ns = h->ts.tv_sec * INT64_C(1000000000) + h->ts.tv_usec;
	if (!d->fn(d->ctx, &d->frame))
		pcap_breakloop(d->iface->pcap);
}

int live_read(struct live *l, size_t i, live_frame_fn *fn, void *ctx, struct err *err)
{
	struct live_iface *iface = &l->iface[i];
	if (iface->gone)
		return 0;
	struct dispatch d = {.iface = iface, .fn = fn, .ctx = ctx};
	d.frame.iface = (uint32_t)i;
	d.frame.link_type = iface->link_type;
	int rc = pcap_dispatch(iface->pcap, -1, take, (u_char *)&d);
	if (rc >= 0 || rc == PCAP_ERROR_BREAK)
		return rc >= 0 ? rc : 0;
	iface->gone = true;
	return err_set(err, ERR_ENVIRONMENT, "%s", pcap_geterr(iface->pcap));
}

uint32_t live_counter_step(uint32_t before, uint32_t now)
{
	uint32_t step = now - before;
	return step > UINT32_MAX / 2 ? 0 : step;
}

void live_read_stats(struct live *l, size_t i, struct live_stats *s)
{
	struct live_iface *iface = &l->iface[i];
	struct pcap_stat now;
	if (!iface->gone && pcap_stats(iface->pcap, &now) == 0) {
		struct live_stats *sum = &iface->sum;
		sum->has_received = sum->has_dropped = sum->has_ifdropped = true;
		sum->received += live_counter_step(iface->last.ps_recv, now.ps_recv);
		sum->dropped += live_counter_step(iface->last.ps_drop, now.ps_drop);
		sum->ifdropped +=
		        live_counter_step(iface->last.ps_ifdrop, now.ps_ifdrop);
		iface->last = now;
	}
	*s = iface->sum;
}

const char *live_library_version(void)
{
	return pcap_lib_version();
}
