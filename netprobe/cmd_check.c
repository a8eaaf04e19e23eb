#include "netprobe/cmd_check.h"

#include "netprobe/check/check.h"
#include "netprobe/check/print.h"
#include "src/base/clock.h"
#include "src/base/quantity.h"

#include <argp.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAGIOS_UNKNOWN 3
#define RATE_MAX 1000

enum option_key {
	KEY_PEER = 'p',
	KEY_PEERS = 'P',
	KEY_ACTIVE = 'a',
	KEY_FORMAT = 'f',
	KEY_OUTPUT = 'o',
	KEY_EXPECT = 'e',
	KEY_CAPTURE = 'c',
	KEY_LIVE = 'l',
	KEY_INTERFACE = 'i',
	KEY_CELLSERVDB = 256,
	KEY_CELL,
	KEY_BOTH_WAYS,
	KEY_FROM,
	KEY_METHOD,
	KEY_RATE,
	KEY_PACKETS,
	KEY_PROGRAM,
	KEY_RELEASE,
	KEY_JUMBO,
	KEY_RXMAXMTU,
	KEY_RXMAXFRAGS
};

static const struct format {
	const char *name;
	print_fn *print;
} formats[] = {{"table", print_table},
               {"json", print_json},
               {"nagios", print_nagios},
               {"prometheus", print_prometheus}};
#define FORMATS (sizeof formats / sizeof *formats)

struct check_args {
	struct peers peers;
	const char **from;
	const char *output;
	const struct format *format;
	struct check_options o;
	struct print_options print;
	struct err err; /* of the peers named */
};

static const struct argp_option options[] = {
        {0, 0, 0, 0, "Whom to check:", 1},
        {"peer", KEY_PEER, "HOST[:PORT]", 0,
         "a peer (port 7000); a name stands for all its addresses", 1},
        {"peers", KEY_PEERS, "FILE", 0, "a file of them, one a line", 1},
        {"cellservdb", KEY_CELLSERVDB, "FILE", 0,
         "the database servers of a CellServDB (port 7003)", 1},
        {"cell", KEY_CELL, "NAME", 0, "only this cell of it", 1},
        {"capture", KEY_CAPTURE, "FILE", 0,
         "compare with a capture taken here; without --peer also its AFS peers", 1},
        {"live", KEY_LIVE, "SECONDS", 0,
         "compare with what AFS sends meanwhile: capture for so long, and while the "
         "probe takes longer (needs CAP_NET_RAW); without --peer also its AFS peers",
         1},
        {"interface", KEY_INTERFACE, "IF[,IF…]", 0,
         "capture on these only, not on all that are up and have an address", 1},
        {"from", KEY_FROM, "ADDRESS|INTERFACE|all", 0,
         "go by this address or interface, or by each of them, instead of by the route",
         1},
        {0, 0, 0, 0, "The probe:", 2},
        {"active", KEY_ACTIVE, NULL, 0,
         "send padded probes with \"don't fragment\" to find what gets through", 2},
        {"method", KEY_METHOD, "rx|icmp|udp", 0,
         "Rx VERSION requests (default), ICMP echo, or UDP to an echo service", 2},
        {"rate", KEY_RATE, "N", 0, "at most N probes a second (100)", 2},
        {"packets", KEY_PACKETS, "N", 0, "at most N probes a peer (300)", 2},
        {"both-ways", KEY_BOTH_WAYS, NULL, 0, "tell what to run at the far end", 2},
        {0, 0, 0, 0, "What is expected:", 3},
        {"expect", KEY_EXPECT, "FILE", 0,
         "what each network should have: lines such as 10.1.0.0/16 mtu=9180 path=9180 "
         "rx=8520",
         3},
        {"program", KEY_PROGRAM, "NAME", 0,
         "what runs here, as for netprobe expect (client; server towards port 7001)",
         3},
        {"release", KEY_RELEASE, "1.8|1.6", 0, "of OpenAFS (1.8)", 3},
        {"jumbo", KEY_JUMBO, NULL, 0, "the server runs with -jumbo", 3},
        {"rxmaxmtu", KEY_RXMAXMTU, "N", 0, "it runs with -rxmaxmtu N", 3},
        {"rxmaxfrags", KEY_RXMAXFRAGS, "N", 0, "the client runs with -rxmaxfrags N", 3},
        {0, 0, 0, 0, "Output:", 4},
        {"format", KEY_FORMAT, "FORMAT", 0, "table (default), json, nagios, prometheus",
         4},
        {"output", KEY_OUTPUT, "FILE", 0, "write to FILE, whole or not at all", 4},
        {0},
};

static volatile sig_atomic_t stop_asked; /* a signal flag is the one global there is */

static void ask_to_stop(int signal)
{
	(void)signal;
	stop_asked = 1;
}

