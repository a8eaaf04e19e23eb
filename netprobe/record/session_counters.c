#include "netprobe/record/session_internal.h"

#include "src/base/clock.h"

#include <errno.h>
#include <net/ethernet.h>
#include <stdlib.h>

#define COUNTER_TRIES 5 /* to read kernel counters at a moment without traffic */

/* Counters of all interfaces and the moment they are of: read until nothing
 * moved while the clock was read, or the last try. */
static int64_t read_kernel(struct session *s, struct host_counters *c)
{
	int64_t now = 0;
	for (int try = 0; try < COUNTER_TRIES; try++) {
		bool still = true;
		for (size_t i = 0; i < s->o->n; i++)
			host_counters(s->host, s->iface[i].index, &c[i], NULL);
		now = clock_real_ns();
		for (size_t i = 0; i < s->o->n; i++) {
			struct host_counters again = {0};
			host_counters(s->host, s->iface[i].index, &again, NULL);
			still = still && again.rx_packets == c[i].rx_packets &&
			        again.tx_packets == c[i].tx_packets;
		}
		if (still)
			break;
	}
	return now;
}

/* What the kernel counted since the start, in frames as libpcap shows them: it
 * counts what goes over the loopback twice, and without the link header that
 * libpcap sees there. */
static void add_kernel(struct recorded *r, const struct host_counters *now)
{
	struct source_iface *f = &r->facts;
	f->has_kernel = true;
	f->kernel_packets = now->rx_packets - r->start.rx_packets;
	f->kernel_bytes = now->rx_bytes - r->start.rx_bytes;
	if (r->loopback) {
		f->kernel_bytes += ETHER_HDR_LEN * f->kernel_packets;
		return;
	}
	f->kernel_packets += now->tx_packets - r->start.tx_packets;
	f->kernel_bytes += now->tx_bytes - r->start.tx_bytes;
}

int session_set_moment(struct session *s, bool end, struct err *err)
{
	if (!s->o->account) {
		*(end ? &s->stop_ns : &s->start_ns) = clock_real_ns();
		return 0;
	}
	struct host_counters *c = calloc(s->o->n, sizeof *c);
	if (!c)
		return err_sys(err, ENOMEM, "memory for counters");
	*(end ? &s->stop_ns : &s->start_ns) = read_kernel(s, c);
	for (size_t i = 0; i < s->o->n; i++) {
		struct recorded *r = &s->iface[i];
		if (!end) {
			r->start = c[i];
			continue;
		}
		if (live_gone(s->live, i))
			continue;
		add_kernel(r, &c[i]);
	}
	free(c);
	return 0;
}

void session_write_statistics(struct session *s, int64_t now, bool end,
                              const struct source_mark *mark)
{
	for (size_t i = 0; i < s->o->n; i++) {
		struct source_iface *f = &s->iface[i].facts;
		struct live_stats l;
		live_read_stats(s->live, i, &l);
		f->has_received = l.has_received;
		f->has_dropped = l.has_dropped;
		f->has_ifdropped = l.has_ifdropped;
		/* on the loopback the kernel gives every packet twice, and libpcap
		 * leaves one of them out, but only behind its counter */
		f->received =
		        s->iface[i].loopback
		                ? s->iface[i].frames + f->left_out_packets + l.dropped
		                : l.received;
		f->dropped = l.dropped;
		f->ifdropped = l.ifdropped;
		/* the mark stands behind all counters of its moment */
		pcapng_write_statistics(s->writer, (uint32_t)i, f, now,
		                        end ? s->start_ns : 0,
		                        i + 1 == s->o->n ? mark : NULL);
	}
}
