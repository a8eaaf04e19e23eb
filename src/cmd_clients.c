/* cellbench clients: one rank of a workload on several clients at once. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/quantity.h"
#include "src/command.h"
#include "src/report/clients_text.h"
#include "src/run/config.h"
#include "src/run/stop.h"
#include "src/study/clients.h"

enum { KEY_HOSTS = 256, KEY_VIA, KEY_PROBE, KEY_PROBE_VIA, KEY_PROBE_OPTIONS, KEY_PID };

static const struct argp_option options[] = {
        {"output", 'o', "DIR", 0, "folder of the result; each rank's run is below it",
         0},
        {"hosts", KEY_HOSTS, "HOST,...", 0, "the clients, one a rank (this machine)",
         0},
        {"via", KEY_VIA, "COMMAND", 0,
         "start a client through COMMAND, {} is its host: 'cellbench lab exec {}'", 0},
        {"probe", KEY_PROBE, "IF[,IF...]", 0, "capture on these interfaces, by rank 0",
         0},
        {"probe-via", KEY_PROBE_VIA, "COMMAND", 0, "start netprobe through COMMAND", 0},
        {"probe-options", KEY_PROBE_OPTIONS, "WORDS", 0, "further options of netprobe",
         0},
        {"server-pid", KEY_PID, "PID", 0,
         "count the CPU time of this process on rank 0's machine", 0},
        {0}};

struct parse {
	struct clients_config c;
	struct err e;
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct parse *p = state->input;
	const struct text_option {
		int key;
		const char **to;
	} texts[] = {
	        {'o', &p->c.out},
	        {KEY_HOSTS, &p->c.hosts},
	        {KEY_VIA, &p->c.via},
	        {KEY_PROBE, &p->c.probe.interfaces},
	        {KEY_PROBE_VIA, &p->c.probe.via},
	        {KEY_PROBE_OPTIONS, &p->c.probe.options},
	};
	uint64_t pid;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (texts[i].key == key) {
			*texts[i].to = arg;
			return 0;
		}
	if (key == KEY_PID) {
		if (number_parse(arg, "--server-pid", 1, INT32_MAX, &pid, &p->e) < 0)
			return EINVAL;
		p->c.server_pid = (long)pid;
		return 0;
	}
	if (key == ARGP_KEY_ARGS) {
		p->c.words = state->argv + state->next;
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

/* Whether cellbench run knows the words; argp ends the program where it does not know
 * an option.  What only a client's machine can tell, its own run will say. */
static int check_words(struct parse *p)
{
	static char *const none[] = {NULL};
	static char name[] = "cellbench run";
	struct run_config scratch;
	size_t n = 0;
	if (!p->c.words)
		p->c.words = none;
	while (p->c.words[n])
		n++;
	char **argv = calloc(n + 2, sizeof *argv);
	if (!argv)
		return err_set(&p->e, ERR_ENVIRONMENT, "out of memory");
	argv[0] = name;
	memcpy(argv + 1, p->c.words, n * sizeof *argv);
	int r = config_words(&scratch, (int)n + 1, argv, &p->e);
	free(argv);
	return r;
}

static void print_record(const char *dir)
{
	char path[4300];
	snprintf(path, sizeof path, "%s/clients.json", dir);
	json_t *record = json_load_file(path, 0, NULL);
	if (record)
		clients_text(record, stdout);
	json_decref(record);
}

static int run(struct parse *p, const struct comm *comm, bool *whole)
{
	char cwd[4096];
	char *full = NULL;
	/* clients may start in another folder */
	if (p->c.out[0] != '/' && getcwd(cwd, sizeof cwd) &&
	    asprintf(&full, "%s/%s", cwd, p->c.out) >= 0)
		p->c.out = full;
	int r = clients_run(&p->c, comm, stop_catch(), whole, &p->e);
	if (comm->rank == 0)
		print_record(p->c.out);
	free(full);
	return r;
}

int cmd_clients(int argc, char **argv)
{
	struct parse p = {0};
	struct comm comm;
	bool whole = true;
	const struct argp argp = {
	        .options = options,
	        .parser = parse_option,
	        .args_doc = "-- RUN-OPTION...",
	        .doc = "Runs one workload on several clients at once; what follows -- "
	               "are "
	               "options of cellbench run.  mpirun -n N starts N of it, one a "
	               "client; without mpirun there is one.\vAll begin each phase "
	               "together.  DIR/clients.json tells rates, fairness and the "
	               "server's CPU.  Exit codes: 0 ok, 2 usage, 3 environment, 4 a "
	               "client died or is less than whole.",
	};
	if (argp_parse(&argp, argc, argv, 0, NULL, &p) != 0 && p.e.code == ERR_NONE)
		err_set(&p.e, ERR_USAGE, "cannot read the options");
	if (p.e.code == ERR_NONE && !p.c.out)
		err_set(&p.e, ERR_USAGE, "name the folder of the result with -o");
	if (p.e.code != ERR_NONE || check_words(&p) < 0 || comm_start(&comm, &p.e) < 0)
		return command_end(&p.e);
	run(&p, &comm, &whole);
	/* One voice is enough: a rank's troubles are in the record of rank 0. */
	int code = comm.rank == 0 || p.e.code == ERR_USAGE ? command_end(&p.e)
	                                                   : (int)p.e.code;
	comm_stop(&comm, whole, code);
	return code;
}
