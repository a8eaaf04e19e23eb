#include "netprobe/read_options.h"

#include "src/base/clock.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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
	KEY_SORT = 's',
	KEY_QUIET = 'q',
	KEY_HOST_MAP = 'm',
	KEY_FROM = 0x100, /* long only */
	KEY_TO,
	KEY_LOCAL,
	KEY_COLOR,
	KEY_NO_FAIL,
	KEY_SCREEN,
};

static const struct argp_option options[] = {
        {"json", KEY_JSON, NULL, 0, "print JSON (schema netprobe-report/1)", 0},
        {"ndjson", KEY_NDJSON, NULL, 0,
         "print one JSON record a line: every call as it ends, then interfaces, "
         "phases, intervals, operations, flows, hosts, pairs, icmp, points, findings",
         0},
        {"csv", KEY_CSV, "KIND", 0,
         "print one kind of record as CSV: calls, interfaces, phases, intervals, "
         "operations, flows, hosts, pairs (of hosts), icmp (errors), points (of "
         "capture) or "
         "findings",
         0},
        {"interval", KEY_INTERVAL, "SECONDS", 0,
         "keep rates over time in rows of SECONDS (0.001 and up)", 0},
        {"filter", KEY_FILTER, "EXPRESSION", 0,
         "read only frames that this libpcap filter matches; it must let fragments "
         "through that carry no ports",
         0},
        {"from", KEY_FROM, "TIME", 0,
         "leave out frames before TIME: 2024-10-27T00:59:59Z (UTC if no zone is told) "
         "or seconds from the first frame",
         0},
        {"to", KEY_TO, "TIME", 0, "leave out frames at TIME and after", 0},
        {"link", KEY_LINK, "IF=KIND[:RATE]", 0,
         "what the interface IF of the capture is, for link shares and ceilings: KIND "
         "ethernet, atm-llc, …; RATE in bits/s with k, M or G, or a name such as oc3c",
         0},
        {"sort", KEY_SORT, "KEY", 0,
         "flows by bytes (IP, the default), packets (IP), data (Rx data bytes), "
         "resends, fragments or rtt (median), the most first",
         0},
        {"top", KEY_TOP, "N", 0,
         "only the first N flows of each interface (text: 10; 0 = all)", 0},
        {"host-map", KEY_HOST_MAP, "FILE", 0,
         "which addresses are one host: lines NAME ADDRESS ADDRESS…", 0},
        {"local", KEY_LOCAL, NULL, 0,
         "tables show local times (TZ), with their offset, instead of UTC", 0},
        {"color", KEY_COLOR, "WHEN", 0,
         "colour the tables: auto (on a terminal, the default), always or never", 0},
        {"no-fail", KEY_NO_FAIL, NULL, 0, "exit code 0 also where there are findings",
         0},
        {"screen", KEY_SCREEN, NULL, 0,
         "show a page a second while a capture comes in through a pipe (record -w -); "
         "q "
         "ends it with the report",
         0},
        {"quiet", KEY_QUIET, NULL, 0, "no progress line", 0},
        {0},
};

static void parse_link(struct argp_state *state, struct read_options *o, char *text)
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
	if (rate && (l.rate_bps = link_rate_parse(rate)) == 0)
		argp_error(state, "--link %s: '%s' is no rate such as 100M", text,
		           rate);
	struct result_link *links = realloc(o->links, (o->n_links + 1) * sizeof *links);
	if (!links)
		argp_failure(state, ERR_ENVIRONMENT, 0, "out of memory");
	o->links = links;
	o->links[o->n_links++] = l;
}

/* One report, one form. */
static void choose_format(struct argp_state *state, struct read_options *o,
                          enum read_format f)
{
	if (o->format != FORMAT_TEXT)
		argp_error(state, "give one of --json, --ndjson and --csv, once");
	o->format = f;
}

static void parse_csv(struct argp_state *state, struct read_options *o,
                      const char *kind)
{
	int k = stream_kind_find(kind);
	if (k < 0)
		argp_error(
		        state,
		        "--csv %s: the kinds are calls, interfaces, phases, intervals, "
		        "operations, flows, hosts, pairs, icmp, points, findings",
		        kind);
	choose_format(state, o, FORMAT_RECORDS);
	o->stream.csv = true;
	o->stream.kinds = 1u << k;
}

static void parse_interval(struct argp_state *state, struct read_options *o,
                           const char *text)
{
	char *end;
	double s = strtod(text, &end);
	if (end == text || *end || !(s >= 0.001 && s <= 1e6))
		argp_error(state, "--interval %s: expected seconds, 0.001 to 1000000",
		           text);
	o->interval_ns = (int64_t)(s * (double)NS_PER_S + 0.5);
}

