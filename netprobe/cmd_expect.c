#include "netprobe/cmd_expect.h"

#include "netprobe/check/print_expect.h"
#include "src/base/quantity.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IFACES_MAX 64

enum option_key {
	KEY_JSON = 'j',
	KEY_IFACE = 'i',
	KEY_PEER = 'p',
	KEY_PROGRAM = 'P',
	KEY_RELEASE = 256,
	KEY_JUMBO,
	KEY_NOJUMBO,
	KEY_RXMAXMTU,
	KEY_RXMAXFRAGS,
	KEY_ROUTE_MTU,
	KEY_TRAILER
};

struct args {
	struct expect_iface iface[IFACES_MAX];
	struct expect_host host;
	struct expect_case c;
	struct rx_trailer trailer;
	bool have_peer, jumbo, nojumbo, json;
};

static const struct argp_option options[] = {
        {"interface", KEY_IFACE, "ADDR/BITS=MTU", 0,
         "an interface of the host, in the order in which the system lists them; may "
         "be "
         "given more than once",
         0},
        {"peer", KEY_PEER, "ADDR", 0, "the other host", 0},
        {"program", KEY_PROGRAM, "NAME", 0,
         "server (default), client (libuafs, afsd.fuse), tool (vos, …), kernel-client, "
         "kafs (Linux before 6.14), kafs-probing (6.14 and later), auristor",
         0},
        {"release", KEY_RELEASE, "1.8|1.6", 0, "of OpenAFS (1.8)", 0},
        {"jumbo", KEY_JUMBO, NULL, 0, "as the servers' -jumbo", 0},
        {"nojumbo", KEY_NOJUMBO, NULL, 0, "as the servers' -nojumbo, their default", 0},
        {"rxmaxmtu", KEY_RXMAXMTU, "N", 0, "as -rxmaxmtu", 0},
        {"rxmaxfrags", KEY_RXMAXFRAGS, "N", 0, "as afsd's -rxmaxfrags", 0},
        {"route-mtu", KEY_ROUTE_MTU, "N", 0,
         "MTU of the route to the peer, where it is not the interface's", 0},
        {"peer-trailer", KEY_TRAILER, "A,B,W,P", 0,
         "what the peer's acks announce (netprobe read shows it); else what is most "
         "likely at the other end of the same link is assumed",
         0},
        {"json", KEY_JSON, NULL, 0, "print JSON (schema netprobe-expect/1)", 0},
        {0},
};

static uint32_t number(struct argp_state *state, const char *text, const char *what,
                       uint32_t min, uint32_t max)
{
	struct err err = {0};
	uint64_t n;
	if (number_parse(text, what, min, max, &n, &err) != 0)
		argp_error(state, "%s", err.text);
	return (uint32_t)n;
}

static void parse_iface(struct argp_state *state, struct args *a, const char *text)
{
	char addr[ADDR_TEXT];
	int bits, mtu, end = 0;
	struct expect_iface f;
	if (sscanf(text, "%45[0-9.]/%d=%d%n", addr, &bits, &mtu, &end) != 3 ||
	    text[end] || !addr_parse(addr, &f.addr) || bits < 0 || bits > 32 ||
	    mtu < 68 || mtu > 65536)
		argp_error(state,
		           "--interface %s: expected an IPv4 address, its netmask's "
		           "bits and "
		           "an MTU of 68 to 65536, such as 10.77.2.1/24=9180",
		           text);
	if (a->host.ifaces == IFACES_MAX)
		argp_error(state, "--interface: at most %d", IFACES_MAX);
	f.prefix = (uint8_t)bits;
	f.mtu = (uint32_t)mtu;
	a->iface[a->host.ifaces++] = f;
}

static void parse_trailer(struct argp_state *state, struct args *a, const char *text)
{
	unsigned long w[4] = {0};
	int words = 0;
	const char *at = text;
	for (char *end; words < 4; at = end + 1) {
		if (*at < '0' || *at > '9')
			argp_error(state,
			           "--peer-trailer %s: expected up to 4 numbers "
			           "parted by commas, such as 1444,1444,32,1",
			           text);
		w[words++] = strtoul(at, &end, 10);
		if (*end != ',' || words == 4) {
			at = end;
			break;
		}
	}
	for (int i = 0; i < words; i++)
		if (w[i] > UINT32_MAX)
			argp_error(state, "--peer-trailer %s: %lu is no 32-bit number",
			           text, w[i]);
	a->trailer = (struct rx_trailer){.words = (uint8_t)words,
	                                 .max_receive = (uint32_t)w[0],
	                                 .interface = (uint32_t)w[1],
	                                 .window = (uint32_t)w[2],
	                                 .packets = (uint32_t)w[3]};
	if (*at || !rx_trailer_plausible(&a->trailer))
		argp_error(state,
		           "--peer-trailer %s: no host announces this; expected "
		           "sizes of 520 to 65535, a window over 0, at most %u packets",
		           text, RX_PACKETS_MAX);
	a->c.trailer = &a->trailer;
}

