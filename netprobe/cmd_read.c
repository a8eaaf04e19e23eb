#include "netprobe/cmd_read.h"

#include "netprobe/analysis.h"
#include "netprobe/read_options.h"
#include "netprobe/report/json.h"
#include "netprobe/report/screen.h"
#include "netprobe/report/stream.h"
#include "netprobe/report/text.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* A signal can reach nothing else: the flag, and what may be waiting for bytes. */
static volatile sig_atomic_t stop_asked;
static struct source *volatile reading;

static void ask_to_stop(int signal)
{
	(void)signal;
	stop_asked = 1;
	if (reading)
		source_stop(reading);
}

static int print_report(struct analysis *a, struct read_options *o, struct err *err)
{
	struct report_text_options text = {
	        .top = o->top, .local = o->local, .color = o->color};
	result_sort_flows(&a->result, o->sort);
	if (o->format != FORMAT_TEXT && o->top_told)
		result_keep_flows(&a->result, o->top);
	switch (o->format) {
	case FORMAT_JSON:
		return report_json(&a->result, stdout, err);
	case FORMAT_RECORDS:
		return stream_finish(&o->stream, &a->result, err);
	default:
		return report_text(&a->result, &text, stdout, err);
	}
}

static int show(void *ctx, const struct result *r, struct err *err)
{
	return screen_show(ctx, r, err);
}

static bool enough(void *ctx)
{
	return screen_quit(ctx);
}

/* Host map, screen, then the analysis. */
static int analyse(struct analysis *a, struct analysis_options *with,
                   struct read_options *o, struct err *err)
{
	struct analysis_viewer viewer = {.show = show, .enough = enough};
	if (o->host_map_path && host_map_read(&o->host_map, o->host_map_path, err) != 0)
		return -1;
	if (o->screen) {
		viewer.ctx = screen_open(err);
		if (!viewer.ctx)
			return -1;
		with->viewer = &viewer;
	}
	int rc = analysis_run(a, with, err);
	screen_close(viewer.ctx);
	return rc;
}

static int run(struct read_options *o)
{
	struct err err = {0};
	struct analysis a;
	struct analysis_options with = {
	        .paths = o->paths,
	        .n_paths = o->n_paths,
	        .filter = o->filter,
	        .window = o->window,
	        .links = o->links,
	        .n_links = o->n_links,
	        .host_map = o->host_map_path ? &o->host_map : NULL,
	        .stop = &stop_asked,
	        .reading = &reading,
	        .interval_ns = o->interval_ns,
	        .stream = o->format == FORMAT_RECORDS ? &o->stream : NULL,
	        .progress = !o->quiet && !o->screen && isatty(STDERR_FILENO),
	        .confined = true};
	if (analyse(&a, &with, o, &err) != 0) {
		fprintf(stderr, "netprobe read: %s\n", err.text);
		return err.code;
	}
	int code = analysis_exit_code(&a);
	if (!code && !o->no_fail &&
	    findings_worst(&a.result.findings) >= FINDING_WARNING)
		code = ERR_FINDINGS;
	if (print_report(&a, o, &err) != 0) {
		fprintf(stderr, "netprobe read: %s\n", err.text);
		code = err.code;
	}
	for (size_t i = 0; i < source_cut_count(a.source); i++) {
		const struct source_cut *c = source_cut(a.source, i);
		fprintf(stderr,
		        "netprobe read: %s: %s; the report covers what was read\n",
		        c->file, c->why);
	}
	if (a.trouble.code)
		fprintf(stderr, "netprobe read: %s; the report covers what was read\n",
		        a.trouble.text);
	if (a.stopped)
		fputs("netprobe read: interrupted; the report covers what was read\n",
		      stderr);
	analysis_free(&a);
	return code;
}

int cmd_read(int argc, char **argv)
{
	struct read_options o;
	read_options_parse(&o, argc, argv);
	struct sigaction act = {.sa_handler = ask_to_stop, .sa_flags = SA_RESETHAND};
	sigaction(SIGINT, &act, NULL);
	sigaction(SIGTERM, &act, NULL);
	int code = run(&o);
	read_options_free(&o);
	return code;
}