static void parse_top(struct argp_state *state, struct read_options *o,
                      const char *text)
{
	char *end;
	o->top = strtoul(text, &end, 10);
	o->top_told = true;
	if (end == text || *end || *text == '-')
		argp_error(state, "--top %s: expected a number", text);
}

static void parse_sort(struct argp_state *state, struct read_options *o,
                       const char *key)
{
	int sort = result_sort_find(key);
	if (sort < 0)
		argp_error(state,
		           "--sort %s: the keys are bytes, packets, data, resends, "
		           "fragments, rtt",
		           key);
	o->sort = (enum result_sort)sort;
}

static void parse_moment(struct argp_state *state, struct moment *m, const char *what,
                         const char *text)
{
	struct err err = {0};
	if (moment_parse(text, what, m, &err) != 0)
		argp_error(state, "%s", err.text);
}

static void parse_color(struct argp_state *state, struct read_options *o,
                        const char *when)
{
	if (strcmp(when, "always") == 0)
		o->color = true;
	else if (strcmp(when, "never") == 0)
		o->color = false;
	else if (strcmp(when, "auto") != 0)
		argp_error(state, "--color %s: expected auto, always or never", when);
}

static bool is_file(const char *path)
{
	struct stat st;
	int rc = strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &st) : stat(path, &st);
	return rc == 0 && S_ISREG(st.st_mode);
}

static void check_whole(struct argp_state *state, const struct read_options *o)
{
	if (o->n_paths == 0)
		argp_error(state, "name a capture file, or - for standard input");
	if (o->screen && (o->n_paths != 1 || is_file(o->paths[0])))
		argp_error(state,
		           "--screen follows one capture that comes in through a "
		           "pipe: netprobe record -i IF -w - | netprobe read "
		           "--screen -");
	if (window_is_empty(&o->window))
		argp_error(state, "--from is not before --to: no frame can be inside");
	if (o->stream.csv && o->stream.kinds == 1u << STREAM_INTERVALS &&
	    !o->interval_ns)
		argp_error(state, "--csv intervals: how long is one? add --interval");
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct read_options *o = state->input;
	switch (key) {
	case KEY_JSON:
		choose_format(state, o, FORMAT_JSON);
		break;
	case KEY_NDJSON:
		choose_format(state, o, FORMAT_RECORDS);
		o->stream.kinds = (1u << STREAM_KINDS) - 1;
		break;
	case KEY_CSV:
		parse_csv(state, o, arg);
		break;
	case KEY_INTERVAL:
		parse_interval(state, o, arg);
		break;
	case KEY_FILTER:
		o->filter = arg;
		break;
	case KEY_FROM:
		parse_moment(state, &o->window.from, "--from", arg);
		break;
	case KEY_TO:
		parse_moment(state, &o->window.to, "--to", arg);
		break;
	case KEY_LINK:
		parse_link(state, o, arg);
		break;
	case KEY_SORT:
		parse_sort(state, o, arg);
		break;
	case KEY_TOP:
		parse_top(state, o, arg);
		break;
	case KEY_HOST_MAP:
		o->host_map_path = arg;
		break;
	case KEY_LOCAL:
		o->local = true;
		break;
	case KEY_COLOR:
		parse_color(state, o, arg);
		break;
	case KEY_NO_FAIL:
		o->no_fail = true;
		break;
	case KEY_QUIET:
		o->quiet = true;
		break;
	case KEY_SCREEN:
		o->screen = true;
		break;
	case ARGP_KEY_ARG:
		o->paths[o->n_paths++] = arg;
		break;
	case ARGP_KEY_END:
		check_whole(state, o);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

void read_options_parse(struct read_options *o, int argc, char **argv)
{
	const char *no_color = getenv("NO_COLOR");
	*o = (struct read_options){.top = FLOWS_SHOWN,
	                           .stream.out = stdout,
	                           .color = isatty(STDOUT_FILENO) &&
	                                    !(no_color && *no_color)};
	const struct argp argp = {
	        .options = options,
	        .parser = parse_option,
	        .args_doc = "FILE…",
	        .doc = "Analyses captures (pcap, pcapng, also compressed; - is "
	               "standard "
	               "input) and prints what Rx did on the wire.\v"
	               "Exit codes: 0 ok, 1 findings of severity warning or "
	               "error, 2 wrong usage or unreadable input, 3 trouble "
	               "with "
	               "the machine, 4 the input ended early.",
	};
	static char name[] = "netprobe read";
	argv[0] = name;
	argp_err_exit_status = ERR_USAGE;
	o->paths = calloc((size_t)argc + 1, sizeof *o->paths);
	if (!o->paths) {
		fputs("netprobe read: out of memory\n", stderr);
		exit(ERR_ENVIRONMENT);
	}
	argp_parse(&argp, argc, argv, 0, NULL, o);
}

void read_options_free(struct read_options *o)
{
	host_map_free(&o->host_map);
	free(o->links);
	free(o->paths);
}
