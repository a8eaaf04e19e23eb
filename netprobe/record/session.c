#include "netprobe/record/session.h"

#include "netprobe/analysis.h"
#include "netprobe/host/privilege.h"
#include "netprobe/record/control.h"
#include "netprobe/record/ports.h"
#include "netprobe/source/filter.h"
#include "netprobe/source/live.h"
#include "netprobe/source/pcapng_write.h"
#include "src/base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <net/ethernet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILTER_BYTES 1024u
#define DRAIN_QUIET_NS (2 * LIVE_TIMEOUT_MS * NS_PER_MS)
#define DRAIN_MAX_NS (10 * NS_PER_S)
#define COUNTER_TRIES 5 /* to read kernel counters at a moment without traffic */

struct recorded {
	struct source_iface facts; /* with the counters, when they are read */
	int index;
	bool loopback;
	struct filter *filter; /* of --account */
	struct host_counters start;
	uint64_t frames;
};

struct session {
	const struct record_options *o;
	struct host *host;
	struct live *live;
	struct pcapng_writer *writer;
	struct recorded *iface;
	struct pollfd *fds; /* interfaces, then control */
	struct control control;
	char filter[FILTER_BYTES], filter_plain[FILTER_BYTES];
	uint64_t frames;
	int64_t start_ns, stop_ns; /* frames of this time count; stop 0 = not yet */
	bool arrived;              /* a frame since this was last cleared */
	bool enough;
	struct err filter_err;
	struct err trouble; /* what makes the result a partial one */
};

/* ---- setting up ---------------------------------------------------------- */

static int make_filters(struct session *s, struct err *err)
{
	const struct record_options *o = s->o;
	if (!o->filter) {
		if (record_filter(o->ports, 1, s->filter, sizeof s->filter, err) < 0)
			return -1;
		return record_filter(o->ports, 0, s->filter_plain,
		                     sizeof s->filter_plain, err);
	}
	if (strlen(o->filter) >= sizeof s->filter)
		return err_set(err, ERR_USAGE,
		               "-f: the filter is longer than %zu bytes",
		               sizeof s->filter - 1);
	strcpy(s->filter, o->filter);
	strcpy(s->filter_plain, o->filter);
	return 0;
}

static int find_ifaces(struct session *s, struct err *err)
{
	const struct record_options *o = s->o;
	struct host_iface *list;
	size_t n;
	if (host_ifaces(s->host, &list, &n, err) < 0)
		return -1;
	int rc = 0;
	for (size_t i = 0; i < o->n && rc == 0; i++) {
		const struct host_iface *h = host_iface_find(list, n, o->names[i]);
		char there[512];
		if (!h) {
			rc = err_set(err, ERR_ENVIRONMENT,
			             "no interface %s; there are: %s", o->names[i],
			             host_iface_names(list, n, there, sizeof there));
			break;
		}
		for (size_t k = 0; k < i; k++)
			if (s->iface[k].index == h->index)
				rc = err_set(err, ERR_USAGE, "-i %s: named twice",
				             h->name);
		s->iface[i].index = h->index;
		s->iface[i].loopback = h->loopback;
		record_facts(h, o->links, o->n_links, o->lab_path, &s->iface[i].facts);
	}
	free(list);
	return rc;
}

static int open_live(struct session *s, struct err *err)
{
	const struct record_options *o = s->o;
	struct live_options l = {.names = o->names,
	                         .n = o->n,
	                         .filter = o->account ? "" : s->filter,
	                         .filter_plain = s->filter_plain,
	                         .snaplen = o->snaplen,
	                         .buffer_bytes = o->buffer_bytes};
	s->live = live_open(&l, err);
	if (!s->live)
		return -1;
	for (size_t i = 0; i < o->n; i++) {
		struct recorded *r = &s->iface[i];
		uint16_t link_type = live_link_type(s->live, i);
		const char *text = live_filter(s->live, i);
		r->facts.link_type = link_type;
		r->facts.snaplen = o->snaplen;
		if (o->account && s->filter[0]) {
			struct err first = {0};
			text = s->filter;
			r->filter = filter_new(text, link_type, &first);
			if (!r->filter &&
			    (r->filter = filter_new(s->filter_plain, link_type, NULL)))
				text = s->filter_plain;
			if (!r->filter) {
				*err = first;
				return -1;
			}
		}
		snprintf(r->facts.filter, sizeof r->facts.filter, "%s", text);
	}
	return 0;
}

