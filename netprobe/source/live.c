#include "netprobe/source/live.h"

#include "netprobe/source/filter.h"

#include "netprobe/source/linktype.h"

#include <pcap/pcap.h>

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct live_iface {
	const char *name;
	pcap_t *pcap;
	const char *filter;
	int fd;
	uint16_t link_type;
	bool gone;
	bool has_head;     /* of several interfaces: the next frame, not yet given */
	struct frame head; /* its bytes are good until the next one is fetched */
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
	if (!*compiled) {
		char where[80];
		snprintf(where, sizeof where, " for %s", name);
		return filter_explain(where, text, i->link_type, pcap_geterr(i->pcap),
		                      err);
	}
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
	i->name = name;
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
	if (o->n > LIVE_IFACES_MAX) {
		err_set(err, ERR_USAGE, "more than %u interfaces", LIVE_IFACES_MAX);
		return NULL;
	}
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

int live_poll_fds(const struct live *l, struct pollfd *fds, int max_ms)
{
	bool held = false;
	for (size_t i = 0; i < l->n; i++) {
		const struct live_iface *iface = &l->iface[i];
		held = held || iface->has_head;
		fds[i] = (struct pollfd){
		        .fd = iface->gone || iface->has_head ? -1 : iface->fd,
		        .events = POLLIN};
	}
	return held && max_ms > LIVE_TIMEOUT_MS ? LIVE_TIMEOUT_MS : max_ms;
}

static void set_frame(struct frame *f, const struct pcap_pkthdr *h, const u_char *bytes)
{
	f->bytes = bytes;
	f->caplen = h->caplen;
	f->wirelen = h->len;
	/* tv_usec holds nanoseconds: so it was asked for */
	f->time_ns = h->ts.tv_sec * INT64_C(1000000000) + h->ts.tv_usec;
}

static int lose(struct live_iface *i, struct err *err)
{
	i->gone = true;
	return err_set(err, ERR_ENVIRONMENT, "%s: %s", i->name, pcap_geterr(i->pcap));
}

/* ---- one interface: frames as they lie in the ring ----------------------- */

struct dispatch {
	pcap_t *pcap;
	struct frame frame;
	live_frame_fn *fn;
	void *ctx;
};

static void take(u_char *user, const struct pcap_pkthdr *h, const u_char *bytes)
{
	struct dispatch *d = (void *)user;
	set_frame(&d->frame, h, bytes);
	if (!d->fn(d->ctx, &d->frame))
		pcap_breakloop(d->pcap);
}

static int read_one(struct live_iface *i, live_frame_fn *fn, void *ctx, struct err *err)
{
	struct dispatch d = {.pcap = i->pcap, .fn = fn, .ctx = ctx};
	if (i->gone)
		return 0;
	d.frame.link_type = i->link_type;
	int rc = pcap_dispatch(i->pcap, -1, take, (u_char *)&d);
	return rc >= 0 || rc == PCAP_ERROR_BREAK ? 0 : lose(i, err);
}

/* ---- several: the earliest first ----------------------------------------- */

/* Makes the next frame the head; false where there is none just now. */
static bool fetch(struct live_iface *i, int *rc, struct err *err)
{
	struct pcap_pkthdr *h;
	const u_char *bytes;
	int got = pcap_next_ex(i->pcap, &h, &bytes);
	if (got == 1) {
		set_frame(&i->head, h, bytes);
		i->has_head = true;
	} else if (got < 0 && got != PCAP_ERROR_BREAK) {
		*rc = lose(i, err);
	}
	return i->has_head;
}

static int read_merged(struct live *l, int64_t now_ns, live_frame_fn *fn, void *ctx,
                       struct err *err)
{
	/* once an interface had nothing it is not asked again: by then earlier
	 * frames than those that may still go out cannot come from it */
	bool empty[LIVE_IFACES_MAX] = {false};
	const int64_t safe = now_ns - LIVE_WINDOW_MS * INT64_C(1000000);
	int rc = 0;
	for (;;) {
		struct live_iface *first = NULL;
		bool missing = false;
		for (size_t i = 0; i < l->n; i++) {
			struct live_iface *iface = &l->iface[i];
			if (!iface->has_head && !iface->gone && !empty[i])
				empty[i] = !fetch(iface, &rc, err);
			if (!iface->has_head)
				missing = missing || !iface->gone;
			else if (!first || iface->head.time_ns < first->head.time_ns)
				first = iface;
		}
		if (!first || (missing && first->head.time_ns > safe))
			return rc;
		first->has_head = false;
		first->head.iface = (uint32_t)(first - l->iface);
		first->head.link_type = first->link_type;
		if (!fn(ctx, &first->head))
			return rc;
	}
}

int live_read(struct live *l, int64_t now_ns, live_frame_fn *fn, void *ctx,
              struct err *err)
{
	return l->n == 1 ? read_one(&l->iface[0], fn, ctx, err)
	                 : read_merged(l, now_ns, fn, ctx, err);
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
