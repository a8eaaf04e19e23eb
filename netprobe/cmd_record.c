#include "netprobe/cmd_record.h"

#include "netprobe/record/ports.h"
#include "netprobe/record/session.h"
#include "netprobe/source/live.h"
#include "src/base/clock.h"
#include "src/base/quantity.h"

#include <argp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum option_key {
	KEY_INTERFACE = 'i',
	KEY_WRITE = 'w',
	KEY_FILTER = 'f',
	KEY_SNAPLEN = 's',
	KEY_BUFFER = 'B',
	KEY_JSON = 0x100,
	KEY_DURATION,
	KEY_COUNT,
	KEY_LINK,
	KEY_ACCOUNT,
	KEY_CONTROL,
	KEY_PORTS,
};

static const struct argp_option options[] = {
        {"interface", KEY_INTERFACE, "IF[,IF…]", 0, "capture on it; may be repeated",
         0},
        {"write", KEY_WRITE, "FILE", 0,
         "write the capture (pcapng) there; - is standard output", 0},
        {"json", KEY_JSON, "FILE", 0,
         "analyse the capture when it is done, and write this", 0},
        {"filter", KEY_FILTER, "EXPRESSION", 0,
         "libpcap filter instead of the built-in one (AFS ports, all later fragments, "
         "ICMP "
         "errors, also behind a VLAN tag); '' captures everything",
         0},
        {"ports", KEY_PORTS, "LIST", 0,
         "UDP ports of the built-in filter (" RECORD_PORTS_AFS ")", 0},
        {"snaplen", KEY_SNAPLEN, "BYTES", 0,
         "bytes kept of a frame (400: all headers and acks, no file data)", 0},
        {"buffer", KEY_BUFFER, "MIB", 0, "kernel buffer of each interface (32)", 0},
        {"duration", KEY_DURATION, "SECONDS", 0, "stop after this time", 0},
        {"count", KEY_COUNT, "N", 0, "stop after N frames", 0},
        {"link", KEY_LINK, "IF=KIND[:RATE]", 0,
         "what the interface is: KIND ethernet, atm-llc, …; RATE in bits/s with k, M "
         "or G, or "
         "a name such as oc3c",
         0},
        {"account", KEY_ACCOUNT, NULL, 0,
         "take every frame from the kernel, filter here and count what is left out, so "
         "that "
         "the sum equals the interface's counters",
         0},
        {"control", KEY_CONTROL, NULL, 0,
         "be told by lines on standard input (doc/design.md); answers go to standard "
         "output",
         0},
        {0},
};

struct record_args {
	struct record_options o;
	const char *names[LIVE_IFACES_MAX];
	struct record_link links[LIVE_IFACES_MAX];
};

static volatile sig_atomic_t stop_asked; /* a signal flag is the one global there is */

static void ask_to_stop(int signal)
{
	(void)signal;
	stop_asked = 1;
}

static void add_interfaces(struct argp_state *state, struct record_args *a, char *list)
{
	char *rest;
	for (char *name = strtok_r(list, ",", &rest); name;
	     name = strtok_r(NULL, ",", &rest)) {
		if (a->o.n == LIVE_IFACES_MAX)
			argp_error(state, "-i: more than %u interfaces",
			           LIVE_IFACES_MAX);
		a->names[a->o.n++] = name;
	}
}

static uint64_t number(struct argp_state *state, const char *text, const char *what,
                       uint64_t min, uint64_t max)
{
	struct err err = {0};
	uint64_t n = 0;
	if (number_parse(text, what, min, max, &n, &err) < 0)
		argp_error(state, "%s", err.text);
	return n;
}

static int64_t seconds(struct argp_state *state, const char *text)
{
	char *end;
	double s = strtod(text, &end);
	if (end == text || *end || !(s > 0) || s > 1e9)
		argp_error(state, "--duration %s: expected seconds", text);
	return (int64_t)(s * NS_PER_S);
}

static void add_link(struct argp_state *state, struct record_args *a, const char *text)
{
	struct err err = {0};
	if (a->o.n_links == LIVE_IFACES_MAX)
		argp_error(state, "--link: more than %u", LIVE_IFACES_MAX);
	if (record_link_parse(text, &a->links[a->o.n_links], &err) < 0)
		argp_error(state, "%s", err.text);
	a->o.n_links++;
}