static uint32_t number(struct argp_state *state, const char *text, const char *what,
                       uint32_t min, uint32_t max)
{
	struct err err = {0};
	uint64_t n;
	if (number_parse(text, what, min, max, &n, &err) != 0)
		argp_error(state, "%s", err.text);
	return (uint32_t)n;
}

static void parse_live(struct argp_state *state, struct check_args *a, const char *text)
{
	char *end;
	double s = strtod(text, &end);
	if (end == text || *end || !(s >= 0.1 && s <= 86400))
		argp_error(state, "--live %s: expected seconds, 0.1 to 86400", text);
	a->o.live_ns = (int64_t)(s * (double)NS_PER_S);
}

static void parse_interfaces(struct argp_state *state, struct check_args *a, char *list)
{
	char *rest;
	for (char *name = strtok_r(list, ",", &rest); name;
	     name = strtok_r(NULL, ",", &rest)) {
		if (a->o.n_ifaces == LIVE_IFACES_MAX)
			argp_error(state, "--interface: more than %u interfaces",
			           LIVE_IFACES_MAX);
		a->o.ifaces[a->o.n_ifaces++] = name;
	}
}

static void check_args(struct argp_state *state, const struct check_args *a)
{
	if (a->peers.n == 0 && !a->err.code && !a->o.cellservdb && !a->o.capture &&
	    !a->o.live_ns)
		argp_error(
		        state,
		        "name a --peer, or --peers, --cellservdb, --capture, --live");
	if (a->o.capture && a->o.live_ns)
		argp_error(state, "--capture and --live: one of them");
	if (a->o.n_ifaces && !a->o.live_ns)
		argp_error(state, "--interface is for --live; --from names the "
		                  "interface to go by");
}

static void parse_format(struct argp_state *state, struct check_args *a,
                         const char *text)
{
	for (size_t i = 0; i < FORMATS; i++)
		if (strcmp(formats[i].name, text) == 0) {
			a->format = &formats[i];
			return;
		}
	argp_error(state,
	           "--format %s: the formats are table, json, nagios, prometheus",
	           text);
}

static void parse_program(struct argp_state *state, struct check_args *a,
                          const char *text)
{
	a->o.m.program = expect_program_find(text);
	if (a->o.m.program < 0)
		argp_error(state,
		           "--program %s: the programs are server, client, tool, "
		           "kernel-client, kafs, kafs-probing, auristor",
		           text);
}

static bool parse_expected(int key, char *arg, struct argp_state *state,
                           struct check_args *a)
{
	switch (key) {
	case KEY_EXPECT:
		a->o.expect = arg;
		return true;
	case KEY_PROGRAM:
		parse_program(state, a, arg);
		return true;
	case KEY_RELEASE:
		if (strcmp(arg, "1.6") != 0 && strcmp(arg, "1.8") != 0)
			argp_error(state, "--release %s: expected 1.8 or 1.6", arg);
		a->o.m.release = arg[2] == '6' ? EXPECT_16 : EXPECT_18;
		return true;
	case KEY_JUMBO:
		a->o.m.config.frags = EXPECT_FRAGS;
		return true;
	case KEY_RXMAXMTU:
		a->o.m.config.rxmaxmtu = number(state, arg, "--rxmaxmtu", 520, 16356);
		return true;
	case KEY_RXMAXFRAGS:
		a->o.m.config.frags = number(state, arg, "--rxmaxfrags", 1, 255);
		return true;
	default:
		return false;
	}
}

