#include "netprobe/cmd_read.h"

#include "netprobe/analysis.h"
#include "netprobe/report/json.h"
#include "netprobe/report/stream.h"
#include "netprobe/report/text.h"
#include "src/base/clock.h"

#include <argp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FLOWS_SHOWN 10

enum option_key {
	KEY_JSON = 'j',
	KEY_NDJSON = 'n',
	KEY_CSV = 'c',
	KEY_INTERVAL = 'i',
	KEY_FILTER = 'f',
	KEY_LINK = 'l',
	KEY_TOP = 't',
	KEY_QUIET = 'q',
	KEY_HOST_MAP = 'm',
};

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_RECORDS };

struct read_args {
	const char **paths;
	size_t n_paths;
	const char *filter;
	enum format format;
	struct stream stream; /* for FORMAT_RECORDS */
	int64_t interval_ns;
	bool quiet;
	size_t top;
	struct result_link *links;
	size_t n_links;
	const char *host_map_path;
	struct host_map host_map;
};

static const struct argp_option options[] = {
        {"json", KEY_JSON, NULL, 0, "print JSON (schema netprobe-report/1)", 0},
        {"ndjson", KEY_NDJSON, NULL, 0,
         "print one JSON record a line: every call as it ends, then interfaces, "
         "phases, intervals, operations, flows, hosts, pairs, icmp",
         0},
        {"csv", KEY_CSV, "KIND", 0,
         "print one kind of record as CSV: calls, interfaces, phases, intervals, "
         "operations, flows, hosts, pairs (of hosts) or icmp (errors)",
         0},
        {"interval", KEY_INTERVAL, "SECONDS", 0,
         "keep rates over time in rows of SECONDS (0.001 and up)", 0},
        {"filter", KEY_FILTER, "EXPRESSION", 0,
         "read only frames that this libpcap filter matches; it must let fragments "
         "through that carry no ports",
         0},
        {"link", KEY_LINK, "IF=KIND[:RATE]", 0,
         "what the interface IF of the capture is, for link shares and ceilings: KIND "
         "ethernet, atm-llc, …; RATE in bits/s with k, M or G, or a name such as oc3c",
         0},
        {"top", KEY_TOP, "N", 0,
         "show the N largest flows of each interface (10; 0 = all)", 0},
        {"host-map", KEY_HOST_MAP, "FILE", 0,
         "which addresses are one host: lines NAME ADDRESS ADDRESS…", 0},
        {"quiet", KEY_QUIET, NULL, 0, "no progress line", 0},
        {0},
};

static volatile sig_atomic_t stop_asked; /* a signal flag is the one global there is */

static void ask_to_stop(int signal)
{
	(void)signal;
	stop_asked = 1;
}

/* "100M" -> 100000000, "oc3c" -> that of its cells; 0 where it is no rate. */
static uint64_t parse_rate(const char *text)
{
	uint64_t named = link_rate_find(text);
	if (named)
		return named;
	char *end;
	double v = strtod(text, &end);
	const char *scale = strchr("kMG", *end);
	if (end == text || v <= 0 || v > 1e15 || (*end && (!scale || end[1])))
		return 0;
	if (*end == 'k')
		v *= 1e3;
	else if (*end == 'M')
		v *= 1e6;
	else if (*end == 'G')
		v *= 1e9;
	return (uint64_t)v;
}

static void parse_link(struct argp_state *state, struct read_args *a, char *text)
{
	char *kind = strchr(text, '=');
	if (!kind)
		argp_error(state, "--link %s: expected IF=KIND[:RATE]", text);
	*kind++ = 0;
	char *rate = strchr(kind, ':');
	if (rate)
		*rate++ = 0;
	struct result_link l = {.iface = text, .kind = link_kind_find(kind)};
	if (!l.kind)
		argp_error(state, "--link %s: the link kind '%s' is not known", text,
		           kind);
	if (rate && (l.rate_bps = parse_rate(rate)) == 0)
		argp_error(state, "--link %s: '%s' is no rate such as 100M", text,
		           rate);
	struct result_link *links = realloc(a->links, (a->n_links + 1) * sizeof *links);
	if (!links)
		argp_failure(state, ERR_ENVIRONMENT, 0, "out of memory");
	a->links = links;
	a->links[a->n_links++] = l;
}

static void parse_csv(struct argp_state *state, struct read_args *a, const char *kind)
{
	int k = stream_kind_find(kind);
	if (k < 0)
		argp_error(
		        state,
		        "--csv %s: the kinds are calls, interfaces, phases, intervals, "
		        "operations, flows, hosts, pairs, icmp",
		        kind);
	a->format = FORMAT_RECORDS;
	a->stream.csv = true;
	a->stream.kinds = 1u << k;
}

