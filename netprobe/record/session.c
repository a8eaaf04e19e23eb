#include "netprobe/record/session_internal.h"

#include "netprobe/analysis.h"
#include "src/base/clock.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WAIT_MS 100 /* to look at the clock and the signal flag */
#define DRAIN_QUIET_NS (200 * NS_PER_MS)
_Static_assert(200 > 2 * LIVE_WINDOW_MS, "the rings are empty by then");
#define DRAIN_MAX_NS (10 * NS_PER_S)

/* Tells the watcher, or people, which interfaces went since the last call. */
static void tell_gone(struct session *s, const char *why)
{
	const struct record_watcher *w = s->o->watcher;
	if (!w)
		fprintf(stderr, "netprobe record: %s\n", why);
	for (size_t i = 0; w && i < s->o->n; i++) {
		if (!live_gone(s->live, i) || s->iface[i].told_gone)
			continue;
		s->iface[i].told_gone = true;
		w->gone(w->ctx, s->o->names[i], why);
	}
}

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

/* Takes what there is; INT64_MAX for now_ns also what waits to be put in order. */
static void read_frames(struct session *s, int64_t now_ns)
{
	struct err gone = {0};
	if (s->enough || live_read(s->live, now_ns, take_frame, s, &gone) == 0)
		return;
	tell_gone(s, gone.text);
	err_set(&s->trouble, ERR_PARTIAL, "%s; its part of the capture ends early",
	        gone.text);
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
			read_frames(s, clock_real_ns());
			session_write_statistics(s, clock_real_ns(), false, &mark);
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
		int wait = live_poll_fds(s->live, s->fds, WAIT_MS);
		s->fds[o->n].revents = 0;
		if (poll(s->fds, o->n + o->control, wait) < 0 && errno != EINTR)
			return err_sys(err, errno, "poll");
		if (o->control && s->fds[o->n].revents) {
			int rc = obey(s, err);
			if (rc <= 0)
				return rc;
		}
		read_frames(s, clock_real_ns());
	}
	return 0;
}

/* Takes what was captured before the end but still lies in the kernel. */
static void drain(struct session *s)
{
	int64_t began = clock_mono_ns(), quiet = began, now = began;
	while (!s->enough && now - quiet < DRAIN_QUIET_NS &&
	       now - began < DRAIN_MAX_NS) {
		poll(s->fds, s->o->n, live_poll_fds(s->live, s->fds, WAIT_MS / 2));
		s->arrived = false;
		read_frames(s, clock_real_ns());
		now = clock_mono_ns();
		if (s->arrived)
			quiet = now;
	}
	read_frames(s, INT64_MAX);
}

static int finish(struct session *s, struct err *err)
{
	int rc = session_set_moment(s, true, err);
	drain(s);
	session_write_statistics(s, s->stop_ns, true, NULL);
	if (s->o->progress)
		show_progress(s, "\n");
	int closed = pcapng_writer_close(s->writer, err);
	s->writer = NULL;
	return rc < 0 ? rc : closed;
}

/* What was lost is said in any case, the rest where no driver listens. */
static void tell(const struct session *s)
{
	if (s->o->watcher) /* reads it in the capture */
		return;
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

static void say_ready(const struct session *s)
{
	char names[512];
	size_t used = 0;
	for (size_t i = 0; i < s->o->n && used < sizeof names; i++)
		used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
		                         i ? "," : "", s->o->names[i]);
	if (s->o->watcher)
		s->o->watcher->ready(s->o->watcher->ctx);
	else if (s->o->control)
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

/* A tenth of a second, and more where the record would grow long with it. */
static int64_t series_interval(int64_t recorded_ns)
{
	const int64_t shortest = NS_PER_S / 10, most = 6000;
	int64_t times = recorded_ns > 0 ? recorded_ns / (shortest * most) : 0;
	return shortest * (times + 1);
}

static int analyse(struct session *s, struct err *err)
{
	if (!s->o->json_path)
		return 0;
	struct err mine = {0};
	int64_t interval = series_interval(s->stop_ns - s->start_ns);
	if (analysis_to_json(s->o->path, s->o->json_path, interval, &mine) == 0)
		return 0;
	if (mine.code == ERR_PARTIAL) { /* it is there, and says what is missing */
		err_set(&s->trouble, ERR_PARTIAL, "%s", mine.text);
		return 0;
	}
	return err_set(err, ERR_PARTIAL,
	               "the capture is whole, its analysis failed: %s", mine.text);
}

int record_run(const struct record_options *o, struct err *err)
{
	struct session s = {.o = o};
	int rc = session_open(&s, err);
	if (rc == 0) {
		say_ready(&s);
		rc = record(&s, err);
		/* after a failure too: what was captured shall be readable */
		if (finish(&s, rc < 0 ? &(struct err){0} : err) < 0)
			rc = -1;
		if (err->code == ERR_ENVIRONMENT) /* there is a part of the capture */
			err->code = ERR_PARTIAL;
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