static bool parse_probe(int key, char *arg, struct argp_state *state,
                        struct check_args *a)
{
	int method;
	switch (key) {
	case KEY_ACTIVE:
		a->o.m.active = a->print.active = true;
		return true;
	case KEY_METHOD:
		method = probe_method_find(arg);
		if (method < 0)
			argp_error(state, "--method %s: the methods are rx, icmp, udp",
			           arg);
		a->o.m.method = (enum probe_method)method;
		return true;
	case KEY_RATE:
		a->o.m.gap_ns = NS_PER_S / number(state, arg, "--rate", 1, RATE_MAX);
		return true;
	case KEY_PACKETS:
		a->o.m.packets = number(state, arg, "--packets", 5, 1000);
		return true;
	case KEY_BOTH_WAYS:
		a->print.both_ways = true;
		return true;
	default:
		return false;
	}
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct check_args *a = state->input;
	switch (key) {
	case KEY_PEER:
		peers_add(&a->peers, arg, &a->err);
		break;
	case KEY_PEERS:
		peers_add_file(&a->peers, arg, &a->err);
		break;
	case KEY_CELLSERVDB:
		a->o.cellservdb = arg;
		break;
	case KEY_CELL:
		a->o.cell = arg;
		break;
	case KEY_CAPTURE:
		a->o.capture = arg;
		break;
	case KEY_LIVE:
		parse_live(state, a, arg);
		break;
	case KEY_INTERFACE:
		parse_interfaces(state, a, arg);
		break;
	case KEY_FROM:
		a->from[a->o.m.n_from++] = arg;
		break;
	case KEY_FORMAT:
		parse_format(state, a, arg);
		break;
	case KEY_OUTPUT:
		a->output = arg;
		break;
	case ARGP_KEY_ARG:
		argp_error(state, "'%s' is no option; --peer names a peer", arg);
		break;
	case ARGP_KEY_END:
		check_args(state, a);
		break;
	default:
		if (!parse_probe(key, arg, state, a) &&
		    !parse_expected(key, arg, state, a))
			return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static void show_progress(const struct row *r)
{
	char text[PEER_TEXT];
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "probing %s by %s\n", peer_format(&r->peer, text),
		        r->iface.name);
}

/* What is written stands there whole or not at all: node_exporter reads at any time. */
static int write_file(const struct check_args *a, const struct matrix *m,
                      struct err *err)
{
	char *tmp;
	if (asprintf(&tmp, "%s.%ld.tmp", a->output, (long)getpid()) < 0)
		return err_set(err, ERR_ENVIRONMENT, "out of memory");
	FILE *out = fopen(tmp, "we");
	int rc = out ? a->format->print(m, &a->print, out, err)
	             : err_sys(err, errno, "cannot create %s", tmp);
	if (out && fclose(out) != 0 && rc == 0)
		rc = err_sys(err, errno, "cannot write %s", tmp);
	if (rc == 0 && rename(tmp, a->output) != 0)
		rc = err_sys(err, errno, "cannot rename %s to %s", tmp, a->output);
	if (rc != 0 && out)
		unlink(tmp);
	free(tmp);
	return rc;
}

static int check(struct check_args *a, struct err *err)
{
	struct check c = {0};
	int code = -1;
	if (a->err.code) {
		*err = a->err;
		return -1;
	}
	if (check_make(&c, &a->o, err) == 0) {
		int rc = a->output
		                 ? write_file(a, &c.matrix, err)
		                 : a->format->print(&c.matrix, &a->print, stdout, err);
		if (rc == 0)
			code = a->format->print == print_nagios
			               ? print_nagios_code(&c.matrix)
			               : matrix_exit_code(&c.matrix);
		if (code == 0 && (c.seen.partial || c.seen.gone[0]))
			code = ERR_PARTIAL;
	}
	check_free(&c);
	return code;
}

/* Nagios takes what is on standard output; its codes are its own. */
static int failed(const struct check_args *a, const struct err *err)
{
	fprintf(stderr, "netprobe check: %s\n", err->text);
	if (a->format->print != print_nagios)
		return err->code;
	printf("NETPROBE UNKNOWN - %s\n", err->text);
	return NAGIOS_UNKNOWN;
}

int cmd_check(int argc, char **argv)
{
	static const struct argp argp = {
	        .options = options,
	        .parser = parse_option,
	        .doc = "Checks the way from this host to its AFS peers, interface by "
	               "interface: the MTU of link, route and path, and the packet "
	               "sizes that "
	               "Rx should choose.\v"
	               "Exit codes: 0 all as it should be, 1 findings, 2 wrong usage "
	               "or a "
	               "mistake in a file, 3 trouble with the machine (an interface "
	               "that "
	               "vanished), 4 partial result. With --format nagios: 0 OK, 1 "
	               "WARNING, 2 "
	               "CRITICAL, 3 UNKNOWN.",
	};
	struct check_args a = {.format = &formats[0], .o.m.program = -1};
	struct err err = {0};
	static char name[] = "netprobe check";
	a.from = calloc((size_t)argc + 1, sizeof *a.from);
	if (!a.from) {
		fputs("netprobe check: out of memory\n", stderr);
		return ERR_ENVIRONMENT;
	}
	argp_err_exit_status = ERR_USAGE;
	argv[0] = name;
	argp_parse(&argp, argc, argv, 0, NULL, &a);
	struct sigaction act = {.sa_handler = ask_to_stop, .sa_flags = SA_RESETHAND};
	sigaction(SIGINT, &act, NULL);
	sigaction(SIGTERM, &act, NULL);
	a.o.peers = &a.peers;
	a.o.progress = isatty(STDERR_FILENO);
	a.o.m.from = a.from;
	a.o.m.stop = &stop_asked;
	a.o.m.progress = show_progress;
	a.print.time_ns = clock_real_ns();
	int code = check(&a, &err);
	if (code < 0)
		code = failed(&a, &err);
	peers_free(&a.peers);
	free(a.from);
	return code;
}