static void parse_interval(struct argp_state *state, struct read_args *a,
                           const char *text)
{
	char *end;
	double s = strtod(text, &end);
	if (end == text || *end || !(s >= 0.001 && s <= 1e6))
		argp_error(state, "--interval %s: expected seconds, 0.001 to 1000000",
		           text);
	a->interval_ns = (int64_t)(s * (double)NS_PER_S + 0.5);
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct read_args *a = state->input;
	char *end;
	switch (key) {
	case KEY_JSON:
		a->format = FORMAT_JSON;
		break;
	case KEY_NDJSON:
		a->format = FORMAT_RECORDS;
		a->stream.kinds = (1u << STREAM_KINDS) - 1;
		break;
	case KEY_CSV:
		parse_csv(state, a, arg);
		break;
	case KEY_INTERVAL:
		parse_interval(state, a, arg);
		break;
	case KEY_FILTER:
		a->filter = arg;
		break;
	case KEY_LINK:
		parse_link(state, a, arg);
		break;
	case KEY_TOP:
		a->top = strtoul(arg, &end, 10);
		if (end == arg || *end || *arg == '-')
			argp_error(state, "--top %s: expected a number", arg);
		break;
	case KEY_HOST_MAP:
		a->host_map_path = arg;
		break;
	case KEY_QUIET:
		a->quiet = true;
		break;
	case ARGP_KEY_ARG:
		a->paths[a->n_paths++] = arg;
		break;
	case ARGP_KEY_END:
		if (a->n_paths == 0)
			argp_error(state,
			           "name a capture file, or - for standard input");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static int print_report(const struct analysis *a, struct read_args *args,
                        struct err *err)
{
	struct report_text_options o = {.top = args->top};
	switch (args->format) {
	case FORMAT_JSON:
		return report_json(&a->result, stdout, err);
	case FORMAT_RECORDS:
		return stream_finish(&args->stream, &a->result, err);
	default:
		return report_text(&a->result, &o, stdout, err);
	}
}

static int run(struct read_args *args)
{
	struct err err = {0};
	struct analysis a;
	struct analysis_options o = {
	        .paths = args->paths,
	        .n_paths = args->n_paths,
	        .filter = args->filter,
	        .links = args->links,
	        .n_links = args->n_links,
	        .host_map = args->host_map_path ? &args->host_map : NULL,
	        .stop = &stop_asked,
	        .interval_ns = args->interval_ns,
	        .stream = args->format == FORMAT_RECORDS ? &args->stream : NULL,
	        .progress = !args->quiet && isatty(STDERR_FILENO)};
	if ((args->host_map_path &&
	     host_map_read(&args->host_map, args->host_map_path, &err) != 0) ||
	    analysis_run(&a, &o, &err) != 0) {
		fprintf(stderr, "netprobe read: %s\n", err.text);
		return err.code;
	}
	int code = analysis_exit_code(&a);
	if (print_report(&a, args, &err) != 0) {
		fprintf(stderr, "netprobe read: %s\n", err.text);
		code = err.code;
	}
	for (size_t i = 0; i < source_cut_count(a.source); i++) {
		const struct source_cut *c = source_cut(a.source, i);
		fprintf(stderr,
		        "netprobe read: %s: %s; the report covers what was read\n",
		        c->file, c->why);
	}
	if (a.stopped)
		fputs("netprobe read: interrupted; the report covers what was read\n",
		      stderr);
	analysis_free(&a);
	return code;
}

int cmd_read(int argc, char **argv)
{
	struct read_args args = {.top = FLOWS_SHOWN, .stream.out = stdout};
	args.paths = calloc((size_t)argc + 1, sizeof *args.paths);
	if (!args.paths) {
		fputs("netprobe read: out of memory\n", stderr);
		return ERR_ENVIRONMENT;
	}
	const struct argp argp = {
	        .options = options,
	        .parser = parse_option,
	        .args_doc = "FILE…",
	        .doc = "Analyses captures (pcap, pcapng, also compressed; - is "
	               "standard "
	               "input) and prints what Rx did on the wire.\v"
	               "Exit codes: 0 ok, 2 wrong usage or unreadable input, 3 trouble "
	               "with "
	               "the machine, 4 the input ended early.",
	};
	argp_err_exit_status = ERR_USAGE;
	static char name[] = "netprobe read";
	argv[0] = name;
	argp_parse(&argp, argc, argv, 0, NULL, &args);
	struct sigaction act = {.sa_handler = ask_to_stop, .sa_flags = SA_RESETHAND};
	sigaction(SIGINT, &act, NULL);
	sigaction(SIGTERM, &act, NULL);
	int code = run(&args);
	host_map_free(&args.host_map);
	free(args.links);
	free(args.paths);
	return code;
}
