#include "netprobe/analysis.h"

#include "netprobe/host/sandbox.h"
#include "netprobe/report/json.h"
#include "netprobe/report/result_finding.h"
#include "src/base/clock.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROGRESS_EVERY (1u << 16) /* frames between looks at the clock */

struct progress {
	bool on;
	int64_t began, shown;
	bool printed;
};

/* Two seconds of silence first: most captures are done by then. */
static void show_progress(struct progress *p, const struct source *s)
{
	int64_t now = clock_mono_ns();
	if (now - p->began < 2 * NS_PER_S || now - p->shown < NS_PER_S / 5)
		return;
	uint64_t done, total;
	source_progress(s, &done, &total);
	double seconds = (double)(now - p->began) / 1e9, rate = (double)done / seconds;
	fprintf(stderr, "\r%.0f MB read, %.0f MB/s", (double)done / 1e6, rate / 1e6);
	if (total > done && rate > 0)
		fprintf(stderr, ", %.0f s to go", (double)(total - done) / rate);
	fputs("\033[K", stderr);
	p->shown = now;
	p->printed = true;
}

/* Tells the tracker of interfaces that appeared since the last call. */
static size_t tell_ifaces(struct analysis *a, size_t known)
{
	for (; known < source_iface_count(a->source); known++) {
		uint32_t mtu = source_iface(a->source, known)->mtu;
		track_set_file(a->track, (uint32_t)known,
		               source_iface(a->source, known)->file);
		if (mtu)
			track_set_mtu(a->track, (uint32_t)known, mtu);
	}
	return known;
}

static int make_result(struct result *r, const struct analysis *a,
                       const struct analysis_options *o, struct err *err)
{
	if (result_make(r, a->source, a->track, o->links, o->n_links, err) != 0)
		return -1;
	if (result_hosts_make(r, o->host_map, err) == 0 &&
	    result_findings_make(r, err) == 0)
		return 0;
	result_free(r);
	return -1;
}

#define SHOW_EVERY_NS NS_PER_S
#define ASK_EVERY_MS 100

/* When a viewer was last served. */
struct viewing {
	int64_t shown, asked;
};

/* Serves the viewer while nothing comes, and in between.  False: he has seen enough,
 * or err is set. */
static bool serve(struct viewing *v, const struct analysis *a,
                  const struct analysis_options *o, struct err *err)
{
	do {
		int64_t now = clock_mono_ns();
		if (now - v->asked >= ASK_EVERY_MS * NS_PER_MS) {
			v->asked = now;
			if (o->viewer->enough(o->viewer->ctx))
				return false;
		}
		if (now - v->shown >= SHOW_EVERY_NS) {
			struct result r;
			v->shown = now;
			if (make_result(&r, a, o, err) != 0)
				return false;
			int rc = o->viewer->show(o->viewer->ctx, &r, err);
			result_free(&r);
			if (rc != 0)
				return false;
		}
	} while (!source_wait(a->source, ASK_EVERY_MS));
	return true;
}

static int read_all(struct analysis *a, const struct analysis_options *o,
                    struct err *err)
{
	struct progress progress = {.on = o->progress, .began = clock_mono_ns()};
	struct frame f;
	struct source_mark m;
	struct window window = o->window;
	size_t known = 0;
	enum source_event e;
	uint64_t frames = 0;
	struct viewing viewing = {0};
	for (;;) {
		bool go_on = !o->viewer || serve(&viewing, a, o, err);
		e = go_on ? source_next(a->source, &f, &m, err) : SOURCE_END;
		if (e == SOURCE_END || e == SOURCE_ERROR)
			break;
		if (e == SOURCE_NOTHING)
			continue;
		if (e == SOURCE_MARK) {
			if (m.begin)
				track_begin(a->track, m.id, m.name, m.time_ns);
			else
				track_end(a->track, m.id, m.time_ns);
			continue;
		}
		if (f.iface >= known)
			known = tell_ifaces(a, known);
		if (window_holds(&window, f.time_ns)) {
			track_frame(a->track, &f);
		} else if (window_is_over(&window)) {
			source_leave_rest(a->source);
			break;
		}
		if ((++frames & (PROGRESS_EVERY - 1)) == 0 && progress.on)
			show_progress(&progress, a->source);
		if (o->stop && *o->stop)
			break;
	}
	a->stopped = o->stop && *o->stop;
	if (progress.printed)
		fputs("\r\033[K", stderr);
	track_finish(a->track);
	if (e != SOURCE_ERROR && err->code == ERR_NONE)
		return 0;
	/* a disk that fails in the middle takes nothing back of what was read */
	a->trouble = *err;
	*err = (struct err){0};
	return frames ? 0 : -1;
}