/* The capture is opened while we may still, and belongs to whom we become. */
static int open_capture(struct session *s, struct err *err)
{
	const char *path = s->o->path;
	struct privilege_owner owner = privilege_owner(path);
	int fd = strcmp(path, "-") == 0
	                 ? dup(STDOUT_FILENO)
	                 : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		return err_sys(err, errno, "%s: cannot write the capture", path);
	if (owner.uid != geteuid() && fchown(fd, owner.uid, owner.gid) < 0) {
		err_sys(err, errno, "%s: cannot give the capture to user %u", path,
		        (unsigned)owner.uid);
		close(fd);
		return -1;
	}
	s->writer = pcapng_writer_new(fd, path, "netprobe record", err);
	if (!s->writer)
		return -1;
	for (size_t i = 0; i < s->o->n; i++)
		pcapng_write_iface(s->writer, &s->iface[i].facts);
	if (pcapng_writer_flush(s->writer, err) < 0)
		return -1;
	return privilege_drop(owner, err);
}

/* ---- counters ------------------------------------------------------------ */

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

/* Notes the beginning or the end; --account adds up the kernel's counters. */
static int set_moment(struct session *s, bool end, struct err *err)
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

static void write_statistics(struct session *s, int64_t now, bool end,
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

/* ---- recording ----------------------------------------------------------- */

static bool take_frame(void *ctx, const struct frame *f)
{
	struct session *s = ctx;
	struct recorded *r = &s->iface[f->iface];
	if (f->time_ns < s->start_ns || (s->stop_ns && f->time_ns > s->stop_ns))
		return true;
	s->arrived = true;
	if (r->filter) {
		int match = filter_match(r->filter, f, &s->filter_err);
		if (match == 0) {
			r->facts.left_out_packets++;
			r->facts.left_out_bytes += f->wirelen;
			return true;
		}
	}
	pcapng_write_frame(s->writer, f);
	r->frames++;
	s->frames++;
	s->enough = s->o->count && s->frames >= s->o->count;
	return !s->enough;
}

static void read_frames(struct session *s)
{
	for (size_t i = 0; i < s->o->n; i++) {
		struct err gone = {0};
		if (s->enough || live_read(s->live, i, take_frame, s, &gone) >= 0)
			continue;
		fprintf(stderr, "netprobe record: %s: %s\n", s->o->names[i], gone.text);
		err_set(&s->trouble, ERR_PARTIAL,
		        "%s: %s; its part of the capture ends early", s->o->names[i],
		        gone.text);
	}
}

static bool all_gone(const struct session *s)
{
	for (size_t i = 0; i < s->o->n; i++)
		if (!live_gone(s->live, i))
			return false;
	return true;
}

static void show_progress(const struct session *s, const char *end)
{
	fprintf(stderr, "\r%6.0f s",
	        (double)(clock_real_ns() - s->start_ns) / NS_PER_S);
	for (size_t i = 0; i < s->o->n; i++) {
		struct live_stats l;
		live_read_stats(s->live, i, &l);
		fprintf(stderr, "  %s %" PRIu64 " frames, %" PRIu64 " dropped",
		        s->o->names[i], s->iface[i].frames, l.dropped);
	}
	fputs(end, stderr);
}

/* Answers what the driver said.  1 = go on, 0 = finish, -1 = err. */
static int obey(struct session *s, struct err *err)
{
	struct source_mark mark;
	control_fill(&s->control);
	for (;;) {
		switch (control_next(&s->control, &mark)) {
		case CONTROL_NONE:
			return 1;
		case CONTROL_FINISH:
			return 0;
		case CONTROL_BAD:
			return err_set(err, ERR_USAGE,
			               "cannot understand the driver's line '%s'",
			               s->control.bad);
		case CONTROL_MARK:
			read_frames(s);
			write_statistics(s, clock_real_ns(), false, &mark);
			if (pcapng_writer_flush(s->writer, err) < 0)
				return -1;
			control_send(&s->control, "marked %" PRIu32, mark.id);
		}
	}
}

/* Until told to stop: 0, or -1 with err. */
static int record(struct session *s, struct err *err)
{
	const struct record_options *o = s->o;
	int64_t began = clock_mono_ns(), flushed = began;
	while (!*o->stop && !s->enough && !all_gone(s)) {
		int64_t now = clock_mono_ns();
		if (o->duration_ns && now - began >= o->duration_ns)
			break;
		if (now - flushed >= NS_PER_S) {
			flushed = now;
			if (pcapng_writer_flush(s->writer, err) < 0)
				return -1;
			if (o->progress)
				show_progress(s, "");
		}
		live_poll_fds(s->live, s->fds);
		s->fds[o->n].revents = 0;
		if (poll(s->fds, o->n + o->control, LIVE_TIMEOUT_MS) < 0 &&
		    errno != EINTR)
			return err_sys(err, errno, "poll");
		if (o->control && s->fds[o->n].revents) {
			int rc = obey(s, err);
			if (rc <= 0)
				return rc;
		}
		read_frames(s);
	}
	return 0;
}

/* Takes what was captured before the end but still lies in the kernel. */
static void drain(struct session *s)
{
	int64_t began = clock_mono_ns(), quiet = began, now = began;
	while (!s->enough && now - quiet < DRAIN_QUIET_NS &&
	       now - began < DRAIN_MAX_NS) {
		live_poll_fds(s->live, s->fds);
		poll(s->fds, s->o->n, LIVE_TIMEOUT_MS / 2);
		s->arrived = false;
		read_frames(s);
		now = clock_mono_ns();
		if (s->arrived)
			quiet = now;
	}
}

static int finish(struct session *s, struct err *err)
{
	int rc = set_moment(s, true, err);
	drain(s);
	write_statistics(s, s->stop_ns, true, NULL);
	if (s->o->progress)
		show_progress(s, "\n");
	int closed = pcapng_writer_close(s->writer, err);
	s->writer = NULL;
	return rc < 0 ? rc : closed;
}

/* What was lost is said in any case, the rest where no driver listens. */
static void tell(const struct session *s)
{
	for (size_t i = 0; i < s->o->n; i++) {
		const struct recorded *r = &s->iface[i];
		const struct source_iface *f = &r->facts;
		if (f->dropped || f->ifdropped)
			fprintf(stderr,
			        "netprobe record: %s: %" PRIu64
			        " frames lost for lack of "
			        "buffer (-B), %" PRIu64 " by the interface\n",
			        f->name, f->dropped, f->ifdropped);
		if (s->o->control)
			continue;
		fprintf(stderr, "netprobe record: %s: %" PRIu64 " frames", f->name,
		        r->frames);
		if (f->has_kernel)
			fprintf(stderr,
			        ", %" PRIu64
			        " left out by the filter; the kernel counted %" PRIu64,
			        f->left_out_packets, f->kernel_packets);
		fputc('\n', stderr);
	}
}

/* ---- all of it ----------------------------------------------------------- */

static int set_up(struct session *s, struct err *err)
{
	size_t n = s->o->n;
	s->iface = calloc(n, sizeof *s->iface);
	s->fds = calloc(n + 1, sizeof *s->fds);
	if (!s->iface || !s->fds)
		return err_sys(err, ENOMEM, "memory for %zu interfaces", n);
	s->control = (struct control){.in = STDIN_FILENO, .out = STDOUT_FILENO};
	s->fds[n] = (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
	s->host = host_open(err);
	if (!s->host || make_filters(s, err) < 0 || find_ifaces(s, err) < 0 ||
	    open_live(s, err) < 0 || open_capture(s, err) < 0)
		return -1;
	return set_moment(s, false, err);
}

static void say_ready(const struct session *s)
{
	char names[512];
	size_t used = 0;
	for (size_t i = 0; i < s->o->n && used < sizeof names; i++)
		used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
		                         i ? "," : "", s->o->names[i]);
	if (s->o->control)
		control_send(&s->control, "ready %s", names);
	else
		fprintf(stderr, "netprobe record: capturing on %s\n", names);
}

static void tear_down(struct session *s)
{
	if (s->writer)
		pcapng_writer_close(s->writer, NULL);
	for (size_t i = 0; s->iface && i < s->o->n; i++)
		filter_free(s->iface[i].filter);
	live_close(s->live);
	host_close(s->host);
	free(s->iface);
	free(s->fds);
}

static int analyse(struct session *s, struct err *err)
{
	if (!s->o->json_path)
		return 0;
	struct err mine = {0};
	if (analysis_to_json(s->o->path, s->o->json_path, &mine) == 0)
		return 0;
	if (mine.code == ERR_PARTIAL) { /* it is there, and says what is missing */
		err_set(&s->trouble, ERR_PARTIAL, "%s", mine.text);
		return 0;
	}
	*err = mine;
	return -1;
}

int record_run(const struct record_options *o, struct err *err)
{
	struct session s = {.o = o};
	int rc = set_up(&s, err);
	if (rc == 0) {
		say_ready(&s);
		rc = record(&s, err);
		/* after a failure too: what was captured shall be readable */
		if (finish(&s, rc < 0 ? &(struct err){0} : err) < 0)
			rc = -1;
		if (err->code == ERR_ENVIRONMENT)
			err->code =
			        ERR_PARTIAL; /* the capture is there, up to a point */
		if (rc == 0)
			tell(&s);
	}
	if (rc == 0)
		rc = analyse(&s, err);
	if (o->control)
		control_send(&(struct control){.out = STDOUT_FILENO},
		             rc == 0 ? "done" : "error %s", err->text);
	if (rc == 0 && s.trouble.code != ERR_NONE) {
		*err = s.trouble;
		rc = -1;
	}
	tear_down(&s);
	return rc;
}