static void check(struct argp_state *state, const struct record_options *o)
{
	if (o->n == 0)
		argp_error(state, "name an interface with -i");
	if (!o->path)
		argp_error(state, "name the file to write with -w");
	bool pipe = strcmp(o->path, "-") == 0;
	if (pipe && o->control)
		argp_error(state, "-w - and --control both want standard output");
	if (pipe && o->json_path)
		argp_error(state, "--json analyses the file that -w names; - is none");
	if (pipe && isatty(STDOUT_FILENO))
		argp_error(state, "-w -: standard output is a terminal");
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct record_args *a = state->input;
	struct record_options *o = &a->o;
	switch (key) {
	case KEY_INTERFACE:
		add_interfaces(state, a, arg);
		break;
	case KEY_WRITE:
		o->path = arg;
		break;
	case KEY_JSON:
		o->json_path = arg;
		break;
	case KEY_FILTER:
		o->filter = arg;
		break;
	case KEY_PORTS:
		o->ports = arg;
		break;
	case KEY_SNAPLEN:
		o->snaplen = (uint32_t)number(state, arg, "--snaplen", 64, 262144);
		break;
	case KEY_BUFFER:
		o->buffer_bytes = number(state, arg, "--buffer", 1, 2047) << 20;
		break;
	case KEY_DURATION:
		o->duration_ns = seconds(state, arg);
		break;
	case KEY_COUNT:
		o->count = number(state, arg, "--count", 1, UINT64_MAX);
		break;
	case KEY_LINK:
		add_link(state, a, arg);
		break;
	case KEY_ACCOUNT:
		o->account = true;
		break;
	case KEY_CONTROL:
		o->control = true;
		break;
	case ARGP_KEY_ARG:
		argp_error(state, "'%s' is no option; interfaces are named with -i",
		           arg);
		break;
	case ARGP_KEY_END:
		check(state, o);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const char *lab_path(char *buf, size_t size)
{
	const char *lab = getenv("CELLBENCH_LAB");
	snprintf(buf, size, "%s/lab.json", lab && *lab ? lab : "/run/cellbench/lab");
	return buf;
}

static void catch_signals(void)
{
	/* a second signal ends it at once, as one is used to */
	struct sigaction stop = {.sa_handler = ask_to_stop, .sa_flags = SA_RESETHAND};
	sigaction(SIGINT, &stop, NULL);
	sigaction(SIGTERM, &stop, NULL);
	sigaction(SIGHUP, &stop, NULL);
	signal(SIGPIPE,
	       SIG_IGN); /* a driver that is gone is no reason to lose the file */
}

int cmd_record(int argc, char **argv)
{
	char lab[4096];
	struct record_args a = {0};
	a.o = (struct record_options){.names = a.names,
	                              .links = a.links,
	                              .ports = RECORD_PORTS_AFS,
	                              .snaplen = RECORD_SNAPLEN,
	                              .buffer_bytes = (uint64_t)RECORD_BUFFER_MIB << 20,
	                              .lab_path = lab_path(lab, sizeof lab),
	                              .stop = &stop_asked};
	const struct argp argp = {
	        .options = options,
	        .parser = parse_option,
	        .doc = "Captures on several interfaces at once into one pcapng file: "
	               "headers, "
	               "fragments and ICMP errors of AFS traffic.  Needs CAP_NET_RAW "
	               "(sudo), "
	               "which is given up as soon as everything is open.\v"
	               "Exit codes: 0 ok, 2 wrong usage, 3 no privilege, no interface "
	               "or other "
	               "trouble with the machine, 4 the capture is not whole (disk "
	               "full, "
	               "interface gone).",
	};
	static char name[] = "netprobe record";
	argv[0] = name;
	argp_err_exit_status = ERR_USAGE;
	argp_parse(&argp, argc, argv, 0, NULL, &a);
	a.o.progress = !a.o.control && isatty(STDERR_FILENO);
	catch_signals();
	struct err err = {0};
	if (record_run(&a.o, &err) < 0)
		fprintf(stderr, "netprobe record: %s\n", err.text);
	return (int)err.code;
}