int analysis_run(struct analysis *a, const struct analysis_options *o, struct err *err)
{
	*a = (struct analysis){0};
	a->source = source_open_files(o->paths, o->n_paths, err);
	if (!a->source)
		return -1;
	a->track = track_new(&track_limits_default);
	if (!a->track) {
		err_set(err, ERR_ENVIRONMENT, "out of memory");
		goto fail;
	}
	if (o->interval_ns && track_keep_series(a->track, o->interval_ns) != 0) {
		err_set(err, ERR_ENVIRONMENT, "out of memory");
		goto fail;
	}
	if (o->n_paths > 1 && track_keep_points(a->track) != 0) {
		err_set(err, ERR_ENVIRONMENT, "out of memory");
		goto fail;
	}
	if (o->stream)
		stream_attach(o->stream, a->track);
	if (o->filter && source_set_filter(a->source, o->filter, err) != 0)
		goto fail;
	/* a kernel that cannot do it is no reason to read nothing */
	if (o->confined && sandbox_enter(err) != 0) {
		fprintf(stderr, "netprobe: note: %s; it goes on unconfined\n",
		        err->text);
		*err = (struct err){0};
	}
	if (o->viewer)
		source_yield(a->source);
	if (o->reading)
		*o->reading = a->source;
	int rc = read_all(a, o, err);
	if (o->reading)
		*o->reading = NULL;
	if (rc != 0) {
		*err = a->trouble;
		goto fail;
	}
	if (make_result(&a->result, a, o, err) != 0)
		goto fail;
	return 0;
fail:
	analysis_free(a);
	return -1;
}

void analysis_free(struct analysis *a)
{
	result_free(&a->result);
	track_free(a->track);
	source_close(a->source);
	*a = (struct analysis){0};
}

int analysis_exit_code(const struct analysis *a)
{
	bool partial = a->stopped || a->trouble.code ||
	               source_cut_count(a->source) > 0 || track_starved(a->track);
	return partial ? ERR_PARTIAL : 0;
}

static int write_json(const struct result *r, const char *tmp, const char *path,
                      struct err *err)
{
	FILE *out = fopen(tmp, "we");
	if (!out)
		return err_sys(err, errno, "cannot create %s", tmp);
	int rc = report_json(r, out, err);
	if (rc == 0 && fsync(fileno(out)) != 0)
		rc = err_sys(err, errno, "cannot write %s", tmp);
	if (fclose(out) != 0 && rc == 0)
		rc = err_sys(err, errno, "cannot write %s", tmp);
	if (rc == 0 && rename(tmp, path) != 0)
		rc = err_sys(err, errno, "cannot rename %s to %s", tmp, path);
	if (rc != 0)
		unlink(tmp);
	return rc;
}

int analysis_to_json(const char *capture_path, const char *json_path,
                     int64_t interval_ns, struct err *err)
{
	struct analysis a;
	struct analysis_options o = {
	        .paths = &capture_path, .n_paths = 1, .interval_ns = interval_ns};
	if (analysis_run(&a, &o, err) != 0)
		return -1;
	char *tmp;
	int rc;
	if (asprintf(&tmp, "%s.tmp", json_path) < 0) {
		rc = err_set(err, ERR_ENVIRONMENT, "out of memory");
	} else {
		rc = write_json(&a.result, tmp, json_path, err);
		free(tmp);
	}
	analysis_free(&a);
	return rc;
}
