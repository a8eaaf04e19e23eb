#include "netprobe/cmd_links.h"

#include "netprobe/analysis.h"
#include "netprobe/check/print_links.h"
#include "src/base/quantity.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

enum option_key {
	KEY_JSON = 'j',
	KEY_IP = 'i',
	KEY_DATA = 'd',
	KEY_UDP = 'u',
	KEY_MTU = 'm',
	KEY_LINK = 'l'
};

struct args {
	struct links_question q;
	const char **paths;
	size_t n;
	bool json;
};

static const struct argp_option options[] = {
        {"ip-length", KEY_IP, "N", 0, "one IP packet of N bytes", 0},
        {"data", KEY_DATA, "SIZE", 0, "a call of SIZE bytes of file data (such as 64M)",
         0},
        {"udp", KEY_UDP, "N", 0, "in datagrams of N bytes of UDP payload (1444)", 0},
        {"mtu", KEY_MTU, "N", 0, "MTU of the links, instead of each kind's usual one",
         0},
        {"link", KEY_LINK, "KIND", 0, "only this kind of link", 0},
        {"json", KEY_JSON, NULL, 0, "print JSON (schema netprobe-links/1)", 0},
        {0},
};

static uint64_t number(struct argp_state *state, const char *text, const char *what,
                       uint64_t min, uint64_t max)
{
	struct err err = {0};
	uint64_t n;
	if (number_parse(text, what, min, max, &n, &err) != 0)
		argp_error(state, "%s", err.text);
	return n;
}

static void parse_data(struct argp_state *state, struct args *a, const char *text)
{
	struct err err = {0};
	if (size_parse(text, &a->q.data, &err) != 0)
		argp_error(state, "--data: %s", err.text);
	if (a->q.data == 0 || a->q.data > UINT64_C(1) << 50)
		argp_error(state, "--data %s: expected 1 byte to 1024T", text);
}

static void check(struct argp_state *state, struct args *a)
{
	int given = (a->q.ip_len != 0) + (a->q.data != 0) + (a->n != 0);
	if (given != 1)
		argp_error(state, "give one of --ip-length, --data, or captures");
	if (a->q.udp && !a->q.data)
		argp_error(state, "--udp goes with --data");
	if (a->q.data && !a->q.udp)
		a->q.udp = 1444;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct args *a = state->input;
	switch (key) {
	case KEY_JSON:
		a->json = true;
		break;
	case KEY_IP:
		a->q.ip_len = (uint32_t)number(state, arg, "--ip-length", 20, 65535);
		break;
	case KEY_DATA:
		parse_data(state, a, arg);
		break;
	case KEY_UDP:
		a->q.udp = (uint32_t)number(state, arg, "--udp", 29, 65507);
		break;
	case KEY_MTU:
		a->q.mtu = (uint32_t)number(state, arg, "--mtu", 68, 65535);
		break;
	case KEY_LINK:
		if (!link_kind_find(arg))
			argp_error(
			        state,
			        "--link %s: no such kind; netprobe links --ip-length "
			        "1500 lists them",
			        arg);
		a->q.kind = arg;
		break;
	case ARGP_KEY_ARG:
		a->paths[a->n++] = arg;
		break;
	case ARGP_KEY_END:
		check(state, a);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static int print(const struct args *a, struct err *err)
{
	return a->json ? print_links_json(&a->q, stdout, err)
	               : print_links_text(&a->q, stdout, err);
}

/* All packets of all interfaces together. */
static int print_capture(struct args *a, struct err *err)
{
	struct analysis x;
	struct analysis_options o = {.paths = a->paths, .n_paths = a->n};
	struct sizes all = {0};
	if (analysis_run(&x, &o, err) != 0)
		return -1;
	for (size_t i = 0; i < track_iface_count(x.track); i++)
		sizes_merge(&all, &track_iface(x.track, i)->ip_lengths);
	for (size_t i = 0; i < x.result.n_ifaces; i++)
		for (int w = 0; w < WAYS; w++)
			a->q.data += x.result.ifaces[i].way[w].tally.data_bytes;
	a->q.seen = &all;
	a->q.name = a->n == 1 ? a->paths[0] : "all captures";
	int rc = all.total == 0
	                 ? err_set(err, ERR_USAGE, "%s: no IP packet in it", a->q.name)
	                 : print(a, err);
	if (rc == 0 && analysis_exit_code(&x) == ERR_PARTIAL)
		rc = err_set(err, ERR_PARTIAL,
		             "the capture ended early; the figures cover what "
		             "was read");
	sizes_free(&all);
	analysis_free(&x);
	return rc;
}

int cmd_links(int argc, char **argv)
{
	static const struct argp argp = {
	        .options = options,
	        .parser = parse_option,
	        .args_doc = "--ip-length N\n--data SIZE [--udp N]\nCAPTURE…",
	        .doc = "Tells what a packet, a call or a capture costs on every kind "
	               "of link, "
	               "and what the same data would cost in other sizes.\v"
	               "Exit codes: 0 ok, 2 wrong usage or unreadable input, 3 trouble "
	               "with "
	               "the machine, 4 the input ended early.",
	};
	struct args a = {0};
	struct err err = {0};
	static char name[] = "netprobe links";
	a.paths = calloc((size_t)argc + 1, sizeof *a.paths);
	if (!a.paths) {
		fputs("netprobe links: out of memory\n", stderr);
		return ERR_ENVIRONMENT;
	}
	argp_err_exit_status = ERR_USAGE;
	argv[0] = name;
	argp_parse(&argp, argc, argv, 0, NULL, &a);
	int rc = a.n ? print_capture(&a, &err) : print(&a, &err);
	if (rc != 0)
		fprintf(stderr, "%s: %s\n", name, err.text);
	free(a.paths);
	return rc == 0 ? 0 : (int)err.code;
}