static void parse_program(struct argp_state *state, struct args *a, const char *text)
{
	int p = expect_program_find(text);
	if (p < 0)
		argp_error(state,
		           "--program %s: the programs are server, client, tool, "
		           "kernel-client, kafs, kafs-probing, auristor",
		           text);
	a->host.config.program = (enum expect_program)p;
}

static void check(struct argp_state *state, struct args *a)
{
	struct expect_config *c = &a->host.config;
	bool server = c->program == EXPECT_SERVER;
	if (a->host.ifaces == 0 || !a->have_peer)
		argp_error(state, "give at least one --interface and the --peer");
	if (a->jumbo && a->nojumbo)
		argp_error(state, "--jumbo and --nojumbo exclude each other");
	if ((a->jumbo || a->nojumbo) && !server)
		argp_error(state,
		           "--jumbo and --nojumbo are options of servers; clients "
		           "have --rxmaxfrags");
	if (c->frags && server)
		argp_error(state, "--rxmaxfrags is an option of clients; servers have "
		                  "--jumbo and --nojumbo");
	if (a->jumbo)
		c->frags = EXPECT_FRAGS;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct args *a = state->input;
	switch (key) {
	case KEY_JSON:
		a->json = true;
		break;
	case KEY_IFACE:
		parse_iface(state, a, arg);
		break;
	case KEY_PEER:
		if (!addr_parse(arg, &a->c.peer) || !addr_is_v4(&a->c.peer))
			argp_error(state, "--peer %s: expected an IPv4 address", arg);
		a->have_peer = true;
		break;
	case KEY_PROGRAM:
		parse_program(state, a, arg);
		break;
	case KEY_RELEASE:
		if (strcmp(arg, "1.6") != 0 && strcmp(arg, "1.8") != 0)
			argp_error(state, "--release %s: expected 1.8 or 1.6", arg);
		a->c.release = arg[2] == '6' ? EXPECT_16 : EXPECT_18;
		break;
	case KEY_JUMBO:
		a->jumbo = true;
		break;
	case KEY_NOJUMBO:
		a->nojumbo = true;
		break;
	case KEY_RXMAXMTU:
		a->host.config.rxmaxmtu = number(state, arg, "--rxmaxmtu", 520, 16356);
		break;
	case KEY_RXMAXFRAGS:
		a->host.config.frags = number(state, arg, "--rxmaxfrags", 1, 255);
		break;
	case KEY_ROUTE_MTU:
		a->c.route_mtu = number(state, arg, "--route-mtu", 68, 65536);
		break;
	case KEY_TRAILER:
		parse_trailer(state, a, arg);
		break;
	case ARGP_KEY_ARG:
		argp_error(state, "'%s' is no option", arg);
		break;
	case ARGP_KEY_END:
		check(state, a);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

int cmd_expect(int argc, char **argv)
{
	struct args a = {0};
	static const struct argp argp = {
	        .options = options,
	        .parser = parse_option,
	        .doc = "Tells which packet sizes an Rx implementation should choose "
	               "towards "
	               "a peer, with the arithmetic. Sizes: Rx = with its 28-byte "
	               "header, "
	               "UDP = UDP payload, IP = with UDP and IPv4 header.\v"
	               "Exit codes: 0 ok, 2 wrong usage, 3 trouble with the machine.",
	};
	static char name[] = "netprobe expect";
	a.host.iface = a.iface;
	a.c.host = &a.host;
	argp_err_exit_status = ERR_USAGE;
	argv[0] = name;
	argp_parse(&argp, argc, argv, 0, NULL, &a);
	bool assumed = !a.c.trailer;
	struct err err = {0};
	struct expect_choice x;
	expect_choose(&a.c, &x);
	if (assumed) {
		a.trailer = expect_likely_peer(&a.c, &x);
		a.c.trailer = &a.trailer;
		expect_choose(&a.c, &x);
	}
	int rc = a.json ? print_expect_json(&a.c, &x, assumed, stdout, &err)
	                : print_expect_text(&a.c, &x, assumed, stdout, &err);
	if (rc != 0)
		fprintf(stderr, "%s: %s\n", name, err.text);
	return rc == 0 ? 0 : (int)err.code;
}
